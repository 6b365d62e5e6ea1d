"""What the draws of an item say: pass@k and its kin, majority vote, accuracy.

Each gives three numbers an item: the value of the scored draws, and the values with all that is
missing wrong, and right.
"""

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.draws.formula_at_k import (
    all_right,
    pass_at_k,
    pass_at_k_plugin,
    pass_hat_k,
)
from eval_pipeline.metrics.draws.formula_majority import majority_credit
from eval_pipeline.metrics.entry import Metric
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Samples

Triple = tuple[Floats, Floats, Floats]


def draw_values(
    metric: Metric, samples: Samples, score: Floats, kept: Bools, missing: Ints, k: int
) -> Triple:
    """Of each item: the value, and it with all that is missing wrong, or right.

    kept: samples that the failure policy scores; missing: how many of each item's draws are
    excluded or absent. NaN where there are fewer than k.
    """
    if metric.name == "majority_vote":
        return _majority(samples, score, kept, missing, k)
    if metric.name == "pass_majority_gap":
        passed = _counted("pass_at_k", samples, score, kept, missing, k)
        voted = _majority(samples, score, kept, missing, k)
        # the two ends of each, opposed: a gap so wide may not be reached, one wider never is
        low = np.maximum(passed[1] - voted[2], 0.0)
        return np.maximum(passed[0] - voted[0], 0.0), low, passed[2] - voted[1]
    if metric.name in ("pass_at_k_direct", "pass_hat_k_by_run"):
        return _first_draws(metric.name == "pass_hat_k_by_run", samples, score, kept, missing, k)
    return _counted(metric.name, samples, score, kept, missing, k)


def _counted(
    name: str, samples: Samples, score: Floats, kept: Bools, missing: Ints, k: int
) -> Triple:
    """accuracy, pass@k and pass^k: from counts; by chances where a failed draw is a guess."""
    n_items = len(missing)
    scored = np.bincount(samples.item[kept], minlength=n_items).astype(np.int64)
    right = np.bincount(samples.item[kept & (score == 1)], minlength=n_items).astype(np.int64)
    rule = {"pass_hat_k": pass_hat_k, "pass_at_k_plugin": pass_at_k_plugin}.get(name, pass_at_k)
    value = rule(scored, right, k)
    low = rule(scored + missing, right, k)
    high = rule(scored + missing, right + missing, k)
    guessed = kept & (score > 0) & (score < 1)
    starts = _starts(samples, n_items)
    for i in np.unique(samples.item[guessed]):
        part = slice(starts[i], starts[i + 1])
        chances = score[part][kept[part]]
        gone = int(missing[i])
        value[i] = _by_chance(name, chances, k)
        low[i] = _by_chance(name, np.append(chances, np.zeros(gone)), k)
        high[i] = _by_chance(name, np.append(chances, np.ones(gone)), k)
    return value, low, high


def _by_chance(name: str, chances: Floats, k: int) -> float:
    if name == "pass_hat_k":
        return all_right(chances, k)
    if name == "pass_at_k_plugin":
        return 1.0 - (1.0 - float(chances.mean())) ** k if len(chances) >= k else float("nan")
    return 1.0 - all_right(1.0 - chances, k)


def _first_draws(
    every: bool, samples: Samples, score: Floats, kept: Bools, missing: Ints, k: int
) -> Triple:
    """Whether any (or every) one of an item's first k draws is right; by chances for a guess.

    The value takes the first k scored draws. The bounds take the first k places, with those of
    excluded and absent draws filled by wrong ones, or right ones.
    """
    n_items = len(missing)
    first_of_item = _starts(samples, n_items)[samples.item]
    place = np.arange(len(samples.item)) - first_of_item
    before: Ints = np.cumsum(kept) - kept  # scored draws before this one, over all items
    nth = before - before[first_of_item]
    recorded = np.bincount(samples.item, minlength=n_items)
    places = np.minimum(recorded + _absent(samples, kept, missing), k)
    value = _product(every, samples.item, score, kept & (nth < k), n_items)
    scored = np.bincount(samples.item[kept], minlength=n_items)
    value[scored < k] = np.nan
    ends = []
    for filled in (0.0, 1.0):
        first = np.where(kept, score, filled)
        end = _product(every, samples.item, first, place < k, n_items)
        empty = places > recorded  # absent draws stand after those on record
        decides = empty & (filled == (0.0 if every else 1.0))
        end = np.where(decides, filled, end)
        end[places < k] = np.nan
        ends.append(end)
    return value, ends[0], ends[1]


def _absent(samples: Samples, kept: Bools, missing: Ints) -> Ints:
    """Draws of each item that no file holds: those missing beyond the excluded ones."""
    return missing - np.bincount(samples.item[~kept], minlength=len(missing))


def _product(every: bool, item: Ints, score: Floats, chosen: Bools, n_items: int) -> Floats:
    """Chance that every chosen draw of an item is right, or that any is, shape (items,)."""
    chance = np.ones(n_items)
    factor = score[chosen] if every else 1.0 - score[chosen]
    np.multiply.at(chance, item[chosen], factor)
    return chance if every else 1.0 - chance


def _majority(samples: Samples, score: Floats, kept: Bools, missing: Ints, k: int) -> Triple:
    """Only verified answers vote. Missing draws at worst all join the strongest wrong answer.

    Items with the same counts have the same value, and most have: each is worked out once.
    """
    n_items = len(missing)
    verified = kept & (samples.status == "ok")
    right = np.bincount(samples.item[verified & (score == 1)], minlength=n_items)
    scored = np.bincount(samples.item[kept], minlength=n_items)
    voting = verified & (score == 0) & (samples.answer >= 0)
    width = int(samples.answer.max(initial=0)) + 1
    pairs = samples.item[voting] * width + samples.answer[voting]
    pair, votes = np.unique(pairs, return_counts=True)
    starts = np.searchsorted(pair // width, np.arange(n_items + 1)).tolist()
    counts = votes.tolist()
    found: dict[tuple[int, int, int, tuple[int, ...]], tuple[float, float, float]] = {}
    rows = []
    for i, key in enumerate(zip(right.tolist(), scored.tolist(), missing.tolist(), strict=True)):
        wrong = tuple(sorted(counts[starts[i] : starts[i + 1]]))
        if (*key, wrong) not in found:
            found[*key, wrong] = _credits(*key, wrong, k)
        rows.append(found[*key, wrong])
    value, low, high = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return value, low, high


def _credits(
    right: int, scored: int, gone: int, wrong: tuple[int, ...], k: int
) -> tuple[float, float, float]:
    """Of one item, wrong answers counted from the rarest: value, and at worst and at best."""
    abstained = scored - right - sum(wrong)
    worst = [*wrong[:-1], (wrong[-1] if wrong else 0) + gone]
    return (
        majority_credit(right, wrong, abstained, k),
        majority_credit(right, worst, abstained, k),
        majority_credit(right + gone, wrong, abstained, k),
    )


def _starts(samples: Samples, n_items: int) -> NDArray[np.intp]:
    """Where each item's samples start, shape (items + 1,)."""
    return np.searchsorted(samples.item, np.arange(n_items + 1))
