"""Rows of cells under a heading: CSV with a delimiter that is found, in UTF-8 or marked UTF-16."""

import codecs
import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import TextIO

from eval_pipeline.ingest.peers.sources import Source

CSV_ENDINGS = (".csv", ".tsv")
SEPARATORS = ",;\t|"  # the first of those that part a heading best
MAX_CELL = 64 << 20  # characters of one cell
MAX_COLUMNS = 4096
LOOKED_AT = 20  # rows of a CSV that must have as many cells as its heading
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Fault = tuple[str, str]  # the reason in one word, and what is wrong
Cells = tuple[int, dict[str, object], str, Fault | None]  # line, row, what stood there, its fault


def cell_rows(source: Source) -> Iterator[Cells]:
    """Rows under a heading, each with its line; an empty cell is no value, but a reply.

    Raises ValueError that names the file for a heading that is none, and for a quote left open.
    """
    try:
        yield from _read_cells(source)
    except UnicodeDecodeError as error:
        raise ValueError(f"{source.name} is no text: {error}: save it as CSV in UTF-8") from None


def _read_cells(source: Source) -> Iterator[Cells]:
    csv.field_size_limit(MAX_CELL)
    separator = _separator(source)
    with _opened(source) as file:
        reader = csv.reader(file, delimiter=separator, strict=True)
        heading = next(reader, [])
        refuse_heading(source.name, heading)
        line = reader.line_num + 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise ValueError(
                    f"{source.name}, line {line}: {error}: close the quote, or double quotes in "
                    "text"
                ) from error
            if cells:
                content = separator.join(cells)
                fault = _fault(content, len(cells), len(heading))
                row: dict[str, object] = {} if fault else dict(zip(heading, cells, strict=True))
                yield line, row, content, fault
            line = reader.line_num + 1


def refuse_heading(name: str, heading: list[str]) -> None:
    """Raises ValueError for a column that stands twice, or for more columns than are read."""
    if len(heading) > MAX_COLUMNS:
        raise ValueError(
            f"{name} has {len(heading):,} columns: more than {MAX_COLUMNS:,} are refused; "
            "write a row for each reply"
        )
    if twice := sorted({column for column in heading if heading.count(column) > 1}):
        raise ValueError(f"{name}: two columns are called {twice[0]!r}: rename one")


def is_whole(text: str) -> bool:
    """Whether the text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _fault(content: str, n_cells: int, n_columns: int) -> Fault | None:
    if n_cells != n_columns:
        return "other_length", f"{n_cells} cells under a heading of {n_columns}"
    if not is_whole(content):
        return "invalid_utf8", "the bytes are not UTF-8"
    return None


def _opened(source: Source) -> TextIO:
    with source.open() as file:
        is_marked = file.read(2) in _UTF_16
    encoding = "utf-16" if is_marked else "utf-8-sig"
    errors = "strict" if is_marked else "surrogateescape"
    return io.TextIOWrapper(source.open(), encoding, errors, newline="")


def _separator(source: Source) -> str:
    """What parts the cells: of what parts the heading, what gives the most rows its length."""

    def fit(separator: str) -> tuple[int, int]:
        with _opened(source) as file:
            try:
                heading, *rows = islice(csv.reader(file, delimiter=separator), LOOKED_AT + 1)
            except (ValueError, csv.Error):
                return 0, 0
        if len(heading) < 2:
            return 0, 0
        return sum(len(row) == len(heading) for row in rows), len(heading)

    return max(SEPARATORS, key=fit)
