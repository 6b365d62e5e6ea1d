"""Numerals: what is read, what is refused, and that nothing is read as something else."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.numbers.numerals import (
    MAX_DIGITS,
    Number,
    NumberForm,
    canonical,
    find_numerals,
    plain,
    read_number,
)

ENGLISH = NumberForm(thousands=",")
SPACED = NumberForm(thousands=" '_")
GERMAN = NumberForm(thousands=".", decimal=",")


def value(text: str, form: NumberForm = ENGLISH) -> Fraction | None:
    number = read_number(plain(text), form)
    return None if number is None else Fraction(number.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18", "18"),
        ("-3", "-3"),
        ("+3", "3"),
        ("−3", "-3"),
        ("007", "7"),
        ("100", "100"),
        ("42.00", "42"),
        ("5.", "5"),
        (".5", "1/2"),
        ("0.1", "1/10"),
        ("1,000", "1000"),
        ("1,234,567.25", "1234567.25"),
        ("12,34,567", "1234567"),
        ("1e3", "1000"),
        ("1e-5", "0.00001"),
        ("1.5 x 10^3", "1500"),
        ("1.5 × 10^{-3}", "0.0015"),
        (r"2 \times 10^4", "20000"),
        ("3/4", "3/4"),
        ("-3/4", "-3/4"),
        ("1 1/4", "5/4"),
        ("-1 1/4", "-5/4"),
        ("1½", "3/2"),
        ("½", "1/2"),
        (r"\frac{3}{4}", "3/4"),
        (r"1\frac{1}{4}", "5/4"),
        (r"-\frac{1}{2}", "-1/2"),
        (r"\frac{1}{2^{3}}", "1/8"),
        ("10²", "100"),
        ("10⁻²", "1/100"),
        ("２４", "24"),
        ("٤٢", "42"),
        ("$1,200", "1200"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("5 €", "5"),
        ("USD 70", "70"),
        (r"\$29.00", "29"),
    ],
)
def test_a_numeral_is_read_exactly(text: str, expected: str):
    assert value(text) == Fraction(expected)


@pytest.mark.parametrize(
    "text",
    [
        "", "-", ".", ",", "..", "1,2", "1,23,4", "1.2.3", "1.234,5", "1/0", "1/2/3", "0^-1",
        "10:30", "1e", "e5", "inf", "nan", "0x10", "1 000", "10₂", "1e999999", "9^9^9",
        "9" * (MAX_DIGITS + 1), "2^999999", "5 apples", "twelve",
    ],
)  # fmt: skip
def test_what_is_no_single_numeral_is_not_read(text: str):
    assert value(text) is None


@pytest.mark.parametrize("text", ["1 000", "1\u00a0000", "1\u202f000", "1'000", "1’000", r"1\,000"])
def test_declared_separators_are_read(text: str):
    assert value(text, SPACED) == 1000
    assert value(text, NumberForm()) is None


def test_a_decimal_comma_is_read_where_it_is_declared():
    assert value("1.234,5", GERMAN) == Fraction("1234.5")
    assert value("1.5", GERMAN) is None


def test_marks_beside_the_number_are_kept():
    assert read_number("60%") == Number(60, percent=True)
    assert read_number("60 percent") == Number(60, percent=True)
    assert read_number("US$5") == Number(5, currency="$")
    assert read_number("5 EUR") == Number(5, currency="€")


def test_a_power_of_zero_or_a_fraction_is_exact():
    assert value("(1/2)^2") is None
    assert value("2^10") == 1024
    assert value("2^-2") == Fraction(1, 4)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"thousands": ",", "decimal": ","}, "declared both"),
        ({"thousands": "x"}, r"not \['x'\]"),
        ({"thousands": 3}, "thousands must be text, such as ',', got 3"),
        ({"decimal": ";"}, "decimal must be"),
    ],
)
def test_a_form_that_contradicts_itself_is_refused(form: dict[str, str], message: str):
    with pytest.raises(ValueError, match=message):
        NumberForm(**form)


@given(st.fractions(), st.booleans())
def test_canonical_form_reads_back(number: Fraction, percent: bool):
    assert read_number(canonical(Number(number, percent))) in (
        Number(number, percent),
        Number(int(number), percent) if number.denominator == 1 else None,
    )


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-10, max_value=10))
def test_decimals_are_exact(number):
    assert value(f"{number:f}") == Fraction(number)


@given(st.integers(-(10**12), 10**12))
def test_grouping_never_changes_the_value(number: int):
    assert value(f"{number:,}") == number
    assert value(f"{number:,}".replace(",", " "), SPACED) == number


def found(text: str, form: NumberForm = ENGLISH) -> list[str]:
    text = plain(text)
    return [text[start:end] for start, end in find_numerals(text, form)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 5 ... so we are done...", ["5"]),
        ("The answer is 72, in total.", ["72"]),
        ("$130,000 and $200,000, so $70,000.", ["$130,000", "$200,000", "$70,000"]),
        ("16-3=13", ["16", "3", "13"]),
        ("16 - 3 = -13", ["16", "3", "-13"]),
        ("between 1.234,5 and 2", ["1.234,5", "2"]),
        ("at 10:30", ["10:30"]),
        ("on 05/06/2024", ["05/06/2024"]),
        ("CO2 and x_1 and H₂O", []),
        ("Rs70 or Rs.80", ["Rs70", "Rs.80"]),
        ("takes 1 1/4 cups", ["1 1/4"]),
        ("about 2^10 or 10²", ["2^10", "10^2"]),
        ("5cm of 60%", ["5", "60%"]),
        ("v1.2.3", []),
        ("(-4)", ["-4"]),
        ("1e-5.", ["1e-5"]),
    ],
)
def test_numerals_are_found_whole(text: str, expected: list[str]):
    assert found(text) == expected


@given(st.text())
def test_no_text_is_too_odd(text: str):
    for start, end in find_numerals(plain(text), SPACED):
        read_number(plain(text)[start:end], SPACED)
