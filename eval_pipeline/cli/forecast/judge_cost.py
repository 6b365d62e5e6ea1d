"""`plan cost`: what live judges would cost, as a table."""

import math
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import chosen, evaluation, tell_faults
from eval_pipeline.cli.showing.printing import counted, note, print_json, print_table
from eval_pipeline.layout import DataRoot

if TYPE_CHECKING:
    from eval_pipeline.orchestration.live_judges.judge_costs import Row

HEADINGS = {
    "judge": "Judge",
    "kind": "Calls on",
    "of": "Of",
    "calls": "Calls",
    "kept": "Kept",
    "tokens_in": "k in",
    "tokens_out": "k out",
    "usd": "USD",
    "items": "Items",
    "shows": "Show",
}


def show_costs(
    root: DataRoot,
    contract: str | None,
    checkpoint: str | None,
    detect: float | None,
    as_json: bool,
) -> None:
    """Prints the calls that live judges are due; nothing is sent."""
    from datetime import UTC, datetime

    from eval_pipeline.orchestration.live_judges.judge_costs import judge_costs

    if detect is not None and detect >= 0.5:
        raise ValueError(f"--detect {detect:g}: a win rate lies less than 0.5 from 1/2")
    found = evaluation("plan", root)
    homes = {chosen(found.world, contract).home} if contract else None
    tonight = datetime.now(UTC).date().isoformat()
    rows = [
        row
        for active in found.world.active
        if homes is None or active.home in homes
        for row in judge_costs(root, active, tonight, detect)
        if checkpoint in (None, row["checkpoint"])
    ]
    tell_faults(found.world)
    if as_json:
        print_json(rows)
        return
    if not rows:
        which = "contract without faults" if found.world.faults else "contract"
        click.echo(f"no call: no {which} has a judge that is asked live (source: openai)")
        return
    headings = {**HEADINGS, **({"needed": "Needed"} if detect else {})}
    for title in dict.fromkeys(row["contract"] for row in rows):
        mine = [_shown(row) for row in rows if row["contract"] == title]
        print_table(mine, headings, title, wide="of")
    click.echo(
        f"{_total(rows)}; calls that are kept cost nothing\n"
        "k in: thousand prompt tokens, a guess; k out: thousand reply tokens, at most\n"
        "Show: how far from 1/2 a pair's win rate must lie for its items to show it, at a power of "
        "0.8"
    )
    if any(row["kind"] == "sentinels" for row in rows):
        click.echo("sentinels: of this night (UTC); every further night costs as much again")
    for row in rows:
        if row["note"]:
            note(f"{row['contract']}, {row['kind']} of {row['judge']}: {row['note']}")
    if any(row["usd"] is None and row["calls"] for row in rows):
        from eval_pipeline.judging.asking.services import PREFIX

        note(f"set {PREFIX}_USD_PER_MILLION_IN and _OUT to see the money")


def _total(rows: "list[Row]") -> str:
    """All calls, and the money of those whose price is declared."""
    priced = [row["usd"] for row in rows if row["usd"] is not None]
    money = f", at most about {math.fsum(priced):.2f} US dollars" if priced else ""
    return counted(sum(row["calls"] for row in rows), "call") + money


def _shown(row: "Row") -> "Row":
    return {
        **row,
        "usd": None if row["usd"] is None else f"{row['usd']:.2f}",
        "tokens_in": f"{row['tokens_in'] / 1000:.1f}",
        "tokens_out": f"{row['tokens_out'] / 1000:.1f}",
        "shows": None if row["shows"] is None else f"+/-{row['shows']:.3f}",
        "needed": None if row["needed"] is None else math.ceil(row["needed"]),
    }
