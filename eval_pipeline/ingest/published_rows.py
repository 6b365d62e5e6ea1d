"""Rows of a file that was published elsewhere: a JSON list, JSON lines, CSV or Parquet."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_JSON_LIST_BYTES = 1 << 30  # a JSON list is held in memory whole
ENDINGS = (".json", ".jsonl", ".jsonl.gz", ".csv", ".tsv", ".parquet")

Numbered = tuple[int, dict[str, object]]  # row, from 1


def published_rows(path: Path) -> Iterator[Numbered]:
    """Each row with its number: the line of a file of lines, else its place in the file.

    Raises ValueError that names the file where it is no such file or is damaged.
    """
    name = path.name.lower()
    if not name.endswith(ENDINGS):
        raise ValueError(f"{path} is none of {', '.join(ENDINGS)}: convert it to one of them")
    try:
        if name.endswith(".parquet"):
            yield from _parquet(path)
        elif name.endswith(".json"):
            yield from _json_list(path)
        elif name.endswith((".csv", ".tsv")):
            yield from _csv(path, "\t" if name.endswith(".tsv") else ",")
        else:
            yield from _json_lines(path)
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile, csv.Error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error


def _json_list(path: Path) -> Iterator[Numbered]:
    if path.stat().st_size > MAX_JSON_LIST_BYTES:
        raise ValueError(f"{path} is over 1 GiB: write it as JSON lines, which are read in turn")
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if not isinstance(rows, list):
        raise ValueError(f"{path} holds no list of rows but a {type(rows).__name__}")
    for number, row in enumerate(rows, start=1):
        yield number, _object(path, number, row)


def _json_lines(path: Path) -> Iterator[Numbered]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line.decode("utf-8-sig"))
            except (json.JSONDecodeError, RecursionError) as error:
                raise ValueError(f"{path}, line {number} is not JSON: {error}") from None
            yield number, _object(path, number, row)


def _csv(path: Path, separator: str) -> Iterator[Numbered]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter=separator, strict=True)
        for row in reader:
            yield reader.line_num, {key: value for key, value in row.items() if key is not None}


def _parquet(path: Path) -> Iterator[Numbered]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path} is no Parquet file: {error}") from None
    number = 0
    for batch in file.iter_batches():
        for row in batch.to_pylist():
            number += 1
            yield number, row


def _object(path: Path, number: int, row: Any) -> dict[str, object]:
    if not isinstance(row, dict):
        raise ValueError(f"{path}, row {number} is no object but {row!r:.60}")
    return row
