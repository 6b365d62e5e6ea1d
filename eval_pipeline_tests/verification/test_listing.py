"""set@2, tuple@2 and interval@2: what order, brackets and ends mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item, Verdict


def judged(verifier: str, answer: str, reference: str, **options: object) -> Verdict:
    grader = Grader.of(verifier, "whole_text@2", options)
    item = Item("i", answer=reference)
    grader.check([item])
    return grader.verdicts([(item, answer)])[0]


@pytest.mark.parametrize(
    ("verifier", "answer", "reference", "score"),
    [
        ("set@2", "{3, 1, 2}", "1, 2, 3", 1),
        ("set@2", r"\{1,2,2\}", "{2,1}", 1),
        ("set@2", "1, 2", "1, 2, 3", 0),
        ("set@2", "1, 2, 3, 4", "1, 2, 3", 0),
        ("set@2", "1/2 and 0.25", "{0.5, 1/4}", 1),
        ("set@2", "red, blue", "Blue and red", 1),
        ("set@2", "a, b, and c", "a,b,c", 1),
        ("set@2", "{(1,2),(3,4)}", "{(3,4),(1,2)}", 1),
        ("set@2", "{(1,2)}", "{(2,1)}", 0),
        ("set@2", "∅", "{}", 1),
        ("set@2", "(1,2)", "1,2", None),
        ("set@2", "p + 4, 2", "p - 4, 2", 0),
        ("set@2", r"\sqrt{12}, 1", r"2\sqrt{3}, 1", 1),
        ("set@2", "5 kg, 2", "5 g, 2", 0),
        ("tuple@2", "(1, 2)", "1,2", 1),
        ("tuple@2", "(x+1, 2)", "(1+x, 2)", 1),
        ("tuple@2", "(-x, 2)", "(x, 2)", 0),
        ("tuple@2", r"\left( 1.0, \frac{4}{2} \right)", "(1, 2)", 1),
        ("tuple@2", "(2, 1)", "(1, 2)", 0),
        ("tuple@2", "(1, 2, 3)", "(1, 2)", 0),
        ("tuple@2", "{1,2}", "(1,2)", None),
        ("tuple@2", "((1,2),3)", "((1,2),3)", 1),
        ("tuple@2", "(1, 2", "(1,2)", None),
        ("interval@2", "[1,2)", "[1, 2)", 1),
        ("interval@2", "(1,2]", "[1,2)", 0),
        ("interval@2", "[1/2, 0.75]", "[0.5, 3/4]", 1),
        ("interval@2", "1 <= x < 2", "[1,2)", 1),
        ("interval@2", "]1,2]", "(1,2]", 1),
        ("interval@2", "(1,2) U [2,3)", "(1,3)", 1),
        ("interval@2", "(1,2) U (2,3)", "(1,3)", 0),
        ("interval@2", r"x \in (1,2)", "(1,2)", 1),
        ("interval@2", r"x \geq 3", r"[3, \infty)", 1),
        ("interval@2", r"(-\infty, 3] \cup [5, 6]", "[5,6] ∪ (-∞,3]", 1),
        ("interval@2", r"[3, \infty]", r"[3, \infty)", 1),
        ("interval@2", "]1,2[", "(1,2)", 1),
        ("interval@2", r"x \leqslant 3", r"(-\infty, 3]", 1),
        ("interval@2", r"(\sqrt{4}, 3)", "(2, 3)", 1),
        ("interval@2", "(2, p - 3)", "(2, p + 3)", 0),
        ("interval@2", "[2,1]", "[1,2]", None),
        ("interval@2", "1 and 2", "[1,2]", None),
    ],
)
def test_a_list_means_what_its_brackets_say(
    verifier: str, answer: str, reference: str, score: float | None
):
    got = judged(verifier, answer, reference)
    assert got.score == score, got
    assert got.status == ("parser_failure" if score is None else "ok")


@pytest.mark.parametrize(
    ("verifier", "answer", "reference", "detail"),
    [
        ("set@2", "at most 8, 2", "8, 2", "part_not_told"),
        ("tuple@2", r"(\ge 1, 2)", "(1, 2)", "part_not_told"),
        ("set@2", "8 or so, 2", "8, 2", "part_not_told"),
        ("tuple@2", "(about 1, 2)", "(1, 2)", "part_not_told"),
        ("interval@2", "y > 4", "x > 4", "other_name"),
    ],
)
def test_a_part_that_is_not_understood_is_not_judged(
    verifier: str, answer: str, reference: str, detail: str
):
    got = judged(verifier, answer, reference)
    assert (got.status, got.score, got.detail) == ("undecided", None, detail)


def test_a_comma_may_group_digits_or_part():
    assert judged("set@2", "1,000, 2", "{2, 1000}", thousands=",").score == 1.0
    assert judged("set@2", "1,000", "{1000}", thousands=",").score == 1.0
    assert judged("tuple@2", "(100,200)", "(100, 200)", thousands=",").score == 1.0
    assert judged("set@2", "1,5; 2", "{2; 1,5}", decimal=",").score == 1.0


def test_a_tolerance_holds_for_each_part():
    assert judged("tuple@2", "(1.01, 2)", "(1, 2)", abs_tol="0.05").score == 1.0
    with pytest.raises(ValueError, match="no tolerance"):
        judged("interval@2", "[1,2]", "[1,2]", abs_tol=1)


def test_an_item_that_is_no_list_is_named():
    for verifier, reference in (("set@2", "(1,"), ("tuple@2", "1,,2"), ("interval@2", "5")):
        with pytest.raises(ValueError, match="item 'i'"):
            judged(verifier, "1", reference)


@given(st.lists(st.fractions(max_denominator=99), min_size=2, max_size=5, unique=True), st.data())
def test_order_counts_in_tuples_only(values, data):
    shuffled = data.draw(st.permutations(values))
    said, wanted = (", ".join(map(str, v)) for v in (shuffled, values))
    assert judged("set@2", f"{{{said}}}", wanted).score == 1.0
    assert judged("tuple@2", f"({said})", f"({wanted})").score == float(shuffled == values)
