"""Small checkpoints written by hand: one string of marks an item, one mark a draw."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.warehouse.schemas import TABLES

# mark -> status, score under a contract that excludes infra errors and counts the rest wrong
MARKS = {
    "+": ("ok", 1.0),
    "-": ("ok", 0.0),
    "h": ("ok", 0.5),
    "r": ("model_refusal", 0.0),
    "p": ("parser_failure", 0.0),
    "t": ("timeout", 0.0),
    "x": ("infra_error", None),
    "g": ("parser_failure", 0.25),  # the credit of a guess among four
}


def items_table(
    names: Sequence[str],
    clusters: Mapping[str, str] | None = None,
    slices: Mapping[str, Mapping[str, str]] | None = None,
) -> pa.Table:
    return TABLES["items"].from_rows(
        [
            {
                "item_id": name,
                "cluster_id": (clusters or {}).get(name, name),
                "question": "",
                "slices": list((slices or {}).get(name, {}).items()),
            }
            for name in names
        ]
    )


def scores_table(marks: Mapping[str, str], answers: Mapping[str, str] | None = None) -> pa.Table:
    """answers: for each item a letter a draw; without it right draws say A and wrong ones B."""
    rows = []
    for item, drawn in marks.items():
        for draw, mark in enumerate(drawn):
            status, score = MARKS[mark]
            said = None
            if status == "ok":
                said = answers[item][draw] if answers else {"+": "A"}.get(mark, "B")
            rows.append(
                {
                    "item_id": item,
                    "draw": draw,
                    "cluster_id": item,
                    "status": status,
                    "extracted": said,
                    "verdict": score if status == "ok" else None,
                    "score": score,
                    "explanation": "",
                    "verifier": "hand@1",
                }
            )
    return TABLES["verifier_scores"].from_rows(rows)


def recorded(
    marks: Mapping[str, str],
    *,
    absent: Sequence[str] = (),
    clusters: Mapping[str, str] | None = None,
    slices: Mapping[str, Mapping[str, str]] | None = None,
    answers: Mapping[str, str] | None = None,
) -> tuple[Items, Samples]:
    """The items (those in `absent` have no draw) and their samples."""
    items = Items.from_table(items_table([*marks, *absent], clusters, slices))
    return items, Samples.from_table(scores_table(marks, answers), items)
