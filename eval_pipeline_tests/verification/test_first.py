"""Instruments of version 1 say what they said when contracts were frozen with them, faults too."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.verification.registry import resolve
from eval_pipeline.verification.scoring import Grader
from eval_pipeline.verification.verdict import Item

SAID = Path(__file__).with_name("first_verdicts.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in SAID]


@pytest.mark.parametrize("row", [row for row in ROWS if "verifier" in row], ids=str)
def test_a_verdict_of_version_1_never_moves(row: dict[str, Any]):
    grader = Grader.of(row["verifier"], row["extraction"], row.get("options", {}))
    choices = tuple(row["choices"]) if "choices" in row else None
    (verdict,) = grader.verdicts([(Item("i", "", row["answer"], choices), row["reply"])])
    got = verdict.status, verdict.score, verdict.extracted, verdict.detail
    assert got == (row["status"], row["verdict"], row["extracted"], row["detail"])


@pytest.mark.parametrize("row", [row for row in ROWS if "verifier" not in row], ids=str)
def test_a_program_found_by_version_1_never_moves(row: dict[str, Any]):
    found = resolve(row["extraction"])().extract(row["reply"], Item("i", entry_point="f"))
    assert (found.answer, found.detail) == (row["extracted"], row["detail"])
