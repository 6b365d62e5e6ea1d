"""Rows of a file that was published elsewhere: a JSON list, JSON lines, CSV or Parquet."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval_pipeline.ingest.peers.sources import File, Source

MAX_JSON_LIST_BYTES = 1 << 30  # a JSON list is held in memory whole
ENDINGS = (".json", ".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet")

Numbered = tuple[int, dict[str, object]]  # row, from 1


def published_rows(given: Path | Source) -> Iterator[Numbered]:
    """Each row with its number: the line of a file of lines, else its place in the file.

    Raises ValueError that names the file where it is no such file or is damaged.
    """
    source: Source = File(given.resolve()) if isinstance(given, Path) else given
    name = source.name.lower()
    if not name.endswith(ENDINGS):
        raise ValueError(f"{source.name} is none of {', '.join(ENDINGS)}: convert it to one")
    try:
        if name.endswith(".parquet"):
            yield from _parquet(source)
        elif name.endswith(".json"):
            yield from _json_list(source)
        elif name.endswith((".csv", ".tsv")):
            yield from _csv(source, "\t" if name.endswith(".tsv") else ",")
        else:
            yield from _json_lines(source)
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile, csv.Error) as error:
        raise ValueError(f"{source.name} cannot be read: {error}") from error


def _json_list(source: Source) -> Iterator[Numbered]:
    with source.open() as file:
        content = file.read(MAX_JSON_LIST_BYTES + 1)
    if len(content) > MAX_JSON_LIST_BYTES:
        raise ValueError(
            f"{source.name} is over 1 GiB: write it as JSON lines, which are read in turn"
        )
    try:
        rows = json.loads(content.decode("utf-8-sig"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{source.name} is not JSON: {error}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{source.name} holds no list of rows but a {type(rows).__name__}")
    for number, row in enumerate(rows, start=1):
        yield number, _object(source, number, row)


def _json_lines(source: Source) -> Iterator[Numbered]:
    with source.open() as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line.decode("utf-8-sig"))
            except (json.JSONDecodeError, RecursionError) as error:
                raise ValueError(f"{source.name}, line {number} is not JSON: {error}") from None
            yield number, _object(source, number, row)


def _csv(source: Source, separator: str) -> Iterator[Numbered]:
    with io.TextIOWrapper(source.open(), "utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter=separator, strict=True)
        for row in reader:
            yield reader.line_num, {key: value for key, value in row.items() if key is not None}


def _parquet(source: Source) -> Iterator[Numbered]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with source.open() as opened:
        try:
            file = pq.ParquetFile(opened)
        except pa.ArrowInvalid as error:
            raise ValueError(f"{source.name} is no Parquet file: {error}") from None
        number = 0
        for batch in file.iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, row


def _object(source: Source, number: int, row: Any) -> dict[str, object]:
    if not isinstance(row, dict):
        raise ValueError(f"{source.name}, row {number} is no object but {row!r:.60}")
    return row
