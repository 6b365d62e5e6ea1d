"""Every score of a checkpoint as a row: value, interval, counts, bounds, and what was left out.

An item without a scored draw, or with fewer than k of them because the failure policy excludes
the rest, leaves the estimate and is counted in `reason`. Where items have fewer than k draws on
record, the run is too small for that k: the estimate is undefined, and a row with the policy
`complete_items` covers the items that have enough. Status `ok` means that the value exists.
Where its interval does not, the ends are null, the reason says why, and no rule decides by it.

Bounds are the lowest and the highest reading of what is missing, over all items: left out, all
wrong, all right. So they hold the value. Those of `complete_items` cover its items only.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from eval_pipeline.metrics.estimates.any_look import at_any_look
from eval_pipeline.metrics.estimates.row import (
    Design,
    Row,
    joined,
    lacking_words,
    slice_masks,
    standing,
)
from eval_pipeline.metrics.estimates.set_rows import set_rows
from eval_pipeline.metrics.measures.forms import depends_on_policy
from eval_pipeline.metrics.measures.item_values import ItemValues, item_values
from eval_pipeline.metrics.measures.lookup import measure_of
from eval_pipeline.metrics.registry import ChosenMetric, asked
from eval_pipeline.metrics.samples import POLICIES, Bools, Items, Labels, Policy, Samples
from eval_pipeline.statistics.clustered import Estimate, item_weights, mean, undefined

COMPLETE_ITEMS = "complete_items"


def estimate_rows(items: Items, samples: Samples, design: Design) -> list[Row]:
    """Rows of `metric_estimates`: each metric, slice and policy, sorted by these.

    Failure rates do not depend on the policy and have the primary row only.
    """
    rows: list[Row] = []
    for label in design.labels:
        made = rows_of_metric(items, samples, asked(label), design)
        rows += [{"metric": label, **row} for row in made]
    return sorted(rows, key=lambda row: (row["metric"], row["slice"], row["policy"]))


def rows_of_metric(
    items: Items, samples: Samples, wanted: ChosenMetric, design: Design
) -> Iterator[Row]:
    """The rows of one metric, without its label; the design's own labels are not looked at."""
    slices = list(slice_masks(items, design.slices))
    groups = items.groups(design.macro_over) if design.macro_over else None
    of_kind = _item_rows if wanted.metric.per_item else set_rows
    planned = len(np.unique(items.clusters))
    ends = {"least": wanted.metric.least, "most": wanted.metric.most}
    for row in of_kind(items, samples, wanted, slices, design, groups):
        if design.sequential:
            row = at_any_look(row, planned, value="value", clusters="n_units", **ends)
        yield {**_reading(wanted), **row}


def bounds(values: ItemValues, mask: Bools, groups: Labels | None = None) -> tuple[float, float]:
    """Mean over the masked items if all that is missing were wrong, or right; NaN if unknown."""
    if not mask.any():
        return math.nan, math.nan
    weights, _, _ = item_weights(None if groups is None else groups[mask], int(mask.sum()))
    low = float(np.sum(weights * values.low[mask]))
    high = float(np.sum(weights * values.high[mask]))
    return low, high


def _reading(wanted: ChosenMetric) -> Row:
    """How the value is to be read, for who has the table only."""
    return {
        "measured_in": wanted.metric.unit,
        "higher_is_better": wanted.metric.higher_is_better,
        "instrument": wanted.metric.instrument,
    }


def _item_rows(
    items: Items,
    samples: Samples,
    wanted: ChosenMetric,
    slices: list[tuple[str, Bools]],
    design: Design,
    groups: Labels | None,
) -> Iterator[Row]:
    """Rows of a metric that has a value of each item."""
    policies = POLICIES if _depends_on_policy(wanted) else POLICIES[:1]
    for policy in policies:
        values = item_values(
            wanted.metric,
            wanted.k,
            items,
            samples,
            draws_per_item=design.draws_per_item,
            policy=policy,
            options=wanted.options,
        )
        for name, mask in slices:
            for row in _rows_of(items, values, mask, wanted, policy, design, groups):
                yield {"slice": name, **row}


def _depends_on_policy(wanted: ChosenMetric) -> bool:
    if wanted.metric.is_measured:
        return depends_on_policy(measure_of(wanted.metric))
    return wanted.metric.made_from != "status"


def _rows_of(
    items: Items,
    values: ItemValues,
    mask: Bools,
    wanted: ChosenMetric,
    policy: Policy,
    design: Design,
    groups: Labels | None,
) -> Iterator[Row]:
    """The row of one metric, slice and policy, and `complete_items` where it is undefined."""
    within = mask & ~np.isnan(values.value)
    short = int(np.sum(mask & values.short))
    estimate = _estimate(items, values, within, wanted, design, groups)
    left_out = _left_out(values, mask, within, wanted.k)
    noted = None if values.reason else joined(values.remark, wanted.metric.note)
    low, high = bounds(values, mask, groups)
    counts = {
        "unit": design.unit,
        "n_units": estimate.n_clusters,
        "n_items": int(within.sum()),
        "n_samples": int(values.scored[within].sum()),
        "n_excluded": int(values.recorded[mask].sum() - values.scored[within].sum()),
        "aggregation": f"mean over draws, {design.over_items}"
        if wanted.metric.is_measured
        else design.aggregation,
    }
    if values.reason is not None or not short:
        reason = joined(estimate.reason, left_out, noted)
        yield {
            "policy": policy,
            **standing(estimate),
            **counts,
            "bound_low": np.fmin(low, estimate.value) if low == low else low,
            "bound_high": np.fmax(high, estimate.value) if high == high else high,
            "reason": reason,
        }
        return
    too_small = (
        f"{short} of {int(mask.sum())} items have fewer than {wanted.k} draws on record: "
        "see missing_draws"
    )
    nothing = undefined(too_small, design.confidence, estimate.n_clusters)
    yield {
        "policy": policy,
        **standing(nothing),
        **counts,
        "bound_low": low,
        "bound_high": high,
        "reason": too_small,
    }
    if policy == "primary":
        low, high = bounds(values, within, groups)
        yield {
            "policy": COMPLETE_ITEMS,
            **standing(estimate),
            **counts,
            "bound_low": low,
            "bound_high": high,
            "reason": joined(estimate.reason, left_out, noted),
        }


def _estimate(
    items: Items,
    values: ItemValues,
    within: Bools,
    wanted: ChosenMetric,
    design: Design,
    groups: Labels | None,
) -> Estimate:
    if values.reason is not None:
        return undefined(values.reason, design.confidence)
    if not within.any():
        return undefined("no item has enough scored draws", design.confidence)
    least, width = wanted.metric.least, wanted.metric.most - wanted.metric.least
    share = mean(
        np.clip((values.value[within] - least) / width, 0.0, 1.0),
        items.clusters[within],
        confidence=design.confidence,
        groups=None if groups is None else groups[within],
    )
    if (least, width) == (0.0, 1.0):
        return share
    return replace(
        share,
        value=least + width * share.value,
        se=width * share.se,
        low=least + width * share.low,
        high=least + width * share.high,
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
        left = "left" if values.lacking else "left by the failure policy"
        parts.append(f"{excluded} of {total} items have {needed} {left}")
    lacking = {column: int(n[mask].sum()) for column, n in values.lacking.items()}
    parts += lacking_words(lacking, int(values.recorded[mask].sum()))
    return "left out: " + ", ".join(parts) if parts else None
