"""What looking early and often does to error rates, and intervals that allow it.

A confidence sequence holds the mean at every look at once: a person may stop whenever its interval
says enough. It is wider than the interval of one look that was planned beforehand.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import lambertw

from eval_pipeline.statistics.clustered import Floats
from eval_pipeline.statistics.given import scalar, vector, whole
from eval_pipeline.statistics.intervals import Interval, normal_quantile

FEWEST_AT_ANY_LOOK = 30
"""Clusters below which a standard error is too rough for a bound that holds at every look."""
_BATCH = 10_000  # simulated experiments at a time; memory is _BATCH x looks numbers
_GRID = 2_000  # candidate means of the betting sequence; its ends are rounded outwards to them
_MOST_STAKED = 0.5  # share of the capital that one bet may lose


def peeking_error_rate(
    looks: int, alpha: float, rng: np.random.Generator, simulations: int = 100_000
) -> float:
    """Chance that any of equally spaced looks at a true null is significant at level alpha.

    By simulation of the normal limit; 0.193 for ten looks at 0.05.
    Source: Armitage, McPherson and Rowe 1969, J. R. Stat. Soc. A 132:235.
    """
    whole(looks, "looks", least=1), whole(simulations, "simulations", least=1)
    bar = normal_quantile(1 - scalar(alpha, "alpha"))
    root = np.sqrt(np.arange(1, looks + 1))
    false = 0
    for start in range(0, simulations, _BATCH):
        steps = rng.standard_normal((min(_BATCH, simulations - start), looks))
        false += int(np.sum((np.abs(np.cumsum(steps, axis=1)) / root).max(axis=1) > bar))
    return false / simulations


def any_time_interval(
    value: float,
    standard_error: float,
    n_clusters: int,
    planned: int,
    confidence: float = 0.95,
) -> Interval:
    """The interval of a mean of so many clusters that holds at whatever look it is read.

    value +/- se sqrt((1 + 1 / (n r)) ln((n r + 1) / alpha^2)), the boundary of a normal mixture; r
    makes it narrowest at `planned` clusters, which must be chosen before the first look. Holds as
    the clusters become many: with a standard error from fewer than about thirty it covers too
    little. Raises ValueError for fewer than two clusters or a standard error that is not positive.
    Source: Robbins 1970, Ann. Math. Statist. 41:1397; Waudby-Smith et al. 2024, Ann. Statist.
    52:2613, theorem 2.2 and appendix on r.
    """
    if not standard_error > 0 or min(n_clusters, planned) < 2:
        raise ValueError(
            f"a positive standard error and two clusters or more are needed: "
            f"{standard_error}, {n_clusters}, {planned}"
        )
    half = standard_error * any_time_quantile(n_clusters, planned, confidence)
    return Interval(value - half, value + half)


def any_time_quantile(n_clusters: int, planned: int, confidence: float = 0.95) -> float:
    """Half of `any_time_interval` in standard errors: what 1.96 is to one planned look at 0.95."""
    ratio = _mixture_ratio(n_clusters, planned, confidence)
    return math.sqrt((1 + 1 / ratio) * math.log((ratio + 1) / (1 - confidence) ** 2))


def any_time_p_value(
    value: float,
    standard_error: float,
    n_clusters: int,
    planned: int,
    confidence: float = 0.95,
) -> float:
    """Two-sided p-value of a mean of 0 that holds at whatever look it is read.

    The alpha at which the interval of the same mixture would end at 0, r as for `confidence`: it is
    below 1 - confidence where `any_time_interval` leaves 0 out. Raises ValueError as that does.
    Source: Johari et al. 2022, Oper. Res. 70:1806, section 3.
    """
    any_time_interval(value, standard_error, n_clusters, planned, confidence)
    ratio = _mixture_ratio(n_clusters, planned, confidence)
    z2 = (value / standard_error) ** 2
    return min(1.0, math.sqrt(ratio + 1) * math.exp(-z2 * ratio / (2 * (1 + ratio))))


def betting_sequence(values: ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Ends of intervals for the mean of values in [0, 1] that all hold it at once, look by look.

    values: one a sampling unit, in the order seen, which must not depend on what they say; shape
    (units,), as the two ends. Exact for any number of looks and units: a candidate mean is ruled
    out once a gambler who bets against it from both sides, staking at most half and by what was
    seen before only, has multiplied the capital by 1 / alpha. Differences in [-1, 1] go in as
    (d + 1) / 2. Raises ValueError for values outside [0, 1].
    Source: Waudby-Smith and Ramdas 2024, J. R. Stat. Soc. B 86:1, theorem 3 and equation 26.
    """
    x = vector(values, "values")
    if not x.size or not ((x >= 0) & (x <= 1)).all():
        raise ValueError("values must be a vector of numbers in [0, 1], one or more")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    means = np.linspace(0, 1, _GRID + 1)[1:-1]
    bar = math.log(2 / (1 - confidence))  # each side has half of the capital
    up, down = np.zeros(means.size), np.zeros(means.size)
    best_up, best_down = up.copy(), down.copy()
    low, high = np.empty(x.size), np.empty(x.size)
    for t, (value, stake) in enumerate(zip(x, _stakes(x, confidence), strict=True)):
        up += np.log1p(np.minimum(stake, _MOST_STAKED / means) * (value - means))
        down += np.log1p(np.minimum(stake, _MOST_STAKED / (1 - means)) * (means - value))
        np.maximum(best_up, up, out=best_up)
        np.maximum(best_down, down, out=best_down)
        # capital falls in the candidate on one side and rises on the other: what is out is an end
        low[t] = means[beaten - 1] if (beaten := int(np.sum(best_up >= bar))) else 0.0
        high[t] = means[-beaten] if (beaten := int(np.sum(best_down >= bar))) else 1.0
    return low, high


def _mixture_ratio(n: int, planned: int, confidence: float) -> float:
    """n r, with the r at which the bound is narrowest at `planned`."""
    alpha = 1 - confidence
    return n / planned * float(np.real(-lambertw(-(alpha**2) / math.e, -1)) - 1)


def _stakes(x: Floats, confidence: float) -> NDArray[np.float64]:
    """What each bet would stake a unit of distance, from the values before it only."""
    t = np.arange(1, x.size + 1)
    mean = (0.5 + np.cumsum(x)) / (t + 1)
    spread = (0.25 + np.cumsum((x - mean) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    return np.sqrt(2 * math.log(2 / (1 - confidence)) / (before * t * np.log1p(t)))
