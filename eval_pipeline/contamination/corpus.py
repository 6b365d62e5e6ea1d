"""Corpora on disk: shards of documents, read one at a time.

A shard is *.jsonl, *.jsonl.gz or *.parquet, with the document under `text`. A line without one is
no document: it is counted, keeps its number, and does not stop the search. A shard that cannot be
read to its end does: an unsearched rest must not look clean.
"""

import gzip
import json
import zlib
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")
MAX_LINE = 64 * 2**20  # bytes of one line, so that a packed bomb cannot fill the memory
BATCH_ROWS = 1024
SAMPLED_CHARACTERS = 20_000


@dataclass
class Unread:
    """Lines that hold no document: how many, and the first."""

    count: int = 0
    first: str = field(default="")

    def add(self, place: str, reason: str) -> None:
        self.first = self.first or f"{place}: {reason}"
        self.count += 1


def shards(folder: Path) -> list[Path]:
    """The shards of a corpus, sorted by name; none where the folder is not there."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if p.name.endswith(ENDINGS) and p.is_file())


def documents(shard: Path, unread: Unread) -> Iterator[tuple[int, str]]:
    """(number from 0, text) of each document of a shard; other lines are added to `unread`.

    Raises ValueError that names the shard where it is cut, damaged, or without `text`.
    """
    try:
        if shard.suffix == ".parquet":
            yield from _parquet_documents(shard, unread)
        elif shard.suffix == ".gz":
            with gzip.open(shard, "rb") as lines:
                yield from _line_documents(lines, shard, unread)
        else:
            with shard.open("rb") as lines:
                yield from _line_documents(lines, shard, unread)
    except (EOFError, OSError, zlib.error, pa.ArrowException) as error:
        raise ValueError(
            f"corpus shard {_place(shard)} cannot be read ({error}): copy the shard again"
        ) from error


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


def _place(shard: Path) -> str:
    """The shard below the folder of corpora: name, version, file."""
    return "/".join(shard.parts[-3:])


def _line_documents(
    lines: IO[bytes] | gzip.GzipFile, shard: Path, unread: Unread
) -> Iterator[tuple[int, str]]:
    number = 0
    while line := lines.readline(MAX_LINE + 1):
        place = f"{_place(shard)}, line {number + 1}"
        if len(line) > MAX_LINE:
            raise ValueError(
                f"corpus shard {place} is longer than {MAX_LINE} bytes: split the document"
            )
        if line.strip():
            text = _text(line, place, unread)
            if text is not None:
                yield number, text
        number += 1


def _text(line: bytes, place: str, unread: Unread) -> str | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        unread.add(place, f"no JSON ({error})")
        return None
    text = row.get("text") if isinstance(row, dict) else None
    if not isinstance(text, str):
        unread.add(place, "no string under `text`")
        return None
    return text


def _parquet_documents(shard: Path, unread: Unread) -> Iterator[tuple[int, str]]:
    with pq.ParquetFile(shard) as file:
        names = file.schema_arrow.names
        kind = file.schema_arrow.field("text").type if "text" in names else None
        if kind is None or not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise ValueError(
                f"corpus shard {_place(shard)} has no string column `text`, but {names}: "
                "name the documents' column so"
            )
        number = 0
        for batch in file.iter_batches(BATCH_ROWS, columns=["text"]):
            for text in batch.column(0).to_pylist():
                if text is None:
                    unread.add(f"{_place(shard)}, row {number + 1}", "null `text`")
                else:
                    yield number, text
                number += 1
