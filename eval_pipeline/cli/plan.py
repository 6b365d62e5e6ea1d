"""`plan`: what would run and why; what sizes, judges and licences will need."""

from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import chosen, data_root, evaluation, tell_faults, unknown
from eval_pipeline.cli.reading.standing import SETTLED, note_gone
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import counted, print_json, print_table
from eval_pipeline.cli.showing.renamed import renamed

if TYPE_CHECKING:
    from eval_pipeline.orchestration.planning.world import World

CONTRACT = click.option("--contract", help="Only this contract: its name, or name@1.")
JSON = click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
GAP = click.FloatRange(0, 1, min_open=True)


@click.group(
    invoke_without_command=True,
    epilog=example("plan", "plan --checkpoint heron@step2000 --all"),
)
@CONTRACT
@click.option("--checkpoint", help="Only this checkpoint.")
@click.option("--all", "everything", is_flag=True, help="Cells that are up to date as well.")
@JSON
@renamed("plan", "--licence", "plan licence", is_flag=True)
@renamed("plan", "--raters", "plan licence --raters")
@renamed("plan", "--usd-per-label", "plan licence --usd-per-label")
@renamed("plan", "--cost", "plan cost", is_flag=True)
@renamed("plan", "--detect", "plan size --detect")
@renamed("plan", "--power", "plan size --power")
@click.pass_context
def command(
    context: click.Context,
    contract: str | None,
    checkpoint: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Say what would run and why, without running it.

    Its verbs say what a contract will need before anything is spent: items, calls to live
    judges, labels.
    """
    if (verb := context.invoked_subcommand) is not None:
        if contract or checkpoint or everything or as_json:
            raise click.UsageError(f"options of `plan {verb}` stand after it: plan {verb} ...")
        return
    show_plan(contract, checkpoint, everything, as_json)


@command.command(epilog=example("plan size --contract arithmetic_words --detect 0.02"))
@click.option("--detect", type=GAP, required=True, help="The gap to see, such as 0.02.")
@click.option(
    "--power",
    type=click.FloatRange(0.5, 0.999),
    default=0.8,
    show_default=True,
    help="The chance to see it.",
)
@CONTRACT
@JSON
def size(detect: float, power: float, contract: str | None, as_json: bool) -> None:
    """How many items a paired comparison needs to see a gap.

    From the spread of the results that are there.
    """
    from eval_pipeline.cli.forecast.sample_size import sample_sizes, show_sizes

    show_sizes(sample_sizes(data_root(), contract, detect, power), detect, power, as_json)


@command.command(epilog=example("plan cost --contract helpful_replies"))
@CONTRACT
@click.option("--checkpoint", help="Only calls about this checkpoint.")
@click.option("--detect", type=GAP, help="Items too that a pair needs to show this gap.")
@JSON
def cost(contract: str | None, checkpoint: str | None, detect: float | None, as_json: bool) -> None:
    """Calls, tokens and money that live judges are due, at the declared price.

    Nothing is sent.
    """
    from eval_pipeline.cli.forecast.judge_cost import show_costs

    show_costs(data_root(), contract, checkpoint, detect, as_json)


@command.command(epilog=example("plan licence --contract helpful_replies --raters 3"))
@CONTRACT
@click.option(
    "--raters",
    type=click.IntRange(2),
    default=3,
    show_default=True,
    help="Raters on each pair.",
)
@click.option("--usd-per-label", type=click.FloatRange(0), help="The price of one label.")
@JSON
def licence(contract: str | None, raters: int, usd_per_label: float | None, as_json: bool) -> None:
    """What each bar of each judge still needs before it is decided: pairs and labels."""
    from eval_pipeline.cli.forecast.licence_plan import show_licence_needs

    show_licence_needs(data_root(), contract, raters, usd_per_label, as_json)


def show_plan(
    contract: str | None, checkpoint: str | None, everything: bool, as_json: bool
) -> None:
    """Prints the cells that would run and why; with `everything`, those that stand as well."""
    from eval_pipeline.orchestration.planning.plan import Plan

    found = evaluation("plan", data_root())
    name, version = _named(found.world, contract)
    if checkpoint is not None and checkpoint not in {**found.world.facts, **found.world.gone}:
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
        gone = dict(found.world.gone)
        print_json({"counts": plan.counts(), "cells": rows, "faults": faults, "gone": gone})
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
    note_gone(found.world, found.world.gone)
    tell_faults(found.world)


def _named(world: "World", contract: str | None) -> tuple[str | None, int | None]:
    """Name and version of the contract that is asked for; None for any."""
    if contract is None:
        return None, None
    name, version = chosen(world, contract).home
    return name, None if contract == name else version
