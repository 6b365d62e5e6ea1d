"""exact@1 and token_f1@1: the policy decides, and it is always named."""

import pytest

from eval_pipeline.metrics.text_policies import squad
from eval_pipeline.verification.exact import Exact, TokenF1, exact_match, token_f1
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
