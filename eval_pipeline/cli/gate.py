"""`gate`: does a checkpoint ship?"""

import datetime
import sys
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import Chosen, chosen, evaluation, unknown
from eval_pipeline.cli.reading.standing import (
    gone_of,
    judges_now,
    licensed_judges,
    not_current,
    note_gone,
    told_beside,
    unlicensed,
)
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    counted,
    interval_text,
    note,
    print_fields,
    print_json,
)
from eval_pipeline.reporting.tables import difference_of

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.rows.estimates import DecisionsRow
    from eval_pipeline.rows.leaderboard import LeaderboardRow

Counts = dict[str, str | None]
KEYS = (
    *("reference", "metric", "difference", "ci_low", "ci_high", "confidence", "margin"),
    *("rule", "n_shared", "n_needed"),
)


@click.command(epilog=example("gate arithmetic_words heron@step2000"))
@click.argument("contract")
@click.argument("checkpoint")
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option("--accept", "accepting", is_flag=True, help="Record the acceptance if it ships.")
@click.option("--by", metavar="NAME", help="Who accepts; stands in accepted.yaml.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    contract: str,
    checkpoint: str,
    version: int | None,
    accepting: bool,
    by: str | None,
    as_json: bool,
) -> None:
    """Say whether CHECKPOINT ships under CONTRACT.

    Exits 0 where it ships, 10 where it is rejected, 11 where the data do not suffice, and 12
    where nothing can be decided: the contract is a draft, the judges hold no licence or it has
    run out, or what the decision rests on has changed since. Exits 1 where what the warehouse holds
    is not what its inputs give: the decision is computed again before it is told.
    """
    if accepting != (by is not None):
        raise click.UsageError("--accept and --by NAME go together: say who accepts")
    from eval_pipeline.decision.gate import gate

    found = evaluation("gate")
    one = chosen(found.world, contract, version)
    if one.retired:
        raise ValueError(
            f"{one.title} was retired on {one.retired.date} ({one.retired.reason}): "
            "ask a contract that is evaluated"
        )
    gone = found.world.gone.get(checkpoint)
    if checkpoint not in found.world.facts and gone is None:
        raise ValueError(unknown("landed checkpoint", checkpoint, sorted(found.world.facts)))
    row = _decision(found, one, checkpoint)
    named = [checkpoint, row["reference"]] if row and row["reference"] else [checkpoint]
    stale = not_current(found.plan(), one, "decisions", named)
    if row is not None and not stale:
        _check_decision(found, one)
    today = datetime.date.today()
    answer = gate(row, stale, expired(found, one, today), gone)
    accepted = accepting and answer.outcome == "ship"
    if accepted:
        from eval_pipeline.contracts.ledgers import accept

        if not accept(found.root, *one.home, checkpoint, by or "", today):
            note(f"{checkpoint} stands in accepted.yaml already, and what stands there stays")
    placed = _board_row(found, one, checkpoint)
    beside = [said for said in told_beside(placed) if said not in answer.reason]
    counts = _counts(found, one, placed)
    told = dict(row) if row else {}
    if as_json:
        print_json(
            {
                "contract": one.home[0],
                "version": one.home[1],
                "checkpoint": checkpoint,
                "outcome": answer.outcome,
                "exit_code": answer.exit_code,
                "reason_code": answer.reason_code,
                "reason": answer.reason,
                "accepted": accepted,
                "remarks": beside,
                "unlicensed": unlicensed(found, one),
                **counts,
                **{key: told.get(key) for key in KEYS},
            }
        )
        sys.exit(answer.exit_code)
    outcome = answer.outcome.replace("_", " ")
    print_fields(
        {"reason": answer.reason, **_shown(row, counts)},
        f"{one.title}, {checkpoint}: {outcome} ({answer.reason_code})",
    )
    for remark in [*unlicensed(found, one), *beside]:
        note(remark)
    note_gone(found.world, [row and row["reference"]])
    if accepted:
        click.echo(f"accepted by {by}; the next `eval-pipeline run` holds later ones against it")
    elif accepting:
        click.echo("not accepted: only a checkpoint that ships is", err=True)
    sys.exit(answer.exit_code)


def _check_decision(found: "Evaluation", one: Chosen) -> None:
    """Raises DamagedPart where the decisions at hand are not those that their inputs give."""
    from eval_pipeline.orchestration.recomputation import verify
    from eval_pipeline.warehouse.errors import DamagedPart
    from eval_pipeline.warehouse.place import Place

    (again,) = verify(found, [Place("decisions", *one.home)], every_part=False)
    if again.verdict != "same":
        raise DamagedPart(
            f"the decisions of {one.title} are not believed: computed again from their inputs, "
            f"they {'differ' if again.verdict == 'differs' else 'cannot be told'} ({again.reason})"
        )


def _decision(found: "Evaluation", one: Chosen, checkpoint: str) -> "DecisionsRow | None":
    """The checkpoint's row of `decisions`, if there is one."""
    from eval_pipeline.rows.estimates import DecisionsRow
    from eval_pipeline.rows.reading import rows_of
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        rows = rows_of(DecisionsRow, found.warehouse.read("decisions", *one.home).table())
    except NotMaterialised:
        return None
    return next((row for row in rows if row["checkpoint"] == checkpoint), None)


def _board_row(found: "Evaluation", one: Chosen, checkpoint: str) -> "LeaderboardRow | None":
    """The checkpoint's row of `leaderboard`, if there is one."""
    from eval_pipeline.orchestration.boards import board

    made = board(found.root, found.warehouse, one.contract, gone=gone_of(found.world, one))
    rows = made.rows if made else ()
    return next((row for row in rows if row["checkpoint"] == checkpoint), None)


def _counts(found: "Evaluation", one: Chosen, placed: "LeaderboardRow | None") -> Counts:
    """The unit of analysis, what was left out of the endpoint, and how many judges count."""
    unit = one.contract.unit
    told: Counts = {
        "unit": f"{unit.of_analysis}, clustered by {unit.clustered_by}",
        "excluded": None,
        "worst_slice": None,
        "judges": licensed_judges(found, one),
    }
    if placed is None or placed["n_excluded"] is None:
        return told
    excluded = placed["n_excluded"]
    if placed["n_samples"] is None:
        told["excluded"] = counted(excluded, "judged item")
    else:
        of = counted(excluded + placed["n_samples"], "sample")
        told["excluded"] = f"{excluded} of {of}"
    if placed["worst_slice"] is not None:
        shown = interval_text(placed["worst_value"], placed["worst_low"], placed["worst_high"])
        told["worst_slice"] = f"{placed['worst_slice']}: {shown}"
    return told


def expired(found: "Evaluation", one: Chosen, today: datetime.date) -> str | None:
    """Which licences have run out, where judges decide; None where all are in force."""
    from eval_pipeline.judging.standing import run_out
    from eval_pipeline.orchestration import terms

    deciding = {judge for jury in terms.juries(one.contract) for judge in jury.judges}
    return run_out(judge for judge in judges_now(found, one, today) if judge.judge in deciding)


def _shown(row: "DecisionsRow | None", counts: Counts) -> dict[str, object]:
    """What the decision rests on; nothing where no decision is recorded."""
    if row is None or row["reference"] is None:
        return {}
    level = f"{row['confidence']:.0%} interval"
    shown = {
        "held against": row["reference"],
        "difference": f"{interval_text(row['difference'], row['ci_low'], row['ci_high'])} "
        f"in {difference_of(row['metric'])}, {level}, {row['ci_method'] or 'no method'}",
        "rule": None if row["rule"] is None else f"{row['rule']}, margin {row['margin']:g}",
        "shared items": row["n_shared"],
        "items needed": row["n_needed"],
        **{name.replace("_", " "): value for name, value in counts.items()},
    }
    return {name: value for name, value in shown.items() if value is not None}
