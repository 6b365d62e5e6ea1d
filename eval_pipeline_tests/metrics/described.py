"""Small checkpoints with further columns: what a test says of items and generations."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from eval_pipeline.metrics.estimates.row import Design
from eval_pipeline.metrics.estimates.rows import estimate_rows
from eval_pipeline.metrics.samples import Items, Samples
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.metrics.recorded import MARKS, recorded, scores_table

OWN = ("confidence", "token_logprobs", "text", "tokens_out", "latency_ms", "cost_usd")


def described(
    marks: Mapping[str, str],
    generations: Mapping[str, Sequence[Mapping[str, Any]]],
    items: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> tuple[Items, Samples]:
    """Items and samples as `recorded`, with columns: a mapping a draw, and a mapping an item.

    Keys that the tables have no column for become keys of the raw row.
    """
    placed, samples = recorded(marks, **more)
    rows = []
    for item, drawn in marks.items():
        for draw, mark in enumerate(drawn):
            given = dict(generations.get(item, [{}] * len(drawn))[draw])
            own = {key: given.pop(key) for key in OWN if key in given}
            rows.append(
                {
                    "item_id": item,
                    "draw": draw,
                    "text": "",
                    "n_chars": len(own.get("text", "")),
                    "status": MARKS[mark][0],
                    "attempts": 1,
                    "file": "f",
                    "line": 1,
                    "extra": json.dumps(given) if given else None,
                    **own,
                }
            )
    of_items = []
    for name in placed.ids:
        given = dict((items or {}).get(name, {}))
        own = {key: given.pop(key) for key in ("answer", "options", "cluster_id") if key in given}
        of_items.append(
            {
                "item_id": name,
                "cluster_id": own.pop("cluster_id", name),
                "question": "q",
                "slices": list((more.get("slices") or {}).get(name, {}).items()),
                "extra": json.dumps(given) if given else None,
                **own,
            }
        )
    tables = {
        "generations": TABLES["generations"].from_rows(rows),
        "items": TABLES["items"].from_rows(of_items),
        "verifier_scores": scores_table(marks, more.get("answers")),
    }
    return placed, samples.with_tables(placed, tables)


def rows_of(
    items: Items,
    samples: Samples,
    labels: Sequence[str],
    *,
    draws: int | None = None,
    macro: str | None = None,
    slices: Sequence[str] = (),
) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Rows of `metric_estimates` by (metric, slice, policy), each of which fits the table."""
    design = Design(tuple(labels), draws, 0.95, "item_id", macro, tuple(slices))
    rows = estimate_rows(items, samples, design)
    TABLES["metric_estimates"].from_rows(rows)
    return {(row["metric"], row["slice"], row["policy"]): row for row in rows}
