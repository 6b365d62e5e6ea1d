"""Percentile intervals from resampled clusters.

The unit that is drawn is the cluster: all that belongs to it moves together. One replicate is
made at a time, so memory is that of the clusters, not of replicates x items. A constant sample
or a single cluster says nothing about spread, and the result says so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Floats, Ints, cluster_codes
from eval_pipeline.statistics.intervals import Interval, wilson

MOST_NONFINITE = 0.01  # share of replicates without a finite value, above which no interval
MOST_ENUMERATED = 1_000_000  # resamples
_NO_SPREAD = 1e-12


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
    """A mean, its percentile interval and what to think of it.

    `degenerate`: no replicate differs from another, so that the width of zero means nothing;
    `fallback` then holds Wilson's interval where all values are 0 or all 1. `few_clusters`:
    percentile intervals of fewer than ten clusters cover too little (0.84 at five).
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
    values = np.asarray(replicates, dtype=np.float64)
    if values.ndim != 1 or not values.size:
        raise ValueError("percentile_interval needs a vector of at least one replicate")
    finite = values[np.isfinite(values)]
    lost = values.size - finite.size
    if lost > MOST_NONFINITE * values.size:
        reason = f"{lost} of {values.size} replicates have no finite value"
        return Percentiles(math.nan, math.nan, confidence, values.size, lost, reason)
    tail = (1 - confidence) / 2
    low, high = np.quantile(finite, [tail, 1 - tail])
    return Percentiles(float(low), float(high), confidence, values.size, lost)


def bootstrap_mean(
    values: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    rng: np.random.Generator,
    *,
    replicates: int = 2000,
    confidence: float = 0.95,
    strata: ArrayLike | None = None,
) -> Bootstrap:
    """The item-weighted mean with its cluster-bootstrap percentile interval.

    values: shape (items,), finite; clusters: the unit of each item. With `strata`, each stratum's
    clusters are drawn within it and its share of the items stays fixed.
    Raises ValueError for values that are not finite, items without a cluster, and a cluster in
    two strata.
    Source: Davison and Hinkley 1997, Bootstrap Methods and their Application.
    """
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or not x.size:
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
    drawn = np.zeros(replicates)
    for share, place in zip(shares, members, strict=True):
        drawn += share * _replicates(totals[place], sizes[place], rng, replicates)
    degenerate = float(np.ptp(drawn)) < _NO_SPREAD
    if degenerate:
        drawn = np.full(replicates, value)  # without the rounding of each replicate
    boundary = degenerate and value in (0.0, 1.0)
    fallback = wilson(value * n_clusters, n_clusters, confidence) if boundary else None
    percentiles = percentile_interval(drawn, confidence)
    return Bootstrap(value, percentiles, n_clusters, degenerate, few, fallback)


def enumerated_means(values: ArrayLike) -> Floats:
    """The means of all n^n resamples of n values, sorted: the bootstrap without chance.

    Raises ValueError where that is more than a million.
    """
    x = np.asarray(values, dtype=np.float64)
    n = x.size
    if x.ndim != 1 or not n or n**n > MOST_ENUMERATED:
        raise ValueError(f"{n} values have too many (or no) resamples to list: use bootstrap_mean")
    return np.sort([float(np.mean(draw)) for draw in product(x, repeat=n)])


def _replicates(totals: Floats, sizes: Ints, rng: np.random.Generator, replicates: int) -> Floats:
    """Item-weighted means of resampled clusters, shape (replicates,)."""
    n = totals.size
    means = np.empty(replicates)
    for b in range(replicates):
        place = rng.integers(0, n, n)
        means[b] = totals[place].sum() / sizes[place].sum()
    return means


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
