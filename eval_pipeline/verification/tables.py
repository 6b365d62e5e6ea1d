"""The tables of items and generations as the instruments take them."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item

ITEM_COLUMNS = ["item_id", "cluster_id", "question", "answer", "options", "entry_point", "test"]
SAMPLE_COLUMNS = ["item_id", "draw", "text", "status", "detail"]


def sample_columns(grader: Grader) -> list[str]:
    """The columns of `generations` that the grader's samples are made of."""
    return [*SAMPLE_COLUMNS, "extra"] if grader.reads_rows else SAMPLE_COLUMNS


def score_rows(
    items: pa.Table,
    generations: pa.Table,
    grader: Grader,
    failures: Mapping[str, str],
    workers: int = 1,
) -> list[Mapping[str, object]]:
    """Rows of `verifier_scores`, one a row of `generations`; errors as `score_samples`."""
    clusters = dict(zip(*(items[c].to_pylist() for c in ("item_id", "cluster_id")), strict=True))
    samples = samples_of(generations, sample_columns(grader))
    scored = score_samples(samples, items_of(items), grader, failures, workers)
    return [{**row, "cluster_id": clusters[row["item_id"]]} for row in scored]


def items_of(table: pa.Table) -> dict[str, Item]:
    """The rows of `items` by item_id."""
    columns = [name for name in ITEM_COLUMNS if name != "cluster_id"]
    return {
        row["item_id"]: Item(**{**row, "options": _tuple(row["options"])})
        for row in table.select(columns).to_pylist()
    }


def samples_of(table: pa.Table, columns: Sequence[str] = SAMPLE_COLUMNS) -> list[Sample]:
    """The rows of `generations`, in their order."""
    return [Sample(**row) for row in table.select(columns).to_pylist()]


def _tuple(options: list[str] | None) -> tuple[str, ...] | None:
    return None if options is None else tuple(options)
