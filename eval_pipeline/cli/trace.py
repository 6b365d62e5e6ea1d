"""`trace`: from a number to the raw lines that it rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation, unknown
from eval_pipeline.cli.reading.standing import note_gone
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, print_json, print_table
from eval_pipeline.reporting.escaping import for_terminal

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.warehouse.trace import Step

SHOWN = (
    *("checkpoint", "baseline", "metric", "slice", "policy", "value", "difference"),
    *("ci_low", "ci_high", "n_items", "n_shared"),
)
SHORT = 12  # digits of a digest that are shown


@click.command(
    epilog=example("trace arithmetic_words \\\n--checkpoint heron@step2000 --item aw-0001")
)
@click.argument("contract")
@click.argument("table", required=False)
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option("--checkpoint", help="Checkpoint, for tables that are made one a checkpoint.")
@click.option("--metric", help="Show the table's rows of this metric first.")
@click.option("--item", help="Show this item's sample, with its raw line as it lies on disk.")
@click.option("--draw", type=click.IntRange(0), default=0, show_default=True, help="Of the item.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str,
    table: str | None,
    version: int | None,
    checkpoint: str | None,
    metric: str | None,
    item: str | None,
    draw: int,
    as_json: bool,
) -> None:
    """Walk from a table back to the raw files that it rests on, with the digest of each.

    Without TABLE: metric_estimates where a checkpoint is named, decisions else. With --item, the
    sample itself: its score, what was extracted, and the line that it was read from.
    """
    from eval_pipeline.warehouse.trace import trace

    found = evaluation("trace")
    note_gone(found.world, [checkpoint])
    one = chosen(found.world, contract, version)
    if item is not None:
        from eval_pipeline.cli.reading.sample import show_sample

        show_sample(found, one, _needed(found, one, checkpoint), item, draw, as_json)
        return
    table = table or ("decisions" if checkpoint is None else "metric_estimates")
    place = _place(found, one, table, checkpoint)
    rows = [] if metric is None else _rows_of(found, one, table, place, metric)
    steps = trace(found.warehouse, table, *one.home, place)
    if as_json:
        print_json({"rows": rows, "steps": [_as_json(step) for step in steps]})
        return
    if rows:
        print_table(rows, {key: key for key in SHOWN if key in rows[0]}, title=table)
    for line in _drawn(steps):
        click.echo(for_terminal(line))
    files = {file.path for step in steps for file in step.files}
    click.echo(f"{counted(len(steps), 'table')} and {counted(len(files), 'raw file')}")


def _needed(found: "Evaluation", one: Chosen, checkpoint: str | None) -> str:
    if checkpoint is None:
        raise click.UsageError("--item needs --checkpoint: an item has a sample of each")
    return _known(found, one, "generations", checkpoint)


def _place(found: "Evaluation", one: Chosen, table: str, checkpoint: str | None) -> str | None:
    """The checkpoint that the table is traced for; None for a table of contract scope."""
    from eval_pipeline.warehouse.schemas import TABLES

    if table not in TABLES:
        raise ValueError(unknown("table", table, TABLES))
    if TABLES[table].scope == "contract":
        return None
    if checkpoint is None:
        there = ", ".join(_checkpoints(found, one, table)) or "none yet"
        raise click.UsageError(f"{table} is made for each checkpoint: name one of {there}")
    return _known(found, one, table, checkpoint)


def _known(found: "Evaluation", one: Chosen, table: str, checkpoint: str) -> str:
    there = _checkpoints(found, one, table)
    if there and checkpoint not in there:
        raise ValueError(f"{table}: " + unknown("checkpoint", checkpoint, there))
    return checkpoint


def _checkpoints(found: "Evaluation", one: Chosen, table: str) -> list[str]:
    return [
        place.checkpoint
        for place in found.warehouse.history().places()
        if (place.table, place.contract, place.version) == (table, *one.home) and place.checkpoint
    ]


def _rows_of(
    found: "Evaluation", one: Chosen, table: str, checkpoint: str | None, metric: str
) -> list[dict[str, Any]]:
    stored = found.warehouse.read(table, *one.home, checkpoint=checkpoint).table()
    if "metric" not in stored.column_names:
        raise click.UsageError(f"{table} has no metric: leave --metric out")
    every: list[dict[str, Any]] = stored.to_pylist()
    rows = [row for row in every if row["metric"] == metric]
    if not rows:
        raise ValueError(unknown("metric", metric, sorted({row["metric"] for row in every})))
    return rows


def _as_json(step: "Step") -> dict[str, Any]:
    record = step.record
    return {
        "depth": step.depth,
        **vars(step.ref),
        "record": record and record.id,
        "written_at": record and record.written_at,
        "rows": record and record.rows,
        "instruments": record and dict(record.instruments),
        "reads": [vars(ref) for ref in record.inputs.tables] if record else None,
        "files": [vars(file) for file in step.files],
    }


def _drawn(steps: "Sequence[Step]") -> list[str]:
    """The steps as a tree; what stands above already is not opened again."""
    by_ref = {step.ref: step for step in steps}
    opened = set()
    lines: list[str] = []

    def draw(step: "Step", lead: str, below: str) -> None:
        again = step.ref in opened
        opened.add(step.ref)
        lines.append(lead + _told(step) + (" (opened above)" if again else ""))
        if again or step.record is None:
            return
        tables = [by_ref[ref] for ref in step.record.inputs.tables]
        branches = len(tables) + len(step.files)
        for number, upstream in enumerate(tables, start=1):
            last = number == branches
            draw(upstream, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))
        for number, file in enumerate(step.files, start=len(tables) + 1):
            twig = "└─ " if number == branches else "├─ "
            size = counted(file.bytes, "byte")
            lines.append(f"{below}{twig}{file.path}  sha256 {file.sha256[:SHORT]}  {size}")

    draw(steps[0], "", "")
    return lines


def _told(step: "Step") -> str:
    ref, record = step.ref, step.record
    name = ref.table if ref.checkpoint is None else f"{ref.table} of {ref.checkpoint}"
    if record is None:
        return f"{name}  {ref.digest[:SHORT]}  no record is left of how it was made"
    rows = counted(record.rows or 0, "row")
    return f"{name}  {ref.digest[:SHORT]}  {rows}  {record.written_at[:16]}Z"
