"""Means of items that come in clusters, with intervals that know it.

Ten clusters or more: CR1 with t; where the data do not vary, or a share lies at its boundary,
Wilson. Fewer: exact or sign-flip, or no interval. The estimate says which.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.intervals import (
    Interval,
    clopper_pearson,
    score_interval,
    wilson,
)
from eval_pipeline.statistics.rounding import NO_SPREAD
from eval_pipeline.statistics.sign_flip import sign_flip_interval

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FEW_CLUSTERS = 10  # below this CR1 with t covers less than it says
BOUNDARY_COUNT = 10.0  # effective successes, or failures, below which a share is at its boundary


@dataclass(frozen=True)
class Estimate:
    """A number with its interval and how both were made; NaN and `reason` where undefined."""

    value: float
    se: float
    low: float
    high: float
    method: str | None
    confidence: float
    n_clusters: int
    df: float
    reason: str | None = None

    @property
    def has_interval(self) -> bool:
        return self.method is not None


def undefined(
    reason: str, confidence: float, n_clusters: int = 0, value: float = math.nan
) -> Estimate:
    """An estimate without an interval."""
    nan = math.nan
    return Estimate(value, nan, nan, nan, None, confidence, n_clusters, nan, reason)


def item_weights(groups: ArrayLike | None, n_items: int) -> tuple[Floats, Ints, int]:
    """Weight of each item in the mean, its group's number, and the number of groups.

    Without groups every item weighs the same (micro); with them every group does (macro).
    """
    if groups is None:
        return np.full(n_items, 1.0 / max(n_items, 1)), np.zeros(n_items, dtype=np.int64), 1
    codes, n_groups = cluster_codes(groups)
    sizes = np.bincount(codes, minlength=n_groups)
    return 1.0 / (n_groups * sizes[codes]), codes, n_groups


def influence(values: Floats, weights: Floats, groups: Ints, n_groups: int) -> Floats:
    """What each item adds to the mean beyond its group's mean, shape (items,)."""
    group_mean = np.bincount(groups, weights * values, n_groups) / np.bincount(
        groups, weights, n_groups
    )
    return np.asarray(weights * (values - group_mean[groups]))


def standard_error(
    contributions: ArrayLike,
    clusters: Ints,
    n_clusters: int,
    *,
    correction: Literal["CR0", "CR1"] = "CR1",
    n_means: int = 1,
) -> float:
    """sqrt(sum over clusters of (sum of their contributions)^2), times Q / (Q - means) in CR1.

    contributions: shape (items,), such as (x_i - mean) / n. Raises ValueError where there are too
    few clusters: one says nothing of how clusters differ.
    Source: Miller 2024, arXiv:2411.00640 (CR0); Cameron and Miller 2015, J. Hum. Resour. 50:317.
    """
    if n_clusters < 2:
        raise ValueError(f"a standard error needs at least two clusters, got {n_clusters}")
    sums = np.bincount(clusters, np.asarray(contributions, dtype=np.float64), n_clusters)
    squares = float(np.sum(sums**2))
    if correction == "CR1":
        if n_clusters <= n_means:
            raise ValueError(f"CR1 needs more than {n_means} clusters, got {n_clusters}")
        squares *= n_clusters / (n_clusters - n_means)
    return math.sqrt(squares)


def mean(
    values: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
) -> Estimate:
    """Mean of values in [0, 1] over items, or over groups of items, with its interval.

    values: shape (items,); clusters: the sampling unit of each item; groups: for the macro mean.
    Raises ValueError for values that are not finite or outside [0, 1], and items without cluster.
    """
    x = _checked(values, 0.0, 1.0)
    if not x.size:
        return undefined("no items", confidence)
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != len(x):
        raise ValueError(f"{len(x)} values but {len(codes)} clusters")
    weights, group, n_groups = item_weights(groups, len(x))
    value = float(min(max(np.sum(weights * x), 0.0), 1.0))
    if n_clusters < 2:
        return undefined("no interval: one cluster", confidence, n_clusters, value)
    apart = influence(x, weights, group, n_groups)
    df = n_clusters - n_groups
    constant = bool(np.abs(np.bincount(codes, apart, n_clusters)).max() < NO_SPREAD)
    if constant and (n_groups == 1 or df >= FEW_CLUSTERS - 1):
        low, high = constant_interval(value, n_clusters, confidence, 0.0, 1.0)
        method = constant_method(n_clusters)
        return Estimate(value, 0.0, low, high, method, confidence, n_clusters, n_clusters - 1)
    if df < FEW_CLUSTERS - 1:
        return _few(x, codes, n_clusters, value, confidence, n_groups)
    se = standard_error(apart, codes, n_clusters, n_means=n_groups)
    t = float(stdtrit(df, 0.5 + confidence / 2))
    trials = value * (1 - value) / se**2
    low, high, method = value - t * se, value + t * se, "cr1_t"
    if trials * min(value, 1 - value) < BOUNDARY_COUNT or low < 0 or high > 1:
        (low, high), method = score_interval(value, trials, t), "wilson_effective_n"
    return Estimate(value, se, low, high, method, confidence, n_clusters, df)


def constant_interval(
    value: float, n_clusters: int, confidence: float, least: float, most: float
) -> Interval:
    """Where a mean may lie when every cluster shows the same value.

    At least the share w of the population has that value; the rest may lie anywhere between
    `least` and `most`. From ten clusters w is Wilson's lower end of n of n; below, Clopper and
    Pearson's, and the interval is exact for clusters of one size: where the mean lies above the
    interval of each value in a set V, V holds less than the share w, so all n clusters show one
    value of V with a chance below w^n, half of 1 - confidence; likewise below.
    """
    if n_clusters < FEW_CLUSTERS:
        w = clopper_pearson(n_clusters, n_clusters, confidence).low
    else:
        w = wilson(n_clusters, n_clusters, confidence).low
    return Interval(w * value + (1 - w) * least, w * value + (1 - w) * most)


def constant_method(n_clusters: int) -> str:
    """The name of what `constant_interval` does."""
    return "exact_constant" if n_clusters < FEW_CLUSTERS else "wilson_constant"


def _few(
    x: Floats, codes: Ints, n_clusters: int, value: float, confidence: float, n_groups: int
) -> Estimate:
    """Below ten clusters: exact where items are independent and 0 or 1, else by sign flips."""
    sizes = np.bincount(codes, minlength=n_clusters)
    se = math.nan
    if n_groups > 1:
        reason = f"no interval: {n_clusters} clusters are too few for a mean of {n_groups} groups"
        return undefined(reason, confidence, n_clusters, value)
    if (sizes == 1).all() and np.isin(x, (0.0, 1.0)).all():
        low, high = clopper_pearson(int(x.sum()), len(x), confidence)
        return Estimate(
            value, se, low, high, "clopper_pearson", confidence, n_clusters, n_clusters - 1
        )
    flipped = sign_flip_interval(np.bincount(codes, x), sizes, confidence)
    if flipped is None:
        reason = f"no interval: {n_clusters} clusters are too few at confidence {confidence}"
        return undefined(reason, confidence, n_clusters, value)
    return Estimate(
        value, se, flipped.low, flipped.high, "sign_flip", confidence, n_clusters, n_clusters - 1
    )


def _checked(values: ArrayLike, least: float, most: float) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1:
        raise ValueError(f"values must be a vector, got shape {x.shape}")
    if (bad := np.flatnonzero(~((x >= least) & (x <= most)))).size:
        raise ValueError(
            f"item {bad[0]}: {x[bad[0]]} is not a number in [{least:g}, {most:g}] "
            f"({bad.size} such items)"
        )
    return x
