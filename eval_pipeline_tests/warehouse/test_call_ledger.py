"""Paid calls: written at once, whole after any end, on lines that no arrival order changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.warehouse.call_ledger import CallLedger


def record(key: str, **more: Any) -> dict[str, Any]:
    return {"call": key, "repeat": 0, **more}


def whole(one: Any) -> Any:
    return dict(one)


def order(one: Any) -> Any:
    return one["call"]


def lines(path: Path) -> list[str]:
    return [json.loads(line)["call"] for line in path.read_text().splitlines()]


def test_a_record_is_there_the_moment_it_was_written(tmp_path: Path) -> None:
    ledger = CallLedger(tmp_path / "a" / "k.jsonl")
    assert ledger.read({"x"}, whole) == {}
    ledger.append(record("x"))  # neither synced nor closed
    found = CallLedger(tmp_path / "a" / "k.jsonl").read({"x", "y"}, whole)
    assert {key: line for key, (_, line) in found.items()} == {"x": None}
    assert CallLedger(tmp_path / "a" / "k.jsonl").read({"x"}, whole, with_journal=False) == {}


@pytest.mark.parametrize("arrival", ["bca", "cab", "abc"])
def test_lines_depend_on_what_is_kept_and_never_move(tmp_path: Path, arrival: str) -> None:
    ledger = CallLedger(tmp_path / "k.jsonl")
    for key in arrival:
        ledger.append(record(key))
    ledger.settle({"a", "b", "c"}, order)
    assert lines(tmp_path / "k.jsonl") == ["a", "b", "c"]
    assert not ledger.journal.exists()
    for key in "A", "d", "other":
        ledger.append(record(key))
    ledger.settle({"A", "d"}, order)
    assert lines(tmp_path / "k.jsonl") == ["a", "b", "c", "A", "d"]
    assert lines(ledger.journal) == ["other"]
    assert ledger.read({"d"}, whole)["d"][1] == 5
    ledger.settle(set(), order)
    assert lines(tmp_path / "k.jsonl") == ["a", "b", "c", "A", "d"]


def test_of_two_records_of_a_call_the_last_one_counts(tmp_path: Path) -> None:
    ledger = CallLedger(tmp_path / "k.jsonl")
    ledger.append(record("a", failure=1))
    ledger.append(record("a", failure=2))
    ledger.settle({"a"}, order)
    assert lines(tmp_path / "k.jsonl") == ["a"]
    ledger.append(record("a", reply=3))
    assert ledger.read({"a"}, whole)["a"][0]["reply"] == 3
    ledger.settle({"a"}, order)
    assert ledger.read({"a"}, whole)["a"][1] == 2


def test_a_line_that_a_power_cut_left_behind_is_dropped(tmp_path: Path) -> None:
    with CallLedger(tmp_path / "k.jsonl") as ledger:
        ledger.append(record("a"))
    with ledger.journal.open("ab") as stream:
        stream.write(b'{"call": "b", "rep')
    assert set(ledger.read({"a", "b"}, whole)) == {"a"}
    with ledger:
        ledger.append(record("c"))
    assert lines(ledger.journal) == ["a", "c"]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    for damage in (b"{]\n", b"[]\n", b'{"call": 1}\n', b'{"call": "a"}\n{"cal'):
        path.write_bytes(damage)
        with pytest.raises(ValueError, match=r"k\.jsonl, line [12]: is no record of a call"):
            CallLedger(path).read({"a"}, whole)
