"""An import lands whole or not at all, once, and is taken away exactly."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from eval_pipeline.ingest.imports.landing import (
    LOCK,
    ImportRecord,
    finish_cut,
    import_id,
    importing,
    land,
    records,
    stage_of,
    undo,
)
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.ingest.imports.cutting import MOST_CHANGES, killed_at

Files = dict[str, str]
FIRST: Files = {
    "benchmarks/sums/v1/items.jsonl": "items\n",
    "benchmarks/sums/v1/datasheet.yaml": "sheet\n",
    "checkpoints/finch/checkpoint.yaml": "made: a\n",
    "checkpoints/finch/sums.jsonl": "replies\n",
    "contracts/sums/v1.yaml": "contract\n",
    "rejected.jsonl": "a row\n",
}
SECOND: Files = {
    "benchmarks/names/v1/items.jsonl": "items of names\n",
    "checkpoints/finch/names.jsonl": "replies to names\n",
    "checkpoints/wren/checkpoint.yaml": "made: b\n",
    "checkpoints/wren/names.jsonl": "other replies\n",
    "contracts/names/v1.yaml": "contract of names\n",
}
JOINING: Files = {
    "checkpoints/wren/checkpoint.yaml": "made: c\n",
    "checkpoints/wren/sums.jsonl": "replies of another\n",
}


IN_THE_MOVES = 32  # of the changes that the second import makes


def held(root: DataRoot) -> dict[str, bytes]:
    """Every file of the root but the lock, and each folder that is empty or hidden."""
    found = {}
    for path in sorted(root.path.rglob("*")):
        name = path.relative_to(root.path).as_posix()
        if path.is_file() and path.name != LOCK:
            found[name] = path.read_bytes()
        elif path.is_dir() and path.name.startswith("."):
            found[name] = b""
    return found


def brought(root: DataRoot, name: str, files: Files) -> ImportRecord:
    root.path.mkdir(parents=True, exist_ok=True)
    with importing(root):
        finish_cut(root)
        stage = stage_of(root, name)
        for path, text in files.items():
            target = stage.path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return land(root, stage, ImportRecord(name, "", {"a.json": "0" * 64}, ("made",)))


def undone(root: DataRoot, name: str) -> None:
    with importing(root):
        undo(root, name)


def finished(root: DataRoot) -> None:
    with importing(root):
        finish_cut(root)


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return DataRoot(tmp_path / "data")


def test_an_import_lands_with_its_record_and_markers(root: DataRoot) -> None:
    record = brought(root, "one", FIRST)
    assert (record.state, record.joined) == ("landed", ())
    assert record.files.keys() == FIRST.keys() - {"rejected.jsonl"}
    there = held(root)
    assert there.keys() == record.files.keys() | {
        "checkpoints/finch/_SUCCESS",
        "imports/one/import.json",
        "imports/one/rejected.jsonl",
    }
    assert records(root) == [record]


def test_undo_takes_away_exactly_what_came(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    before = held(root)
    brought(root, "two", SECOND)
    assert records(root)[1].joined == ("finch",)
    undone(root, "two")
    assert held(root) == before
    undone(root, "one")
    assert held(root) == {}


def test_undo_keeps_what_another_import_needs(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    before = held(root)
    brought(root, "more", JOINING)
    both = held(root)
    with pytest.raises(ValueError, match="import more holds replies to a benchmark that came with"):
        undone(root, "one")
    assert held(root) == both
    undone(root, "more")
    assert held(root) == before
    undone(root, "one")
    assert held(root) == {}


def test_undo_keeps_a_checkpoint_that_got_more(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    brought(root, "two", SECOND)
    with pytest.raises(ValueError, match=r"checkpoints/finch has got names\.jsonl since"):
        undone(root, "one")


def test_undo_of_nothing_names_what_there_is(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    with pytest.raises(ValueError, match=r"no import 'two' \(there are: one\)"):
        undone(root, "two")


def test_a_file_that_is_there_stops_it_before_anything_moves(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    before = held(root)
    with pytest.raises(ValueError, match=r"sums\.jsonl is there already: .*--benchmark"):
        brought(root, "two", {**SECOND, "checkpoints/finch/sums.jsonl": "other\n"})
    assert held(root) == before


def test_what_did_not_land_leaves_no_stage(root: DataRoot) -> None:
    root.path.mkdir()
    with importing(root):
        stage_of(root, "one")
        assert ".import-one" in held(root)
    assert held(root) == {}


def test_a_record_that_cannot_be_read_is_named(root: DataRoot) -> None:
    brought(root, "one", FIRST)
    (root.path / "imports/one/import.json").write_text("{")
    with pytest.raises(ValueError, match=r"imports/one/import\.json is no record"):
        records(root)


def test_the_name_of_an_import_is_that_of_its_bytes_and_of_what_was_asked() -> None:
    one = import_id({"a": "1", "b": "2"}, {"form": None})
    assert one == import_id({"x": "2", "y": "1"}, {"form": None})
    assert one != import_id({"a": "1", "b": "2"}, {"form": "helm"})
    assert one != import_id({"a": "1"}, {"form": None})


def test_one_at_a_time_and_a_dead_process_holds_no_lock(root: DataRoot) -> None:
    root.path.mkdir()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with importing(root):
            stage_of(root, "theirs")
            os.write(writing, b"!")
            signal.pause()
        os._exit(1)
    assert os.read(reading, 1) == b"!"
    try:
        with pytest.raises(ValueError, match="another process imports"):
            brought(root, "one", FIRST)
        assert ".import-theirs" in held(root)  # what the other one stages is left alone
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
    brought(root, "one", FIRST)
    assert ".import-theirs" not in held(root)


def at_every_change(
    folder: Path, prepare: Callable[[DataRoot], object], work: Callable[[DataRoot], object]
) -> list[DataRoot]:
    """A root for each change that the work makes, in which it was killed there."""
    roots = []
    for change in range(MOST_CHANGES):
        root = DataRoot(folder / f"cut-{change}")
        prepare(root)
        if not killed_at(change, root.path, lambda root=root: work(root)):
            return roots
        roots.append(root)
    raise AssertionError("the work never ends")


@pytest.mark.parametrize("files", [SECOND, JOINING])
def test_an_import_that_is_killed_is_finished_or_gone(tmp_path: Path, files: Files) -> None:
    plain = DataRoot(tmp_path / "plain")
    brought(plain, "one", FIRST)
    before = held(plain)
    brought(plain, "two", files)
    after = held(plain)
    cut = at_every_change(
        tmp_path,
        lambda root: brought(root, "one", FIRST),
        lambda root: brought(root, "two", files),
    )
    assert len(cut) > 20
    states = []
    for root in cut:
        finished(root)
        there = held(root)
        assert there in (before, after)
        states.append(there == after)
        if there == before:
            brought(root, "two", files)
        assert held(root) == after
        undone(root, "two")
        assert held(root) == before
    assert states == sorted(states)  # from some change on it is finished, before that gone
    assert set(states) == {False, True}


@pytest.mark.parametrize("files", [SECOND, JOINING])
def test_an_undo_that_is_killed_is_finished_or_not_begun(tmp_path: Path, files: Files) -> None:
    def prepare(root: DataRoot) -> None:
        brought(root, "one", FIRST)
        brought(root, "two", files)

    plain = DataRoot(tmp_path / "plain")
    brought(plain, "one", FIRST)
    before = held(plain)
    brought(plain, "two", files)
    after = held(plain)
    cut = at_every_change(tmp_path, prepare, lambda root: undone(root, "two"))
    assert len(cut) > 5
    for root in cut:
        finished(root)
        assert held(root) in (before, after)
        if held(root) == after:
            undone(root, "two")
        assert held(root) == before


def test_the_mending_may_itself_be_killed(tmp_path: Path) -> None:
    def prepare(root: DataRoot) -> None:
        brought(root, "one", FIRST)
        killed_at(IN_THE_MOVES, root.path, lambda: brought(root, "two", SECOND))

    plain = DataRoot(tmp_path / "plain")
    prepare(plain)
    assert [one.state for one in records(plain)] == ["landed", "landing"]
    finished(plain)
    after = held(plain)
    for root in at_every_change(tmp_path, prepare, finished):
        finished(root)
        assert held(root) == after
