"""The rows of a plain file as they stand there: JSON lines, a JSON array, or CSV with a heading.

A row that cannot be read is rejected with its line and a reason; the others go on.
"""

import codecs
import csv
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice
from pathlib import Path

from eval_pipeline.ingest.excerpts import excerpt
from eval_pipeline.ingest.objects import parse_object
from eval_pipeline.ingest.rejects import RowFault

CSV_ENDINGS = (".csv", ".tsv")
SEPARATORS = ",;\t|"  # the first of those that part a heading best
MAX_CELL = 64 << 20  # characters of one cell
BOM = codecs.BOM_UTF8
LOOKED_AT = 20  # rows of a CSV that must have as many cells as its heading


@dataclass(frozen=True)
class Rejected:
    """A row that cannot be used; `line` counts from 1."""

    line: int
    reason: str
    detail: str
    excerpt: str


Raw = tuple[int, dict[str, object], bytes | str]  # line, row, and what stood there


def raw_rows(path: Path, rejected: list[Rejected]) -> Iterator[Raw]:
    """All rows of a .jsonl, .json, .csv or .tsv file, the first two also with .gz behind.

    Raises ValueError where the file as a whole cannot be read.
    """
    if path.suffix.lower() in CSV_ENDINGS:
        return _csv_rows(path, rejected)
    if _begins_as_array(path):
        return _array_rows(path, rejected)
    return _json_rows(path, rejected)


def _json_rows(path: Path, rejected: list[Rejected]) -> Iterator[Raw]:
    """The objects of a file with one JSON object a line, split on LF only."""
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            content = line.removeprefix(BOM if number == 1 else b"").rstrip(b"\r\n")
            if not content.strip():
                continue
            try:
                yield number, parse_object(content), content
            except RowFault as fault:
                rejected.append(Rejected(number, fault.reason, fault.detail, excerpt(content)))


def _array_rows(path: Path, rejected: list[Rejected]) -> Iterator[Raw]:
    """The objects of a file that is one JSON array; their place in it stands for the line."""
    with _opened(path) as file:
        content = file.read().removeprefix(BOM)
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} begins as a JSON array and is none: {error}") from None
    for number, value in enumerate(values, start=1):
        written = json.dumps(value).encode()
        try:
            yield number, parse_object(written), written
        except RowFault as fault:
            rejected.append(Rejected(number, fault.reason, fault.detail, excerpt(written)))


def _begins_as_array(path: Path) -> bool:
    with _opened(path) as file:
        return file.read(4096).removeprefix(BOM).lstrip()[:1] == b"["


def _opened(path: Path) -> "gzip.GzipFile | BufferedReader":
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _separator(path: Path) -> str:
    """What parts the cells: of what parts the heading, what gives the most rows its length."""

    def fit(separator: str) -> tuple[int, int]:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            try:
                heading, *rows = islice(csv.reader(file, delimiter=separator), LOOKED_AT + 1)
            except (ValueError, csv.Error):
                return 0, 0
        if len(heading) < 2:
            return 0, 0
        return sum(len(row) == len(heading) for row in rows), len(heading)

    return max(SEPARATORS, key=fit)


def _csv_rows(path: Path, rejected: list[Rejected]) -> Iterator[Raw]:
    """Rows of a CSV file in UTF-8 with a heading; an empty cell is no value, but a reply."""
    csv.field_size_limit(MAX_CELL)
    separator = _separator(path)
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        reader = csv.reader(file, delimiter=separator, strict=True)
        heading = next(reader, [])
        if twice := sorted({name for name in heading if heading.count(name) > 1}):
            raise ValueError(f"{path.name}: two columns are called {twice[0]!r}: rename one")
        line = reader.line_num + 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise ValueError(
                    f"{path.name}, line {line}: {error}: close the quote, or double quotes in text"
                ) from error
            if cells:
                content = separator.join(cells)
                if len(cells) != len(heading):
                    detail = f"{len(cells)} cells under a heading of {len(heading)}"
                    rejected.append(Rejected(line, "other_length", detail, excerpt(content)))
                elif not is_whole(content):
                    detail = "the bytes are not UTF-8"
                    rejected.append(Rejected(line, "invalid_utf8", detail, excerpt(content)))
                else:
                    yield line, dict(zip(heading, cells, strict=True)), content
            line = reader.line_num + 1


def is_whole(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
