"""One checkpoint under two contract versions: which samples flipped, and why."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.comparing.comparison import side_by_side
from eval_pipeline.cli.reading.project import Chosen
from eval_pipeline.cli.showing.printing import counted, print_json, print_table

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.verification.audits.rescoring import Rescored

SHOWN = 20


def show_flips(
    found: "Evaluation",
    one: Chosen,
    against: Chosen,
    checkpoint: str,
    as_json: bool,
    shown: int = SHOWN,
) -> None:
    """Prints the samples whose score or end under `one` is another than under `against`.

    Only samples with the same reply are compared. shown: how many are listed, 0 for all.
    Raises ValueError for an unknown checkpoint, and contracts without a verifier or of other
    items, NotMaterialised where nothing is computed.
    """
    for side in (one, against):
        if side.contract.verification is None:
            raise ValueError(f"{side.title} has no verifier, so no verdict of its own can flip")
    if one.contract.task.benchmark != against.contract.task.benchmark:
        raise ValueError(f"{one.title} and {against.title} are about other items")
    try:
        result = _rescored(found, one, against, checkpoint)
    except LookupError:
        if checkpoint in found.world.facts:
            raise
        known = ", ".join(sorted(found.world.facts)) or "none"
        raise ValueError(f"there is no checkpoint {checkpoint}: there is {known}") from None
    counts = {
        "compared": result.compared,
        "flipped": len(result.flips),
        "gained": result.gained,
        "lost": result.lost,
        "by_cause": result.by_cause,
        "other_reply": result.other_reply,
        "alone": result.alone,
    }
    verifiers = {side.title: _verifier(side) for side in (against, one)}
    rows = [asdict(flip) for flip in result.flips]
    alike = [asdict(flip) for flip in result.alike]
    moves = [asdict(move) for move in result.moves]
    ends = dict(zip((against.title, one.title), result.ends, strict=True))
    if as_json:
        print_json(
            {
                "checkpoint": checkpoint,
                "was": against.title,
                "now": one.title,
                "verifiers": verifiers,
                **counts,
                "ends": ends,
                "by_status": moves,
                "flips": rows,
                "same_score": alike,
            }
        )
        return
    click.echo(
        f"{checkpoint}: {counted(len(rows), 'sample')} of {result.compared} flipped from "
        f"{against.title} to {one.title}, {result.gained} up and {result.lost} down"
    )
    if rows:
        causes = ", ".join(f"{cause} {n}" for cause, n in result.by_cause.items() if n)
        click.echo(f"  by cause: {causes}")
    if alike:
        click.echo(f"  {counted(len(alike), 'more sample')} ended otherwise and scored the same")
    for title, name in verifiers.items():
        click.echo(f"  {title}: {name}")
    if result.other_reply or result.alone:
        click.echo(
            f"  left out: {result.other_reply} with another reply, "
            f"{result.alone} that only one version has"
        )
    print_table(side_by_side(ends), {"status": "Samples", **{title: title for title in ends}})
    if moves:
        headings = {"was": "From", "now": "To", "n": "Samples", "flipped": "Score moved"}
        print_table(moves, headings)
    every = [*rows, *alike]
    if every:
        headings = {
            "item_id": "Item",
            "draw": "Draw",
            "was": "Was",
            "now": "Is",
            "end": "From -> to",
            "cause": "Cause",
            "why": "Why",
        }
        first = every[: shown or None]
        ended = [{**row, "end": f"{row['ended']} -> {row['ends']}"} for row in first]
        print_table(ended, headings, wide="why")
        if len(first) < len(every):
            click.echo(f"{len(first)} of {len(every)} shown: --show 0 shows all")


def _rescored(found: "Evaluation", one: Chosen, against: Chosen, checkpoint: str) -> "Rescored":
    from eval_pipeline.verification.audits.rescoring import COLUMNS, rescored, same_replies

    def rows(side: Chosen, table: str, columns: tuple[str, ...]) -> list[dict[str, object]]:
        stored = found.warehouse.read(table, *side.home, checkpoint=checkpoint)
        picked: list[dict[str, object]] = stored.table(columns).to_pylist()
        return picked

    text = ("item_id", "draw", "text")
    replies = same_replies(rows(against, "generations", text), rows(one, "generations", text))
    was, now = (rows(side, "verifier_scores", COLUMNS) for side in (against, one))
    return rescored(was, now, replies, _extraction(one) == _extraction(against))


def _extraction(side: Chosen) -> object:
    """The extraction with its options, so that two can be held against each other."""
    from eval_pipeline.verification.registry import instruments

    asked = side.contract.verification
    return asked and instruments(asked.verifier, asked.extraction, asked.options)[0]


def _verifier(side: Chosen) -> str:
    from eval_pipeline.verification.first.json_field import written

    asked = side.contract.verification
    if asked is None:
        return "none"
    options = f" {written(asked.options)}" if asked.options else ""
    return f"{asked.extraction} + {asked.verifier}{options}"
