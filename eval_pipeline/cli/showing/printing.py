"""Tables for people, JSON and CSV for programs: how every verb prints."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import click

from eval_pipeline.reporting.escaping import for_csv, for_json, for_terminal, shortened

WIDTH = 100
NAME_WIDTH = 32  # a column whose cells are all shorter is not broken in two where it fits
WIDE = 20  # the least room of the column that wraps
CELL_CHARACTERS = 400
_SEPARATING = frozenset(',;\t|"\n\r')


class Below(tuple[Any, ...]):
    """Values that stand one below the other in one cell."""


class Alarm(str):
    """A text that stands in red in a cell, where the terminal has colours."""


def print_json(value: Any) -> None:
    """One JSON document on stdout, keys as given; what is not a number (NaN) is null."""
    document = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, indent=2)
    click.echo(for_json(document))


def print_csv(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A heading and rows on stdout as CSV; no text starts a formula, null is an empty cell."""
    click.echo(_csv_line(for_csv(name) for name in names))
    for row in rows:
        click.echo(_csv_line(_csv_cell(value) for value in row))


def print_table(
    rows: Sequence[Mapping[str, object]],
    columns: Mapping[str, str],
    title: str | None = None,
    wide: str | None = None,
) -> None:
    """Rows as a table that fits 100 columns.

    columns: key of a row -> heading. wide: the column that takes the room that is left and wraps.
    Cells are shown as plain text: no markup, no control character. A name is broken over lines
    rather than cut.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(for_terminal(title)) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    cells = {key: [cell_text(row.get(key)) for row in rows] for key in columns}
    longest = {
        key: max(len(line) for cell in (heading, *cells[key]) for line in cell.split("\n"))
        for key, heading in columns.items()
    }
    others = sum(length + 3 for key, length in longest.items() if key != wide)
    fits = wide is not None and others + min(longest[wide], WIDE) <= terminal_width()
    for key, heading in columns.items():
        numeric = _is_numeric(row.get(key) for row in rows)
        table.add_column(
            Text(cell_text(heading)),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=key != wide and (numeric or (fits and longest[key] <= NAME_WIDTH)),
            ratio=1 if key == wide and fits else None,
        )
    for row, texts in zip(rows, zip(*cells.values(), strict=True), strict=True):
        shown = dict(zip(columns, map(Text, texts), strict=True))
        for key, text in shown.items():
            text.highlight_words(_alarms(row.get(key)), "bold red")
        table.add_row(*shown.values())
    console = Console(width=terminal_width(), highlight=False, markup=False, emoji=False)
    console.print(table)


def _alarms(value: object) -> list[str]:
    """The texts of a cell that are to stand in red."""
    values = value if isinstance(value, Below) else (value,)
    return [cell_text(one) for one in values if isinstance(one, Alarm)]


def print_fields(fields: Mapping[str, object], title: str | None = None) -> None:
    """Names and values, one a line, long values wrapped: a row that is too wide for a table."""
    import textwrap

    if title:
        click.echo(for_terminal(title))
    names = {name: shortened(for_terminal(name), NAME_WIDTH) for name in fields}
    indent = max(map(len, names.values()), default=0) + 2
    for name, value in fields.items():
        lines = textwrap.wrap(cell_text(value), max(terminal_width() - indent - 2, 20)) or [""]
        click.echo(f"  {names[name]:<{indent}}{lines[0]}")
        for line in lines[1:]:
            click.echo(" " * (indent + 2) + line)


def note(text: str) -> None:
    """A remark on stderr, beside what was asked for."""
    click.echo(f"note: {for_terminal(text)}", err=True)


def terminal_width() -> int:
    """The terminal's width, at most 100 columns; 100 where there is no terminal."""
    import shutil
    import sys

    if not sys.stdout.isatty():
        return WIDTH
    return min(WIDTH, shutil.get_terminal_size().columns)


def cell_text(value: Any) -> str:
    """A value as people read it: `-` where there is none, four decimals for a number."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}" if math.isfinite(value) else "undefined"
    if isinstance(value, Below):
        return "\n".join(map(cell_text, value))
    if isinstance(value, list | tuple):
        return ", ".join(cell_text(v) for v in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{cell_text(k)}: {cell_text(v)}" for k, v in value.items())
    return shortened(for_terminal(_text(value), keep="\n\t"), CELL_CHARACTERS)


def p_text(p: float | None) -> str | None:
    """A p-value as people read it; never 0."""
    if p is None:
        return None
    return "<.0001" if p < 0.0001 else f"{p:.4f}"


def interval_text(value: float | None, low: float | None, high: float | None) -> str:
    """An estimate with its interval; `undefined` where there is none."""
    if value is None or math.isnan(value):
        return "undefined"
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return f"{value:.4f} [no interval]"
    return f"{value:.4f} [{low:.4f}, {high:.4f}]"


def counted(number: int, thing: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _is_numeric(values: Iterable[Any]) -> bool:
    return any(isinstance(v, int | float | Decimal) and not isinstance(v, bool) for v in values)


def _text(value: Any) -> str:
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)


def _csv_line(cells: Iterable[str]) -> str:
    return ",".join(map(_quoted, cells)) or '""'  # an empty line would be no row


def _quoted(cell: str) -> str:
    """Quoted where any usual separator stands in it, so that no reader's guess cuts it."""
    return '"' + cell.replace('"', '""') + '"' if _SEPARATING.intersection(cell) else cell


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isnan(value):
        return ""
    if isinstance(value, int | float | Decimal):
        return str(value)  # a number may begin with a sign
    if isinstance(value, list | tuple | Mapping):
        return for_csv(json.dumps(_plain(value), ensure_ascii=False))
    return for_csv(_text(value))


def _plain(value: Any) -> Any:
    """The value in the types of JSON: whole decimals as integers, times as text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {_text(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return _text(value)
