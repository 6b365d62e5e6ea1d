"""What an archive says of itself is not believed; each refusal is one line."""

import contextlib
import io
import json
import struct
import time
import zipfile
from pathlib import Path

import pytest

from eval_pipeline.ingest.peers.archive import MAX_DIRECTORY_BYTES, members
from eval_pipeline_tests.ingest.peers.made import entries, inspect_log, inspect_sample, replies

LOG = inspect_log([], 1.0)
WREN = inspect_sample("wren", 1, "C")
END = b"PK\x05\x06"


def archive(path: Path, names: tuple[str, ...] = ("samples/wren_epoch_1.json",)) -> bytes:
    """A sound `.eval` of one sample under each name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", json.dumps(LOG))
        for name in names:
            made.writestr(name, json.dumps(WREN))
    return path.read_bytes()


def refused(path: Path) -> str:
    with pytest.raises(ValueError, match=path.name) as error:
        entries(path)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(("megabytes", "level"), [(20, 9), (300, 1)])
def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, megabytes: int, level: int
) -> None:
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as made:
        made.writestr("header.json", json.dumps(LOG))
        with made.open("samples/a.json", "w") as member:
            for _ in range(megabytes):
                member.write(bytes(1 << 20))
    assert "refused as a bomb" in refused(path)


def test_a_bomb_that_states_a_small_size_is_not_unpacked_beyond_it(tmp_path: Path) -> None:
    path = tmp_path / "liar.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", json.dumps(LOG))
        made.writestr("samples/a.json", bytes(40 << 20))
        made.getinfo("samples/a.json").file_size = 100
    assert "its bytes are not those that were packed" in refused(path)


def test_a_truncated_archive_is_refused_at_every_length(tmp_path: Path) -> None:
    content = archive(tmp_path / "whole.eval")
    path = tmp_path / "cut.eval"
    for length in range(5, len(content), 7):
        path.write_bytes(content[:length])
        refused(path)


def test_turned_bytes_are_refused_or_change_nothing(tmp_path: Path) -> None:
    content = archive(tmp_path / "whole.eval")
    said = [one.text for one in replies(tmp_path / "whole.eval")]
    path = tmp_path / "turned.eval"
    for at in range(4, len(content), 11):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        with contextlib.suppress(ValueError):  # anything else is a fault
            assert [one.text for one in replies(path)] == said


def test_a_name_that_leads_out_is_only_a_word(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "side"
    folder.mkdir(parents=True)
    archive(folder / "out.eval", ("samples/../../../out.json", "../../out.json", "/out.json"))
    (one,) = replies(folder / "out.eval")
    assert one.place == "out.eval:samples/../../../out.json"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["in", "out.eval", "side"]


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "locked.eval"
    content = bytearray(archive(path))
    entry = content.rfind(b"PK\x01\x02")
    content[entry + 8] |= 1
    path.write_bytes(content)
    assert "is encrypted: unpack the archive first" in refused(path)


def test_an_unknown_packing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.eval"
    content = bytearray(archive(path))
    content[content.rfind(b"PK\x01\x02") + 10] = 98
    path.write_bytes(content)
    assert "is packed by method 98" in refused(path)


@pytest.mark.parametrize("stated", [300_000, 1])
@pytest.mark.parametrize("large", [False, True])
def test_300_000_members_are_refused_whatever_is_stated(
    tmp_path: Path, stated: int, large: bool
) -> None:
    path = tmp_path / "many.eval"
    path.write_bytes(directory_of(300_000, stated, large))
    began = time.process_time()
    assert "lists 300,000 members: more than 200,000 are refused" in refused(path)
    assert time.process_time() - began < 1


def test_a_directory_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.eval"
    path.write_bytes(b"PK\x03\x04" + ending(1, MAX_DIRECTORY_BYTES + 1, 4, large=True))
    assert "has a directory of" in refused(path)


def test_an_archive_with_its_64_bit_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(directory_of(3, 3, large=True))
    assert len(members(path)) == 3


def directory_of(n: int, stated: int, large: bool) -> bytes:
    """An archive whose directory lists n members, and states another number of them."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr("a", b"")
    one = content.getvalue()
    start = one.index(b"PK\x01\x02")
    entry = one[start : one.index(END)]
    listed = entry * n
    return one[:start] + listed + ending(stated, len(listed), start, large)


def ending(n_members: int, n_bytes: int, start: int, large: bool) -> bytes:
    """The end of a directory; large: with the record of 64 bits before it."""
    short = struct.pack("<4s4H2IH", END, 0, 0, *[n_members & 0xFFFF] * 2, n_bytes, start, 0)
    if not large:
        return short
    sizes = (n_members, n_members, n_bytes, start)
    record = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, *sizes)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, start + n_bytes, 1)
    return record + locator + short
