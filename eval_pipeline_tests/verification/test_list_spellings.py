"""set@2, tuple@2 and interval@2 on answers as competitions write them."""

import pytest

from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

HELD = (1, None)  # right, or not to be told
NEVER = (0, None)  # wrong, or not to be told


@pytest.mark.parametrize(
    ("verifier", "reference", "reply", "right"),
    [
        ("set@2", r"\{1,2,3\}", r"\{3,2,1\}", 1),
        ("set@2", r"\{1,2,3\}", "1,2,3", 1),
        ("set@2", r"\{1,2,3\}", "1, 2 and 3", 1),
        ("set@2", r"\{1,2,3\}", r"\{1,2\}", 0),
        ("set@2", r"\{1,2,3\}", "(1,2,3)", NEVER),
        ("set@2", r"\{\frac12,\sqrt2\}", r"\left\{\sqrt{2},0.5\right\}", 1),
        ("set@2", r"\emptyset", r"\{\}", 1),
        ("set@2", r"\{-3,3\}", r"\pm 3", 1),
        ("set@2", r"\{-3,3\}", r"x=3 \text{ or } x=-3", 1),
        ("set@2", r"\{-3,3\}", r"x = \pm 3", 1),
        ("set@2", r"\{-3,3\}", r"3 \text{ and } -3", 1),
        ("set@2", r"\{-3,3\}", r"x \in \{-3,3\}", 1),
        ("set@2", r"\{1,2\}", r"x=1,\,x=2", 1),
        ("set@2", r"\{(1,2),(3,4)\}", "(3,4),(1,2)", 1),
        ("set@2", r"\{(1,2),(3,4)\}", r"\{(3,4),(1,2)\}", 1),
        ("set@2", r"\{(1,2),(3,4)\}", r"\{(2,1),(3,4)\}", 0),
        ("set@2", "1,2", "{2,1}", 1),
        ("set@2", "{1,2}", "{1, 2, 2}", 1),
        ("set@2", r"\{a,b\}", r"\{b,a\}", 1),
        ("set@2", r"\{\text{red},\text{blue}\}", "blue, red", 1),
        ("set@2", r"\{\text{red},\text{blue}\}", r"\{\text{blue},\text{red}\}", 1),
        ("set@2", r"\{2\pi,\pi\}", r"\{\pi, 2\pi\}", 1),
        ("set@2", r"\{0\}", "0", 1),
        ("set@2", r"\{1,2,3\}", r"\lbrace 1,2,3 \rbrace", 1),
        ("set@2", r"\{1,2\}", r"1 \text{ or } 2", 1),
        ("set@2", r"\{1,2\}", "1 or 2", 1),
        ("set@2", r"\{30^\circ,60^\circ\}", r"30^\circ, 60^\circ", 1),
        ("set@2", r"\{1+i,1-i\}", r"1\pm i", 1),
        ("set@2", r"\{2,3\}", "x=2, 3", 1),
        ("set@2", r"\emptyset", r"\text{no solutions}", 1),
        ("set@2", r"\{1,2\}", r"\emptyset", 0),
        ("tuple@2", "(3,-4)", r"\left(3,-4\right)", 1),
        ("tuple@2", "(3,-4)", "3, -4", 1),
        ("tuple@2", "(3,-4)", "(-4,3)", 0),
        ("tuple@2", r"(\frac12,2)", "(0.5,2)", 1),
        ("tuple@2", r"(\frac12,2)", r"\left(\dfrac12, 2\right)", 1),
        ("tuple@2", "(1,2,3)", r"\langle 1,2,3\rangle", 1),
        ("tuple@2", "(1,2,3)", r"\langle 3,2,1\rangle", 0),
        ("tuple@2", "(1,2,3)", r"\begin{pmatrix}1\\2\\3\end{pmatrix}", 1),
        ("tuple@2", "(1,2,3)", r"\begin{pmatrix} 1 \\ 2 \\ 3 \end{pmatrix}", 1),
        ("tuple@2", "(1,2,3)", "[1,2,3]", HELD),
        ("tuple@2", "(1,2)", "x=1, y=2", 1),
        ("tuple@2", "(1,2)", "(x,y)=(1,2)", 1),
        ("tuple@2", "(1,2)", "(1,2,3)", 0),
        ("tuple@2", "(1,2)", r"\{1,2\}", NEVER),
        ("tuple@2", r"(\sqrt2,\pi)", r"(\sqrt{2}, \pi)", 1),
        ("tuple@2", "(1,2)", "(1;2)", 1),
        ("tuple@2", "(1,2)", r"(1,\ 2)", 1),
        ("tuple@2", "(1,2)", r"(1,\,2)", 1),
        ("tuple@2", "(1,2)", r"\Big(1,2\Big)", 1),
        ("tuple@2", "(1,2)", r"\bigl(1,2\bigr)", 1),
        ("tuple@2", "(a,b)", "(b,a)", 0),
        ("tuple@2", "(2,3)", "A(2,3)", HELD),
        ("tuple@2", "(2,3)", "(2,3).", 1),
        ("tuple@2", "(2,3)", "(2, 3)", 1),
        ("tuple@2", "(2,3)", "(−2, 3)", 0),
        ("tuple@2", "(-2,3)", "(−2, 3)", 1),
        ("interval@2", "[1,5)", r"1 \le x < 5", 1),
        ("interval@2", "[1,5)", "(1,5)", 0),
        ("interval@2", r"(-\infty,3]", r"x\le3", 1),
        ("interval@2", r"(-\infty,-2)\cup(2,\infty)", "|x|>2", 1),
        ("interval@2", r"(-\infty,-2)\cup(2,\infty)", r"x<-2 \text{ or } x>2", 1),
        ("interval@2", "(-5,5)", "|x|<5", 1),
        ("interval@2", "(-5,5)", r"|x|\le5", 0),
        ("interval@2", r"[2,\infty)", r"\left[2,\infty\right)", 1),
        ("interval@2", r"\mathbb{R}", r"(-\infty,\infty)", 1),
        ("interval@2", "(0,1)", "]0,1[", 1),
        ("interval@2", "(0,1)", r"\{x : 0<x<1\}", 1),
        ("interval@2", "(0,1)", r"\{x \in \mathbb{R} \mid 0<x<1\}", 1),
        ("interval@2", r"\left[-\frac12,\frac12\right]", "[-0.5,0.5]", 1),
        ("interval@2", r"(0,\sqrt2)", r"0<x<\sqrt{2}", 1),
        ("interval@2", r"[0,4)\cup(4,\infty)", r"x\ge0, x\ne4", 1),
        ("interval@2", r"[0,4)\cup(4,\infty)", r"[0,\infty)\setminus\{4\}", 1),
        ("interval@2", "[1,3]", r"[0,3]\cap[1,5]", 1),
        ("interval@2", "(2,5)", r"x>2 \text{ and } x<5", 1),
        ("interval@2", "(2,5)", "2 < x < 5", 1),
        ("interval@2", "(2,5)", "5 > x > 2", 1),
        ("interval@2", "(2,5)", "(2;5)", 1),
        ("interval@2", "(2,5)", "(2, 5]", 0),
        ("interval@2", r"\emptyset", r"\text{no solution}", 1),
        ("interval@2", r"(3,\infty)", "x>3", 1),
        ("interval@2", r"(3,\infty)", "3<x", 1),
        ("interval@2", r"(3,\infty)", "x>=3", 0),
        ("interval@2", r"(3,\infty)", "(3, inf)", 1),
        ("interval@2", r"(-\infty,1)", "(-∞, 1)", 1),
        ("interval@2", "[-1,1]", "-1 ≤ x ≤ 1", 1),
        ("interval@2", "[-1,1]", r"x\in[-1,1]", 1),
        ("interval@2", "[-1,1]", "[-1, 1].", 1),
        ("interval@2", "2<x<5", "(2,5)", 1),
    ],
)
def test_a_list_in_its_usual_spellings(
    verifier: str, reference: str, reply: str, right: int | tuple[int | None, ...]
):
    grader = Grader.of(verifier, "boxed@2", {})
    item = Item("i", answer=reference)
    grader.check([item])
    (verdict,) = grader.verdicts([(item, rf"So $\boxed{{{reply}}}$.")])
    assert verdict.score in (right if isinstance(right, tuple) else (right,)), verdict.explanation


def test_a_number_before_a_constant_goes_with_it():
    grader = Grader.of("math@2", "boxed@2", {})
    replies = [r"$\boxed{2}\pi$", r"$\boxed{2}\sqrt{3}$"]
    pairs = [(Item("i", answer=r), reply) for r in ("2", r"2\pi", r"2\sqrt3") for reply in replies]
    assert [one.score for one in grader.verdicts(pairs)] == [0, 0, 1, 0, 0, 1]


@pytest.mark.parametrize(
    ("verifier", "reference", "reply", "right"),
    [
        ("math@2", r"8 \text{ square units}", r"8 \text{ cm}", None),
        ("math@2", r"8 \text{ cm}", r"8 \text{ square units}", None),
        ("math@2", r"8 \text{ square units}", r"8 \text{ cm}^2", 1),
        ("math@2", r"8 \text{ cubic units}", r"8 \text{ cm}^2", None),
        ("math@2", r"8 \text{ square units}", "8", 1),
        ("math@2", r"8 \text{ square units}", r"9 \text{ cm}^2", 0),
        ("math@2", "AB=5", "|AB|=5", None),
        ("math@2", r"|\overline{AB}|=5", "AB=5", None),
        ("math@2", "AB=5", "|AB|=6", 0),
        ("set@2", "1000, 2", r"\{1,000, 2\}", None),
        ("set@2", "1000, 2", r"\{1,001, 2\}", 0),
    ],
)
def test_what_may_be_meant_in_two_ways_is_not_judged(
    verifier: str, reference: str, reply: str, right: int | None
):
    item = Item("i", answer=reference)
    (verdict,) = Grader.of(verifier, "boxed@2", {}).verdicts([(item, rf"\boxed{{{reply}}}")])
    assert verdict.score == right, verdict.explanation
