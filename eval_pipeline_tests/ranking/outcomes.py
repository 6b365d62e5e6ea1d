"""Rows of `pair_outcomes` whose truth is known."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from eval_pipeline.warehouse.schemas import TABLES


def pair_outcomes(
    theta: Mapping[str, float],
    n_items: int,
    *,
    seed: int = 5,
    judge: str = "stern",
    order_effect: float = 0.4,
    length_effect: float = 0.0,
    clusters: int | None = None,
) -> list[dict[str, Any]]:
    """Every pair of models on every item, judged in both orders."""
    rng = np.random.default_rng(seed)
    models = sorted(theta)
    rows = []
    for item in range(n_items):
        chars = {m: int(rng.integers(200, 900)) for m in models}
        for i, a in enumerate(models):
            for b in models[i + 1 :]:
                gap = theta[a] - theta[b] + length_effect * np.tanh((chars[a] - chars[b]) / 280)
                first, second = (
                    float(rng.random() < 1 / (1 + np.exp(-gap - seat * order_effect)))
                    for seat in (1, -1)
                )
                rows.append(
                    voted(item, a, b, first, second, clusters or n_items, judge)
                    | {"n_chars_a": chars[a], "n_chars_b": chars[b]}
                )
    return rows


def voted(
    item: int, a: str, b: str, first: float, second: float, clusters: int, judge: str = "stern"
) -> dict[str, Any]:
    """A pair with a verdict in each order."""
    score = (first + second) / 2
    same = {0.0: "consistent_b", 1.0: "consistent_a", 0.5: "tie"}
    category = same[first] if first == second else "flipped" if score == 0.5 else "mixed"
    return {
        "judge": judge,
        "item_id": f"i{item:04}",
        "cluster_id": f"c{item % clusters:04}",
        "model_a": a,
        "model_b": b,
        "category": category,
        "score_a": score,
        "score_a_first": first,
        "score_a_second": second,
        "half_counts": round(4 * score),
        "n_orders": 2,
        "n_votes": 2,
        "n_votes_first": 1,
        "n_chars_a": 300,
        "n_chars_b": 300,
        "quarantined": False,
    }


def unvoted(row: Mapping[str, Any], category: str) -> dict[str, Any]:
    """The same pair, missing, failed on both sides, or forfeited by one."""
    score = {"forfeit_a": 0.0, "forfeit_b": 1.0}.get(category)
    counts = None if score is None else round(4 * score)
    changed = dict.fromkeys(("score_a_first", "score_a_second", "n_chars_a", "n_chars_b"))
    return {
        **row,
        **changed,
        "category": category,
        "score_a": score,
        "half_counts": counts,
        "n_orders": 0,
        "n_votes": 0,
        "n_votes_first": 0,
    }


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return TABLES["pair_outcomes"].from_rows(rows)
