"""Candidate minus baseline on the items that both answered, as rows of `paired_comparisons`.

The row `all` is the question that was asked beforehand and is not adjusted; the slices are
adjusted together.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval_pipeline.metrics.estimates.any_look import at_any_look
from eval_pipeline.metrics.estimates.row import Row, interval_columns, slice_masks, status_of
from eval_pipeline.metrics.measures.item_values import ItemValues
from eval_pipeline.metrics.samples import Bools, Floats, Items
from eval_pipeline.statistics.clustered import item_weights
from eval_pipeline.statistics.multiplicity import Rule, adjusted
from eval_pipeline.statistics.paired import mean_difference

_EQUAL = 1e-12  # item values closer than this are equal
NOT_ADJUSTED = "none"


@dataclass(frozen=True)
class Differences:
    """What is compared, an item each, shape (items,).

    value: NaN where the item is not shared; low, high: with all that is missing against, or for,
    the candidate; one_sided: items that only one of the two answered; sampled: items that the
    comparison is about; most: the largest possible difference.
    """

    value: Floats
    low: Floats
    high: Floats
    one_sided: Bools
    sampled: Bools
    most: float = 1.0


@dataclass(frozen=True)
class ComparisonTerms:
    """How the contract wants differences treated.

    sequential: whether intervals must hold at whatever look they are read.
    """

    confidence: float
    multiplicity: Rule
    macro_over: str | None
    slices: tuple[str, ...]
    sequential: bool = False


def item_differences(candidate: ItemValues, baseline: ItemValues, most: float = 1.0) -> Differences:
    """Candidate minus baseline of each item; bounds oppose the extremes of the two.

    most: width of the metric's range.
    """
    one_sided = np.isnan(candidate.value) != np.isnan(baseline.value)
    return Differences(
        candidate.value - baseline.value,
        candidate.low - baseline.high,
        candidate.high - baseline.low,
        one_sided,
        np.ones(len(one_sided), dtype=bool),
        most,
    )


def comparison_rows(items: Items, differences: Differences, terms: ComparisonTerms) -> list[Row]:
    """A row for all items and one a slice, without the columns that name the two checkpoints."""
    groups = items.groups(terms.macro_over) if terms.macro_over else None
    rows = [
        {"slice": name, **_row(items, differences, mask, terms, groups)}
        for name, mask in slice_masks(items, terms.slices)
    ]
    corrected = adjusted([row["p_value"] for row in rows[1:]], terms.multiplicity)
    tested = int(np.sum(~np.isnan(corrected)))
    rows[0] |= {"p_adjusted": rows[0]["p_value"], "adjustment": NOT_ADJUSTED}
    for row, p in zip(rows[1:], corrected, strict=True):
        row |= {
            "p_adjusted": float(p),
            "adjustment": f"{terms.multiplicity} over {tested} slices",
        }
    return rows


def nothing_to_compare(reason: str, confidence: float) -> Row:
    """The row `all` where there is nothing to compare, with the reason."""
    nan = math.nan
    return {
        "slice": "all",
        "difference": nan,
        "se": nan,
        "ci_low": nan,
        "ci_high": nan,
        "ci_method": None,
        "confidence": confidence,
        "p_value": nan,
        "p_adjusted": nan,
        "adjustment": NOT_ADJUSTED,
        "n_shared": 0,
        "n_unshared": 0,
        "n_clusters": 0,
        "bound_low": nan,
        "bound_high": nan,
        "items_won": [],
        "items_lost": [],
        "status": "undefined",
        "reason": reason,
    }


def _row(items: Items, d: Differences, mask: Bools, terms: ComparisonTerms, groups: Any) -> Row:
    mask = mask & d.sampled
    shared = mask & ~np.isnan(d.value)
    tested = mean_difference(
        d.value[shared],
        items.clusters[shared],
        confidence=terms.confidence,
        groups=None if groups is None else groups[shared],
        most=d.most,
    )
    estimate = tested.estimate
    low = high = math.nan
    if mask.any():
        weights, _, _ = item_weights(None if groups is None else groups[mask], int(mask.sum()))
        low = float(np.sum(weights * d.low[mask]))
        high = float(np.sum(weights * d.high[mask]))
    won, lost = shared & (d.value > _EQUAL), shared & (d.value < -_EQUAL)
    row = {
        "difference": estimate.value,
        **interval_columns(estimate),
        "p_value": tested.p_value,
        "n_shared": int(shared.sum()),
        "n_unshared": int(np.sum(mask & d.one_sided)),
        "n_clusters": estimate.n_clusters,
        "bound_low": low,
        "bound_high": high,
        "items_won": items.ids[won].tolist(),
        "items_lost": items.ids[lost].tolist(),
        "status": status_of(estimate.value),
        "reason": "; ".join(filter(None, (estimate.reason, _left_out(mask, shared)))) or None,
    }
    if not terms.sequential:
        return row
    planned = len(np.unique(items.clusters))
    ends = {"least": -d.most, "most": d.most}
    return at_any_look(row, planned, value="difference", clusters="n_clusters", **ends)


def _left_out(mask: Bools, shared: Bools) -> str | None:
    """How many items the difference does not cover."""
    n_items, n_shared = int(mask.sum()), int(shared.sum())
    if n_shared in (0, n_items):
        return None
    return f"left out: {n_items - n_shared} of {n_items} items without a score on both sides"
