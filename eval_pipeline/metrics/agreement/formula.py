"""How far raters agree beyond chance.

Observed agreement stands beside every coefficient: a high one with a low kappa is what lopsided
marginals do, and no contradiction. Where chance alone gives full agreement, or nothing was rated
twice, the coefficient is NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import probabilities, reals
from eval_pipeline.metrics.matrices import MOST_COUNTED, matrix

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
Weights = Literal["unweighted", "linear", "quadratic"]

LARGEST_RATING = 1e75  # squared distances are multiplied by squared counts


@dataclass(frozen=True)
class Agreement:
    """Observed agreement, agreement by chance, and (observed - expected) / (1 - expected)."""

    observed: float
    expected: float
    coefficient: float  # NaN where expected is 1


def cohen_kappa(counts: ArrayLike) -> Agreement:
    """Agreement of two raters: (po - pe) / (1 - pe), pe from each rater's own marginals.

    counts: whole numbers, shape (categories, categories); rows are the first rater.
    Raises ValueError for counts that are not a square table, are negative, or sum to 0.
    Source: Cohen 1960, Educational and Psychological Measurement 20(1).
    """
    return weighted_kappa(counts, "unweighted")


def weighted_kappa(counts: ArrayLike, weights: Weights = "linear") -> Agreement:
    """Cohen's kappa in which a near miss counts in part: categories stand in order.

    Two categories at distance d of K agree by 1 - d / (K - 1) (linear) or 1 - (d / (K - 1))^2
    (quadratic). counts and errors as in `cohen_kappa`.
    Source: Cohen 1968, Psychological Bulletin 70(4).
    """
    table = _square(counts)
    share = table / table.sum()
    credit = _credit(len(table), weights)
    observed = float((credit * share).sum())
    expected = float((credit * np.outer(share.sum(axis=1), share.sum(axis=0))).sum())
    return _beyond_chance(observed, expected)


def confusion(first: Sequence[str], second: Sequence[str], labels: Sequence[str]) -> Floats:
    """Counts of (first rater's label, second rater's label), shape (labels, labels).

    Raises ValueError that names the first unit with a label outside `labels`.
    """
    if len(first) != len(second):
        raise ValueError(f"both raters must label the same units, got {len(first)}, {len(second)}")
    place = {label: i for i, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)))
    for i, (one, other) in enumerate(zip(first, second, strict=True)):
        if one not in place or other not in place:
            raise ValueError(f"unit {i}: labels {one!r}, {other!r} must be among {list(labels)}")
        table[place[one], place[other]] += 1
    return table


def chance_agreement(first: float, second: float) -> float:
    """Agreement of two independent raters who say yes with these rates: m1 m2 + (1-m1)(1-m2)."""
    probabilities([first, second], "rates of yes")
    return first * second + (1 - first) * (1 - second)


def fleiss_kappa(table: ArrayLike) -> Agreement:
    """Agreement of any raters, the same number on each unit, pe from the pooled marginals.

    table: whole numbers, shape (units, categories): how many raters chose the category.
    Raises ValueError that names the first unit with another number of raters, or fewer than two.
    Source: Fleiss 1971, Psychological Bulletin 76(5).
    """
    counts = matrix(table, "table", least=0.0, most=MOST_COUNTED)
    if np.any(counts != np.floor(counts)):
        raise ValueError("table must hold counts of raters: whole numbers, 0 or more")
    raters = counts.sum(axis=1)
    if (bad := np.flatnonzero((raters != raters[0]) | (raters < 2))).size:
        raise ValueError(
            f"unit {bad[0]}: {raters[bad[0]]:g} raters where the first unit has {raters[0]:g}; "
            "every unit needs the same number, two or more (else use krippendorff_alpha)"
        )
    n = raters[0]
    observed = float(((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean())
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return _beyond_chance(observed, expected)


def krippendorff_alpha(ratings: ArrayLike, level: Level = "nominal") -> float:
    """Agreement of any raters with gaps: 1 - observed / expected disagreement.

    ratings: shape (raters, units), NaN where a rater left a unit out; a unit with fewer than two
    ratings tells nothing and is left out. level: how far apart two values are.
    NaN where no unit was rated twice or only one value occurs.
    Source: Krippendorff 2011, Computing Krippendorff's alpha-reliability.
    """
    data = matrix(ratings, "ratings", -LARGEST_RATING, LARGEST_RATING, undefined=True)
    values = np.unique(data[~np.isnan(data)])
    counts = (data[:, :, None] == values).sum(axis=0).astype(np.float64)  # units x values
    counts = counts[counts.sum(axis=1) >= 2]
    per_unit = counts.sum(axis=1)
    coincidence = np.einsum("uc,uk,u->ck", counts, counts, 1 / (per_unit - 1))
    coincidence -= np.diag((counts / (per_unit - 1)[:, None]).sum(axis=0))
    totals = coincidence.sum(axis=1)
    n = totals.sum()
    distance = _distance(values, totals, level)
    expected = float((np.outer(totals, totals) * distance).sum())
    if not expected > 0:
        return float("nan")
    return 1.0 - float(n - 1) * float((coincidence * distance).sum()) / expected


def ceiling_ratio(judge_human: ArrayLike, human_human: ArrayLike) -> Floats:
    """Agreement of a judge with people over agreement among people; NaN where theirs is not > 0.

    Shape as the two broadcast; NaN is an agreement that is undefined. Raises ValueError for what is
    no number, or above 1, which no agreement is.
    """
    judge, people = np.broadcast_arrays(
        reals(judge_human, "judge_human", undefined=True),
        reals(human_human, "human_human", undefined=True),
    )
    if np.any(judge > 1) or np.any(people > 1):
        raise ValueError(f"agreement is at most 1, got {judge.max():g} and {people.max():g}")
    out = np.full(judge.shape, np.nan)
    with np.errstate(over="ignore"):
        np.divide(judge, people, out=out, where=people > 0)
    if np.isinf(out).any():
        raise ValueError("a ratio of agreements is too large: agreement lies in [-1, 1]")
    return out


def _square(counts: ArrayLike) -> Floats:
    table = matrix(counts, "counts", least=0.0, most=MOST_COUNTED)
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"counts must be a square table, got shape {table.shape}")
    if np.any(table != np.floor(table)):
        raise ValueError("counts must be whole numbers, 0 or more")
    if not table.any():
        raise ValueError("counts are all 0: nothing was rated twice")
    return table


def _credit(n: int, weights: Weights) -> Floats:
    """How far two categories agree, 1 on the diagonal."""
    if weights == "unweighted":
        return np.eye(n)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights {weights!r}: use unweighted, linear or quadratic")
    place = np.arange(n)
    distance = np.abs(place[:, None] - place[None, :]) / max(n - 1, 1)
    return np.asarray(1.0 - distance ** (1 if weights == "linear" else 2))


def _beyond_chance(observed: float, expected: float) -> Agreement:
    undefined = expected >= 1.0
    coefficient = float("nan") if undefined else (observed - expected) / (1.0 - expected)
    return Agreement(observed, expected, coefficient)


def _distance(values: Floats, totals: Floats, level: Level) -> Floats:
    """Squared distance of each two values under the level of measurement."""
    if level == "nominal":
        return 1.0 - np.eye(values.size)
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    if level != "ordinal":
        raise ValueError(f"level {level!r}: use nominal, ordinal or interval")
    # Ratings between two values, both ends by half: the rank distance of the source.
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[:, None] - middle[None, :]) ** 2)
