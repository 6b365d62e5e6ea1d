"""One sample: its score, what the verifier read, and the raw line it came from."""

from typing import TYPE_CHECKING

import click

from eval_pipeline.cli.reading.project import Chosen, unknown
from eval_pipeline.cli.showing.printing import print_fields, print_json, print_table
from eval_pipeline.reporting.escaping import for_terminal, shortened

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation

RAW_CHARACTERS = 4000  # of the raw line that are shown; --json gives it whole
SCORED = ("status", "detail", "extracted", "verdict", "score", "explanation", "verifier")
RECORDED = ("recorded", "relation", "recorded_explanation")
VOTED = ("judge", "model_a", "model_b", "slot_order", "repeat", "status", "verdict", "line")


def show_sample(
    found: "Evaluation", one: Chosen, checkpoint: str, item: str, draw: int, as_json: bool
) -> None:
    """Prints all that is known of a checkpoint's draw on an item.

    Raises ValueError for an item that there is not, NotMaterialised where nothing is computed.
    """
    from eval_pipeline.warehouse.raw_line import raw_line

    items = _rows(found, one, "items", None, {"item_id": item})
    if not items:
        known = found.warehouse.read("items", *one.home).table(["item_id"])
        raise ValueError(unknown("item", item, known["item_id"].to_pylist()))
    raw = raw_line(found.warehouse, found.root, *one.home, checkpoint, item, draw)
    which = {"item_id": item, "draw": draw}
    (reply,) = _rows(found, one, "generations", checkpoint, which)
    score = next(iter(_rows(found, one, "verifier_scores", checkpoint, which)), None)
    recorded = next(iter(_rows(found, one, "recorded_verdicts", checkpoint, which)), None)
    votes = _rows(found, one, "judge_votes", checkpoint, {"item_id": item})
    text = raw.raw.decode("utf-8", errors="backslashreplace")
    source = {
        "file": raw.path,
        "line": raw.line,
        "byte_offset": raw.byte_offset,
        "sha256": raw.sha256,
        "sha256_read": raw.sha256_read,
        "changed": raw.changed,
        "raw": text,
    }
    if as_json:
        print_json(
            {
                "item": items[0],
                "reply": reply,
                "score": score,
                "recorded": recorded,
                "votes": votes,
                "source": source,
            }
        )
        return
    where = f"line {raw.line}"
    if raw.byte_offset is not None:
        where += f", byte {raw.byte_offset}"
    judged = score or reply
    print_fields(
        {
            "question": items[0]["question"],
            "answer": items[0]["answer"],
            "reply": reply["text"],
            **{name: judged[name] for name in SCORED if name in judged},
            **({} if recorded is None else {name: recorded[name] for name in RECORDED}),
            "file": raw.path,
            "at": where,
            "sha256": raw.sha256,
            "as read": _as_read(source),
        },
        f"{one.title}, {checkpoint}: item {item}, draw {draw}",
    )
    if votes:
        headings = {name: name.replace("_", " ") for name in VOTED}
        print_table(votes, headings, title="Votes on pairs that belong to this checkpoint")
    click.echo(shortened(for_terminal(text), RAW_CHARACTERS))


def _as_read(source: dict[str, object]) -> str:
    if source["sha256_read"] is None:
        return "unknown: no record tells the digest of what was read"
    if source["changed"]:
        return f"no: what was read had sha256 {source['sha256_read']}"
    return "yes: the file is the one that was read"


def _rows(
    found: "Evaluation",
    one: Chosen,
    table: str,
    checkpoint: str | None,
    wanted: dict[str, object],
) -> list[dict[str, object]]:
    """The rows of a table with these values; none where the contract has no such table."""
    import pyarrow.compute as pc

    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        rows = found.warehouse.read(table, *one.home, checkpoint=checkpoint).table()
    except NotMaterialised:
        return []
    for column, value in wanted.items():
        rows = rows.filter(pc.equal(rows[column], value))
    picked: list[dict[str, object]] = rows.to_pylist(maps_as_pydicts="strict")
    return picked
