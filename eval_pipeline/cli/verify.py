"""`verify`: does a table come out again?"""

import sys

import click

from eval_pipeline.cli.printing import print_json, print_table
from eval_pipeline.layout import DataRoot


@click.command()
@click.argument("contract")
@click.argument("table", required=False)
@click.option("--version", type=int, help="Version of the contract; the highest active one else.")
@click.option("--checkpoint", help="Only this checkpoint's tables.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str, table: str | None, version: int | None, checkpoint: str | None, as_json: bool
) -> None:
    """Compute a table (or all of a contract's) again from its recorded inputs.

    Exits 1 where a digest differs or a table cannot be computed again.
    """
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.recomputation import verify
    from eval_pipeline.orchestration.settings import settings_from_environment

    evaluation = Evaluation(DataRoot.from_environment(), settings_from_environment(), "verify")
    home = evaluation.world.contract(contract, version).home
    places = [
        place
        for place in evaluation.warehouse.standing()
        if (place.contract, place.version) == home
        and table in (None, place.table)
        and (checkpoint is None or place.checkpoint == checkpoint)
    ]
    if not places:
        raise LookupError(f"{contract} has no such table yet: `eval-pipeline run` makes it")
    rows = [
        {
            "table": one.place.table,
            "checkpoint": one.place.checkpoint,
            "verdict": one.verdict,
            "recorded": one.recorded[:12],
            "computed": one.computed and one.computed[:12],
            "reason": one.reason,
        }
        for one in verify(evaluation, sorted(places, key=lambda place: place.sort_key))
    ]
    bad = sum(row["verdict"] != "same" for row in rows)
    if as_json:
        print_json(rows)
    else:
        headings = {
            "table": "Table",
            "checkpoint": "Checkpoint",
            "verdict": "Verdict",
            "recorded": "Recorded",
            "computed": "Computed",
            "reason": "Why",
        }
        print_table(rows, headings, wide="reason")
        click.echo(f"{len(rows) - bad} of {len(rows)} tables came out the same")
    sys.exit(1 if bad else 0)
