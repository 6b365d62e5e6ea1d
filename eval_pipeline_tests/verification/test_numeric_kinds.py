"""numeric@2 on whole kinds of writing: periods, units, words, and numbers within mathematics."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.numbers.units import leading_unit, read_unit
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

WORDED = Numeric(thousands=",", number_words=True)


@pytest.mark.parametrize(
    ("answer", "reference", "equal"),
    [
        (r"0.\overline{3}", "1/3", True),
        (r"0.1\bar{6}", "1/6", True),
        ("0.(3)", "1/3", True),
        ("0.1(6)", "1/6", True),
        ("0.333...", "1/3", True),
        ("0.142857142857142857…", "1/7", True),
        ("0.1\u03054\u0305", "14/99", True),
        ("0.33...", "1/3", False),
        ("0.3333333333", "1/3", False),
        ("0.(9)", "1", True),
        (r"\frac12", "1/2", True),
        (r"\text{The answer is 42}", "42", True),
        (r"\text{...42}", "42", True),
        ("٤٢", "42", True),
        ("５／８", "5/8", True),
        ("3.0×10^8 m/s", "300000 km/s", True),
    ],
)
def test_a_period_or_a_foreign_digit_is_exact(answer: str, reference: str, equal: bool):
    assert WORDED.equivalent(answer, reference) is equal


@pytest.mark.parametrize(
    ("answer", "reference", "equal"),
    [
        ("500 cm", "5 m", True),
        (r"5\text{ cm}^2", "5 cm^2", True),
        ("5 m²", "5 square meters", True),
        ("5 m^2", "5 m", False),
        ("90 km/h", "25 m/s", True),
        ("90 kilometers per hour", "25 m/s", True),
        ("2 hours", "120 minutes", True),
        ("5 mW", "5 MW", False),
        ("5 kg", "5 m", False),
        ("20 degrees Celsius", "20 °C", True),
        ("20°F", "20°C", False),
        (r"45^{\circ}", "45 degrees", True),
        ("The answer is 5 cm", "5 cm", True),
        ("5", "5 cm", True),
        ("5 cm", "5", True),
        ("50 cents", "$0.50", True),
        ("50 cents", "$50", False),
        ("18 dollars", "$18", True),
        ("18 euros", "$18", False),
        ("£5", "5 pounds", True),
        ("5 pounds", "5 lb", True),
        ("There are 5 apples in total", "5 apples", True),
        ("5 in total", "5 apples", True),
        ("5 oranges", "5 apples", False),
        ("Rs. 70", "₹70", True),
    ],
)
def test_units_that_measure_the_same_are_converted(answer: str, reference: str, equal: bool):
    assert WORDED.equivalent(answer, reference) is equal


@pytest.mark.parametrize(
    "answer",
    [r"\sqrt{2}", r"2\pi", "2π", "√2", "3x", "5!", "±5", "x/2", "18 + x", r"\log 2", "<2", "2^x"],
)
def test_a_number_within_mathematics_is_not_the_answer(answer: str):
    assert WORDED.read(answer) is None


def test_an_exclamation_after_a_sentence_is_none_of_mathematics():
    assert WORDED.equivalent("It is 18!", "18") is True


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("twenty-one", "21"),
        ("one hundred and five", "105"),
        ("Three million two hundred thousand", "3200000"),
        ("one and a half million", "1500000"),
        ("two-thirds", "2/3"),
        ("two and a half", "2.5"),
        ("half a dozen", "6"),
        ("minus five", "-5"),
        ("There are twelve of them", "12"),
        ("zero", "0"),
    ],
)
def test_number_words_are_read_where_they_are_declared(answer: str, reference: str):
    assert WORDED.equivalent(answer, reference) is True
    assert Numeric().equivalent(answer, reference) is not True


@pytest.mark.parametrize("answer", ["twenty twenty", "one two", "hundred one hundred", "someone"])
def test_words_that_make_no_number_are_none(answer: str):
    assert WORDED.read(answer) is None


@given(st.integers(0, 10**6), st.integers(1, 999_999))
def test_a_period_is_the_fraction_that_it_comes_from(top: int, bottom: int):
    value = Fraction(top, bottom)
    written, rest, seen = f"{value.numerator // value.denominator}.", value % 1, {}
    for place in range(300):
        if rest in seen:
            cut = len(written) - (place - seen[rest])
            written = f"{written[:cut]}({written[cut:]})"
            assert Numeric().equivalent(written, str(value)) is True
            return
        seen[rest] = place
        digit, rest = divmod(rest * 10, 1)
        written += str(digit)


def test_a_unit_is_whole_or_none():
    assert read_unit("apples") is None
    assert read_unit("") is None
    assert read_unit("m s^-2") == read_unit("m/s^2")
    assert leading_unit("in total") is None
    assert leading_unit("cm of rope") == read_unit("cm")


@pytest.mark.parametrize(
    ("answer", "reply", "score"),
    [
        ("7 kg", "7 kg\n\nJ'espère que cela vous aide !", 1.0),
        ("7 kg", "7 kg d’eau", 1.0),
        ("7 l", "7 l d'eau", 1.0),
        ("7 kg", "7 kg\nN is the force.", 1.0),
        ("7 kg", "7 g\n\nJ'espère que cela vous aide !", 0.0),
    ],
)
def test_a_unit_ends_with_its_line_and_before_an_elided_word(
    answer: str, reply: str, score: float
) -> None:
    (verdict,) = Grader.of("numeric@2", "last_number@2", {}).verdicts(
        [(Item("i", answer=answer), reply)]
    )
    assert (verdict.status, verdict.score) == ("ok", score)
