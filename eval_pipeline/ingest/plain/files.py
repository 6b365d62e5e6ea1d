"""The rows of a plain file as they stand there: JSON lines, a JSON array, CSV or Parquet.

A row that cannot be read is rejected with its line and a reason; the others go on.
"""

import codecs
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from eval_pipeline.ingest.excerpts import excerpt
from eval_pipeline.ingest.objects import parse_object
from eval_pipeline.ingest.peers.sources import MAX_DOCUMENT_BYTES, Source, document_of, lines_of
from eval_pipeline.ingest.plain.cells import CSV_ENDINGS, cell_rows
from eval_pipeline.ingest.plain.keys import SYNONYMS
from eval_pipeline.ingest.plain.parquet_rows import PARQUET, parquet_rows
from eval_pipeline.ingest.rejects import RowFault

BOM = codecs.BOM_UTF8
EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # an archive of sheets, and the form before it
LOOKED_AT = 4096  # bytes by which the kind of a file is told


@dataclass(frozen=True)
class Rejected:
    """A row that cannot be used; `line` counts from 1."""

    line: int
    reason: str
    detail: str
    excerpt: str


Raw = tuple[int, dict[str, object], bytes | str]  # line, row, and what stood there


def raw_rows(source: Source, rejected: list[Rejected]) -> Iterator[Raw]:
    """All rows of a file, whose kind is told by how it begins; packed with gzip or not.

    Raises ValueError where the file as a whole cannot be read.
    """
    with source.open() as file:
        start = file.read(LOOKED_AT)
    if start.startswith(EXCEL):
        raise ValueError(f"{source.name} is a workbook or an archive: save the sheet as CSV")
    if start.startswith(PARQUET):
        return parquet_rows(source)
    begin = start.removeprefix(BOM).lstrip()[:1]
    is_named_csv = source.name.lower().removesuffix(".gz").endswith(CSV_ENDINGS)
    if is_named_csv or begin not in (b"[", b"{", b""):
        return _cells(source, rejected)
    if begin == b"[" and not _is_lines(source):
        return _array_rows(source, rejected)
    if begin == b"{" and (held := _held(source)) is not None:
        return _listed_rows(held, rejected)
    return _json_rows(source, rejected)


def _held(source: Source) -> list[object] | None:
    """The one list of objects that a JSON document holds under a key; None for JSON lines."""
    first = next((content for _, content in lines_of(source)), b"")
    try:
        value: object = json.loads(first)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and next(_held_lists(value), None) is None:
        return None  # an object a line
    if value is None:
        try:
            value = document_of(source)
        except ValueError:
            return None
    lists = list(_held_lists(value)) if isinstance(value, dict) else []
    return lists[0] if len(lists) == 1 else None


def _held_lists(value: Mapping[str, object]) -> Iterator[list[object]]:
    for one in value.values():
        if isinstance(one, list) and one and all(map(_has_parts, one)):
            yield one


def _has_parts(row: object) -> bool:
    """Whether it has two parts of a row at least, by their keys."""
    keys = {str(key).casefold() for key in row} if isinstance(row, dict) else set()
    return sum(not keys.isdisjoint(known) for known in SYNONYMS.values()) > 1


def _cells(source: Source, rejected: list[Rejected]) -> Iterator[Raw]:
    for line, cells, content, fault in cell_rows(source):
        if fault is None:
            yield line, cells, content
        else:
            rejected.append(Rejected(line, *fault, excerpt(content)))


def _json_rows(source: Source, rejected: list[Rejected]) -> Iterator[Raw]:
    """The objects of a file with one JSON object a line, split on LF only."""
    for number, content in lines_of(source):
        try:
            yield number, parse_object(content), content
        except RowFault as fault:
            rejected.append(Rejected(number, fault.reason, fault.detail, excerpt(content)))


def _is_lines(source: Source) -> bool:
    """Whether what begins with a bracket is a list a line, and not one list."""
    lines = (content for _, content in lines_of(source))
    first, second = next(lines, b""), next(lines, None)
    return first.endswith(b"]") and second is not None and second[:1] in b"[{"


def _array_rows(source: Source, rejected: list[Rejected]) -> Iterator[Raw]:
    """The objects of a file that is one JSON array; their place in it stands for the line."""
    with source.open() as file:
        content = file.read(MAX_DOCUMENT_BYTES + 1).removeprefix(BOM)
    if len(content) > MAX_DOCUMENT_BYTES:
        raise ValueError(f"{source.name} is one JSON array of over 512 MiB: write it as JSON lines")
    try:
        values = json.load(io.BytesIO(content))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{source.name} begins as a JSON array and is none: {error}") from None
    yield from _listed_rows(values, rejected)


def _listed_rows(values: Iterable[object], rejected: list[Rejected]) -> Iterator[Raw]:
    for number, value in enumerate(values, start=1):
        written = json.dumps(value).encode()
        try:
            yield number, parse_object(written), written
        except RowFault as fault:
            rejected.append(Rejected(number, fault.reason, fault.detail, excerpt(written)))
