"""A judged pair of checkpoints as differences: the candidate's score minus one half, per item."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from eval_pipeline.metrics.comparisons.rows import Differences
from eval_pipeline.metrics.samples import Items


def judged_differences(
    items: Items, outcomes: Mapping[str, list[Any]], candidate: str, baseline: str
) -> Differences | None:
    """Win rate of the candidate against the baseline, minus one half, of each item.

    outcomes: the columns item_id, model_a, model_b and score_a of one judge's `pair_outcomes`.
    An item that was judged without a usable score is one-sided: it could have gone either way.
    Items that were not judged are no part of the sample and stay outside the bounds.
    None where the two were never judged together.
    Raises ValueError for an unknown item or a pair that stands twice.
    """
    place = {item: i for i, item in enumerate(items.ids)}
    score = np.full(len(items), np.nan)
    judged = np.zeros(len(items), dtype=bool)
    columns = (outcomes[name] for name in ("item_id", "model_a", "model_b", "score_a"))
    for item, model_a, model_b, score_a in zip(*columns, strict=True):
        if {model_a, model_b} != {candidate, baseline}:
            continue
        i = place.get(item)
        if i is None:
            raise ValueError(f"pair_outcomes hold item {item!r}, which items lack")
        if judged[i]:
            raise ValueError(f"item {item!r}: {model_a} and {model_b} stand twice for one judge")
        judged[i] = True
        if score_a is not None:
            score[i] = score_a if model_a == candidate else 1.0 - score_a
    if not judged.any():
        return None
    value = score - 0.5
    lost = judged & np.isnan(score)
    return Differences(
        value,
        np.where(lost, -0.5, value),
        np.where(lost, 0.5, value),
        lost,
        judged,
        most=0.5,
    )
