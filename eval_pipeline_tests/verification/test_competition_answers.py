"""math@2 on answers as schools and competitions write them, each with each, in both directions.

A line of the data holds spellings of one answer, or an answer and replies that say another.
"""

import json
from pathlib import Path

import pytest

from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

pytest.importorskip("sympy", reason="the extra `math` is not installed")

LINES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("competition_answers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
SAME: list[list[str]] = [line["same"] for line in LINES if "same" in line]
OTHER: list[tuple[str, list[str]]] = [
    (line["answer"], line["other"]) for line in LINES if "other" in line
]
GRADER = Grader.of("math@2", "boxed@2", {})


def scores(pairs: list[tuple[str, str]]) -> list[float | None]:
    items = [Item(str(i), answer=reference) for i, (reference, _) in enumerate(pairs)]
    replies = [rf"So $\boxed{{{reply}}}$." for _, reply in pairs]
    return [one.score for one in GRADER.verdicts(list(zip(items, replies, strict=True)))]


def both_ways(rows: list[tuple[str, list[str]]]) -> list[tuple[str, str]]:
    there = [(reference, reply) for reference, replies in rows for reply in replies]
    return [*there, *((reply, reference) for reference, reply in there)]


def test_every_spelling_can_be_a_reference():
    GRADER.check([Item(text, answer=text) for row in SAME for text in row])


def test_spellings_of_one_answer_are_equal():
    pairs = both_ways([(row[0], row[1:]) for row in SAME])
    lost = [pair for pair, score in zip(pairs, scores(pairs), strict=True) if score != 1]
    assert lost == []


def test_other_answers_never_pass():
    pairs = both_ways(OTHER)
    passed = [pair for pair, score in zip(pairs, scores(pairs), strict=True) if score]
    assert passed == []
