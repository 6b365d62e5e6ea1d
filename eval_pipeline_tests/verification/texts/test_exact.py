"""exact@1 and token_f1@1: the policy decides, and it is always named."""

import pytest

from eval_pipeline.metrics.text_policies import squad
from eval_pipeline.verification.first.numeric import Numeric as FirstNumeric
from eval_pipeline.verification.texts.exact import Exact, TokenF1, exact_match, token_f1
from eval_pipeline.verification.verdict import Item


def test_golden_vectors_hold(golden_vectors):
    functions = {"exact_match": exact_match, "token_f1": token_f1}
    cases = [c for c in golden_vectors("instruments.json") if c["instrument"] in functions]
    assert len(cases) >= 10
    for case in cases:
        result = functions[case["instrument"]](**case["inputs"])
        assert result == pytest.approx(case["expected"], abs=case["tolerance"]), case["id"]


def test_an_article_counts_unless_the_policy_strips_it():
    answer, reference = "the Battle of Hastings", "Battle of Hastings"
    assert exact_match(answer, reference, "squad") == 1.0
    assert exact_match(answer, reference, "identity") == 0.0


def test_squad_leaves_one_form():
    assert squad("  The U.S.  Army's an  apple ") == "us armys apple"


def test_a_policy_must_be_declared():
    for kind in (Exact, TokenF1):
        with pytest.raises(ValueError, match=r"declare one of \['casefold'"):
            kind()


def test_an_item_whose_answer_vanishes_is_named():
    with pytest.raises(ValueError, match="'q7'"):
        Exact(policy="squad").check(Item("q7", answer="The"))


def test_overlap_is_partial_credit():
    verdict = TokenF1(policy="squad").verify(Item("q", answer="new york"), "new new york")
    assert verdict.score == pytest.approx(0.8)
    assert TokenF1(policy="squad").verify(Item("q", answer="42"), "142").detail == "wrong"


def test_the_best_of_several_references_counts():
    item = Item("i", answer='["New York City", "NYC"]')
    several = {"policy": "squad", "references": "json"}
    assert Exact(**several).verify(item, "the nyc!").score == 1.0
    got = TokenF1(**several).verify(item, "New York")
    assert got.score == pytest.approx(0.8)
    assert "the best of 2 references" in got.explanation
    for answer in ("NYC", "[]", "[1]", '["a", ""]'):
        with pytest.raises(ValueError, match="item 'i'"):
            Exact(**several).check(Item("i", answer=answer))
    with pytest.raises(ValueError, match="references must be"):
        Exact(policy="squad", references="two")


@pytest.mark.parametrize(
    ("answer", "reference", "same"),
    [("3 Millionen", "3", 1.0), ("not 5", "5", 1.0), ("x + 5", "5", 1.0), ("> 5", "5", 0.0),
     ("1,200", "1200", 1.0), ("twenty-one", "21", 1.0), ("5 g", "5 kg", 0.0)],
)  # fmt: skip
def test_the_policy_of_mathematics_stays_with_the_first_reader(answer, reference, same):
    """A policy has no version: what it said once, it says for ever, and numeric@2 may differ."""
    first = FirstNumeric(thousands=",", number_words=True).equivalent(answer, reference)
    assert exact_match(answer, reference, "math_v1") == float(first is True) == same
