"""`query`: the warehouse in SQL, read only."""

from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.project import data_root
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    print_csv,
    print_fields,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN_ROWS = 40
SECONDS = 60.0
MEMORY_MB = 2048
TABLE_COLUMNS = 8  # with more, 100 characters hold no table: a row is then a list of fields


@click.command(epilog=example('query "SELECT checkpoint, value FROM metric_estimates LIMIT 5"'))
@click.argument("sql")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=SHOWN_ROWS,
    show_default=True,
    help="Rows of the table that are shown, 0 for all; --json and --csv give all.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="How long the question may take.",
)
@click.option(
    "--memory-mb",
    type=click.IntRange(64),
    default=MEMORY_MB,
    show_default=True,
    help="How much memory the question may take, in MiB.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs: a list of rows.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV that starts no formula in a spreadsheet.")
def command(
    sql: str, limit: int, seconds: float, memory_mb: int, as_json: bool, as_csv: bool
) -> None:
    """Ask one SELECT or EXPLAIN over the warehouse's tables and `lineage`.

    Example: eval-pipeline query "SELECT checkpoint, metric, value FROM metric_estimates"

    Tables hold one part a contract version: say WHERE contract = ... AND version = ...
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other: choose one")
    from eval_pipeline.warehouse.asking import asked

    answer = asked(data_root().warehouse, sql, seconds, memory_mb)
    names = answer.column_names
    shown = answer.num_rows if limit == 0 else min(limit, answer.num_rows)
    part = answer if as_csv or as_json else answer.slice(0, shown)
    rows = list(zip(*(_values(column) for column in part.columns), strict=True))
    if as_csv:
        print_csv(names, rows)
        return
    if as_json:
        print_json([dict(zip(_told_apart(names), row, strict=True)) for row in rows])
        return
    if len(names) <= TABLE_COLUMNS:
        keyed = [{str(i): value for i, value in enumerate(row)} for row in rows]
        print_table(keyed, {str(i): name for i, name in enumerate(names)})
    else:
        for number, row in enumerate(rows, start=1):
            print_fields(dict(zip(_told_apart(names), row, strict=True)), f"row {number}")
    total = counted(answer.num_rows, "row")
    hint = ": --limit 0 shows all, --csv and --json give all" if shown < answer.num_rows else ""
    click.echo(f"{shown} of {total}{hint}" if hint else total)


def _values(column: "pa.ChunkedArray") -> list[Any]:
    values: list[Any] = column.to_pylist(maps_as_pydicts="strict")
    return values


def _told_apart(names: list[str]) -> list[str]:
    """The names; raises ValueError where one stands twice, so that no column is lost."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two columns are called {twice[0]}: name one of them with AS")
    return names
