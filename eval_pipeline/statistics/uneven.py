"""Means over few or uneven clusters: CR2 with the degrees of freedom of Bell and McCaffrey, CR3.

CR1 with t(Q - 1) takes clusters to weigh about the same. Where one holds half the items, it covers
too little, and CR2 with its own degrees of freedom keeps its promise.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from eval_pipeline.statistics.clustered import Estimate, Floats, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.rounding import NO_SPREAD


def uneven_mean(
    values: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    confidence: float = 0.95,
    correction: Literal["CR2", "CR3"] = "CR2",
) -> Estimate:
    """The item-weighted mean with an interval that knows how uneven its clusters are.

    values: shape (items,), finite. With w the share of the items that a cluster holds and s the
    sum of its residuals, the variance is the sum of s^2 / (1 - w) / n^2 (CR2, unbiased where items
    are independent) or of s^2 / (1 - w)^2 / n^2 (CR3, that of leaving each cluster out). t takes
    the degrees of freedom at which CR2 of independent items has its mean and variance; CR3 those
    of Q - 1. No interval for one cluster or for data that do not vary.
    Raises ValueError for values that are not finite, and items without a cluster.
    Source: Bell and McCaffrey 2002, Surv. Methodol. 28:169; Pustejovsky and Tipton 2018, J. Bus.
    Econ. Stat. 36:672.
    """
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError("values must be a vector of finite numbers")
    if not x.size:
        return undefined("no items", confidence)
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != len(x):
        raise ValueError(f"{len(x)} values but {len(codes)} clusters")
    value = float(x.mean())
    if n_clusters < 2:
        return undefined("no interval: one cluster", confidence, n_clusters, value)
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
    sums = np.bincount(codes, x - value, n_clusters)
    if np.abs(sums).max() < NO_SPREAD * max(1.0, abs(value)):
        reason = "no interval: the clusters do not vary"
        return undefined(reason, confidence, n_clusters, value)
    kept = 1 - sizes / x.size
    power = 1 if correction == "CR2" else 2
    se = math.sqrt(float(np.sum(sums**2 / kept**power))) / x.size
    df = satterthwaite_df(sizes) if correction == "CR2" else float(n_clusters - 1)
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    method = f"{correction.lower()}_t"
    return Estimate(value, se, value - half, value + half, method, confidence, n_clusters, df)


def satterthwaite_df(sizes: ArrayLike) -> float:
    """Degrees of freedom of CR2's variance of a mean of independent items; Q - 1 for even sizes.

    sizes: items of each cluster, shape (clusters,), two or more of them.
    Source: Bell and McCaffrey 2002, section 4, in closed form for a mean.
    """
    n: Floats = np.asarray(sizes, dtype=np.float64)
    if n.ndim != 1 or n.size < 2 or not (n > 0).all():
        raise ValueError("degrees of freedom need the sizes of two clusters or more, all above 0")
    total = n.sum()
    v = n**2 / (1 - n / total)
    apart = (v.sum() ** 2 - np.sum(v**2)) / total**2  # pairs of clusters
    return float(total**2 / (np.sum(n**2) + apart))
