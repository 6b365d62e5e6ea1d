"""One number an item: each metric before it is averaged over items.

Every estimate, paired difference and score delta starts here, so that they speak of one thing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.draws.measure import draw_values
from eval_pipeline.metrics.entry import Metric, OptionValue
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Items, Policy, Samples

Options = Mapping[str, OptionValue]


@dataclass(frozen=True)
class ItemValues:
    """A metric of each item, all arrays of shape (items,).

    value: NaN where the item has no value; low, high: the value if all that is missing (excluded
    samples, absent draws) were wrong, or right; NaN where even these leave fewer than k draws.
    recorded, scored: samples in the files, and those left by the failure policy.
    short: items with some draws recorded, but fewer than k: the run was too small for this k.
    reason: why the metric has no value at all, or None. lacking: by column, samples of each item
    that lack it; remark: what must be known of the values.
    """

    value: Floats
    low: Floats
    high: Floats
    recorded: Ints
    scored: Ints
    short: Bools
    reason: str | None = None
    lacking: Mapping[str, Ints] = field(default_factory=dict)
    remark: str | None = None


def item_values(
    metric: Metric,
    k: int | None,
    items: Items,
    samples: Samples,
    *,
    draws_per_item: int | None,
    policy: Policy = "primary",
    options: Options | None = None,
) -> ItemValues:
    """The metric of each item.

    draws_per_item: what the contract asks for; None takes the most that any item has. Draws that
    are not there are missing. options: of a metric made from columns; those not given are at their
    defaults. Raises ValueError for a metric that needs a k and gets none, and for metrics that a
    judge makes or that have no value of a single item.
    """
    if metric.needs_k != (k is not None):
        raise ValueError(f"metric {metric.name} {'needs a' if metric.needs_k else 'takes no'} k")
    if metric.made_from == "judge":
        raise ValueError(f"metric {metric.name} is made from a judge's votes, not from samples")
    n_items = len(items)
    recorded = np.bincount(samples.item, minlength=n_items).astype(np.int64)
    asked = draws_per_item if draws_per_item is not None else max(1, int(recorded.max(initial=0)))
    absent = np.maximum(asked - recorded, 0)
    if not metric.per_item:
        raise ValueError(f"metric {metric.name} has no value of a single item")
    if metric.made_from == "status":
        return _status_rate(metric, samples, recorded, absent)
    if metric.is_measured:
        chosen = {one.name: one.default for one in metric.options} | dict(options or {})
        return _from_columns(metric, chosen, samples, recorded, absent, policy)
    score = samples.under(policy)
    kept = ~np.isnan(score)
    scored = np.bincount(samples.item[kept], minlength=n_items).astype(np.int64)
    missing = recorded - scored + absent
    short = (recorded > 0) & (recorded < (k or 1))
    if metric.name == "mean_score":
        total = np.bincount(samples.item[kept], score[kept], n_items)
        everything = scored + missing
        return ItemValues(
            _ratio(total, scored),
            _ratio(total, everything),
            _ratio(total + missing, everything),
            recorded,
            scored,
            short,
        )
    graded = kept & (samples.status == "ok") & (score > 0) & (score < 1)
    if graded.any():
        nothing = np.full(n_items, np.nan)
        reason = (
            f"{int(graded.sum())} verdicts lie between wrong and right, and {metric.name} needs "
            "0 or 1: ask for mean_score"
        )
        return ItemValues(nothing, nothing, nothing, recorded, scored, short, reason)
    value, low, high = draw_values(metric, samples, score, kept, missing, k or 1)
    return ItemValues(value, low, high, recorded, scored, short)


def _from_columns(
    metric: Metric,
    options: Options,
    samples: Samples,
    recorded: Ints,
    absent: Ints,
    policy: Policy,
) -> ItemValues:
    """The mean over an item's samples; what is missing at the ends of the range bounds it."""
    from eval_pipeline.metrics.measures.column_values import item_means, nowhere
    from eval_pipeline.metrics.measures.lookup import item_measure_of

    nothing = np.full(len(recorded), np.nan)
    none = np.zeros(len(recorded), dtype=np.int64)
    short = none > 0
    measure = item_measure_of(metric)
    try:
        if reason := nowhere(metric, samples):
            return ItemValues(nothing, nothing, nothing, recorded, none, short, reason)
        total, n, lacking, remark = item_means(
            metric, measure, options, samples, policy, len(recorded)
        )
    except ValueError as fault:  # one column that cannot be read leaves the other metrics
        return ItemValues(nothing, nothing, nothing, recorded, none, short, str(fault))
    missing = recorded - n + absent
    return ItemValues(
        _ratio(total, n),
        _ratio(total + metric.least * missing, n + missing),
        _ratio(total + metric.most * missing, n + missing),
        recorded,
        n,
        short,
        lacking=lacking,
        remark=remark,
    )


def _status_rate(metric: Metric, samples: Samples, recorded: Ints, absent: Ints) -> ItemValues:
    """Share of an item's recorded draws in the status; absent draws bound it."""
    hit = samples.status == metric.counts
    count = np.bincount(samples.item[hit], minlength=len(recorded)).astype(np.float64)
    everything = recorded + absent
    short = np.zeros(len(recorded), dtype=bool)
    return ItemValues(
        _ratio(count, recorded),
        _ratio(count, everything),
        _ratio(count + absent, everything),
        recorded,
        recorded,
        short,
    )


def _ratio(part: NDArray[np.float64] | Ints, whole: Ints) -> Floats:
    """part / whole; NaN where the whole is 0."""
    out = np.full(len(whole), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
