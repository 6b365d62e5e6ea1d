"""Tables for people, JSON for programs: how every verb prints."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from eval_pipeline.reporting.escaping import for_terminal, shortened

WIDTH = 100


def print_json(value: Any) -> None:
    """One JSON document on stdout, keys as given, non-finite numbers refused."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False, default=str, indent=2))


def print_table(
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str],
    title: str | None = None,
    wide: str | None = None,
) -> None:
    """Rows as a table that fits 100 columns.

    columns: key of a row -> heading. wide: the column that takes the room that is left and wraps.
    Cells are shown as plain text: no markup, no control character.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for key, heading in columns.items():
        numeric = any(isinstance(row.get(key), int | float) for row in rows)
        table.add_column(
            Text(heading),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=wide is not None and key != wide,
            ratio=1 if key == wide else None,
        )
    for row in rows:
        table.add_row(*(Text(cell_text(row.get(key))) for key in columns))
    console = Console(width=terminal_width(), highlight=False, markup=False, emoji=False)
    console.print(table)


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
        return f"{value:.4f}"
    if isinstance(value, list | tuple):
        return ", ".join(cell_text(v) for v in value)
    return shortened(for_terminal(str(value)), 400)


def interval_text(value: float | None, low: float | None, high: float | None) -> str:
    """An estimate with its interval; `undefined` where there is none."""
    if value is None:
        return "undefined"
    if low is None or high is None:
        return f"{value:.4f} [no interval]"
    return f"{value:.4f} [{low:.4f}, {high:.4f}]"
