"""The line reader: what a line is, where it stands, and what it refuses."""

import gzip
import hashlib
import os
import tracemalloc
import zlib
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.ingest import lines
from eval_pipeline.ingest.lines import LineReader
from eval_pipeline_tests.ingest.conftest import refusal_of


class Line(NamedTuple):
    number: int
    byte_offset: int
    content: bytes
    ended: bool
    fault: str


def lines_in(path) -> list[Line]:
    """The lines of all blocks, one by one."""
    return [
        Line(
            *block.place(i),
            content,
            ended=block.ended or i < len(block) - 1,
            fault=block.faults.get(i, ""),
        )
        for block in LineReader(path)
        for i, content in enumerate(block.contents)
    ]


def read(path, content: bytes) -> list[Line]:
    path.write_bytes(content)
    return lines_in(path)


def by_definition(content: bytes) -> list[tuple[int, int, bytes, bool]]:
    """Number, offset, content and whether it ended, one line after the other."""
    found, start, number = [], 0, 0
    while start < len(content):
        number += 1
        end = content.find(b"\n", start)
        stop = len(content) if end < 0 else end
        line, offset = content[start:stop], start
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            line, offset = line[3:], offset + 3
        line = line.removesuffix(b"\r")
        if line.strip(b" \t\r"):
            found.append((number, offset, line, end >= 0))
        start = stop + 1
    return found


pieces = st.sampled_from(
    [
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\xef\xbb\xbf",
        b"\0",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\x0b",
        b"ab",
    ]
)


@given(st.lists(pieces, max_size=30).map(b"".join) | st.binary(max_size=60), st.integers(1, 7))
def test_lines_agree_with_the_definition_at_every_block_size(tmp_path_factory, content, block):
    path = tmp_path_factory.mktemp("lines") / "file.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK_BYTES", block)
        found = [(x.number, x.byte_offset, x.content, x.ended) for x in read(path, content)]
    assert found == by_definition(content)


@given(st.lists(pieces, max_size=30).map(b"".join), st.integers(1, 40), st.integers(0, 3))
def test_a_gzip_file_has_the_lines_of_its_content(tmp_path_factory, content, block, padding):
    packed = gzip.compress(content[:9]) + gzip.compress(content[9:]) + b"\0" * padding
    folder = tmp_path_factory.mktemp("lines")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK_BYTES", block)
        assert read(folder / "file.jsonl.gz", packed) == read(folder / "file.jsonl", content)


def test_an_offset_leads_to_the_very_bytes(tmp_path):
    content = b"\xef\xbb\xbf{}\r\n\n{ }\n"
    for line in read(tmp_path / "file", content):
        assert content[line.byte_offset :].startswith(line.content)


def test_digest_and_size_are_those_of_the_file_on_disk(tmp_path):
    path = tmp_path / "file.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 1000))
    reader = LineReader(path)
    with pytest.raises(ValueError, match="the digest is known after the last line"):
        reader.sha256  # noqa: B018 - the property itself raises
    assert sum(map(len, reader)) == 1000
    read = reader.file_read("checkpoints/k/file.jsonl.gz")
    assert read.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert read.bytes == path.stat().st_size


def test_an_empty_file_has_no_lines(tmp_path):
    assert read(tmp_path / "file.jsonl", b"") == []
    assert read(tmp_path / "file.jsonl.gz", b"") == []
    assert read(tmp_path / "file.jsonl.gz", gzip.compress(b"")) == []


def test_a_line_beyond_the_limit_is_a_fault_and_the_next_one_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 100)
    monkeypatch.setattr(lines, "BLOCK_BYTES", 16)
    monkeypatch.setattr(lines, "KEPT_OF_LONG_LINE", 10)
    first, second, third = read(tmp_path / "file", b"a" * 100 + b"\n" + b"b" * 101 + b"\nc\n")
    assert (first.fault, len(first.content)) == ("", 100)
    assert (second.fault, second.content, second.byte_offset) == ("line_too_long", b"b" * 10, 101)
    assert (third.fault, third.content, third.byte_offset) == ("", b"c", 203)


def test_memory_stays_bounded_while_a_line_never_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1 << 20)
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(200 << 20)  # a sparse file of NUL
    tracemalloc.start()
    (line,) = lines_in(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert line.fault == "line_too_long"
    assert peak < 8 << 20


def test_a_line_of_50_megabytes_is_read(tmp_path):
    (line,) = read(tmp_path / "file", b'{"text": "' + b"x" * 50_000_000 + b'"}')
    assert not line.fault
    assert len(line.content) == 50_000_012


@pytest.mark.parametrize("kept", [11, 40, 200])
def test_a_cut_gzip_stream_keeps_what_came_before_and_ends_in_a_fault(tmp_path, kept):
    content = b"".join(b'{"n": %d, "x": "%d"}\n' % (n, n**7) for n in range(100))
    *whole, cut = read(tmp_path / "file.jsonl.gz", gzip.compress(content)[:kept])
    assert [line.content for line in whole] == content.split(b"\n")[: len(whole)]
    assert (cut.fault, cut.ended) == ("cut_gzip", False)
    assert cut.number == len(whole) + 1


def test_a_gzip_stream_that_lacks_only_its_checksum_is_cut(tmp_path):
    *whole, cut = read(tmp_path / "file.jsonl.gz", gzip.compress(b"{}\n{}\n")[:-4])
    assert [line.content for line in whole] == [b"{}", b"{}"]
    assert cut.fault == "cut_gzip"


def test_a_damaged_gzip_file_is_refused_by_name(tmp_path):
    packed = bytearray(gzip.compress(os.urandom(5000)))
    packed[2000] ^= 0xFF
    with pytest.raises(ValueError, match=r"file\.jsonl\.gz: damaged or no gzip file .* copy"):
        read(tmp_path / "file.jsonl.gz", bytes(packed))


def test_a_plain_file_named_gz_is_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match=r"file\.jsonl\.gz: damaged or no gzip file"):
        read(tmp_path / "file.jsonl.gz", b'{"item_id": "a"}\n')


def test_a_gzip_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "GZIP_RATIO_FREE_BYTES", 1 << 20)
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(b"\0" * (1 << 20)) for _ in range(64)) + packer.flush()
    with pytest.raises(ValueError, match="refused as a gzip bomb"):
        read(tmp_path / "file.jsonl.gz", bomb)


def test_a_file_that_packs_well_is_no_bomb(tmp_path):
    assert len(read(tmp_path / "file.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 100_000))) == 100_000


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, kind):
    path = tmp_path / "file.jsonl"
    if kind == "link":
        (tmp_path / "real").write_bytes(b"{}\n")
        path.symlink_to(tmp_path / "real")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(ValueError, match=r"file\.jsonl: is (a symbolic link|not a regular file)"):
        list(LineReader(path))


@settings(max_examples=50)
@given(st.binary(max_size=300))
def test_any_bytes_named_gz_are_lines_or_a_named_refusal(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("lines") / "file.jsonl.gz"
    refusal = refusal_of(lambda: read(path, content))
    assert refusal is None or refusal.startswith("file.jsonl.gz: ")
