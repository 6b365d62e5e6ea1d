"""The sign-flip test and the interval that it leaves: exact where clusters are few.

If each cluster's contribution is symmetric about its centre, flipping its sign changes nothing;
the observed sum is held against the sums under all flips.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.intervals import Interval

Floats = NDArray[np.float64]

MOST_ENUMERATED = 16  # clusters; 65,536 sign vectors
_EQUAL = 1e-9  # sums within this share of the largest possible one are equal


def sign_flip_p(
    sums: ArrayLike, *, rng: np.random.Generator | None = None, replicates: int = 10_000
) -> float:
    """Two-sided p-value of no effect, from the sums of each cluster, shape (clusters,).

    Exact by enumeration up to `MOST_ENUMERATED` clusters that are not zero (a zero cannot be
    flipped); beyond that by `replicates` random flips, (1 + as extreme) / (1 + replicates), for
    which `rng` must be given. All zero: 1. Raises ValueError for no clusters.
    Source: Fisher 1935, The Design of Experiments; Phipson and Smyth 2010 (the random flips).
    """
    values = np.asarray(sums, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError("sign_flip_p needs a vector of finite sums of at least one cluster")
    moving = values[values != 0]
    observed = abs(moving.sum()) - _EQUAL * np.abs(moving).sum()
    if moving.size <= MOST_ENUMERATED:
        return float(np.mean(np.abs(_signs(moving.size) @ moving) >= observed))
    if rng is None:
        raise ValueError(f"{moving.size} clusters are too many to enumerate: give a generator")
    extreme = sum(
        abs((2 * rng.integers(0, 2, moving.size) - 1) @ moving) >= observed
        for _ in range(replicates)
    )
    return float((1 + extreme) / (1 + replicates))


def sign_flip_above(sums: ArrayLike) -> float:
    """One-sided exact p-value of a centre at or below 0: how many flips give as large a sum.

    sums: shape (clusters,), at most `MOST_ENUMERATED` of them. All zero: 1.
    """
    values = np.asarray(sums, dtype=np.float64)
    if values.ndim != 1 or not 1 <= values.size <= MOST_ENUMERATED or not np.isfinite(values).all():
        raise ValueError(f"sums must be a vector of 1 to {MOST_ENUMERATED} finite numbers")
    bar = values.sum() - _EQUAL * np.abs(values).sum()
    return float(np.mean(_signs(values.size) @ values >= bar))


def sign_flip_interval(totals: ArrayLike, weights: ArrayLike, confidence: float) -> Interval | None:
    """All centres m that the exact test of `totals - m * weights` does not reject.

    totals, weights: shape (clusters,): each cluster's weighted sum and weight; weights positive.
    m is rejected unless more than 1 - confidence of the splits in two put m between the means of
    the two sides, so the ends are order statistics of those means. None where so few clusters
    cannot reject anything: six are needed at 0.95. At most `MOST_ENUMERATED` clusters.
    Source: Hartigan 1969, JASA 64:1303 (typical values).
    """
    a, w = np.asarray(totals, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if a.ndim != 1 or a.shape != w.shape or not 1 <= a.size <= MOST_ENUMERATED:
        raise ValueError(f"totals and weights must be vectors of 1 to {MOST_ENUMERATED} clusters")
    if not (w > 0).all():
        raise ValueError("weights must be positive")
    one_side = _signs(a.size) > 0
    proper = one_side.any(axis=1) & ~one_side.all(axis=1)
    sides = one_side[proper]
    first = (sides @ a) / (sides @ w)
    second = (~sides @ a) / (~sides @ w)
    rank = int(np.floor((1 - confidence) * len(one_side) + 1e-9)) + 1  # splits a kept m needs
    unbounded = len(one_side) - len(sides)  # all on one side: they keep every m
    if rank <= unbounded:
        return None
    place = rank - unbounded - 1
    low = np.sort(np.minimum(first, second))[place]
    high = np.sort(np.maximum(first, second))[-1 - place]
    return Interval(float(low), float(high))


def can_reject(n_clusters: int, confidence: float) -> bool:
    """Whether so many clusters can reject any centre at all: six are needed at 0.95.

    All signs must agree, which chance brings about in two of 2^n cases.
    """
    return 2.0 ** (1 - n_clusters) <= 1 - confidence + 1e-12


def _signs(n: int) -> NDArray[np.int8]:
    """All sign vectors of n clusters, shape (2^n, n)."""
    bits = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return (2 * bits - 1).astype(np.int8)
