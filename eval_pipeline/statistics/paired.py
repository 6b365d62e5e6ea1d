"""Candidate minus baseline on shared items: the difference, its interval and its test."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, stdtr, stdtrit

from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    Floats,
    Ints,
    constant_interval,
    constant_method,
    influence,
    item_weights,
    mean,
    standard_error,
    undefined,
)
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.given import scalar, vector, whole
from eval_pipeline.statistics.intervals import Interval
from eval_pipeline.statistics.rounding import NO_SPREAD
from eval_pipeline.statistics.sign_flip import (
    MOST_ENUMERATED,
    can_reject,
    sign_flip_interval,
    sign_flip_p,
)

MOST_COUNTED = 2**52
"""Above it, one more is no other number."""


@dataclass(frozen=True)
class Difference:
    """A difference with its interval, and the two-sided p-value of no difference."""

    estimate: Estimate
    p_value: float


def paired_difference(
    candidate: ArrayLike,
    baseline: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
) -> Difference:
    """Mean of candidate - baseline over the same items, both in [0, 1]; see `mean_difference`.

    Raises ValueError where the two are not of one length, or empty, or not finite.
    """
    a, b = _scores(candidate, "candidate"), _scores(baseline, "baseline")
    if a.shape != b.shape or not a.size:
        raise ValueError(f"paired scores need the same items: {len(a)} and {len(b)} given")
    return mean_difference(a - b, clusters, confidence=confidence, groups=groups)


def mean_difference(
    differences: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    *,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
    most: float = 1.0,
) -> Difference:
    """Mean of differences in [-most, most], clustered, with the p-value of no difference.

    Interval and test: CR1 with t from ten clusters; sign flips below. Where fewer than ten
    clusters differ at all, the test is the exact sign flip, and the interval joins the Wilson
    intervals of gains and losses (MOVER). Where all clusters show one value, the interval is that
    of `constant_interval`. These two are widened to hold zero unless the exact test excludes it.
    Clusters so few that no sign flip could reject anything give no interval, equal ones neither.
    Source: Miller 2024, arXiv:2411.00640; Zou and Donner 2008, Stat. Med. 27:1693.
    """
    d = vector(differences, "differences")
    if not np.isfinite(d).all() or (np.abs(d) > most + NO_SPREAD).any():
        raise ValueError(f"differences must be a vector of numbers in [{-most:g}, {most:g}]")
    if not d.size:
        return Difference(undefined("no shared items", confidence), math.nan)
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != len(d):
        raise ValueError(f"{len(d)} differences but {len(codes)} clusters")
    weights, group, n_groups = item_weights(groups, len(d))
    value = float(np.sum(weights * d))
    if n_clusters < 2:
        reason = "no interval: one cluster"
        return Difference(undefined(reason, confidence, n_clusters, value), math.nan)
    totals = np.bincount(codes, weights * d, n_clusters)
    totals[np.abs(totals) < NO_SPREAD] = 0.0
    df = n_clusters - n_groups
    moving = int(np.count_nonzero(totals))
    few = df < FEW_CLUSTERS - 1
    if few and n_clusters > MOST_ENUMERATED:
        reason = f"no interval: {n_clusters} clusters are too few for a mean of {n_groups} groups"
        return Difference(undefined(reason, confidence, n_clusters, value), math.nan)
    exact = sign_flip_p(totals) if few or moving < FEW_CLUSTERS else math.nan
    apart = influence(d, weights, group, n_groups)
    if few and not can_reject(n_clusters, confidence):
        return Difference(_too_few(n_clusters, confidence, value), exact)
    constant = bool(np.abs(np.bincount(codes, apart, n_clusters)).max() < NO_SPREAD)
    if constant and (n_groups == 1 or not few):
        ends = constant_interval(value, n_clusters, confidence, -most, most)
        if math.isnan(exact):
            exact = 2.0 ** (1 - n_clusters)  # all signs agree
        ends = _holding_zero(ends, exact, confidence)
        method = constant_method(n_clusters)
        return _found(value, 0.0, ends, method, confidence, n_clusters, df, exact)
    if few:
        ends_or_none = sign_flip_interval(
            totals, np.bincount(codes, weights, n_clusters), confidence
        )
        if constant or ends_or_none is None:
            return Difference(_too_few(n_clusters, confidence, value), exact)
        return _found(value, math.nan, ends_or_none, "sign_flip", confidence, n_clusters, df, exact)
    se = standard_error(apart, codes, n_clusters, n_means=n_groups)
    if moving < FEW_CLUSTERS:
        ends = _gains_and_losses(d / most, codes, groups, confidence)
        ends = _holding_zero(Interval(most * ends.low, most * ends.high), exact, confidence)
        return _found(value, se, ends, "wilson_mover", confidence, n_clusters, df, exact)
    t = float(stdtrit(df, 0.5 + confidence / 2))
    ends = Interval(max(value - t * se, -most), min(value + t * se, most))
    p = float(2 * stdtr(df, -abs(value) / se))
    return _found(value, se, ends, "cr1_t", confidence, n_clusters, df, p)


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p-value that two marginal shares are equal, from the discordant counts.

    No discordant pair: 1. Source: McNemar 1947, Psychometrika 12:153.
    """
    return sign_test(only_first, only_second)


def mcnemar_chi_squared(only_first: int, only_second: int) -> float:
    """(b - c)^2 / (b + c), without continuity correction; NaN without a discordant pair."""
    _check_counts(only_first, only_second)
    total = only_first + only_second
    return (only_first - only_second) ** 2 / total if total else math.nan


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact binomial p-value that wins and losses are equally likely; ties left out.

    Raises ValueError for counts that are not whole numbers of at least 0.
    """
    _check_counts(wins, losses)
    n = wins + losses
    return min(1.0, 2 * float(bdtr(min(wins, losses), n, 0.5))) if n else 1.0


def paired_standard_error(difference: float, discordant: float, n_items: int) -> float:
    """sqrt((psi - d^2) / n): independent 0/1 pairs, psi the share on which they differ."""
    scalar(difference, "difference"), scalar(discordant, "discordant"), scalar(n_items, "n_items")
    if not n_items >= 1 or not abs(difference) <= discordant <= 1:
        raise ValueError(
            f"a difference of {difference} needs a discordant share between it and 1, and items: "
            f"got {discordant}, {n_items}"
        )
    return math.sqrt((discordant - difference**2) / n_items)


def _check_counts(*counts: int) -> None:
    for count in counts:
        if whole(count, "a count", least=0) > MOST_COUNTED:
            raise ValueError(f"{count} is too large to count with")


def _too_few(n_clusters: int, confidence: float, value: float) -> Estimate:
    reason = f"no interval: {n_clusters} clusters are too few at confidence {confidence}"
    return undefined(reason, confidence, n_clusters, value)


def _gains_and_losses(
    d: Floats, codes: Ints, groups: ArrayLike | None, confidence: float
) -> Interval:
    """The interval of mean gain minus mean loss, from those of the two."""
    gain = mean(np.maximum(d, 0.0), codes, confidence=confidence, groups=groups)
    loss = mean(np.maximum(-d, 0.0), codes, confidence=confidence, groups=groups)
    value = gain.value - loss.value
    return Interval(
        max(value - math.hypot(gain.value - gain.low, loss.high - loss.value), -1.0),
        min(value + math.hypot(gain.high - gain.value, loss.value - loss.low), 1.0),
    )


def _holding_zero(ends: Interval, p_value: float, confidence: float) -> Interval:
    """The interval, widened to hold zero unless the exact test excludes it."""
    if p_value <= 1 - confidence:
        return ends
    return Interval(min(ends.low, 0.0), max(ends.high, 0.0))


def _found(
    value: float,
    se: float,
    ends: Interval,
    method: str,
    confidence: float,
    n_clusters: int,
    df: float,
    p_value: float,
) -> Difference:
    estimate = Estimate(value, se, ends.low, ends.high, method, confidence, n_clusters, df)
    return Difference(estimate, p_value)


def _scores(values: ArrayLike, name: str) -> Floats:
    x = vector(values, name)
    if (bad := np.flatnonzero(~((x >= 0) & (x <= 1)))).size:
        raise ValueError(f"{name}, item {bad[0]}: {x[bad[0]]} is not a number in [0, 1]")
    return x
