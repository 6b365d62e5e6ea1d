"""Sheets that people fill in a spreadsheet, and the files in which what they say is kept."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

MAX_CELL = 30_000  # characters: spreadsheets cut a cell at 32,767
MAX_SHEET_BYTES = 64 << 20
SHOWN_LINES = 8


@dataclass(frozen=True)
class Kept:
    """What came of an import; `refused` names the lines not kept, each with the reason.

    again: decisions that stand in the file already, by the same person and word for word.
    """

    kept: int
    empty: int
    refused: list[str]
    again: int = 0


def cell(text: str | None) -> str:
    """A text as it stands in a sheet, cut where a spreadsheet would cut it unsaid."""
    if text is None:
        return ""
    return text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]} [cut: {len(text)} characters]"


def filled_rows(file: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells of each row; raises ValueError for a file that is no such sheet."""
    content = file.read_bytes()
    if len(content) > MAX_SHEET_BYTES:
        raise ValueError(f"{file} has {len(content)} bytes: no sheet that export made is so large")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: byte {error.start} is not UTF-8: save it as CSV UTF-8") from None
    csv.field_size_limit(MAX_SHEET_BYTES)
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)  # what a spreadsheet saves with depends on the locale
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    if lacking := [name for name in needed if name not in (reader.fieldnames or ())]:
        raise ValueError(
            f"{file} lacks the column {lacking[0]}: keep the sheet's first row, or export it anew"
        )
    for row in reader:
        yield reader.line_num, {name: cell or "" for name, cell in row.items() if name}


def at_lines(faults: Sequence[tuple[int, str]]) -> list[str]:
    """A sentence a fault, with the lines that have it, in order of the first."""
    lines: dict[str, list[int]] = {}
    for number, fault in faults:
        lines.setdefault(fault, []).append(number)
    said = []
    for fault, at in lines.items():
        shown = ", ".join(map(str, at[:SHOWN_LINES]))
        more = f" and {len(at) - SHOWN_LINES} more" if len(at) > SHOWN_LINES else ""
        said.append(f"{'line' if len(at) == 1 else 'lines'} {shown}{more}: {fault}")
    return said


def signed(by: str) -> dict[str, str]:
    """Who decided, and that it is now; raises ValueError for a nameless person."""
    if not by.strip() or not by.isprintable():
        raise ValueError("--by must name who decided")
    return {"by": by.strip(), "at": datetime.now(UTC).isoformat(timespec="seconds")}


def append(path: Path, decisions: Iterable[Mapping[str, object]]) -> None:
    """Adds a line a decision; what stands in the file stays as it is."""
    from eval_pipeline.warehouse.durable import write_text

    lines = [json.dumps(one, ensure_ascii=True) + "\n" for one in decisions]
    if lines:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if before and not before.endswith("\n"):
            before += "\n"
        write_text(path, before + "".join(lines))
