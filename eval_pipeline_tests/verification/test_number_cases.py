"""numeric@2 on what stands beside a number: read with it, or nothing is decided.

Each case of number_cases.jsonl has a reference, a reply, and the score or `undecided`, which is any
status but ok.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.verification.numbers.last_number import LastNumber
from eval_pipeline.verification.numbers.measures import alike
from eval_pipeline.verification.numbers.numeric import Numeric
from eval_pipeline.verification.numbers.units import read_unit, unit_after
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.verification.test_sibling_cases import verdict

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("number_cases.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("kind", sorted({case["kind"] for case in CASES}))
def test_a_number_is_read_with_all_that_changes_it(kind: str):
    off = [
        (case, got)
        for case in CASES
        if case["kind"] == kind and (got := score(case)) != right(case)
    ]
    assert off == []


def score(case: dict[str, Any]) -> float | str:
    options = case.get("options", {"thousands": ","})
    got = verdict("numeric@2", case["extraction"], case["answer"], case["reply"], **options)
    return "undecided" if got.score is None else got.score


def right(case: dict[str, Any]) -> float | str:
    return case["right"]


@pytest.mark.parametrize(
    ("reply", "span"),
    [
        ("so x = - 24.", "-24"),
        ("It weighs **7** kg.", "7 kg"),
        ("It is $7 \\text{ kg}$", "7 kg"),
        ("It fell to −9 °C today", "-9 °C"),
        ("about 1.2 million people", "1.2 million"),
        ("negative 5", "negative 5"),
        ("The area is k^2 - 8.", "k^2 - 8"),
        ("hence x > 6", "x > 6"),
        ("It is $5\\sqrt{2}$", "5\\sqrt{2}"),
        ("at most 7", "at most 7"),
        ("7 or more", "7 or more"),
        ("n/4", "n/4"),
        ("10 - 24", "10 - 24"),
        ("答案是58个", "58"),
        ("It is 5 (check: 2 + 3)", "5"),
        ("- red: 20\n- blue: 26\n- 46", "46"),
        ("> so it is\n> 46", "46"),
        ("between 3 kg and 5 kg", None),
        ("Answer:\n- 46", None),
        ("46 birds (20 red and 26 blue)", None),
    ],
)
def test_the_span_holds_what_a_verifier_must_see(reply: str, span: str | None):
    assert LastNumber().extract(reply, Item("i")).answer == span


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("not 7", "negation"), ("at most 7", "bound"), ("x > 7", "relation"),
        ("x - 7", "operation"), ("7 n", "variable"), ("7 zillion", "multiplier"),
        ("7xy", "letters"), ("|7|", "modulus"), ("\\frac{7}{\\beta}", "operation"),
        ("2x = 7", "equation"), ("--7", "sign"), ("Profit - 7", "dash"), ("x_{7}", "name"),
        ("%7", "percent_before"), ("\\alpha 7", "formula"),
    ],
)  # fmt: skip
def test_what_was_not_read_is_named(reply: str, reason: str):
    got = verdict("numeric@2", "last_number@2", "7", reply)
    assert (got.status, got.score) == ("undecided", None)
    if reason != "equation":  # whose own numeral makes it several
        assert got.detail == reason


def test_a_reference_that_is_not_read_is_a_fault_of_its_item():
    for answer in ("x - 8", "at most 8", "8 or 9", "8 zillion"):
        with pytest.raises(ValueError, match=r"'i-7'.*is no single number"):
            Numeric().check(Item("i-7", answer=answer))


def test_temperatures_are_points_of_a_scale():
    celsius, fahrenheit, kelvin = (read_unit(name) for name in ("°C", "°F", "K"))
    assert celsius
    assert fahrenheit
    assert kelvin
    for value, unit, target, other, equal in (
        (100, celsius, 212, fahrenheit, True),
        (-40, celsius, -40, fahrenheit, True),
        (0, kelvin, -273, celsius, False),
        (30, celsius, 30, fahrenheit, False),
    ):
        said = alike(value, unit, target, other)
        assert said is not None
        assert (said[0] == said[1]) is equal
    rise = alike(5, celsius, 5, kelvin)
    assert rise is not None
    assert not rise[2]  # as a difference they are equal, as points they are not


@pytest.mark.parametrize(
    ("text", "unit", "length"),
    [
        ("公里长", "km", 2), (" km per hour now", "km/h", 12), (" kilómetros.", "km", 11),
        (" Grad Celsius", "°C", 13), ("C2", None, 0), ("cm2", "cm^2", 3), (" in total", None, 0),
        (" in", "in", 3), (" of rope", None, 0),
    ],
)  # fmt: skip
def test_a_unit_is_found_with_its_end(text: str, unit: str | None, length: int):
    expected = None if unit is None else (read_unit(unit), length)
    assert unit_after(text, 0) == expected
