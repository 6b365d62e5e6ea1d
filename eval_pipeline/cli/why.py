"""`why`: the samples, votes or rejected lines behind a status."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from eval_pipeline.cli.reading.behind import (
    RELATIONS,
    WRONG,
    behind,
    check_word,
    places,
    source_of,
)
from eval_pipeline.cli.reading.project import Home, chosen, evaluation, unknown
from eval_pipeline.cli.reading.standing import note_gone
from eval_pipeline.cli.showing.examples import example
from eval_pipeline.cli.showing.printing import Below, counted, print_json, print_table

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation

SHOWN = 20
COMPARED = ("question", "reference", "reply", "extracted", "ours", "recorded", "read from")
JUDGED = ("question", "reference", "reply", "extracted", "because", "read from")


@click.command(
    epilog=example("why parser_failure", "why wrong --contract arithmetic_words --limit 3")
)
@click.argument("status")
@click.option("--contract", help="Only this contract.")
@click.option("--version", type=click.IntRange(1), help="Version of it.")
@click.option("--checkpoint", help="Only this checkpoint.")
@click.option(
    "--limit", type=click.IntRange(0), default=SHOWN, show_default=True, help="0 for all."
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def command(
    status: str,
    contract: str | None,
    version: int | None,
    checkpoint: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Show what stands behind a STATUS of samples, votes or items, or a reason of rejects.

    Such as parser_failure, undecided, judge_unknown, duplicate, absent or contaminated. `wrong`
    shows the replies that score nothing, those that the verifier judged wrong first; `differs`
    the samples on which our verdict is another than the recorded one.
    """
    if version is not None and contract is None:
        raise click.UsageError("--version needs --contract")
    found = evaluation("why")
    home = None if contract is None else chosen(found.world, contract, version).home
    counts: dict[tuple[str, str, str | None], int] = {}
    rows: list[dict[str, Any]] = []
    for place in places(found, home, checkpoint, status):
        room = None if limit == 0 else max(limit - len(rows), 0)
        number, shown = behind(found, place, status, room)
        if number:
            key = (f"{place.contract}/v{place.version}", place.table, place.checkpoint)
            counts[key] = number
            rows += shown
    note_gone(found.world, [checkpoint, *(name for _, _, name in counts)])
    if not counts:
        check_word(status)
        known = {*found.world.facts, *(place.checkpoint for place in found.warehouse.standing())}
        if checkpoint is not None and checkpoint not in known:
            raise ValueError(unknown("checkpoint", checkpoint, sorted(found.world.facts)))
    if as_json:
        counted_rows = [
            {"contract": title, "table": table, "checkpoint": name, "n": number}
            for (title, table, name), number in counts.items()
        ]
        print_json({"status": status, "counts": counted_rows, "rows": rows})
        return
    if not counts:
        _say_nothing_has_it(found, home, status)
        return
    for (title, table, name), number in counts.items():
        of = f" of {name}" if name else ""
        source = source_of(table, status)
        if source.column == "relation":
            click.echo(f"{title}: {counted(number, 'sample')}{of}: {RELATIONS[status]}")
        elif status == WRONG:
            click.echo(f"{title}: {counted(number, 'sample')}{of} scored wrong")
        else:
            click.echo(f"{title}: {counted(number, source.thing)}{of} with {status}")
    headings = {
        "contract": "Contract",
        "checkpoint": "Checkpoint",
        "where": "Where",
        "told": "What",
    }
    print_table([{**row, "told": _told(row)} for row in rows], headings, wide="told")
    total = sum(counts.values())
    if len(rows) < total:
        click.echo(f"{len(rows)} of {total} shown: --limit 0 shows all")


def _say_nothing_has_it(found: "Evaluation", home: Home | None, status: str) -> None:
    """No row has the status; no row could have it where no recorded verdict was compared."""
    is_compared = any(
        place.table == "recorded_verdicts" and home in (None, (place.contract, place.version))
        for place in found.warehouse.standing()
    )
    if status in RELATIONS and not is_compared:
        click.echo(
            "no verdict of ours was held against a recorded one: declare verification.recorded in "
            "a contract, and run"
        )
        return
    click.echo(
        "no reply was scored wrong by a verifier"
        if status == WRONG
        else f"nothing has the status {status}"
    )


def _told(row: Mapping[str, Any]) -> str | Below:
    """What explains a row, in a line; two verdicts one below the other, each with its reason."""
    if "recorded_explanation" in row:
        given = {**row, "reply": row["excerpt"], "read from": f"{row['file']}, line {row['line']}"}
        ours, recorded = row["explanation"], row["recorded_explanation"]
        given |= {"ours": f"{_score(row['ours'])}: {ours}"}
        given |= {"recorded": f"{_score(row['recorded'])}: {recorded}"}
        return Below(f"{name}: {given[name]}" for name in COMPARED if given[name] is not None)
    if "reference" in row:
        of_status = "" if row["status"] == "ok" else f"{row['status']}: "
        because = f"{of_status}{row['explanation'] or row['detail'] or ''}"
        read = f"{row['file']}, line {row['line']}"
        given = {**row, "reply": row["excerpt"], "because": because, "read from": read}
        return Below(f"{name}: {given[name]}" for name in JUDGED if given[name] is not None)
    named = ("contract", "checkpoint", "where")
    parts = [str(value) for key, value in row.items() if key not in named and value is not None]
    return "; ".join(parts)


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
