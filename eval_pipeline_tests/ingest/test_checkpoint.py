"""Checkpoint folders: what has landed, what waits, what is refused by name."""

import hashlib
import os
import subprocess
import sys

import pytest

from eval_pipeline.ingest.checkpoint import (
    Landed,
    NotLanded,
    checkpoint_state,
    landed_checkpoint,
    list_checkpoints,
    read_marker,
    write_success,
)
from eval_pipeline.layout import DataRoot


@pytest.fixture
def root(tmp_path):
    (tmp_path / "checkpoints").mkdir()
    return DataRoot(tmp_path)


@pytest.fixture
def folder(root):
    folder = root.checkpoint("tern@step100")
    folder.mkdir()
    (folder / "checkpoint.yaml").write_text("family: tern\n")
    (folder / "b.jsonl").write_bytes(b"{}\n")
    return folder


def refusal(root, name="tern@step100"):
    state = checkpoint_state(root, name)
    assert isinstance(state, NotLanded)
    assert state.refused
    return state.reason


def test_the_marker_states_digest_size_and_name_of_each_file(folder):
    assert write_success(folder) == folder / "_SUCCESS"
    digest = hashlib.sha256(b"{}\n").hexdigest()
    first, second = (folder / "_SUCCESS").read_text().splitlines()
    assert first == f"{digest}  3  b.jsonl"
    assert second.endswith("  13  checkpoint.yaml")
    assert read_marker(folder)["b.jsonl"] == digest
    assert sorted(path.name for path in folder.parent.iterdir()) == ["tern@step100"]


def test_a_folder_lands_with_its_marker(root, folder):
    state = checkpoint_state(root, "tern@step100")
    assert state == NotLanded("tern@step100", "has no _SUCCESS yet", refused=False)
    assert list_checkpoints(root).waiting == ("tern@step100",)
    write_success(folder)
    state = checkpoint_state(root, "tern@step100")
    assert isinstance(state, Landed)
    assert state.marker.sha256 == hashlib.sha256((folder / "_SUCCESS").read_bytes()).hexdigest()
    assert list_checkpoints(root).landed == ("tern@step100",)


def test_a_marker_written_again_has_another_digest_only_if_a_file_changed(root, folder):
    write_success(folder)
    before = landed_checkpoint(root, "tern@step100").marker
    write_success(folder)
    assert landed_checkpoint(root, "tern@step100").marker == before
    (folder / "b.jsonl").write_bytes(b"[]\n")
    write_success(folder)
    assert landed_checkpoint(root, "tern@step100").marker != before


def test_bytes_that_differ_are_refused_by_name(root, folder):
    write_success(folder)
    landed = landed_checkpoint(root, "tern@step100")
    landed.check_bytes("b.jsonl", hashlib.sha256(b"{}\n").hexdigest())
    with pytest.raises(ValueError, match=r"b\.jsonl is not the file that _SUCCESS states .* again"):
        landed.check_bytes("b.jsonl", hashlib.sha256(b"[]\n").hexdigest())
    with pytest.raises(ValueError, match=r"c\.jsonl is not stated in _SUCCESS"):
        landed.check_bytes("c.jsonl", "0" * 64)


def test_another_size_is_refused_without_reading_the_file(root, folder):
    write_success(folder)
    (folder / "b.jsonl").write_bytes(b"{}\n{}\n")
    assert refusal(root).startswith("b.jsonl has 6 bytes, _SUCCESS states 3: put the stated file")
    with pytest.raises(ValueError, match=r"^checkpoint tern@step100: b\.jsonl has 6 bytes"):
        landed_checkpoint(root, "tern@step100")


def test_a_missing_file_is_refused_by_name(root, folder):
    write_success(folder)
    (folder / "b.jsonl").unlink()
    assert refusal(root).startswith("b.jsonl is stated in _SUCCESS and missing")


def test_a_file_beside_the_marker_is_refused_by_name(root, folder):
    write_success(folder)
    (folder / "extra\n.jsonl").write_bytes(b"")
    (folder / "z.jsonl").write_bytes(b"")
    assert refusal(root).startswith("extra\\x0a.jsonl is not stated in _SUCCESS")
    assert refusal(root).endswith("(and 1 more)")


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "linked marker"])
def test_anything_but_regular_files_is_refused_by_name(root, folder, kind):
    write_success(folder)
    if kind == "link":
        (folder / "x").symlink_to("/etc/passwd")
    elif kind == "folder":
        (folder / "x").mkdir()
    elif kind == "pipe":
        os.mkfifo(folder / "x")
    else:
        (folder / "_SUCCESS").rename(folder.parent / "marker")
        (folder / "_SUCCESS").symlink_to(folder.parent / "marker")
    assert "a checkpoint folder holds regular files only" in refusal(root)
    with pytest.raises(ValueError, match="holds regular files only"):
        write_success(folder)


def test_a_linked_folder_is_refused(root, folder):
    write_success(folder)
    root.checkpoint("linked").symlink_to(folder)
    assert refusal(root, "linked").startswith("is a symbolic link")


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        (b"", "_SUCCESS is empty"),
        (b"0" * 64 + b"  3  b.jsonl", "_SUCCESS is cut off"),
        (b"0" * 64 + b" 3 b.jsonl\n", "_SUCCESS, line 1: expected `<sha256>"),
        (b"0" * 64 + b"  3  ../b.jsonl\n", "_SUCCESS, line 1: expected"),
        ((b"0" * 64 + b"  3  b.jsonl\n") * 2, "_SUCCESS, line 2: expected"),
        (b"\xff\0\n", "_SUCCESS, line 1: expected"),
    ],
)
def test_a_broken_marker_is_refused_with_its_line(root, folder, marker, reason):
    (folder / "_SUCCESS").write_bytes(marker)
    assert refusal(root).startswith(reason)
    assert refusal(root).isprintable()


@pytest.mark.parametrize(
    "name",
    [
        "a|b",
        "a=b",
        "a b",
        " ",
        "a\nb",
        "a\x1b[31mb",
        "..x",
        ".x",
        "é",
        "a,b",
        "x" * 129,
        "-x",
        "a:b",
    ],
)
def test_odd_names_are_refused_by_name_and_never_changed(root, name):
    folder = root.checkpoints / name
    folder.mkdir()
    (folder / "b.jsonl").write_bytes(b"")
    listing = list_checkpoints(root)
    ((shown, reason),) = listing.refused
    assert shown.isprintable()
    assert "is refused: use letters, digits and . _ @ + -" in reason
    assert (listing.landed, listing.waiting) == ((), ())
    with pytest.raises(ValueError, match="is refused"):
        write_success(folder)


def test_a_name_of_other_bytes_than_utf8_is_refused(root):
    os.mkdir(os.fsencode(root.checkpoints) + b"/a\xff")
    ((shown, reason),) = list_checkpoints(root).refused
    assert shown == "a\\udcff"
    assert reason.isprintable()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc"])
def test_names_that_lead_elsewhere_are_refused(root, name):
    assert "is refused" in refusal(root, name)


def test_files_among_the_checkpoints_are_refused_unless_hidden(root):
    (root.checkpoints / ".DS_Store").write_bytes(b"")
    (root.checkpoints / "notes.txt").write_bytes(b"")
    assert [name for name, _ in list_checkpoints(root).refused] == ["notes.txt"]


def test_no_checkpoints_folder_means_no_checkpoints(tmp_path):
    listing = list_checkpoints(DataRoot(tmp_path / "absent"))
    assert (listing.landed, listing.waiting, listing.refused) == ((), (), ())


def test_a_file_that_could_not_be_stated_is_refused(folder):
    (folder / "a file.jsonl").write_bytes(b"")
    with pytest.raises(ValueError, match=r"file name a file\.jsonl is refused"):
        write_success(folder)


def test_an_empty_folder_is_no_checkpoint(root):
    root.checkpoint("empty").mkdir()
    with pytest.raises(ValueError, match="the folder is empty"):
        write_success(root.checkpoint("empty"))


def test_planning_imports_this_without_heavy_libraries():
    code = "import sys, eval_pipeline.ingest.checkpoint, eval_pipeline.ingest.benchmark_files; "
    code += "print(sorted({'pyarrow', 'numpy', 'orjson', 'yaml', 'pydantic'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
