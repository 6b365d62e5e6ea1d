"""`lab acts`: the same contest judged in six ways, each held against the truth."""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.showing.printing import interval_text, print_json, print_table
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    from eval_pipeline.lab.acts import Act


def show_acts(seed: int | None, figure: Path | None, as_json: bool) -> None:
    """Runs the acts in a folder of their own and prints what each says and is worth."""
    from eval_pipeline.lab.acts_world import BETTER, LONGER, TRUE_WIN_RATE
    from eval_pipeline.lab.planted import SEED

    acts = played(SEED if seed is None else seed, quiet=as_json)
    if figure is not None:
        from eval_pipeline.warehouse.durable import write_text

        write_text(figure, drawn(acts))
    if as_json:
        print_json({"true_win_rate": TRUE_WIN_RATE, "acts": [asdict(act) for act in acts]})
        return
    rows = [
        {
            "act": f"{act.number} {act.name}",
            "estimate": interval_text(act.estimate, act.ci_low, act.ci_high),
            "says": act.says,
            "lesson": act.lesson,
        }
        for act in acts
    ]
    headings = {"act": "Act", "estimate": "Win rate", "says": "Worth", "lesson": "Because"}
    title = f"{BETTER} against {LONGER}: it truly wins {TRUE_WIN_RATE:g} of the time"
    print_table(rows, headings, title, wide="lesson")
    if figure is not None:
        click.echo(f"figure: {figure}")


def played(seed: int, quiet: bool) -> "list[Act]":
    """The six acts, run through the pipeline's own assets."""
    from eval_pipeline.cli.showing.progress import Progress
    from eval_pipeline.lab.acts import TABLES, six_acts
    from eval_pipeline.lab.acts_world import ITEMS, write_acts
    from eval_pipeline.orchestration.running.session import bring_up_to_date
    from eval_pipeline.warehouse.store import Warehouse

    with tempfile.TemporaryDirectory(prefix="eval_pipeline_acts_") as folder:
        root = DataRoot(Path(folder).resolve())
        write_acts(root, seed)
        with Progress(quiet=quiet) as progress:
            outcome = bring_up_to_date(root, progress)
        if not outcome.complete:
            wrong = {**outcome.failed, **outcome.faults, **outcome.parked}
            raise ValueError(f"the acts did not run to their end: {wrong}")
        warehouse = Warehouse(root.warehouse)
        return six_acts(
            {
                contract: {table: warehouse.read(table, contract, 1).table() for table in TABLES}
                for contract in ITEMS
            },
            seed,
        )


def drawn(acts: "list[Act]") -> str:
    """The acts as an SVG, each beside the truth."""
    from eval_pipeline.lab.acts_world import BETTER, LONGER, TRUE_WIN_RATE
    from eval_pipeline.reporting.figures.acts import ActRow, acts_figure

    rows = [
        ActRow(f"{act.number} {act.name}", act.estimate, act.ci_low, act.ci_high, act.says)
        for act in acts
    ]
    alt = "Six ways of judging one contest: what each says, beside the true win rate"
    return acts_figure(rows, BETTER, LONGER, TRUE_WIN_RATE, alt)
