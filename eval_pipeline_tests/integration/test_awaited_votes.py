"""Votes that are not cast yet: pending for their checkpoint, and nothing else moves."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import Done, eval_pipeline
from eval_pipeline_tests.integration.roots import bundled_root, complete

CONTRACT = "helpful_replies"
LATE = "heron@step2000"
OLDER = "tern@step2000"
PAIRS_DECIDED_BEFORE = {OLDER: 0, "tern@step1000": 10}  # the exit codes of gate


def votes(folder: Path) -> list[Path]:
    """The files that hold what was said of the late checkpoint."""
    return sorted((folder / "judgments").glob(f"*/{CONTRACT}/{LATE}.jsonl.gz"))


def half(source: Path, target: Path) -> None:
    with gzip.open(source, "rt") as file:
        lines = file.readlines()
    with gzip.open(target, "wt") as file:
        file.writelines(lines[::2])


def digests(root: DataRoot) -> dict[str, str]:
    """Place -> digest of the table that stands there, the report aside: it is of all."""
    return {
        str(place): record.digest or ""
        for place, record in Warehouse(root.warehouse).standing().items()
        if place.table != "report"
    }


def gate(root: DataRoot, checkpoint: str) -> tuple[int, dict[str, Any]]:
    done = eval_pipeline(root, "gate", CONTRACT, checkpoint, "--json")
    return done.code, json.loads(done.out)


def board(root: DataRoot) -> dict[str, dict[str, Any]]:
    rows = json.loads(eval_pipeline(root, "ls", CONTRACT, "--json").out)["rows"]
    return {row["checkpoint"]: row for row in rows}


def rows(root: DataRoot, sql: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(eval_pipeline(root, "query", sql, "--json").out)
    return found


LICENCES = "SELECT * FROM judge_licences ORDER BY judge, slice"


def run(root: DataRoot) -> Done:
    done = eval_pipeline(root, "run")
    assert done.code == 0, done.err
    return done


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    """The three older checkpoints, finished; nothing of the late one is there."""
    root = bundled_root(tmp_path_factory.mktemp("before"), CONTRACT, checkpoints=3)
    for path in votes(root.path):
        path.unlink()
    run(root)
    return root


def with_late(before: DataRoot, folder: Path) -> DataRoot:
    """A copy in which the late checkpoint has landed, without a vote."""
    root = DataRoot(folder / "data")
    shutil.copytree(before.path, root.path)
    bundled = bundled_root(folder / "bundled", CONTRACT)
    shutil.copytree(bundled.checkpoint(LATE), root.checkpoint(LATE))
    return root


def test_votes_come_later_in_halves_and_nothing_else_moves(
    before: DataRoot, finished_bundle: Path, tmp_path: Path
) -> None:
    first, licences, decided = digests(before), rows(before, LICENCES), board(before)
    assert {name: gate(before, name)[0] for name in PAIRS_DECIDED_BEFORE} == PAIRS_DECIDED_BEFORE
    root = with_late(before, tmp_path)
    bundled = tmp_path / "bundled" / "data"

    for part in ("none", "half"):
        if part == "half":
            for path in votes(bundled):
                half(path, root.path / path.relative_to(bundled))
        told = run(root)
        code, said = gate(root, LATE)
        assert (code, said["reason_code"]) == (11, "votes_pending"), part
        assert {name: gate(root, name)[0] for name in PAIRS_DECIDED_BEFORE} == PAIRS_DECIDED_BEFORE
        assert rows(root, LICENCES) == licences, part
        now = board(root)
        assert "not cast yet" in (now[LATE]["votes_pending"] or ""), part
        for name in PAIRS_DECIDED_BEFORE:
            same = ("value", "ci_low", "ci_high", "outcome", "reason_code", "votes_pending")
            assert [now[name][key] for key in same] == [decided[name][key] for key in same]
        listed = eval_pipeline(root, "ls", CONTRACT)
        assert LATE in listed.out
        assert "votes pending" in listed.out
        assert told.tells(LATE, "not cast yet"), told.err
        standing = digests(root)
        moved = {place for place, digest in first.items() if standing[place] != digest}
        assert not [place for place in moved if "checkpoint" in place], part

    for path in votes(bundled):
        shutil.copy(path, root.path / path.relative_to(bundled))
    run(root)
    assert gate(root, LATE)[0] == 0
    whole = digests(DataRoot(finished_bundle))
    assert digests(root).items() <= whole.items()


REFERENCE = "heron@step1000"
OTHERS = ("tern@step1000", OLDER, LATE)
JUDGING = """\
judging:
  judges: [{name: stern, family: tern}]
  orders: both
  repeats: 2
  bars: {flip_excess: 0.9}
length_control: {baseline: heron@step1000}
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DataRoot:
    """Two dozen requests, one judge, all checkpoints and all votes; nothing computed."""
    root = bundled_root(tmp_path_factory.mktemp("small"), CONTRACT)
    items = root.items(f"{CONTRACT}@1")
    lines = items.read_text(encoding="utf-8").splitlines(keepends=True)[:24]
    items.write_text("".join(lines), encoding="utf-8")
    kept = {json.loads(line)["item_id"] for line in lines}
    for path in root.path.rglob("*.jsonl.gz"):
        if CONTRACT in path.as_posix():
            with gzip.open(path, "rt") as file:
                rows = [line for line in file if json.loads(line)["item_id"] in kept]
            with gzip.open(path, "wt") as file:
                file.writelines(rows)
    for folder in root.checkpoints.iterdir():
        for path in folder.iterdir():
            if path.name not in ("checkpoint.yaml", f"{CONTRACT}.jsonl.gz"):
                path.unlink()
        write_success(folder)
    contract = root.contract_file(CONTRACT, 1)
    text = contract.read_text(encoding="utf-8").partition("judging:")[0] + JUDGING
    for metric in ("length_controlled_win_rate", "judge_score"):
        text = text.replace(f"  - {{name: {metric}}}\n", "")
    contract.write_text(text.replace("replicates: 2000", "replicates: 100"), encoding="utf-8")
    return root


def decided(root: DataRoot) -> dict[str, tuple[object, ...]]:
    """What the board says of each checkpoint whose votes are all cast."""
    table = Warehouse(root.warehouse).read("leaderboard", CONTRACT, 1).table()
    same = ("value", "ci_low", "ci_high", "outcome", "reason_code")
    return {
        row["checkpoint"]: tuple(row[key] for key in same)
        for row in table.to_pylist()
        if row["votes_pending"] is None
    }


LANDINGS = [(name, "lands") for name in OTHERS]
CASTS = [(name, part) for name in (*OTHERS, REFERENCE) for part in ("half", "all")]


@pytest.mark.slow
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    events=st.permutations([*LANDINGS, *CASTS]),
    looks=st.sets(st.integers(0, len(LANDINGS) + len(CASTS) - 1), max_size=3),
)
def test_any_order_and_any_delay_end_alike(
    small: DataRoot,
    tmp_path_factory: pytest.TempPathFactory,
    events: list[tuple[str, str]],
    looks: set[int],
) -> None:
    """A comparison that was decided stays as it is while nothing new is said of it."""
    root = DataRoot(tmp_path_factory.mktemp("order") / "data")
    shutil.copytree(small.path, root.path)
    for name in OTHERS:
        shutil.rmtree(root.checkpoint(name))
    files = {
        name: list((small.path / "judgments").glob(f"*/*/{name}.*"))
        for name in (*OTHERS, REFERENCE)
    }
    for paths in files.values():
        for path in paths:
            (root.path / path.relative_to(small.path)).unlink()
    settled: dict[str, tuple[object, ...]] = {}
    for number, (name, what) in enumerate(events):
        if what == "lands":
            shutil.copytree(small.checkpoint(name), root.checkpoint(name))
        else:
            settled.pop(name, None)  # something new is said of it
            for path in files[name]:
                target = root.path / path.relative_to(small.path)
                if what == "all":
                    shutil.copy(path, target)
                elif not target.exists():
                    half(path, target)
        if number in looks:
            complete(root)
            now = decided(root)
            assert {one: now.get(one) for one in settled} == settled
            settled |= now
    complete(root)
    whole = DataRoot(tmp_path_factory.mktemp("whole") / "data")
    shutil.copytree(small.path, whole.path)
    complete(whole)
    assert digests(root) == digests(whole)
