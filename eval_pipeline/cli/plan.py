"""`plan`: what would run and why; how many items a gap needs."""

import click

from eval_pipeline.cli.printing import print_json, print_table
from eval_pipeline.layout import DataRoot


@click.command()
@click.option("--contract", "contract", help="Only this contract (its name).")
@click.option("--checkpoint", help="Only this checkpoint.")
@click.option("--all", "everything", is_flag=True, help="Cells that are up to date as well.")
@click.option(
    "--detect", type=click.FloatRange(0, 1, min_open=True), help="Items needed to see this gap."
)
@click.option("--power", type=click.FloatRange(0.5, 0.999), default=0.8, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str | None,
    checkpoint: str | None,
    everything: bool,
    detect: float | None,
    power: float,
    as_json: bool,
) -> None:
    """Say what would run and why, without running it.

    With --detect 0.02: how many items a paired comparison needs to see a gap of two points,
    from the spread of the results that are there.
    """
    if detect is not None:
        from eval_pipeline.cli.sample_size import sample_sizes

        show_sizes(sample_sizes(DataRoot.from_environment(), contract, detect, power), as_json)
        return
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.settings import settings_from_environment

    evaluation = Evaluation(DataRoot.from_environment(), settings_from_environment(), "plan")
    plan = evaluation.plan()
    rows = [
        {
            "contract": f"{one.cell.contract}/v{one.cell.version}",
            "stage": one.cell.stage,
            "checkpoint": one.cell.checkpoint,
            "state": one.state,
            "reason": one.reason,
        }
        for one in plan.cells
        if (contract is None or one.cell.contract == contract)
        and (checkpoint is None or one.cell.checkpoint in (None, checkpoint))
        and (everything or one.state not in ("current", "not_applicable"))
    ]
    faults = {file: list(lines) for file, lines in evaluation.world.faults.items()}
    if as_json:
        print_json({"counts": plan.counts(), "cells": rows, "faults": faults})
        return
    if rows:
        headings = {
            "contract": "Contract",
            "stage": "Stage",
            "checkpoint": "Checkpoint",
            "state": "State",
            "reason": "Why",
        }
        print_table(rows, headings, wide="reason")
    counts = ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in plan.counts().items())
    click.echo(f"{len(plan.to_run)} cells would run ({counts or 'no contract yet'})")
    for lines in faults.values():
        for line in lines:
            click.echo(f"fault: {line}", err=True)


def show_sizes(rows: list[dict[str, object]], as_json: bool) -> None:
    """Prints what `sample_sizes` gave."""
    if as_json:
        print_json(rows)
        return
    headings = {
        "contract": "Contract",
        "metric": "Metric",
        "checkpoint": "Checkpoint",
        "baseline": "Baseline",
        "items": "Items now",
        "detectable": "Detectable now",
        "needed": "Items needed",
        "note": "Note",
    }
    print_table(rows, headings, wide="note")
