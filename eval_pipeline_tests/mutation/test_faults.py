"""The faults are those that were meant, and the planted ones still have their place."""

import ast
from pathlib import Path

import pytest

from eval_pipeline_tests.mutation.entries import ENTRIES, Entry
from eval_pipeline_tests.mutation.equivalent import EQUIVALENT
from eval_pipeline_tests.mutation.operators import mutants

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = '''\
"""Words."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LATER = 1
Floats = list[int]
BAR = 10

def passed(n: int, *, strict: bool = True) -> float:
    """Says 3 of 4."""
    if not n > BAR:
        raise ValueError(f"{n + 1} are too few, é")
    return max(n, 2.5) if strict and n else -n
'''


def test_each_fault_changes_one_thing_that_computes(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = list(mutants(tmp_path, path))
    assert {(one.was, one.now) for one in found} == {
        ("10", "11"),
        ("True", "False"),
        ("not n > BAR", "(n > BAR)"),
        ("n > BAR", "(n >= BAR)"),
        ("max(n, 2.5) if strict and n else -n", "(-n if strict and n else max(n, 2.5))"),
        ("max(n, 2.5)", "(min(n, 2.5))"),
        ("strict and n", "(strict or n)"),
        ("2.5", "5.0"),
        ("-n", "(n)"),
    }
    for one in found:
        ast.parse(one.source)
        assert one.source != SOURCE
        assert "é" in one.source


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.said)
def test_a_planted_fault_has_its_place_and_its_test(entry: Entry) -> None:
    assert entry.mutant(PROJECT).source != (PROJECT / entry.path).read_text(encoding="utf-8")
    file, _, name = entry.test.partition("::")
    assert f"def {name}(" in (PROJECT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("key", EQUIVALENT, ids=lambda key: ": ".join(key[:2]))
def test_a_fault_that_changes_nothing_is_one_that_could_be_drawn(key: tuple[str, str, str]) -> None:
    assert key in {one.key for one in mutants(PROJECT, PROJECT / key[0])}
