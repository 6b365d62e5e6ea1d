"""One number an item: each metric before it is averaged over items.

Every estimate, paired difference and score delta starts here, so that they speak of one thing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.majority import majority_credit
from eval_pipeline.metrics.pass_at_k import all_right, pass_at_k, pass_hat_k
from eval_pipeline.metrics.registry import Metric
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Items, Policy, Samples


@dataclass(frozen=True)
class ItemValues:
    """A metric of each item, all arrays of shape (items,).

    value: NaN where the item has no value; low, high: the value if all that is missing (excluded
    samples, absent draws) were wrong, or right; NaN where even these leave fewer than k draws.
    recorded, scored: samples in the files, and those left by the failure policy.
    short: items with some draws recorded, but fewer than k: the run was too small for this k.
    reason: why the metric has no value at all, or None.
    """

    value: Floats
    low: Floats
    high: Floats
    recorded: Ints
    scored: Ints
    short: Bools
    reason: str | None = None


def item_values(
    metric: Metric,
    k: int | None,
    items: Items,
    samples: Samples,
    *,
    draws_per_item: int | None,
    policy: Policy = "primary",
) -> ItemValues:
    """The metric of each item.

    draws_per_item: what the contract asks for; None takes the most that any item has. Draws that
    are not there are missing. Raises ValueError for a metric that needs a k and gets none, and for
    metrics that a judge makes.
    """
    if metric.needs_k != (k is not None):
        raise ValueError(f"metric {metric.name} {'needs a' if metric.needs_k else 'takes no'} k")
    if metric.made_from == "judge":
        raise ValueError(f"metric {metric.name} is made from a judge's votes, not from samples")
    n_items = len(items)
    recorded = np.bincount(samples.item, minlength=n_items).astype(np.int64)
    asked = draws_per_item if draws_per_item is not None else max(1, int(recorded.max(initial=0)))
    absent = np.maximum(asked - recorded, 0)
    if metric.made_from == "status":
        return _status_rate(metric, samples, recorded, absent)
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
    if metric.name == "majority_vote":
        value, low, high = _majority(samples, score, kept, missing, k or 1)
    else:
        value, low, high = _counted(metric, samples, score, kept, scored, missing, k or 1)
    return ItemValues(value, low, high, recorded, scored, short)


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


def _counted(
    metric: Metric,
    samples: Samples,
    score: Floats,
    kept: Bools,
    scored: Ints,
    missing: Ints,
    k: int,
) -> tuple[Floats, Floats, Floats]:
    """accuracy, pass@k and pass^k: from counts; by chances where a failed draw is a guess."""
    n_items = len(scored)
    right = np.bincount(samples.item[kept & (score == 1)], minlength=n_items).astype(np.int64)
    rule = pass_hat_k if metric.name == "pass_hat_k" else pass_at_k
    value = rule(scored, right, k)
    low = rule(scored + missing, right, k)
    high = rule(scored + missing, right + missing, k)
    guessed = kept & (score > 0) & (score < 1)
    starts = _starts(samples, n_items)
    for i in np.unique(samples.item[guessed]):
        part = slice(starts[i], starts[i + 1])
        chances = score[part][kept[part]]
        gone = int(missing[i])
        value[i] = _by_chance(metric, chances, k)
        low[i] = _by_chance(metric, np.append(chances, np.zeros(gone)), k)
        high[i] = _by_chance(metric, np.append(chances, np.ones(gone)), k)
    return value, low, high


def _by_chance(metric: Metric, chances: Floats, k: int) -> float:
    if metric.name == "pass_hat_k":
        return all_right(chances, k)
    return 1.0 - all_right(1.0 - chances, k)


def _majority(
    samples: Samples, score: Floats, kept: Bools, missing: Ints, k: int
) -> tuple[Floats, Floats, Floats]:
    """Only verified answers vote. Missing draws at worst all join the strongest wrong answer."""
    n_items = len(missing)
    value, low, high = (np.full(n_items, np.nan) for _ in range(3))
    verified = samples.status == "ok"
    starts = _starts(samples, n_items)
    for i in range(n_items):
        part = slice(starts[i], starts[i + 1])
        counts, verdicts = kept[part], score[part]
        right = int(np.sum(counts & verified[part] & (verdicts == 1)))
        voting = counts & verified[part] & (verdicts == 0) & (samples.answer[part] >= 0)
        wrong = np.unique(samples.answer[part][voting], return_counts=True)[1].tolist()
        abstained = int(counts.sum()) - right - sum(wrong)
        gone = int(missing[i])
        strongest = max(wrong, default=0)
        others = sorted(wrong)[:-1]
        value[i] = majority_credit(right, wrong, abstained, k)
        low[i] = majority_credit(right, [*others, strongest + gone], abstained, k)
        high[i] = majority_credit(right + gone, wrong, abstained, k)
    return value, low, high


def _starts(samples: Samples, n_items: int) -> NDArray[np.intp]:
    """Where each item's samples start, shape (items + 1,)."""
    return np.searchsorted(samples.item, np.arange(n_items + 1))


def _ratio(part: NDArray[np.float64] | Ints, whole: Ints) -> Floats:
    """part / whole; NaN where the whole is 0."""
    out = np.full(len(whole), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
