"""Every score of a checkpoint as a row: value, interval, counts, bounds, and what was left out.

An item without a scored draw, or with fewer than k of them because the failure policy excludes
the rest, leaves the estimate and is counted in `reason`. Where items have fewer than k draws on
record, the run is too small for that k: the estimate is undefined, and a row with the policy
`complete_items` covers the items that have enough. Status `ok` means that value and interval both
exist; a value without an interval stays, `undefined`, with the reason.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval_pipeline.metrics.item_values import ItemValues, item_values
from eval_pipeline.metrics.registry import Metric, from_label
from eval_pipeline.metrics.samples import POLICIES, Bools, Items, Samples
from eval_pipeline.statistics.clustered import Estimate, item_weights, mean, undefined

Row = dict[str, Any]
COMPLETE_ITEMS = "complete_items"


@dataclass(frozen=True)
class Design:
    """What the contract freezes about estimates.

    labels: metrics in the order wanted, such as pass@4. draws_per_item: None where unknown.
    unit: the column that clusters are made of. macro_over: slice that groups a macro mean.
    slices: names of the slices that get rows of their own.
    """

    labels: tuple[str, ...]
    draws_per_item: int | None
    confidence: float
    unit: str
    macro_over: str | None
    slices: tuple[str, ...]

    @property
    def aggregation(self) -> str:
        """How draws and items are averaged, in words."""
        over = f"macro over {self.macro_over}" if self.macro_over else "micro over items"
        return f"unbiased over draws, {over}"


def estimate_rows(items: Items, samples: Samples, design: Design) -> list[Row]:
    """Rows of `metric_estimates`: each metric, slice and policy, sorted by these.

    Failure rates do not depend on the policy and have the primary row only.
    """
    slices = list(slice_masks(items, design.slices))
    groups = items.groups(design.macro_over) if design.macro_over else None
    rows: list[Row] = []
    for label in design.labels:
        metric, k = from_label(label)
        policies = POLICIES[:1] if metric.made_from == "status" else POLICIES
        for policy in policies:
            values = item_values(
                metric, k, items, samples, draws_per_item=design.draws_per_item, policy=policy
            )
            for name, mask in slices:
                made = _rows_of(items, values, mask, metric, k, policy, design, groups)
                rows += [{"metric": label, "slice": name, **row} for row in made]
    return sorted(rows, key=lambda row: (row["metric"], row["slice"], row["policy"]))


def slice_masks(items: Items, names: tuple[str, ...]) -> Iterator[tuple[str, Bools]]:
    """`all`, then each `name=value`, with the items in it. Items without the key are in none."""
    yield "all", np.ones(len(items), dtype=bool)
    for name in names:
        values = items.slices.get(name)
        if values is None:
            continue
        for value in sorted({v for v in values if v is not None}):
            yield f"{name}={value}", np.asarray(values == value, dtype=bool)


def bounds(values: ItemValues, mask: Bools, groups: Any = None) -> tuple[float, float]:
    """Mean over the masked items if all that is missing were wrong, or right; NaN if unknown."""
    if not mask.any():
        return math.nan, math.nan
    weights, _, _ = item_weights(None if groups is None else groups[mask], int(mask.sum()))
    low = float(np.sum(weights * values.low[mask]))
    high = float(np.sum(weights * values.high[mask]))
    return low, high


def _rows_of(
    items: Items,
    values: ItemValues,
    mask: Bools,
    metric: Metric,
    k: int | None,
    policy: str,
    design: Design,
    groups: Any,
) -> Iterator[Row]:
    """The row of one metric, slice and policy, and `complete_items` where it is undefined."""
    within = mask & ~np.isnan(values.value)
    short = int(np.sum(mask & values.short))
    estimate = _estimate(items, values, within, design, groups)
    left_out = _left_out(values, mask, within, k)
    low, high = bounds(values, mask, groups)
    counts = {
        "unit": design.unit,
        "n_units": estimate.n_clusters,
        "n_items": int(within.sum()),
        "n_samples": int(values.scored[within].sum()),
        "n_excluded": int(values.recorded[mask].sum() - values.scored[within].sum()),
        "bound_low": low,
        "bound_high": high,
        "aggregation": design.aggregation,
        "instrument": metric.instrument,
    }
    if values.reason is not None or not short:
        reason = "; ".join(filter(None, (estimate.reason, left_out))) or None
        yield {"policy": policy, **_standing(estimate), **counts, "reason": reason}
        return
    too_small = (
        f"{short} of {int(mask.sum())} items have fewer than {k} draws on record: see missing_draws"
    )
    nothing = undefined(too_small, design.confidence, estimate.n_clusters)
    yield {"policy": policy, **_standing(nothing), **counts, "reason": too_small}
    if policy == "primary":
        reason = "; ".join(filter(None, (estimate.reason, left_out)))
        yield {"policy": COMPLETE_ITEMS, **_standing(estimate), **counts, "reason": reason}


def _estimate(
    items: Items, values: ItemValues, within: Bools, design: Design, groups: Any
) -> Estimate:
    if values.reason is not None:
        return undefined(values.reason, design.confidence)
    if not within.any():
        return undefined("no item has enough scored draws", design.confidence)
    return mean(
        values.value[within],
        items.clusters[within],
        confidence=design.confidence,
        groups=None if groups is None else groups[within],
    )


def _left_out(values: ItemValues, mask: Bools, within: Bools, k: int | None) -> str | None:
    """How many items the estimate does not cover, and why."""
    if values.reason is not None:
        return None
    absent = int(np.sum(mask & (values.recorded == 0)))
    n_short = int(np.sum(mask & values.short))
    excluded = int(mask.sum() - within.sum()) - absent - n_short
    total = int(mask.sum())
    parts = []
    if absent:
        parts.append(f"{absent} of {total} items have no draw on record")
    if n_short:
        parts.append(f"{n_short} of {total} items have fewer than {k} draws on record")
    if excluded:
        needed = f"fewer than {k} scored draws" if k and k > 1 else "no scored draw"
        parts.append(f"{excluded} of {total} items have {needed} left by the failure policy")
    return "left out: " + ", ".join(parts) if parts else None


def _standing(estimate: Estimate) -> Row:
    return {
        "value": estimate.value,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "ci_method": estimate.method,
        "confidence": estimate.confidence,
        "status": "ok" if estimate.has_interval else "undefined",
    }
