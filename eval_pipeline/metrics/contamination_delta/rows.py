"""What contaminated items add to a score: all items against the clean ones alone."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from eval_pipeline.metrics.contamination_delta.formula_difficulty import facility_error
from eval_pipeline.metrics.contamination_delta.formula_matched import (
    facility,
    matched_delta,
    others_of,
)
from eval_pipeline.metrics.estimates.row import Row, interval_columns, status_of
from eval_pipeline.metrics.measures.item_values import ItemValues
from eval_pipeline.metrics.samples import Bools, Floats, Items, Labels
from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    influence,
    item_weights,
    standard_error,
    undefined,
)
from eval_pipeline.statistics.clusters import cluster_codes

CLEAN = "clean"


@dataclass(frozen=True)
class ContaminationDelta:
    """A score on all scored items, on the clean ones, and the difference, all minus clean."""

    n_all: int
    n_clean: int
    value_all: float
    value_clean: float
    difference: Estimate


def clean_items(items: Items, verdicts: Iterable[tuple[str, str]]) -> Bools:
    """Which items are clean, shape (items,): every examined field of theirs is.

    verdicts: (item, status) of each field. Any other status (contaminated, under review, too
    short to tell) is not clean, nor is an item that was not examined.
    """
    examined: dict[str, bool] = {}
    for item, status in verdicts:
        examined[item] = examined.get(item, True) and status == CLEAN
    return np.array([examined.get(item, False) for item in items.ids], dtype=bool)


def contamination_delta(
    values: ArrayLike,
    clusters: ArrayLike,
    clean: ArrayLike,
    *,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
) -> ContaminationDelta:
    """Mean over all items minus mean over the clean ones, with a clustered interval.

    values: shape (items,), NaN where an item has no score; clean: truth values. The two means
    share their clean items, so the interval is that of one linear statistic. It needs ten clusters
    with clean items and ten with others; the difference itself needs one clean item. Where all
    are clean it is 0 by definition.
    """
    x, keep = np.asarray(values, dtype=np.float64), np.asarray(clean, dtype=bool)
    scored = ~np.isnan(x)
    x, keep, ids = x[scored], keep[scored], np.asarray(clusters)[scored]
    group = None if groups is None else np.asarray(groups)[scored]
    n_all, n_clean = x.size, int(keep.sum())
    if not n_clean:
        value_all = _mean(x, group) if n_all else math.nan
        reason = "no scored item is clean" if n_all else "no item is scored"
        return ContaminationDelta(n_all, 0, value_all, math.nan, undefined(reason, confidence))
    value_all, value_clean = _mean(x, group), _mean(x[keep], None if group is None else group[keep])
    codes, n_clusters = cluster_codes(ids)
    difference = value_all - value_clean
    if n_clean == n_all:
        zero = Estimate(0.0, 0.0, 0.0, 0.0, "all_items_clean", confidence, n_clusters, math.nan)
        return ContaminationDelta(n_all, n_clean, value_all, value_clean, zero)
    n_spotless, n_touched = (len(np.unique(codes[part])) for part in (keep, ~keep))
    _, _, n_groups = item_weights(group, n_all)
    df = n_clusters - n_groups
    if min(n_spotless, n_touched, df + 1) < FEW_CLUSTERS:
        reason = (
            f"no interval: {n_spotless} clusters hold clean items and {n_touched} hold others, "
            f"and {FEW_CLUSTERS} of each are needed"
        )
        none = undefined(reason, confidence, n_clusters, difference)
        return ContaminationDelta(n_all, n_clean, value_all, value_clean, none)
    apart = _influence(x, group)
    apart[keep] -= _influence(x[keep], None if group is None else group[keep])
    se = standard_error(apart, codes, n_clusters, n_means=n_groups)
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    estimate = Estimate(
        difference, se, difference - half, difference + half, "cr1_t", confidence, n_clusters, df
    )
    return ContaminationDelta(n_all, n_clean, value_all, value_clean, estimate)


def _mean(x: Floats, groups: ArrayLike | None) -> float:
    weights, _, _ = item_weights(groups, len(x))
    return float(np.sum(weights * x))


def _influence(x: Floats, groups: ArrayLike | None) -> Floats:
    weights, group, n_groups = item_weights(groups, len(x))
    return influence(x, weights, group, n_groups)


def delta_row(
    items: Items, values: ItemValues, clean: Bools, confidence: float, groups: Labels | None
) -> Row:
    """The row of `contamination_delta` of one metric, without the columns that name it."""
    delta = contamination_delta(
        values.value, items.clusters, clean, confidence=confidence, groups=groups
    )
    d = delta.difference
    return {
        "n_all": delta.n_all,
        "n_clean": delta.n_clean,
        "value_all": delta.value_all,
        "value_clean": delta.value_clean,
        "difference": d.value,
        **interval_columns(d),
        "status": status_of(d.value),
        "reason": values.reason or d.reason,
    }


def delta_rows(
    items: Items,
    values: Mapping[str, ItemValues],
    clean: Bools,
    confidence: float,
    groups: Labels | None,
    families: Mapping[str, str],
    higher_is_better: bool | None,
) -> list[Row]:
    """Rows of `contamination_delta` of one metric, one a checkpoint, with the matched columns.

    values: of each checkpoint; higher_is_better: None where neither is. A checkpoint that does
    better with the flagged items than without them says nothing of how hard these are, so it is no
    part of the others' facility.
    """
    own_rows = {
        name: delta_row(items, own, clean, confidence, groups) for name, own in values.items()
    }
    gains = {
        name
        for name, row in own_rows.items()
        if (row["ci_low"] > 0 and higher_is_better is not False)
        or (row["ci_high"] < 0 and not higher_is_better)
    }
    rows = []
    for name, row in own_rows.items():
        others, matched_on = others_of(name, list(values), families, gains)
        unknown = np.full(len(items), np.nan)
        told = [values[other].value for other in others] or [unknown]
        matched = _matched_columns(items, values[name], clean, told, confidence)
        rows.append({"checkpoint": name, "matched_on": matched_on, **row, **matched})
    return rows


def _matched_columns(
    items: Items, values: ItemValues, clean: Bools, told: Sequence[Floats], confidence: float
) -> Row:
    matched = matched_delta(
        values.value,
        items.clusters,
        clean,
        facility(told),
        confidence=confidence,
        error=facility_error(told),
    )
    d = matched.difference
    return {
        "matched_difference": d.value,
        "matched_se": d.se,
        "matched_low": d.low,
        "matched_high": d.high,
        "n_flagged": matched.n_flagged,
        "n_unmatched": matched.n_unmatched,
        "matched_reason": d.reason,
    }
