"""Corpora on disk: shards of documents, read some at a time.

A shard is *.jsonl, *.jsonl.gz or *.parquet, with the document under `text`. A line without one is
no document: it is counted, keeps its number, and does not stop the search. A shard that cannot be
read to its end does: an unsearched rest must not look clean. What cannot be UTF-8 is no document
in Parquet, and `?` where JSON spells half a surrogate pair.
"""

import gzip
import json
import os
import zlib
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.contamination.shard_files import place_of

MAX_LINE = 128 * 2**20  # bytes of one line, so that a packed bomb cannot fill the memory
BATCH_BYTES = 16 * 2**20  # of text that are in memory at a time, and one document
MAX_ROWS = 65_536
READ_AHEAD = 2**20  # bytes of a column that are read at a time
SAMPLED_CHARACTERS = 20_000


@dataclass
class Unread:
    """Lines that hold no document: how many, and the first."""

    count: int = 0
    first: str = field(default="")

    def add(self, place: str, reason: str) -> None:
        self.first = self.first or f"{place}: {reason}"
        self.count += 1


def text_bytes(shard: Path) -> int:
    """About how much text a shard holds, without reading it; 0 where it cannot tell."""
    try:
        if shard.suffix == ".parquet":
            with pq.ParquetFile(shard) as file:
                groups = range(file.num_row_groups)
                return sum(file.metadata.row_group(group).total_byte_size for group in groups)
        size = shard.stat().st_size
        if shard.suffix == ".gz" and size > 4:
            with shard.open("rb") as file:
                file.seek(-4, os.SEEK_END)  # gzip ends with the size of what it holds
                return max(size, int.from_bytes(file.read(4), "little"))
        return size
    except (OSError, pa.ArrowException):  # whoever reads it says so
        return 0


@dataclass(frozen=True)
class Batch:
    """Some documents: their numbers from 0, and their texts as an Arrow array without nulls."""

    numbers: NDArray[np.int64]
    texts: Any


def batches(shard: Path, unread: Unread, batch_bytes: int = BATCH_BYTES) -> Iterator[Batch]:
    """The documents of a shard in order; other lines are added to `unread`.

    batch_bytes: of text that a batch holds, about; a longer document is a batch of its own.
    Raises ValueError that names the shard where it is cut, damaged, or without `text`.
    """
    try:
        if shard.suffix == ".parquet":
            yield from _parquet_batches(shard, unread, batch_bytes)
        elif shard.suffix == ".gz":
            with gzip.open(shard, "rb") as lines:
                yield from _line_batches(lines, shard, unread, batch_bytes)
        else:
            with shard.open("rb") as lines:
                yield from _line_batches(lines, shard, unread, batch_bytes)
    except (EOFError, OSError, zlib.error, pa.ArrowException) as error:
        raise ValueError(
            f"corpus shard {place_of(shard)} cannot be read ({error}): copy the shard again"
        ) from error


def documents(shard: Path, unread: Unread) -> Iterator[tuple[int, str]]:
    """(number from 0, text) of each document of a shard, as `batches`."""
    for batch in batches(shard, unread):
        yield from zip(batch.numbers.tolist(), batch.texts.to_pylist(), strict=True)


def first_documents(
    shards: Iterable[tuple[str, Path]], without: Container[tuple[str, str, int]], limit: int
) -> tuple[list[str], list[Path]]:
    """The first documents but for some, at most `limit`, and the shards that were read.

    shards: (corpus, path) in order; without: (corpus, shard name, document number). Texts are cut
    to `SAMPLED_CHARACTERS`.
    """
    texts: list[str] = []
    read: list[Path] = []
    for corpus, shard in shards:
        if len(texts) == limit:
            break
        read.append(shard)
        for number, text in documents(shard, Unread()):
            if (corpus, shard.name, number) not in without:
                texts.append(text[:SAMPLED_CHARACTERS])
            if len(texts) == limit:
                break
    return texts, read


def _line_batches(
    lines: IO[bytes] | gzip.GzipFile, shard: Path, unread: Unread, batch_bytes: int
) -> Iterator[Batch]:
    numbers: list[int] = []
    texts: list[bytes] = []
    number, size = 0, 0
    while line := lines.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            raise ValueError(
                f"corpus shard {place_of(shard)}, line {number + 1} is longer than {MAX_LINE} "
                "bytes: split the document"
            )
        text = _text(line, f"{place_of(shard)}, line {number + 1}", unread)
        if text is not None:
            numbers.append(number)
            texts.append(text)
            size += len(text)
        number += 1
        if size >= batch_bytes:
            yield _batch(numbers, texts)
            numbers, texts, size = [], [], 0
    if numbers:
        yield _batch(numbers, texts)


def _batch(numbers: list[int], texts: list[bytes]) -> Batch:
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    array = pa.Array.from_buffers(pa.large_string(), len(texts), buffers)
    return Batch(np.array(numbers, np.int64), array)


def _text(line: bytes, place: str, unread: Unread) -> bytes | None:
    """The document of a line, None where it is blank or holds none."""
    try:
        row = orjson.loads(line)
    except ValueError:  # the standard library reads some JSON that is not strict
        if not line.strip():
            return None
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            unread.add(place, f"no JSON ({error})")
            return None
    text = row.get("text") if isinstance(row, dict) else None
    if not isinstance(text, str):
        unread.add(place, "no string under `text`")
        return None
    return text.encode("utf-8", "replace")


def _parquet_batches(shard: Path, unread: Unread, batch_bytes: int) -> Iterator[Batch]:
    with pq.ParquetFile(shard, pre_buffer=False, buffer_size=READ_AHEAD) as file:
        names = file.schema_arrow.names
        kind = file.schema_arrow.field("text").type if "text" in names else None
        if kind is None or not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise ValueError(
                f"corpus shard {place_of(shard)} has no string column `text`, but {names}: "
                "name the documents' column so"
            )
        number = 0
        for group in range(file.num_row_groups):
            rows = _rows_of(file.metadata.row_group(group), names.index("text"), batch_bytes)
            for batch in file.iter_batches(rows, row_groups=[group], columns=["text"]):
                yield _readable(batch.column(0), number, shard, unread)
                number += batch.num_rows


def _rows_of(group: Any, column: int, batch_bytes: int) -> int:
    """How many rows of a row group hold about so many bytes of text."""
    size = group.column(column).total_uncompressed_size if group.num_columns > column else 0
    return int(max(1, min(MAX_ROWS, group.num_rows * batch_bytes // max(1, size))))


def _readable(texts: Any, first: int, shard: Path, unread: Unread) -> Batch:
    """The rows that are text; nulls, and bytes that are not UTF-8, are added to `unread`."""
    keep = np.ones(len(texts), np.bool_)
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        for i, value in enumerate(texts.cast(pa.large_binary(), safe=False).to_pylist()):
            try:
                (value or b"").decode()
            except UnicodeDecodeError as error:
                unread.add(f"{place_of(shard)}, row {first + i + 1}", f"not UTF-8 ({error})")
                keep[i] = False
    for i in np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False)).tolist():
        unread.add(f"{place_of(shard)}, row {first + i + 1}", "null `text`")
        keep[i] = False
    numbers = first + np.flatnonzero(keep)
    if not keep.all():
        texts = texts.filter(pa.array(keep))
    if not pa.types.is_large_string(texts.type):
        texts = texts.cast(pa.large_string())
    return Batch(numbers, texts)
