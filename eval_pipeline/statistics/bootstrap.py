"""Intervals from resampled clusters: percentile, BCa and studentised.

The unit that is drawn is the cluster: all that belongs to it moves together. One replicate is
made at a time, so memory is that of the clusters, not of replicates x items. A constant sample
or a single cluster says nothing about spread, and the result says so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Floats, Ints, constant_interval
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.given import scalar, vector, whole
from eval_pipeline.statistics.intervals import Interval, wilson
from eval_pipeline.statistics.rounding import NO_SPREAD

Method = Literal["percentile", "bca", "studentised"]

MOST_NONFINITE = 0.01  # share of replicates without a finite value, above which no interval
MOST_ENUMERATED = 1_000_000  # resamples


@dataclass(frozen=True)
class Percentiles:
    """An interval from replicates; NaN ends and a reason where they give none."""

    low: float
    high: float
    confidence: float
    n_replicates: int
    n_nonfinite: int
    reason: str | None = None


@dataclass(frozen=True)
class Bootstrap:
    """A mean, its interval and what to think of it.

    `percentiles`: the interval by the method that was asked for. `degenerate`: no replicate
    differs from another, so that the width of zero means nothing; `fallback` then holds Wilson's
    interval where all values are 0 or all 1, and for differences that of `constant_interval` in
    [-1, 1]. `few_clusters`: intervals from fewer than ten
    resampled clusters cover too little (percentile: 0.84 at five).
    """

    value: float
    percentiles: Percentiles
    n_clusters: int
    degenerate: bool
    few_clusters: bool
    fallback: Interval | None


def percentile_interval(replicates: ArrayLike, confidence: float = 0.95) -> Percentiles:
    """The central interval of replicates by linear quantiles.

    Replicates that are not finite (a refit that does not exist) are counted and left out; where
    they are more than one in a hundred, there is no interval.
    """
    values = vector(replicates, "replicates")
    if not values.size:
        raise ValueError("percentile_interval needs a vector of at least one replicate")
    tail = (1 - confidence) / 2
    return _quantiles(values, tail, 1 - tail, confidence)


def bca_interval(
    replicates: ArrayLike, value: float, acceleration: float, confidence: float = 0.95
) -> Percentiles:
    """Percentiles of the replicates at levels that mend their bias and skewness.

    acceleration: see `jackknife_acceleration`; NaN replicates as in `percentile_interval`. Where
    all replicates lie on one side of the value, its bias cannot be estimated: no interval.
    Source: Efron 1987, JASA 82:171, section 3.
    """
    values = np.asarray(replicates, dtype=np.float64)
    finite = values[np.isfinite(values)]
    if values.ndim != 1 or not finite.size:
        raise ValueError("bca_interval needs a vector of at least one finite replicate")
    below = (np.sum(finite < value) + np.sum(finite == value) / 2) / finite.size
    if not 0 < below < 1:
        lost = values.size - finite.size
        reason = "all replicates lie on one side of the estimate"
        return Percentiles(math.nan, math.nan, confidence, values.size, lost, reason)
    bias = float(ndtri(below))
    ends = bias + ndtri(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    low, high = ndtr(bias + ends / (1 - acceleration * ends))
    return _quantiles(values, float(low), float(high), confidence)


def jackknife_acceleration(left_out: Sequence[ArrayLike]) -> float:
    """Skewness of a statistic over its standard error, / 6: the `a` of BCa; 0 where none varies.

    left_out: for each stratum, the statistic with one of its clusters left out, shape (clusters,).
    Source: Efron 1987, section 10; strata: Davison and Hinkley 1997, section 5.3.2.
    """
    cubes = squares = 0.0
    for one in left_out:
        values = np.asarray(one, dtype=np.float64)
        apart = (values.size - 1) / values.size * (values.mean() - values)
        cubes += float(np.sum(apart**3))
        squares += float(np.sum(apart**2))
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def bootstrap_difference(
    candidate: ArrayLike,
    baseline: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    rng: np.random.Generator,
    *,
    replicates: int = 2000,
    confidence: float = 0.95,
    strata: ArrayLike | None = None,
    method: Method = "percentile",
) -> Bootstrap:
    """Mean of candidate - baseline over the same items; see `bootstrap_mean`.

    Both move together in every resample, so that equal answers are no noise.
    Raises ValueError as it does, and for scores of other shapes.
    """
    a, b = vector(candidate, "candidate"), vector(baseline, "baseline")
    if a.shape != b.shape:
        raise ValueError(f"paired scores need the same items: shapes {a.shape} and {b.shape} given")
    found = bootstrap_mean(
        a - b,
        clusters,
        rng,
        replicates=replicates,
        confidence=confidence,
        strata=strata,
        method=method,
    )
    constant = found.degenerate and found.n_clusters > 1 and bool((np.abs(a - b) <= 1).all())
    if not constant:
        return replace(found, fallback=None)
    ends = constant_interval(found.value, found.n_clusters, confidence, -1.0, 1.0)
    return replace(found, fallback=ends)


def bootstrap_mean(
    values: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    rng: np.random.Generator,
    *,
    replicates: int = 2000,
    confidence: float = 0.95,
    strata: ArrayLike | None = None,
    method: Method = "percentile",
) -> Bootstrap:
    """The item-weighted mean with its cluster-bootstrap interval.

    values: shape (items,), finite; clusters: the unit of each item. With `strata`, each stratum's
    clusters are drawn within it and its share of the items stays fixed. `studentised` divides
    each replicate's distance by its own clustered standard error.
    Raises ValueError for values that are not finite, items without a cluster, a cluster in two
    strata, and a stratum of one cluster where the method needs its spread.
    Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, chapter 5.
    """
    whole(replicates, "replicates", least=1)
    if not 0 < scalar(confidence, "confidence") < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    if method not in ("percentile", "bca", "studentised"):
        raise ValueError(f"unknown method {method!r}: use percentile, bca or studentised")
    x = vector(values, "values")
    if not x.size:
        raise ValueError("bootstrap_mean needs a vector of at least one value")
    if (bad := np.flatnonzero(~np.isfinite(x))).size:
        raise ValueError(f"item {bad[0]}: {x[bad[0]]} is not finite ({bad.size} such items)")
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != len(x):
        raise ValueError(f"{len(x)} values but {len(codes)} clusters")
    value = float(np.mean(x))
    few = n_clusters < FEW_CLUSTERS
    if n_clusters < 2:
        reason = "one cluster has no spread"
        none = Percentiles(math.nan, math.nan, confidence, 0, 0, reason)
        return Bootstrap(value, none, n_clusters, True, few, None)
    totals = np.asarray(np.bincount(codes, x, n_clusters), dtype=np.float64)
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.int64)
    shares, members = _strata(codes, n_clusters, strata)
    parts = [
        _Stratum(float(share), totals[place], sizes[place])
        for share, place in zip(shares, members, strict=True)
    ]
    if method != "percentile" and any(part.totals.size < 2 for part in parts):
        raise ValueError(f"a stratum of one cluster has no spread, which {method} needs: merge it")
    drawn, variances = np.zeros(replicates), np.zeros(replicates)
    for part in parts:
        means, squares = _replicates(part, rng, replicates, spread=method == "studentised")
        drawn += part.share * means
        variances += part.share**2 * squares
    degenerate = float(np.ptp(drawn)) < NO_SPREAD
    if degenerate:
        drawn = np.full(replicates, value)  # without the rounding of each replicate
    boundary = degenerate and value in (0.0, 1.0)
    fallback = wilson(value * n_clusters, n_clusters, confidence) if boundary else None
    if degenerate or method == "percentile":
        found = percentile_interval(drawn, confidence)
    elif method == "bca":
        left_out = [value + part.share * part.moved_by_each for part in parts]
        found = bca_interval(drawn, value, jackknife_acceleration(left_out), confidence)
    else:
        se = math.sqrt(sum(part.share**2 * part.variance for part in parts))
        found = _studentised(drawn, variances, value, se, confidence)
    return Bootstrap(value, found, n_clusters, degenerate, few, fallback)


def enumerated_means(values: ArrayLike) -> Floats:
    """The means of all n^n resamples of n values, sorted: the bootstrap without chance.

    Raises ValueError where that is more than a million.
    """
    x = vector(values, "values")
    if not np.isfinite(x).all():
        raise ValueError(f"values must be finite, got {x.tolist()!r:.80}")
    n = x.size
    if not n or n**n > MOST_ENUMERATED:
        raise ValueError(f"{n} values have too many (or no) resamples to list: use bootstrap_mean")
    return np.sort([float(np.mean(draw)) for draw in product(x, repeat=n)])


@dataclass(frozen=True)
class _Stratum:
    """Sums and sizes of a stratum's clusters, and its share of the items."""

    share: float
    totals: Floats
    sizes: Ints

    @property
    def moved_by_each(self) -> Floats:
        """What the stratum's mean moves by where one cluster is left out, shape (clusters,)."""
        total, size = self.totals.sum(), self.sizes.sum()
        moved: Floats = (total - self.totals) / (size - self.sizes) - total / size
        return moved

    @property
    def variance(self) -> float:
        """CR1 of the stratum's mean."""
        return _variance(self.totals, self.sizes)


def _variance(totals: Floats, sizes: Ints) -> float:
    size = sizes.sum()
    apart = totals - totals.sum() / size * sizes
    return float(totals.size / (totals.size - 1) * (apart @ apart) / size**2)


def _replicates(
    part: _Stratum, rng: np.random.Generator, replicates: int, *, spread: bool
) -> tuple[Floats, Floats]:
    """Item-weighted means of resampled clusters, shape (replicates,), and their variances."""
    totals, sizes, n = part.totals, part.sizes, part.totals.size
    means, variances = np.empty(replicates), np.zeros(replicates)
    for b in range(replicates):
        place = rng.integers(0, n, n)
        drawn, size = totals[place], sizes[place]
        means[b] = drawn.sum() / size.sum()
        if spread:
            variances[b] = _variance(drawn, size)
    return means, variances


def _studentised(
    drawn: Floats, variances: Floats, value: float, se: float, confidence: float
) -> Percentiles:
    """value - t se at the quantiles of t = (replicate - value) / its own standard error."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a replicate without spread is counted
        t = np.where(variances > NO_SPREAD**2, (drawn - value) / np.sqrt(variances), np.nan)
    found = percentile_interval(t, confidence)
    return Percentiles(
        value - found.high * se,
        value - found.low * se,
        confidence,
        found.n_replicates,
        found.n_nonfinite,
        found.reason,
    )


def _quantiles(values: Floats, low: float, high: float, confidence: float) -> Percentiles:
    finite = values[np.isfinite(values)]
    lost = values.size - finite.size
    if lost > MOST_NONFINITE * values.size:
        reason = f"{lost} of {values.size} replicates have no finite value"
        return Percentiles(math.nan, math.nan, confidence, values.size, lost, reason)
    ends = np.quantile(finite, [low, high])
    return Percentiles(float(ends[0]), float(ends[1]), confidence, values.size, lost)


def _strata(
    codes: Ints, n_clusters: int, strata: ArrayLike | None
) -> tuple[Floats, list[NDArray[np.intp]]]:
    """Each stratum's share of the items, and its clusters."""
    if strata is None:
        return np.ones(1), [np.arange(n_clusters)]
    stratum, n_strata = cluster_codes(strata)
    if len(stratum) != len(codes):
        raise ValueError(f"{len(codes)} items but {len(stratum)} strata")
    first = np.full(n_clusters, n_strata)
    np.minimum.at(first, codes, stratum)
    if (split := np.flatnonzero(first[codes] != stratum)).size:
        raise ValueError(f"item {split[0]}: its cluster lies in two strata")
    shares = np.bincount(stratum, minlength=n_strata) / len(codes)
    return shares, [np.flatnonzero(first == s) for s in range(n_strata)]
