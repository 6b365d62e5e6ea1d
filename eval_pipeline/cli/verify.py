"""`verify`: does a table come out again?"""

import sys

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation, unknown
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import print_json, print_table


@click.command(epilog=example("verify arithmetic_words decisions"))
@click.argument("contract")
@click.argument("table", required=False)
@click.option("--version", type=int, help="Version of the contract; the highest active one else.")
@click.option("--checkpoint", help="Only this checkpoint's tables.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str, table: str | None, version: int | None, checkpoint: str | None, as_json: bool
) -> None:
    """Compute a table (or all of a contract's) again from its recorded inputs.

    Verdicts that a publisher recorded are read out of the rows again, and not judged again.
    Exits 1 where a digest differs or a table cannot be computed again.
    """
    from eval_pipeline.orchestration.recomputation import verify
    from eval_pipeline.warehouse.schemas import TABLES

    found = evaluation("verify")
    one = chosen(found.world, contract, version)
    if one.retired:
        raise ValueError(f"{one.title} was retired on {one.retired.date}: its stages run no longer")
    if table is not None and table not in TABLES:
        raise ValueError(unknown("table", table, TABLES))
    places = [
        place
        for place in found.warehouse.standing()
        if (place.contract, place.version) == one.home
        and table in (None, place.table)
        and (checkpoint is None or place.checkpoint == checkpoint)
    ]
    if not places:
        raise LookupError(f"{one.title} has no such table yet: `eval-pipeline run` makes it")
    rows = [
        {
            "table": again.place.table,
            "checkpoint": again.place.checkpoint,
            "verdict": again.verdict,
            "recorded": again.recorded[:12],
            "computed": again.computed and again.computed[:12],
            "reason": again.reason or _beyond(one, again.place.table) or "",
        }
        for again in verify(found, sorted(places, key=lambda place: place.sort_key))
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


def _beyond(one: Chosen, table: str) -> str | None:
    """What computing a table again cannot show: whether recorded verdicts were right."""
    from eval_pipeline.verification.registry import is_recorded

    asked = one.contract.verification
    if asked is None:
        return None
    if table == "verifier_scores" and is_recorded(asked.verifier):
        grader = asked.options.get("grader")
    elif table in ("recorded_verdicts", "verdict_agreement") and asked.recorded is not None:
        grader = asked.recorded.grader
    else:
        return None
    return f"the recorded verdicts were read from the rows again; what {grader} graded was not"
