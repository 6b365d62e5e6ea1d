"""Mean scores of checkpoints with intervals, counts and bounds, from `reply_scores`.

A checkpoint's replies become samples whose column is the score, so that failure policy, slices,
clustered intervals and bounds are those of every other metric. What the contract counts as wrong
gets the lowest point; a judge's own failure is left out, counted, and widens the bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.rows import Strings
from eval_pipeline.judging.scoring.reply_scores import NO_REPLY
from eval_pipeline.judging.scoring.scored_replies import ERROR, MISSING, UNKNOWN
from eval_pipeline.metrics.estimates.row import Design, slice_masks
from eval_pipeline.metrics.estimates.rows import rows_of_metric
from eval_pipeline.metrics.measures.item_values import ItemValues, item_values
from eval_pipeline.metrics.registry import ChosenMetric, asked, label_of
from eval_pipeline.metrics.samples import Bools, Items, Samples

METRIC = "judge_score"
DRAWS = 1  # the reply that is judged is draw 0
GROUP = ("judge", "checkpoint", "criterion")


@dataclass(frozen=True)
class ScoredCheckpoint:
    """What one voice gives the replies of one checkpoint on one criterion.

    status: whether the item's reply has a score; failed: whether there is a reply that failed;
    both of shape (items,). metric: judge_score on the points of the rubric's scale.
    """

    metric: ChosenMetric
    samples: Samples
    status: Strings
    failed: Bools

    def counts(self, mask: Bools) -> dict[str, int]:
        """What lacks a score among the masked items, and why."""
        lost = {"n_unknown": UNKNOWN, "n_error": ERROR}
        missing = (self.status == MISSING) | ((self.status == NO_REPLY) & ~self.failed)
        return {
            "n_failed": int(np.sum(mask & self.failed)),
            "n_missing": int(np.sum(mask & missing)),
            **{name: int(np.sum(mask & (self.status == value))) for name, value in lost.items()},
        }


def criterion_label(criterion: str) -> str:
    """`judge_score`, or `judge_score(criterion=clear)`."""
    return label_of(METRIC, options={"criterion": criterion})


def score_estimate_rows(
    scores: pa.Table, items: Items, design: Design, handling: Mapping[str, str]
) -> list[dict[str, object]]:
    """Rows of `judge_score_estimates`, sorted by judge, checkpoint, metric, slice, policy.

    scores: `reply_scores`, sorted by its key. items: those whose replies are scored. handling:
    what the contract makes of each failed status.
    """
    design = replace(design, draws_per_item=DRAWS)
    masks = dict(slice_masks(items, design.slices))
    aggregation = f"over repeats, then judges, {design.over_items}"
    rows = []
    for (judge, checkpoint, criterion), own in _groups(scores):
        found = scored_checkpoint(own, items, criterion, handling)
        named = {
            "judge": judge,
            "checkpoint": checkpoint,
            "criterion": criterion,
            "metric": criterion_label(criterion),
            "quarantined": bool(own["quarantined"][0].as_py()),
        }
        rows += [
            {**named, **row, **found.counts(masks[row["slice"]]), "aggregation": aggregation}
            for row in rows_of_metric(items, found.samples, found.metric, design)
        ]
    key = ("judge", "checkpoint", "metric", "slice", "policy")
    return sorted(rows, key=lambda row: tuple(row[name] for name in key))


def score_values(found: ScoredCheckpoint, items: Items) -> ItemValues:
    """The score of each item's reply, under the contract's failure policy."""
    return item_values(
        found.metric.metric,
        None,
        items,
        found.samples,
        draws_per_item=DRAWS,
        options=found.metric.options,
    )


def scored_checkpoint(
    rows: pa.Table, items: Items, criterion: str, handling: Mapping[str, str]
) -> ScoredCheckpoint:
    """The rows of one voice, checkpoint and criterion of `reply_scores`, tied to the items.

    Raises ValueError where they are about other items.
    """
    rows = rows.sort_by("item_id")
    if rows["item_id"].to_pylist() != items.ids.tolist():
        raise ValueError("reply_scores hold other items than those whose replies are scored")
    label = criterion_label(criterion)
    wanted, low, high = asked(label), rows["lowest"][0].as_py(), rows["highest"][0].as_py()
    on_scale = replace(
        wanted.metric, least=float(low), most=float(high), unit=f"points, {low} to {high}"
    )
    there = rows.filter(pc.is_valid(rows["reply_status"]))
    status = there["reply_status"].to_pylist()
    draws = pa.array([0] * len(status), pa.int32())
    worth = [0.0 if handling.get(one) == "wrong" else None for one in status]
    told = pa.table(
        {
            "item_id": there["item_id"],
            "draw": draws,
            "status": there["reply_status"],
            "extracted": pa.nulls(len(status), pa.string()),
            "score": pa.array(worth, pa.float64()),
        }
    )
    column = pa.table({"item_id": there["item_id"], "draw": draws, "score": there["score"]})
    samples = Samples.from_table(told, items).with_tables(items, {"reply_scores": column})
    reply_status = np.array(rows["reply_status"].to_pylist(), dtype=object)
    return ScoredCheckpoint(
        replace(wanted, metric=on_scale),
        samples,
        np.array(rows["status"].to_pylist(), dtype=object),
        np.array([one is not None and one != "ok" for one in reply_status], dtype=bool),
    )


def _groups(scores: pa.Table) -> list[tuple[tuple[str, str, str], pa.Table]]:
    """The rows of each voice, checkpoint and criterion, in sorted order."""
    ordered = scores.sort_by([(name, "ascending") for name in (*GROUP, "item_id")])
    keys = list(zip(*(ordered[name].to_pylist() for name in GROUP), strict=True))
    starts = [i for i, key in enumerate(keys) if i == 0 or key != keys[i - 1]]
    ends = [*starts[1:], len(keys)]
    return [(keys[a], ordered.slice(a, b - a)) for a, b in zip(starts, ends, strict=True)]
