"""numeric@2: equal numbers, however they are written; different numbers, however close."""

from fractions import Fraction
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.verdict import Item

ENGLISH = Numeric(thousands=",")


@pytest.mark.parametrize(
    ("answer", "reference", "equal"),
    [
        ("$42.00", "42", True),
        ("100", "1", False),
        ("123456", "123457", False),
        ("0.667", "2/3", False),
        ("33.3", "100/3", False),
        ("0.5", "1/2", True),
        ("18 dollars", "18", True),
        ("**18**", "18", True),
        ("$18$", "18", True),
        (r"\boxed{18}.", "18", True),
        ("5 cm", "5 cm", True),
        ("5 m", "5 cm", False),
        ("$5", "€5", False),
        ("60%", "60%", True),
        ("60%", "60", False),
        ("18 or 19", "18", None),
        ("none", "18", None),
    ],
)
def test_equality_is_exact(answer: str, reference: str, equal: bool | None):
    assert ENGLISH.equivalent(answer, reference) is equal


@pytest.mark.parametrize(("policy", "other"), [("ignore", "60"), ("hundredth", "0.6")])
def test_what_percent_means_is_declared(policy: str, other: str):
    verifier = Numeric(percent=policy)
    assert verifier.equivalent("60%", other) is True
    assert verifier.equivalent(other, "60%") is True
    assert verifier.equivalent("60%", "61%") is False


def test_a_reference_may_be_written_plainly():
    german = Numeric(thousands=".", decimal=",")
    assert german.equivalent("1.234,5", "1234.5") is True
    assert german.equivalent("1.234", "1234") is True
    assert german.equivalent("1234.5", "1234.5") is None
    german.check(Item("i", answer="1234.5"))


def test_a_declared_tolerance_is_relative_to_the_reference():
    assert Numeric(rel_tol="1e-9").equivalent("0.6666666667", "2/3") is True
    assert Numeric(rel_tol=1e-11).equivalent("0.6666666667", "2/3") is False
    assert Numeric(abs_tol=0.01).equivalent("0.667", "2/3") is True
    assert Numeric(abs_tol="0.5").equivalent("1.5", "1") is True


@pytest.mark.parametrize(
    "options",
    [{"rel_tol": -1}, {"rel_tol": "much"}, {"abs_tol": True}, {"abs_tol": None}, {"percent": "x"}],
)
def test_an_option_that_means_nothing_is_refused(options: dict[str, object]):
    with pytest.raises(ValueError, match="must be"):
        Numeric(**options)


def test_an_item_without_a_number_is_named():
    for answer in ("about five", "1,000 or 2", None):
        with pytest.raises(ValueError, match="'aw-1'"):
            ENGLISH.check(Item("aw-1", answer=answer))


def test_a_verdict_says_what_was_read():
    verdict = ENGLISH.verify(Item("i", answer="70000"), "$70,000.")
    assert (verdict.score, verdict.extracted, verdict.detail) == (1.0, "70000", None)
    assert "70000" in verdict.explanation
    wrong = ENGLISH.verify(Item("i", answer="70000"), "7")
    assert (wrong.score, wrong.detail) == (0.0, "wrong")
    none = ENGLISH.verify(Item("i", answer="70000"), "no idea")
    assert (none.status, none.score, none.detail) == ("parser_failure", None, "not_a_number")


@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_it_agrees_with_rational_arithmetic(a: Fraction, b: Fraction):
    assert Numeric().equivalent(str(a), str(b)) is (a == b)


@given(st.integers(0, 10**30), st.integers(1, 5))
def test_neighbouring_integers_differ(number: int, step: int):
    assert Numeric().equivalent(str(number), str(number + step)) is False


@pytest.mark.benchmark
def test_fifty_thousand_pairs_a_second():
    forms = ["{}", "{:,}", "${:,}", "{}.00", "-{}", "{}.5", "{}/7", "{}%", "1 {}/9", "{} dollars"]
    pairs = [
        (forms[i % 10].format(7 * i), forms[i % 7].format(7 * i - i % 3)) for i in range(50_000)
    ]
    start = process_time()
    for answer, reference in pairs:
        ENGLISH.equivalent(answer, reference)
    assert len(pairs) / (process_time() - start) > 50_000
