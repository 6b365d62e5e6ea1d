"""Intervals for the size of a vector of deviations: the sum of their absolute values, or squares.

Noise has a size too, so that the plain size lies above the true one, and sizes of resamples higher
still: an interval about them misses a truth near 0, which is where a good forecaster stands. Here a
test is inverted instead: a true size stays in the interval unless the plain one would be an outlier
under it. Noise adds most to deviations of 0 and least to equal ones: the lower end supposes few
that are not 0, the upper end equal ones.
"""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, undefined
from eval_pipeline.statistics.rounding import NO_SPREAD

Floats = NDArray[np.float64]
Kind = Literal["absolute", "squared"]

DRAWS = 1000  # of noise, each with its opposite
HALVINGS = 20  # of the stretch in which an end lies


def size(deviations: Floats, kind: Kind) -> Floats:
    """The size of vectors of shape (..., deviations), shape (...)."""
    parts = np.abs(deviations) if kind == "absolute" else deviations**2
    return np.asarray(parts.sum(axis=-1))


def size_interval(
    deviations: ArrayLike,
    left_out: ArrayLike,
    kind: Kind,
    rng: np.random.Generator,
    *,
    n_clusters: int,
    confidence: float = 0.95,
    most: float = math.inf,
) -> Estimate:
    """The size of the deviations with its interval.

    deviations: shape (deviations,); left_out: the same without one block of clusters each, shape
    (blocks, deviations): their jackknife covariance is that of the noise, with t for the number of
    blocks. most: end of the size's range; the other is 0. The interval holds the plain size.
    No interval below ten clusters, where a replicate is not finite, or where none differs.
    Source: inversion of a test, as Casella and Berger 2002, Statistical Inference, section 9.2.1;
    that larger deviations make larger sizes: Anderson 1955, Proc. Am. Math. Soc. 6:170.
    """
    if kind not in ("absolute", "squared"):
        raise ValueError(f"unknown size {kind!r}: use absolute or squared")
    v: Floats = np.asarray(deviations, dtype=np.float64)
    replicates: Floats = np.asarray(left_out, dtype=np.float64)
    if replicates.ndim != 2 or replicates.shape[1:] != v.shape:
        raise ValueError(f"left_out must be blocks x {v.size}, got shape {replicates.shape}")
    value, blocks = float(size(v, kind)), len(replicates)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few for a jackknife"
        return undefined(reason, confidence, n_clusters, value)
    if lost := int(np.sum(~np.isfinite(replicates).all(axis=1))):
        reason = f"no interval: without some clusters there is no value ({lost} of {blocks} blocks)"
        return undefined(reason, confidence, n_clusters, value)
    apart = (replicates - replicates.mean(axis=0)) * math.sqrt((blocks - 1) / blocks)
    errors = np.sqrt((apart**2).sum(axis=0))
    if errors.max(initial=0.0) <= NO_SPREAD:
        reason = "no interval: no cluster moves the value"
        return undefined(reason, confidence, n_clusters, value)
    noise = _noise(apart, rng)
    tail = (1 - confidence) / 2
    low = _end(lambda x: _few(v, errors, x, kind), noise, value, 1 - tail, kind)
    # a size below what noise alone makes is luck, and no proof that there is nothing
    by_noise = float(np.median(size(noise, kind)))
    high = _end(lambda x: _equal(v, errors, x, kind), noise, max(value, by_noise), tail, kind)
    of_size = size(replicates, kind)
    se = math.sqrt((blocks - 1) / blocks * float(np.sum((of_size - of_size.mean()) ** 2)))
    ends = min(low, value), min(max(high, value), most)
    return Estimate(value, se, *ends, "inverted_t", confidence, n_clusters, blocks - 1)


def _noise(apart: Floats, rng: np.random.Generator) -> Floats:
    """Draws of noise and their opposites, shape (2 * DRAWS, deviations)."""
    blocks = len(apart)
    spread = np.sqrt(rng.chisquare(blocks - 1, DRAWS) / (blocks - 1))
    root = np.linalg.qr(apart, mode="r")  # of the covariance, and no larger than it must be
    drawn = (rng.normal(size=(DRAWS, len(root))) @ root) / spread[:, None]
    return np.concatenate([drawn, -drawn])


def _end(
    with_size: Callable[[float], Floats], noise: Floats, value: float, level: float, kind: Kind
) -> float:
    """The true size under which `value` stands at that level; 0 where none is so low."""

    def standing(x: float) -> float:
        """The size that stands at the level where the true one is x."""
        return float(np.quantile(size(with_size(x) + noise, kind), level))

    if standing(0.0) >= value:
        return 0.0
    low, high = 0.0, value
    while standing(high) < value:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if standing(middle) < value else (low, middle)
    return high


def _few(v: Floats, errors: Floats, x: float, kind: Kind) -> Floats:
    """Deviations of size x, of which the small ones of v are 0; squares: v in proportion.

    Noise adds its variance to the mean of a square wherever that stands, so that no place is worse.
    """
    whole = float(size(v, kind))
    if kind == "squared":
        return _equal(v, errors, x, kind)
    if x >= whole:
        return v * (x / whole)
    # the threshold, in standard errors, above which what is left of v has size x
    order = np.argsort(-np.abs(v) / np.maximum(errors, NO_SPREAD))
    sums, slopes = np.cumsum(np.abs(v)[order]), np.cumsum(errors[order])
    cuts = (sums - x) / np.maximum(slopes, NO_SPREAD)
    left = np.maximum(np.abs(v) - max(float(cuts.max()), 0.0) * errors, 0.0)
    return np.asarray(np.sign(v) * left)


def _equal(v: Floats, errors: Floats, x: float, kind: Kind) -> Floats:
    """Deviations of size x, all alike in standard errors; squares: v in proportion."""
    if kind == "squared":
        along = v if v.any() else errors
        return along * math.sqrt(x / float(size(along, kind)))
    return np.asarray(np.where(v < 0, -1.0, 1.0) * errors * (x / errors.sum()))
