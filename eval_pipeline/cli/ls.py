"""`ls`: contracts, checkpoints, and how their numbers stand."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

import click

from eval_pipeline.cli.reading.project import Chosen, Home, chosen, evaluation, moment
from eval_pipeline.cli.reading.standing import (
    NOT_YET,
    cells_of,
    gone_of,
    licensed_judges,
    not_current,
    note_gone,
    states,
    told_beside,
)
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    Alarm,
    Below,
    interval_text,
    note,
    print_json,
    print_table,
    terminal_width,
)
from eval_pipeline.reporting.escaping import for_terminal, shortened
from eval_pipeline.reporting.unjudged import MUCH, WORTH_SAYING, unjudged

if TYPE_CHECKING:
    from eval_pipeline.orchestration.boards import Board
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.rows.leaderboard import LeaderboardRow

VALUE_WIDTH = 24  # of a value with its interval: no line below it makes the column wider
Shown = dict[str, object]  # what is printed, by its heading


class ContractLine(TypedDict):
    """A contract version as it is listed; cells: how many are in each state."""

    contract: str
    status: str
    checkpoints: int | None
    cells: dict[str, int]
    note: str | None
    judges: str | None
    computed: str


@click.command(epilog=example("ls arithmetic_words"))
@click.argument("contract", required=False)
@click.option("--version", type=click.IntRange(1), help="Version; the highest one else.")
@click.option("--as-of", metavar="WHEN", help="As it was: 2026-01-31T12:00Z, or a record's id.")
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(contract: str | None, version: int | None, as_of: str | None, as_json: bool) -> None:
    """List contracts and checkpoints; with CONTRACT, its leaderboard.

    The leaderboard shows the primary endpoint of each checkpoint with its interval, what was
    excluded, and what was decided.
    """
    if contract is None:
        if version is not None or as_of is not None:
            raise click.UsageError("--version and --as-of need a CONTRACT")
        _everything(evaluation("ls"), as_json)
    else:
        found = evaluation("ls")
        _leaderboard(found, chosen(found.world, contract, version), as_of, as_json)


def _everything(found: "Evaluation", as_json: bool) -> None:
    contracts, checkpoints = contract_rows(found), checkpoint_rows(found)
    places = {f"checkpoints/{row['checkpoint']}" for row in checkpoints}
    faults = {file: list(lines) for file, lines in found.world.faults.items() if file not in places}
    if as_json:
        print_json({"contracts": contracts, "checkpoints": checkpoints, "faults": faults})
        return
    if contracts:
        shown = [{**row, "cells": row["note"] or _counted(row["cells"])} for row in contracts]
        headings = {
            "contract": "Contract",
            "status": "Status",
            "checkpoints": "Targets",
            "cells": "Cells",
            "judges": "Judges",
            "computed": "Last computed",
        }
        print_table(shown, headings, wide="cells")
    elif any(file.startswith("contracts/") for file in faults):
        click.echo("no contract that can be read: mend what stands below")
    else:
        click.echo("no contract yet: `eval-pipeline init --from answers.jsonl` makes one")
    if checkpoints:
        headings = {
            "checkpoint": "Checkpoint",
            "state": "State",
            "family": "Family",
            "date": "Date",
            "why": "Why",
        }
        print_table(checkpoints, headings, wide="why")
    for lines in faults.values():
        for line in lines:
            click.echo(f"fault: {for_terminal(line)}", err=True)


def contract_rows(found: "Evaluation") -> "list[ContractLine]":
    """A row a contract version: status, targets, cells by state, judges, last computed."""
    plan = found.plan()
    computed = _last_computed(found)
    rows: list[ContractLine] = []
    for active in found.world.active:
        one = Chosen(active.contract)
        rows.append(
            {
                "contract": one.title,
                "status": active.contract.status,
                "checkpoints": len(active.targets),
                "cells": states(cells_of(plan, one)),
                "note": None,
                "judges": licensed_judges(found, one),
                "computed": computed.get(one.home, NOT_YET),
            }
        )
    for contract, gone in found.world.retired:
        one = Chosen(contract, gone)
        rows.append(
            {
                "contract": one.title,
                "status": "retired",
                "checkpoints": None,
                "cells": {},
                "note": f"retired on {gone.date}: {gone.reason}",
                "judges": licensed_judges(found, one),
                "computed": computed.get(one.home, NOT_YET),
            }
        )
    return rows


def checkpoint_rows(found: "Evaluation") -> list[Shown]:
    """A row a checkpoint: landed, waiting for its marker, gone, or refused, with the reason."""
    world = found.world
    rows: list[Shown] = [
        {
            "checkpoint": name,
            "state": "landed",
            "family": facts.family or "unknown",
            "date": facts.date.isoformat() if facts.date else "unknown",
            "why": "; ".join(world.faults.get(f"checkpoints/{name}", ())),
        }
        for name, facts in sorted(world.facts.items())
    ]
    nothing: Shown = {"family": None, "date": None}
    rows += [
        {"checkpoint": name, "state": "waiting", **nothing, "why": "has no _SUCCESS yet"}
        for name in world.waiting
        if name not in world.gone
    ]
    rows += [
        {"checkpoint": name, "state": "gone", **nothing, "why": f"{became}; its results stay"}
        for name, became in world.gone.items()
        if f"checkpoints/{name}" not in world.faults
    ]
    for place, lines in world.faults.items():
        folder, _, name = place.partition("/")
        if folder == "checkpoints" and name not in world.facts:
            why = "; ".join(lines)
            rows.append({"checkpoint": name, "state": "refused", **nothing, "why": why})
    return rows


def _leaderboard(found: "Evaluation", one: Chosen, as_of: str | None, as_json: bool) -> None:
    from eval_pipeline.orchestration.boards import board

    when = None if as_of is None else moment(as_of)
    gone = () if when is not None else gone_of(found.world, one)
    made = board(found.root, found.warehouse, one.contract, when, gone)
    stale: dict[str, str] = {}
    behind = None
    if made is not None and when is None and one.retired is None:
        plan = found.plan()
        behind = not_current(plan, one, "leaderboard")
        for row in made.rows:
            name = row["checkpoint"]
            pair = [name, row["reference"]] if row["reference"] else [name]
            if reason := not_current(plan, one, row["read_from"], pair):
                stale[name] = reason
    beside = {} if made is None else {row["checkpoint"]: told_beside(row) for row in made.rows}
    beside = {name: said for name, said in beside.items() if said}
    draft = one.contract.status == "draft"
    vouched = None if made is None or when is not None else _unverified(found, one, made.rows)
    if as_json:
        print_json(
            {
                "contract": one.home[0],
                "version": one.home[1],
                "draft": draft,
                "retired": one.retired and one.retired.reason,
                **(_as_json(made) if made else {"rows": []}),
                "stale": stale,
                "behind": behind,
                "remarks": beside,
                "unverified": vouched,
            }
        )
        return
    if made is None:
        then = "" if as_of is None else f" as of {as_of}"
        run = f": `eval-pipeline run --contract {one.home[0]}` computes it" if not as_of else ""
        click.echo(f"{one.title}: {NOT_YET}{then}{run}")
        return
    if not made.rows:
        label = one.contract.question.primary_endpoint.label
        click.echo(for_terminal(f"{one.title}: {label}: no checkpoint has a number yet"))
        return
    lost = {row["checkpoint"] for row in made.rows if row["gone"]}
    lost |= found.world.gone.keys() if when is None else set()  # some since the board was made
    _print(made, one, draft, as_of, beside, lost)
    for row in made.rows:
        share = unjudged(row)
        if share is not None and share.is_worth_saying:
            words = " and ".join(f"`why {word}`" for word, part in share.parts.items() if part)
            note(f"{row['checkpoint']}: {share} of its draws were not judged: see {words}")
    for row in made.rows:
        if row["rejected"] > WORTH_SAYING:
            where = '`eval-pipeline query "SELECT * FROM rejected_lines"`'
            name = row["checkpoint"]
            note(f"{name}: {row['rejected']:.1%} of the rows of its files were refused: {where}")
    note_gone(found.world, [row["checkpoint"] for row in made.rows])
    for name, said in beside.items():
        note(f"{name}: {'; '.join(said)}")
    if vouched:
        note(vouched)
    for name, reason in stale.items():
        note(f"{name} is not up to date ({reason}): `eval-pipeline run` renews it")
    if behind and not stale:
        note(f"the leaderboard is not up to date ({behind}): `eval-pipeline run` renews it")


def _unverified(found: "Evaluation", one: Chosen, rows: "Sequence[LeaderboardRow]") -> str | None:
    """The declared conditions that the manifests on disk do not state."""
    from eval_pipeline.contracts.conditions import unverified

    facts = found.world.facts
    names = [row["checkpoint"] for row in rows if row["checkpoint"] in facts]
    return unverified(one.contract, {name: facts[name].conditions for name in names})


def _as_json(made: "Board") -> Shown:
    """What all rows share, once, and the rows."""
    shares = {row["checkpoint"]: share for row in made.rows if (share := unjudged(row))}
    first = made.rows[0] if made.rows else None
    return {
        "metric": first and first["quantity"],
        "table": first and first["read_from"],
        "terms": first and first["terms"],
        "identity": made.identity,
        "written_at": made.written_at,
        "composed": made.composed,
        "quarantined": first is not None and first["quarantine_scope"] == "board",
        "rows": made.rows,
        "n_total": first and first["n_total"],
        "recorded_by": first and first["recorded_by"],
        "reading": first and first["reading"],
        "unjudged": {name: {"share": one.share, **one.parts} for name, one in shares.items()},
    }


def _print(
    made: "Board",
    one: Chosen,
    draft: bool,
    as_of: str | None,
    beside: Mapping[str, list[str]],
    lost: Collection[str],
) -> None:
    first = made.rows[0]
    marks = {
        "DRAFT, decides nothing": draft,
        READINGS.get(first["reading"] or "", ""): first["reading"] is not None,
        **{QUARANTINES[scope].format(why): True for scope, why in _quarantines(made.rows)},
        f"RECORDED by {first['recorded_by']}": first["recorded_by"] is not None,
        f"retired: {one.retired and one.retired.reason}": one.retired is not None,
        f"as of {as_of}": as_of is not None,
    }
    title = " - ".join(
        [f"{one.title}: {first['quantity']}", *(m for m, holds in marks.items() if holds)]
    )
    partial = any((row["n_items"] or 0) < row["n_total"] for row in made.rows)
    rows = [
        {
            **row,
            "n_items": f"{row['n_items']} of {row['n_total']}"
            if partial and row["n_items"] is not None
            else row["n_items"],
            "shown": _value(row),
            "decision": _decision(row, lost)
            + (", but see the note" if row["checkpoint"] in beside else ""),
        }
        for row in made.rows
    ]
    headings = {
        "checkpoint": "Checkpoint",
        "shown": f"{one.contract.confidence:.0%} interval",
        "n_items": "Items",
        "n_units": "Units",
        "n_samples": "Samples",
        "n_excluded": "Excluded",
        "decision": "Decision",
    }
    if all(row["n_samples"] is None for row in made.rows):
        del headings["n_samples"]  # votes rest on pairs
    print_table(rows, headings, title, wide="decision")
    click.echo(textwrap.fill(for_terminal(first["terms"]), terminal_width()))
    click.echo(for_terminal(f"computed {made.written_at[:16]}Z; identity:\n{made.identity}", "\n"))


READINGS = {
    "read": "replies read, nobody has looked at the instruments",
    "read, in part": "replies READ IN PART",
    "unsure": "UNSURE of the instruments",
    "cannot tell": "CANNOT TELL: these instruments do not read the replies",
}
QUARANTINES = {
    "board": "QUARANTINED: {}",
    "decision": "DECISIONS QUARANTINED: {}",
    "row": "QUARANTINED IN PART: {}",
}


def _quarantines(rows: "Sequence[LeaderboardRow]") -> list[tuple[str, str]]:
    """Scope and reason of each quarantine on the board, once."""
    found = {(row["quarantine_scope"], row["quarantine_reason"]) for row in rows}
    return sorted((scope, why or "") for scope, why in found if scope is not None)


def _value(row: "LeaderboardRow") -> Below:
    """The score with its interval, and below it what must be read with it."""
    if row["value"] is None and row["outcome"] == "reference":
        return Below(("the reference",))
    lines = [interval_text(row["value"], row["ci_low"], row["ci_high"])]
    share = unjudged(row)
    if share is not None and share.is_worth_saying:
        lines.append(alarming(share.share, "not judged"))
    if row["rejected"] > WORTH_SAYING:
        lines.append(alarming(row["rejected"], "of rows refused"))
    if row["votes_pending"] is not None:
        lines.append("votes pending")
    if row["worst_slice"] is not None:
        group = row["worst_slice"].partition("=")[2]
        lines.append(shortened(f"worst {row['worst_value']:.4f}, {group}", VALUE_WIDTH))
    return Below(lines)


def alarming(share: float, words: str) -> str:
    """A share with its words, to be seen in red where it is large."""
    text = f"{share:.1%} {words}"
    return Alarm(text) if share > MUCH else text


def _decision(row: "LeaderboardRow", lost: Collection[str]) -> str:
    """What was decided, and why there is no number where there is none."""
    decided = f"{row['outcome'].replace('_', ' ')}: {row['reason_code']}" if row["outcome"] else ""
    gone = row["checkpoint"] in lost
    said = gone or row["votes_pending"] or row["outcome"] == "reference"
    undefined = None if said or row["ci_low"] is not None else row["reason"]
    parts = ("GONE from disk" if gone else None, decided, undefined)
    return "; ".join(filter(None, parts)) or "none"


def _counted(cells: dict[str, int]) -> str:
    return ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in cells.items()) or "none"


def _last_computed(found: "Evaluation") -> dict[Home, str]:
    """When a table of the contract version was last published, UTC, to the minute."""
    latest: dict[Home, str] = {}
    for place, record in found.warehouse.standing().items():
        home = (place.contract, place.version)
        latest[home] = max(latest.get(home, ""), record.written_at)
    return {home: f"{moment[:10]} {moment[11:16]}Z" for home, moment in latest.items()}
