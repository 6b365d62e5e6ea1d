"""`ls`: contracts, checkpoints, and how their numbers stand."""

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.project import Chosen, Home, chosen, evaluation, moment
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import (
    Below,
    interval_text,
    note,
    print_json,
    print_table,
    terminal_width,
)
from eval_pipeline.cli.standing import (
    NOT_YET,
    cells_of,
    licensed_judges,
    not_current,
    remarks_on,
    states,
)
from eval_pipeline.reporting.escaping import for_terminal

if TYPE_CHECKING:
    from eval_pipeline.cli.leaderboard import Leaderboard
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.reporting.unjudged import Unjudged


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


def contract_rows(found: "Evaluation") -> list[dict[str, Any]]:
    """A row a contract version: status, targets, cells by state, judges, last computed."""
    plan = found.plan()
    computed = _last_computed(found)
    rows = []
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


def checkpoint_rows(found: "Evaluation") -> list[dict[str, Any]]:
    """A row a folder: landed, waiting for its marker, or refused, with the reason."""
    world = found.world
    rows: list[dict[str, Any]] = [
        {
            "checkpoint": name,
            "state": "landed",
            "family": facts.family or "unknown",
            "date": facts.date.isoformat() if facts.date else "unknown",
            "why": "; ".join(world.faults.get(f"checkpoints/{name}", ())),
        }
        for name, facts in sorted(world.facts.items())
    ]
    nothing: dict[str, Any] = {"family": None, "date": None}
    rows += [
        {"checkpoint": name, "state": "waiting", **nothing, "why": "has no _SUCCESS yet"}
        for name in world.waiting
    ]
    for place, lines in world.faults.items():
        folder, _, name = place.partition("/")
        if folder == "checkpoints" and name not in world.facts:
            why = "; ".join(lines)
            rows.append({"checkpoint": name, "state": "refused", **nothing, "why": why})
    return rows


def _leaderboard(found: "Evaluation", one: Chosen, as_of: str | None, as_json: bool) -> None:
    from eval_pipeline.cli.leaderboard import leaderboard

    when = None if as_of is None else moment(as_of)
    board = leaderboard(found.warehouse, one, when)
    stale: dict[str, str] = {}
    if board is not None and when is None and one.retired is None:
        plan = found.plan()
        for row in board.rows:
            name = row["checkpoint"]
            pair = [name, row["reference"]] if "reference" in row else [name]
            if reason := not_current(plan, one, board.table, pair):
                stale[name] = reason
    beside: dict[str, list[str]] = {}
    if board is not None and when is None:
        every = remarks_on(found, one, [row["checkpoint"] for row in board.rows])
        beside = {name: said for name, said in every.items() if said}
    draft = one.contract.status == "draft"
    if as_json:
        print_json(
            {
                "contract": one.home[0],
                "version": one.home[1],
                "draft": draft,
                "retired": one.retired and one.retired.reason,
                **(_as_json(board) if board else {"rows": []}),
                "stale": stale,
                "remarks": beside,
            }
        )
        return
    if board is None:
        then = "" if as_of is None else f" as of {as_of}"
        run = f": `eval-pipeline run --contract {one.home[0]}` computes it" if not as_of else ""
        click.echo(f"{one.title}: {NOT_YET}{then}{run}")
        return
    if not board.rows:
        click.echo(for_terminal(f"{one.title}: {board.metric}: no checkpoint has a number yet"))
        return
    _print(board, one, draft, as_of, beside)
    for name, share in board.unjudged.items():
        if share.is_worth_saying:
            words = " and ".join(f"`why {word}`" for word, part in share.parts.items() if part)
            note(f"{name}: {share} of its draws were not judged: see {words}")
    for name, said in beside.items():
        note(f"{name}: {'; '.join(said)}")
    for name, reason in stale.items():
        note(f"{name} is not up to date ({reason}): `eval-pipeline run` renews it")


def _as_json(board: "Leaderboard") -> dict[str, Any]:
    unjudged = {name: {"share": one.share, **one.parts} for name, one in board.unjudged.items()}
    return {**vars(board), "unjudged": unjudged}


def _print(
    board: "Leaderboard",
    one: Chosen,
    draft: bool,
    as_of: str | None,
    beside: Mapping[str, list[str]],
) -> None:
    marks = {
        "DRAFT, decides nothing": draft,
        "QUARANTINED: no judge holds a licence": board.quarantined,
        f"RECORDED by {board.recorded_by}": board.recorded_by is not None,
        f"retired: {one.retired and one.retired.reason}": one.retired is not None,
        f"as of {as_of}": as_of is not None,
    }
    title = " - ".join(
        [f"{one.title}: {board.metric}", *(m for m, holds in marks.items() if holds)]
    )
    partial = any(row["n_items"] < board.n_total for row in board.rows)
    rows = [
        {
            **row,
            "n_items": f"{row['n_items']} of {board.n_total}" if partial else row["n_items"],
            "shown": _beside(row, board.unjudged.get(row["checkpoint"])),
            "decision": _decision(row)
            + (", but see the note" if row["checkpoint"] in beside else ""),
        }
        for row in board.rows
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
    if all(row["n_samples"] is None for row in board.rows):
        del headings["n_samples"]  # votes rest on pairs
    print_table(rows, headings, title, wide="decision")
    click.echo(textwrap.fill(for_terminal(board.terms), terminal_width()))
    click.echo(
        for_terminal(f"computed {board.written_at[:16]}Z; identity:\n{board.identity}", "\n")
    )


def _beside(row: dict[str, Any], unjudged: "Unjudged | None") -> Below:
    """The score with its interval, and below it the share of draws that nobody judged."""
    shown = interval_text(row["value"], row["ci_low"], row["ci_high"])
    if unjudged is None or not unjudged.is_worth_saying:
        return Below((shown,))
    return Below((shown, f"{unjudged.share:.1%} not judged"))


def _decision(row: dict[str, Any]) -> str:
    """What was decided, and why there is no number where there is none."""
    decided = f"{row['outcome'].replace('_', ' ')}: {row['reason_code']}" if row["outcome"] else ""
    undefined = row["reason"] if row["ci_low"] is None else ""
    return "; ".join(filter(None, (decided, undefined))) or "none"


def _counted(cells: dict[str, int]) -> str:
    return ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in cells.items()) or "none"


def _last_computed(found: "Evaluation") -> dict[Home, str]:
    """When a table of the contract version was last published, UTC, to the minute."""
    latest: dict[Home, str] = {}
    for place, record in found.warehouse.standing().items():
        home = (place.contract, place.version)
        latest[home] = max(latest.get(home, ""), record.written_at)
    return {home: f"{moment[:10]} {moment[11:16]}Z" for home, moment in latest.items()}
