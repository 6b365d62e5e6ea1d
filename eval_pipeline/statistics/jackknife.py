"""Intervals of statistics that are no mean: from values with some clusters left out, or from
what each cluster adds to the value.

Clusters are dealt into blocks at random and one block is left out at a time. t is used on a scale
on which the range has no end: logit where both ends are finite, log where one is.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtrit

from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    Ints,
    standard_error,
    undefined,
)
from eval_pipeline.statistics.intervals import clopper_pearson, wilson
from eval_pipeline.statistics.rounding import NO_SPREAD

MOST_BLOCKS = 200  # t with 199 degrees of freedom is 0.6 % wider than the normal


def blocks_of_clusters(n_clusters: int, rng: np.random.Generator, most: int = MOST_BLOCKS) -> Ints:
    """The block of each cluster, numbers from 0: each its own, or dealt evenly at random.

    At random, for names often stand in an order that means something.
    """
    if n_clusters <= most:
        return np.arange(n_clusters, dtype=np.int64)
    return rng.permutation(np.arange(n_clusters) % most).astype(np.int64)


def jackknife(
    value: float,
    left_out: ArrayLike,
    *,
    n_clusters: int,
    confidence: float = 0.95,
    least: float = -math.inf,
    most: float = math.inf,
) -> Estimate:
    """The value with its interval from the values that each leave one block out.

    left_out: shape (blocks,). least, most: ends of the statistic's range. No interval below ten
    clusters, where a replicate is not finite, or where none differs from another.
    Raises ValueError for a value outside the range.
    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 11; blocks: Kott
    2001, J. Off. Stat. 17:521.
    """
    replicates: NDArray[np.float64] = np.asarray(left_out, dtype=np.float64)
    _check_range(value, least, most)
    blocks = len(replicates)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few for a jackknife"
        return undefined(reason, confidence, n_clusters, value)
    if lost := int(np.sum(~np.isfinite(replicates))):
        reason = f"no interval: without some clusters there is no value ({lost} of {blocks} blocks)"
        return undefined(reason, confidence, n_clusters, value)
    apart = replicates - replicates.mean()
    se = math.sqrt((blocks - 1) / blocks * float(np.sum(apart**2)))
    return _on_scale(value, se, blocks - 1, "jackknife", n_clusters, confidence, least, most)


def from_influence(
    value: float,
    influence: ArrayLike,
    *,
    confidence: float = 0.95,
    least: float = -math.inf,
    most: float = math.inf,
    scarcest: int | None = None,
) -> Estimate:
    """The value with its interval from what each cluster adds to it: CR1, t(clusters - 1).

    influence: summed within clusters, shape (clusters,), adding up to 0. scarcest: of a value that
    compares classes, the clusters with samples of the class that has fewest: CR1 and t count these,
    for the influence of a class is taken about its own mean and shrinks with it. No interval below
    ten of the clusters that count, or where no cluster adds anything.
    Raises ValueError for a value outside the range.
    Source: Obuchowski 1997, Biometrics 53:567, for areas under curves.
    """
    _check_range(value, least, most)
    apart: NDArray[np.float64] = np.asarray(influence, dtype=np.float64)
    n = len(apart)
    if n < FEW_CLUSTERS:
        reason = f"no interval: {n} clusters are too few for one from their influence"
        return undefined(reason, confidence, n, value)
    counted = n if scarcest is None else min(scarcest, n)
    if counted < FEW_CLUSTERS:
        return undefined(too_few_of_a_class(counted), confidence, n, value)
    se = standard_error(apart, np.arange(n), n, correction="CR0")
    se *= math.sqrt(counted / (counted - 1))
    return _on_scale(value, se, counted - 1, "influence", n, confidence, least, most)


def share_at_end(value: float, n_clusters: int, confidence: float = 0.95) -> Estimate:
    """A share of 0 or 1, which no left-out cluster moves: Wilson over clusters, exact for few.

    n_clusters: those that have units of which it is a share; each counts as one, however many.
    """
    if value not in (0.0, 1.0) or n_clusters < 1:
        raise ValueError(f"a share of 0 or 1 of some clusters is needed: {value}, {n_clusters}")
    exact = n_clusters < FEW_CLUSTERS
    low, high = (clopper_pearson if exact else wilson)(
        int(value) * n_clusters, n_clusters, confidence
    )
    method = "clopper_pearson" if exact else "wilson_constant"
    return Estimate(value, 0.0, low, high, method, confidence, n_clusters, n_clusters - 1)


def too_few_of_a_class(n_clusters: int) -> str:
    """Why there is no interval where the scarcest class has so few clusters."""
    return f"no interval: a class has {n_clusters} of the clusters, {FEW_CLUSTERS} needed"


def _on_scale(
    value: float,
    se: float,
    df: int,
    method: str,
    n_clusters: int,
    confidence: float,
    least: float,
    most: float,
) -> Estimate:
    if se <= NO_SPREAD * max(1.0, abs(value)):
        reason = "no interval: no cluster moves the value"
        return undefined(reason, confidence, n_clusters, value)
    t = float(stdtrit(df, 0.5 + confidence / 2))
    low, high, scale = _ends(value, t * se, least, most)
    if math.isnan(low):
        reason = "no interval: the value lies at the end of its range"
        return undefined(reason, confidence, n_clusters, value)
    return Estimate(value, se, low, high, f"{method}_{scale}t", confidence, n_clusters, df)


def _check_range(value: float, least: float, most: float) -> None:
    if not least - NO_SPREAD <= value <= most + NO_SPREAD:
        raise ValueError(f"value {value} is outside [{least:g}, {most:g}]")


def _ends(value: float, half: float, least: float, most: float) -> tuple[float, float, str]:
    """Ends of the interval on the scale that fits the range; NaN at an end of the range."""
    if math.isinf(least) and math.isinf(most):
        return value - half, value + half, ""
    if not least < value < most:
        return math.nan, math.nan, ""
    if math.isinf(most):
        ratio = math.exp(half / (value - least))
        return least + (value - least) / ratio, least + (value - least) * ratio, "log_"
    if math.isinf(least):
        ratio = math.exp(half / (most - value))
        return most - (most - value) * ratio, most - (most - value) / ratio, "log_"
    width = most - least
    share = (value - least) / width
    spread = half / width / (share * (1 - share))
    low, high = expit(logit(share) + np.array([-spread, spread]))
    return least + width * float(low), least + width * float(high), "logit_"
