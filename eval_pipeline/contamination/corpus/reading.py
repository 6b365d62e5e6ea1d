"""Corpora on disk: shards of documents, read some at a time.

A shard is *.jsonl, *.jsonl.gz or *.parquet, with the document under `text`. A line without one is
no document: it is counted, keeps its number, and does not stop the search. A shard that cannot be
read to its end does: an unsearched rest must not look clean. What cannot be UTF-8 is no document,
and `?` where JSON spells half a surrogate pair.
"""

import gzip
import json
import os
import zlib
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import orjson
import pyarrow as pa

from eval_pipeline.contamination.corpus import parquet_texts
from eval_pipeline.contamination.corpus.batch import BATCH_BYTES, DocumentBatch, UnreadLines
from eval_pipeline.contamination.corpus.parquet_texts import Groups
from eval_pipeline.contamination.corpus.shard_files import place_of

MAX_LINE = 128 * 2**20  # bytes of one line, so that a packed bomb cannot fill the memory
PART_BYTES = 64 * 2**20  # of text from which a shard is searched in parts
SAMPLED_CHARACTERS = 20_000


def text_bytes(shard: Path) -> int:
    """About how much text a shard holds, without reading it; 0 where it cannot tell."""
    try:
        if shard.suffix == ".parquet":
            return sum(parquet_texts.sizes(shard))
        size = shard.stat().st_size
        if shard.suffix == ".gz" and size > 4:
            with shard.open("rb") as file:
                file.seek(-4, os.SEEK_END)  # gzip ends with the size of what it holds
                return max(size, int.from_bytes(file.read(4), "little"))
        return size
    except (OSError, pa.ArrowException):  # whoever reads it says so
        return 0


def parts(shard: Path, part_bytes: int | None = None) -> list[Groups | None]:
    """The shard in parts that can be read alone: runs of row groups of about so much text.

    part_bytes: `PART_BYTES` where it is not given. None is the whole: of what is small, of what is
    no Parquet, and of what cannot be read, which whoever reads it says.
    """
    if shard.suffix != ".parquet":
        return [None]
    try:
        runs = parquet_texts.runs(parquet_texts.sizes(shard), part_bytes or PART_BYTES)
    except (OSError, pa.ArrowException):
        return [None]
    return [*runs] if len(runs) > 1 else [None]


def batches(
    shard: Path, unread: UnreadLines, batch_bytes: int = BATCH_BYTES, groups: Groups | None = None
) -> Iterator[DocumentBatch]:
    """The documents of a shard in order; other lines are added to `unread`.

    batch_bytes: of text that a batch holds, about; a longer document is a batch of its own.
    groups: the row groups that are read, all where it is None; documents keep their numbers.
    Raises ValueError that names the shard where it is cut, damaged, or without `text`.
    """
    try:
        if shard.suffix == ".parquet":
            yield from parquet_texts.batches(shard, unread, batch_bytes, groups)
        elif shard.suffix == ".gz":
            if not shard.stat().st_size:  # which gzip reads as no lines
                raise EOFError("a gzip file of 0 bytes")
            with gzip.open(shard, "rb") as lines:
                yield from _line_batches(lines, shard, unread, batch_bytes)
        else:
            with shard.open("rb") as lines:
                yield from _line_batches(lines, shard, unread, batch_bytes)
    except (EOFError, OSError, zlib.error, pa.ArrowException) as error:
        raise ValueError(
            f"corpus shard {place_of(shard)} cannot be read ({error}): copy the shard again"
        ) from error


def documents(shard: Path, unread: UnreadLines) -> Iterator[tuple[int, str]]:
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
        for number, text in documents(shard, UnreadLines()):
            if (corpus, shard.name, number) not in without:
                texts.append(text[:SAMPLED_CHARACTERS])
            if len(texts) == limit:
                break
    return texts, read


def _line_batches(
    lines: IO[bytes] | gzip.GzipFile, shard: Path, unread: UnreadLines, batch_bytes: int
) -> Iterator[DocumentBatch]:
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


def _batch(numbers: list[int], texts: list[bytes]) -> DocumentBatch:
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    array = pa.Array.from_buffers(pa.large_string(), len(texts), buffers)
    return DocumentBatch(np.array(numbers, np.int64), array)


def _text(line: bytes, place: str, unread: UnreadLines) -> bytes | None:
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
