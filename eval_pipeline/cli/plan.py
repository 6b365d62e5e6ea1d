"""`plan`: what would run and why; how many items a gap needs."""

from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import chosen, data_root, evaluation, tell_faults, unknown
from eval_pipeline.cli.showing.printing import counted, print_json, print_table
from eval_pipeline.cli.standing import SETTLED
from eval_pipeline.reporting.escaping import for_terminal

if TYPE_CHECKING:
    from eval_pipeline.orchestration.planning.world import World

POWER = 0.8
RATERS = 3


@click.command()
@click.option("--contract", "contract", help="Only this contract (its name).")
@click.option("--checkpoint", help="Only this checkpoint.")
@click.option("--all", "everything", is_flag=True, help="Cells that are up to date as well.")
@click.option(
    "--detect", type=click.FloatRange(0, 1, min_open=True), help="Items needed to see this gap."
)
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.999),
    show_default=f"{POWER:g}",
    help="With --detect: the chance to see the gap.",
)
@click.option("--cost", is_flag=True, help="What the calls to live judges would cost.")
@click.option("--licence", is_flag=True, help="Labels and pairs that each bar of a judge needs.")
@click.option(
    "--raters",
    type=click.IntRange(2),
    show_default=f"{RATERS}",
    help="With --licence: raters on each pair.",
)
@click.option(
    "--usd-per-label",
    type=click.FloatRange(0),
    help="With --licence: the price of one label.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str | None,
    checkpoint: str | None,
    everything: bool,
    detect: float | None,
    power: float | None,
    cost: bool,
    licence: bool,
    raters: int | None,
    usd_per_label: float | None,
    as_json: bool,
) -> None:
    """Say what would run and why, without running it.

    With --cost: calls, tokens and money (at the declared price) that live judges are due, before
    anything is spent. With --detect 0.02: how many items a paired comparison needs to see a gap
    of two points, from the spread of the results that are there. With --licence: what each bar of
    each judge still needs before it is decided.
    """
    if power is not None and (detect is None or cost or licence):
        raise click.UsageError("--power is the chance to see a gap: it needs --detect, alone")
    if not licence and (raters is not None or usd_per_label is not None):
        raise click.UsageError("--raters and --usd-per-label are about labels: they need --licence")
    root = data_root()
    if licence:
        from eval_pipeline.cli.forecast.licence_plan import show_licence_needs

        show_licence_needs(root, contract, raters or RATERS, usd_per_label, as_json)
        return
    if cost:
        from eval_pipeline.cli.forecast.judge_cost import show_costs

        show_costs(root, contract, checkpoint, detect, as_json)
        return
    if detect is not None:
        from eval_pipeline.cli.forecast.sample_size import sample_sizes

        power = POWER if power is None else power
        show_sizes(sample_sizes(root, contract, detect, power), detect, power, as_json)
        return
    from eval_pipeline.orchestration.planning.plan import Plan

    found = evaluation("plan", root)
    name, version = _named(found.world, contract)
    if checkpoint is not None and checkpoint not in found.world.facts:
        raise ValueError(unknown("landed checkpoint", checkpoint, sorted(found.world.facts)))
    plan = Plan(
        tuple(
            one
            for one in found.plan().cells
            if name in (None, one.cell.contract)
            and version in (None, one.cell.version)
            and (checkpoint is None or one.cell.checkpoint in (None, checkpoint))
        )
    )
    rows = [
        {
            "contract": f"{one.cell.contract}/v{one.cell.version}",
            "stage": one.cell.stage,
            "checkpoint": one.cell.checkpoint,
            "state": one.state,
            "reason": one.reason,
        }
        for one in plan.cells
        if everything or one.state not in SETTLED
    ]
    faults = {file: list(lines) for file, lines in found.world.faults.items()}
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
    click.echo(f"{counted(len(plan.to_run), 'cell')} would run ({counts or 'no contract yet'})")
    tell_faults(found.world)


def _named(world: "World", contract: str | None) -> tuple[str | None, int | None]:
    """Name and version of the contract that is asked for; None for any."""
    if contract is None:
        return None, None
    name, version = chosen(world, contract).home
    return name, None if contract == name else version


def show_sizes(rows: list[dict[str, object]], detect: float, power: float, as_json: bool) -> None:
    """Prints what `sample_sizes` gave."""
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("no contract yet: `eval-pipeline init --from answers.jsonl` makes one")
        return
    shown = [
        {**row, "compared": row["checkpoint"] and f"{row['checkpoint']} - {row['baseline']}"}
        for row in rows
    ]
    headings = {
        "contract": "Contract",
        "metric": "Metric",
        "compared": "Compared",
        "items": "Items",
        "detectable": "They show",
        "needed": "Needed",
        "needed_twice": "Twice the draws",
    }
    told = [row for row in shown if row["compared"]]
    if told:
        title = f"Items that show a difference of {detect:g} with a power of {power:.0%}"
        print_table(told, headings, title)
        terms = {
            f"{row['contract']}: mean paired difference, {row['confidence']:.0%} intervals "
            f"({row['estimator']}), unit {row['unit']}"
            for row in told
            if row["estimator"]
        }
        for line in sorted(terms):
            click.echo(for_terminal(line))
    for row in shown:
        if row["note"]:
            about = f"{row['contract']}, {row['compared']}" if row["compared"] else row["contract"]
            click.echo(for_terminal(f"{about}: {row['note']}"))
