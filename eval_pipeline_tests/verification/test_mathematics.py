"""math@2: exact where it can be, bounded where it cannot, and never wrong in silence."""

import time
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.formulas.mathematics import Mathematics, UntoldError
from eval_pipeline.verification.formulas.normal import Normal
from eval_pipeline.verification.formulas.polynomials import TooLargeError
from eval_pipeline.verification.formulas.reader import read_term
from eval_pipeline.verification.formulas.terms import UnreadError
from eval_pipeline.verification.formulas.tokens import tokens
from eval_pipeline.verification.verdict import Item, Verdict

EXACT = [
    (r"\frac{1}{2^{98}}", "1/2^99", 0),
    ("1/2006!", "1/2004!", 0),
    ("10!/8!", "90", 1),
    ("2^{10}-1", "1023", 1),
    ("5\\text{ m}", "5 cm", 0),
    ("0.6666666667", "2/3", 0),
    (r"0.\overline{3}", "1/3", 1),
    ("3:2", "3/2", 1),
    ("–5", "-5", 1),
    (r"1\,000", "1000", 1),
    ("１２", "12", 1),
    ("12,34,567", "1234567", 1),
    (r"\text{no solution}", "No solution", 1),
    (r"\text{Tuesday}", "Monday", 0),
    ("x = 5", "5", 1),
    (r"\{1,2\}", "{2,1}", 1),
    ("(1,2)", "(2,1)", 0),
    ("(1,2)", "{1,2}", 0),
    ("1, 2", "2 and 1", 1),
    ("[1,2)", "[1,2]", 0),
    (r"(-\infty,3]\cup[5,6]", "(-∞, 3] ∪ [5, 6]", 1),
    (r"x \geq 3", r"[3,\infty)", 1),
    ("123456789012345678901", "123456789012345678902", 0),
    (r"50\%", "0.5", 0),
    (r"\boxed{7}", "7", 1),
    (r"\boxed{3}. Wait, no: \boxed{5}", "5", 1),
    (r"\boxed{3}. Wait, no: \boxed{5}", "3", 0),
    (r"\frac{1}{3}+\frac16", "1/2", 1),
]
FORMULAS = [
    (r"\sqrt{12}", r"2\sqrt{3}", 1),
    (r"\sqrt{2}", "2", 0),
    ("x^2+2x+1", "(x+1)^2", 1),
    ("(x+1)(x-1)", "x^2+1", 0),
    (r"2\pi", "6.283185307", 0),
    (r"\{\sqrt{2},1\}", r"\{1,2^{1/2}\}", 1),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", 1),
    (r"\sin(\pi/6)", "1/2", 1),
]
SYMBOLIC = [
    (r"\sum_{k=1}^{n} k", r"\frac{n(n+1)}{2}", 1),
    (r"\sum_{k=1}^{n} k", r"\frac{n(n-1)}{2}", 0),
    (r"\arctan 1", r"\frac{\pi}{4}", 1),
    (r"\sqrt{3+2\sqrt{2}}", r"1+\sqrt{2}", 1),
    (r"\int_0^1 x^2\,dx", r"\frac{1}{3}", 1),
    (r"\{\arctan 1, 0\}", r"\{0, \frac{\pi}{4}\}", 1),
]


def value_of(text: str) -> Fraction | None:
    """The exact value of a constant expression, or None where it is none or too large."""
    try:
        (term,) = read_term(tokens(text))
        return Normal().form(term).constant
    except (UnreadError, TooLargeError):
        return None


def judged(pairs: list[tuple[str, str]], **options: object) -> list[Verdict]:
    return Mathematics(**options).verify_all(
        [(Item("i", answer=reference), answer) for answer, reference in pairs], 1
    )


def test_what_arithmetic_and_normal_forms_settle_needs_no_other_engine():
    cases = EXACT + FORMULAS
    for (answer, reference, score), got in zip(cases, judged([c[:2] for c in cases]), strict=True):
        assert (got.score, got.engine) == (score, "exact"), (answer, reference, got)


def test_what_is_left_goes_to_the_symbolic_engine_and_says_so():
    pytest.importorskip("sympy", reason="the extra `math` is not installed")
    for (answer, reference, score), got in zip(
        SYMBOLIC, judged([case[:2] for case in SYMBOLIC]), strict=True
    ):
        assert (got.score, got.engine) == (score, "sympy"), (answer, reference, got)


def test_a_formula_without_end_is_stopped_and_counted_apart():
    pytest.importorskip("math_verify", reason="the extra `math` is not installed")
    pairs = [("9^{9^{9^{9}}}", "3"), (r"\sqrt{8}", r"2\sqrt{2}"), ("x+", "x^2")]
    stopped, after, broken = judged(pairs, cpu_seconds=2)
    assert (stopped.status, stopped.score) == ("timeout", None)
    assert stopped.detail == "verifier_timeout_cpu"
    assert after.score == 1.0
    assert (broken.status, broken.detail) == ("undecided", "not_mathematics")


def test_an_answer_as_long_as_a_book_is_no_formula():
    (got,) = judged([("x+" * 5000 + "x", "5000x")])
    assert (got.status, got.detail) == ("undecided", "too_long")


@pytest.mark.parametrize(
    ("reference", "named"),
    [(r"3\foo{2}", r"\\\\foo"), ("3|4", "is missing"), ("x+", "the end"), ("(1,", "do not match")],
)
def test_a_reference_that_cannot_be_read_is_a_fault_of_the_item(reference: str, named: str):
    with pytest.raises(ValueError, match=f"item 'i'.*{named}.*mend items.jsonl"):
        Mathematics().check(Item("i", answer=reference))
    (got,) = judged([("3", reference)])
    assert (got.status, got.detail) == ("infra_error", "unread_reference")


def test_lists_without_brackets_are_read_as_declared():
    (free,) = judged([("2, 1", "1, 2")])
    (bound,) = judged([("2, 1", "1, 2")], lists="in_order")
    assert (free.score, bound.score) == (1.0, 0.0)
    with pytest.raises(ValueError, match="lists must be one of"):
        Mathematics(lists="sorted")


def test_a_tolerance_holds_for_formulas_too():
    near, far = judged([(r"\sqrt{2}", "1.41421"), (r"\sqrt{2}", "1.42")], rel_tol="1e-4")
    assert (near.score, far.score) == (1.0, 0.0)


HOSTILE = ["(" * 1900, "{" * 999 + "}" * 999, "x^" * 900 + "x", "1," * 990 + "1", "|" * 1999,
           "a_" * 999, "\\frac" * 300, "sin" * 600, "2" * 1999, "=" * 1500, "x<" * 900 + "x",
           "1/" * 900 + "1", "-" * 1999,
           "\\\\sin(" * 90 + "x" + ")" * 90,
           "e^{" * 95 + "x" + "}" * 95, "\\sqrt" * 330 + "2", "(x+1)^{99}" * 150, ", " * 900,
           "\\text{or}" * 200, "x" * 2000 + "y" * 200_000]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_no_text_takes_long_in_this_process(text: str):
    start = time.process_time()
    with suppress(UntoldError):
        assert Mathematics().equal(text, "5") is not True
    assert time.process_time() - start < 2


@pytest.mark.parametrize("seconds", [0, -1, True, "5"])
def test_a_limit_that_means_nothing_is_refused(seconds: object):
    with pytest.raises(ValueError, match="cpu_seconds"):
        Mathematics(cpu_seconds=seconds)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2^{10} - 1", 1023),
        (r"\frac{10!}{8!}", 90),
        ("3(4 + 5)", 27),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^-1", Fraction(1, 2)),
        ("2^3^2", 512),
        (r"\dfrac{\frac{1}{2}}{3}", Fraction(1, 6)),
        ("1/2/2", Fraction(1, 4)),
        (r"5 \times 4 \div 2", 10),
        ("(1+2)(3)", 9),
    ],
)
def test_arithmetic_is_read_by_its_precedence(text: str, value: Fraction):
    assert value_of(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "1/0", "0^-1", "9^9^9", "99999!", "(" * 500, "1+" * 5000, "2^(1/2)", "(1", "1)",
        "2 3",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_or_too_large_is_none(text: str):
    assert value_of(text) is None


@given(
    st.recursive(
        st.integers(0, 99).map(str),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda t: f"({t[0]}{t[1]}{t[2]})"
        ),
        max_leaves=8,
    )
)
def test_it_agrees_with_the_language_itself(text: str):
    assert value_of(text) == eval(text)
