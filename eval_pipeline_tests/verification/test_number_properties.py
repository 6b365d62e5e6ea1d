"""numeric@2 in any frame: a number keeps its verdict, and a mutant never gains it."""

import time
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.verification.numbers.last_number import LastNumber, last_numerals
from eval_pipeline.verification.numbers.numerals import NumberForm, find_numerals, plain
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

FRAMES = [
    "{}", "The answer is {}.", "**Answer:** {}", "Final answer: **{}**", "Thus, x = {}.",
    "$x = {}$", "\\boxed{{{}}}", "The final answer is $\\boxed{{{}}}$.", "\\[ {} \\]", "$${}$$",
    "#### {}", "Answer:\n\n{}\n", "It is {}, as shown.", "`{}`", '"{}"', "({})",
    "| Total | {} |", "<answer>{}</answer>", "{}</s>", "{}<|im_end|>", "Therefore {} is right",
    "Answer\n------\n{}", "## {}", "(a) {}", "Not 12 but {}", "12 → {}", "We need 3 + 4.\nSo {}",
    "答案是{}。", "因此答案为 {} 。", "答えは{}です。", "정답은 {}입니다.", "คำตอบคือ {}",
    "الجواب هو {}.",
    "उत्तर {} है।", "Die Antwort ist {}.", "La réponse est {}.", "La respuesta es {}.",
    "A resposta é {}.", "La risposta è {}.", "Ответ: {}.", "Odpowiedź to {}.", "Odpověď je {}.",
    "Het antwoord is {}.", "Svaret är {}.", "Vastaus on {}.", "Cevap: {}", "Jawabannya adalah {}.",
    "Đáp án là {}.", "Η απάντηση είναι {}.", "התשובה היא {}.",
    "{}\n\nLet me know if you need more.",
]  # fmt: skip
WRITTEN = [
    "{}",
    "-{}",
    "{}.5",
    "{}/7",
    "{} km",
    "-{} °C",
    "${}",
    "{}%",
    "{} million",
    "\\frac{{{}}}{{7}}",
]
MUTANTS = [
    "+-{}", "± {}", "\\pm {}", "> {}", "≥{}", "\\geq {}", "≤ {}", "\\ne {}", "!= {}", "not {}",
    "never {}", "at most {}", "at least {}", "more than {}", "up to {}", "{} or more", "{} at most",
    "{}+", "{}%", "{} million", "{}k", "{} dozen", "{}^2", "{}³", "{}^x", "{}π", "{}\\pi", "{}x",
    "{}\\sqrt{{2}}", "√{}", "\\sqrt[3]{{{}}}", "log {}", "sin({})", "2({})", "3 × {}", "x/{}",
    "x - {}", "x+{}", "2x - {}", "{} - x", "{}/x", "{} \\cdot x", "\\frac{{x}}{{{}}}", "{}/2",
    "10 - {}", "{} mod n", "x^{{{}}}", "{}e3", "{} × 10^3", "{} squared", "half of {}",
    "negative {}", "{} or 471", "{} ± 1", "{}i", "{} is wrong", "isn't {}", "other than {}",
    "{} Millionen", "{}万", "{} млн", "$-\\,{}$", "-**{}**", "({})^2", "1/{}", "{}th", "x_{{{}}}",
    "50% of {}", "{}\u00ad5", "-{}", "- {}",
]  # fmt: skip
QUIET = st.text(alphabet="abcdefg ,.!?\n*_-()", max_size=30)


@lru_cache(maxsize=8)
def grader(extraction: str) -> Grader:
    return Grader.of("numeric@2", extraction, {"thousands": ","})


def score(reference: str, reply: str, extraction: str = "last_number@2") -> float | None:
    return grader(extraction).verdicts([(Item("i", answer=reference), reply)])[0].score


@given(st.integers(13, 900), st.sampled_from(WRITTEN), st.sampled_from(FRAMES))
@settings(max_examples=400)
def test_a_frame_keeps_the_verdict(number: int, written: str, frame: str):
    reply = frame.format(written.format(number))
    assert score(written.format(number), reply) == 1.0
    assert score(written.format(number + 1), reply) == 0.0


@given(st.integers(13, 900), st.sampled_from(MUTANTS), st.sampled_from(FRAMES))
@settings(max_examples=1000)
def test_a_mutant_is_never_equal(number: int, mutant: str, frame: str):
    reply = frame.format(mutant.format(number))
    assert score(str(number), reply) != 1.0
    assert score(str(number), reply, "whole_text@2") != 1.0


@given(
    st.integers(13, 900),
    st.sampled_from(
        ["km^2", "m", "miles", "kg", "km/h", "km or more", "Meilen", "公斤", "km²", "h"]
    ),
    st.sampled_from(FRAMES),
)
@settings(max_examples=200)
def test_another_unit_is_never_equal(number: int, unit: str, frame: str):
    assert score(f"{number} km", frame.format(f"{number} {unit}")) != 1.0


@given(st.integers(13, 900), QUIET)
def test_text_without_a_number_makes_no_wrong_answer_right(number: int, added: str):
    assert score(str(number), f"The answer is {number + 1}. {added}") != 1.0
    assert score(str(number), f"{number + 1}{added}") != 1.0


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(["g", "kg", "mg", "tonnes"]))
def test_units_that_convert_are_compared_exactly(one: int, other: int, unit: str):
    grams = {"g": 1000, "kg": 10**6, "mg": 1, "tonnes": 10**9}
    equal = one * grams["kg"] == other * grams[unit]
    assert score(f"{one} kg", f"It weighs {other} {unit}.") == float(equal)


LINES = st.text(alphabet="0123 .,/%$-x\nab^'", max_size=60)


@given(LINES)
@settings(max_examples=500)
def test_the_search_from_the_end_finds_the_same(text: str):
    form = NumberForm(",")
    places = find_numerals(text, form)
    assert last_numerals(text, form)[-1:] == places[-1:]


@given(st.text(max_size=80))
@settings(max_examples=300)
def test_no_text_is_too_odd(text: str):
    found = LastNumber(thousands=", ").extract(f"{text}7{text}", Item("i"))
    if found.answer is not None:
        Numeric(thousands=", ", number_words=True).equivalent(found.answer, "7")


LONG = 200_000
HOSTILE = {
    "minus signs": "-" * LONG + "5", "dashes apart": "- " * (LONG // 2) + "5",
    "minus in words": "minus " * (LONG // 6) + "5", "stars": "* " * (LONG // 2) + "5",
    "brackets": "(" * LONG + "5" + ")" * LONG, "dollars": "$5 $" * (LONG // 4),
    "arrows": ">" * LONG + "5", "quoted lines": "> \n" * (LONG // 3) + "5",
    "tags": "<a" * (LONG // 2) + "5", "annotations": "<<1=1>>" * (LONG // 7) + "5",
    "negations": "not " * (LONG // 4) + "5", "factors": "5" + " million" * (LONG // 8),
    "ideograms": "5" + "万" * LONG, "units": "5" + " m" * (LONG // 2), "digits": "5" * LONG,
    "spaces": "5" + " " * LONG, "lines": "x2\n" * (LONG // 3), "aside": "5 (3" * (LONG // 4),
    "equations": "x=" * (LONG // 2) + "5", "fractions": "\\frac" + " " * LONG + "5",
    "commands": "\\a" * (LONG // 2) + "5", "cells": "| 5 " * (LONG // 4),
    "bullets": "- a\n" * (LONG // 4) + "- 5",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_costs_no_more_than_its_length(name: str):
    start = time.process_time()
    LastNumber(thousands=", ").extract(HOSTILE[name], Item("i"))
    Numeric(thousands=",", number_words=True).read(HOSTILE[name])
    assert time.process_time() - start < 5.0


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("45\u00ad67", "4567"), ("4\u200b2", "42"), ("\u200e-5", "-5"), ("\u20115", "-5"),
        ("3\u20624", "3*4"), ("4\ufe0f\u20e3", "4"), ("&minus;5", "-5"), ("5&nbsp;kg", "5 kg"),
        ("is \\frac{3}{4}", "is 3/4"), ("0.\\overline{3}", "0.(3)"), ("٪", "%"),
    ],
)  # fmt: skip
def test_what_nobody_sees_is_taken_away(text: str, same: str):
    assert plain(text) == same
