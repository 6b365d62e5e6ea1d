"""Coefficients of agreement with the interval of their influences.

Whatever a coefficient is made of, each unit adds something to it (delta method), and clusters of
units move together.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    standard_error,
    undefined,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ONE_VALUE = "only one value occurs: chance explains it"
CHANCE_ONLY = 1e-12  # room above chance below which chance alone explains full agreement


@dataclass(frozen=True)
class Kappa:
    """A coefficient, NaN where undefined, and what each unit adds to it, shape (units,)."""

    value: float
    influence: Floats


def verdict_kappa(agreeing: Floats, one: Floats, other: Floats) -> Kappa:
    """(observed - chance) / (1 - chance) of two sides' verdicts, each unit weighing the same.

    agreeing: share of agreeing verdicts on each unit; one, other: verdict shares of each side,
    shape (units, verdicts), whose means are the marginals that chance is made of. With one
    verdict of each side on each unit it is Cohen's kappa.
    """
    observed, first, second = agreeing.mean(), one.mean(axis=0), other.mean(axis=0)
    expected = first @ second
    room = 1.0 - expected
    if room <= CHANCE_ONLY:
        return Kappa(math.nan, np.zeros(len(agreeing)))
    by_chance = (one - first) @ second + (other - second) @ first
    influence = (agreeing - observed) / room - by_chance * (1.0 - observed) / room**2
    return Kappa(float((observed - expected) / room), influence / len(agreeing))


def kappa_estimate(kappa: Kappa, codes: Ints, n_clusters: int, confidence: float) -> Estimate:
    """A coefficient with the CR1 interval of its influences, t(Q - 1)."""
    value = kappa.value
    if math.isnan(value):
        return undefined(ONE_VALUE, confidence, n_clusters)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few"
        return undefined(reason, confidence, n_clusters, value)
    se = standard_error(kappa.influence, codes, n_clusters)
    if se <= CHANCE_ONLY:
        reason = "no interval: nothing differs from the rest"
        return undefined(reason, confidence, n_clusters, value)
    df = n_clusters - 1
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    return Estimate(value, se, value - half, value + half, "cr1_t", confidence, n_clusters, df)
