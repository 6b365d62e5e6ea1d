"""Tests against a margin: superiority, non-inferiority, equivalence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.given import scalar
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.sign_flip import sign_flip_above


@dataclass(frozen=True)
class MarginTests:
    """One-sided p-values of each claim about a difference; NaN where nothing can be tested."""

    superiority: float
    non_inferiority: float
    equivalence: float


def margin_tests(
    difference: float, standard_error: float, margin: float, df: float = math.inf
) -> MarginTests:
    """One-sided p-values: difference > 0; > -margin; within +/- margin (the larger of two).

    By t with `df`, normal where that is infinite. A claim at one-sided alpha is the same as an
    interval of confidence 1 - 2 alpha beyond the bar.
    Source: Schuirmann 1987, J. Pharmacokinet. Biopharm. 15:657.
    """
    for name, value in (
        ("difference", difference),
        ("standard_error", standard_error),
        ("margin", margin),
    ):
        scalar(value, name)
    if not (standard_error > 0 and margin >= 0 and df > 0):
        raise ValueError(
            f"a finite difference, a positive standard error, a margin of 0 or more and positive "
            f"degrees of freedom are needed: {difference}, {standard_error}, {margin}, {df}"
        )

    def above(bar: float) -> float:
        return float(stdtr(df, -(difference - bar) / standard_error))

    below_high = float(stdtr(df, (difference - margin) / standard_error))
    return MarginTests(above(0.0), above(-margin), max(above(-margin), below_high))


def paired_margin_tests(
    differences: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    margin: float,
    *,
    most: float = 1.0,
) -> MarginTests:
    """The same from differences of shared items, clustered, in [-most, most].

    Ten clusters or more that differ: CR1 with t(Q - 1). Fewer than ten clusters: exact sign flips
    about each bar. In between, where fewer than ten clusters differ at all or all differ alike, a
    standard error says little and no p-value is given: hold the interval of `mean_difference`
    against the bar.
    """
    if not margin >= 0:
        raise ValueError(f"a margin must be 0 or more, got {margin}")
    estimate = mean_difference(differences, clusters, most=most).estimate
    if estimate.method == "cr1_t":
        return margin_tests(estimate.value, estimate.se, margin, estimate.df)
    codes, n_clusters = cluster_codes(clusters)
    if not 2 <= n_clusters < FEW_CLUSTERS:
        return MarginTests(math.nan, math.nan, math.nan)
    totals = np.bincount(codes, np.asarray(differences, dtype=np.float64), n_clusters)
    sizes = np.bincount(codes, minlength=n_clusters).astype(np.float64)
    low = sign_flip_above(totals + margin * sizes)
    high = sign_flip_above(margin * sizes - totals)
    return MarginTests(sign_flip_above(totals), low, max(low, high))
