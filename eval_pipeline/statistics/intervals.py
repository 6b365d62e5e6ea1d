"""Intervals of one share."""

import math
from typing import NamedTuple

from scipy.special import betaincinv, ndtri

from eval_pipeline.statistics.given import scalar


class Interval(NamedTuple):
    """Lower and upper end."""

    low: float
    high: float


def normal_quantile(confidence: float) -> float:
    """The z of a two-sided interval: 1.96 at 0.95."""
    if not 0 < scalar(confidence, "confidence") < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    return float(ndtri(0.5 + confidence / 2))


def wilson(successes: float, trials: float, confidence: float = 0.95) -> Interval:
    """The score interval of a share; holds at 0 and at all successes, where Wald has no width.

    Counts need not be whole, so that an effective sample size may stand for `trials`.
    Raises ValueError for no trials or impossible counts.
    Source: Wilson 1927, JASA 22:209.
    """
    _check(successes, trials)
    return score_interval(successes / trials, trials, normal_quantile(confidence))


def score_interval(share: float, trials: float, quantile: float) -> Interval:
    """Wilson's interval of an observed share, with the quantile (z or t) given.

    With a quantile of t and an effective sample size it serves clustered samples.
    Raises ValueError for a share outside [0, 1], no trials, or a quantile that is not above 0.
    Source: Dean and Pagano 2015, J. Surv. Stat. Methodol. 3:484.
    """
    if not 0 <= scalar(share, "share") <= 1 or not scalar(trials, "trials") > 0:
        raise ValueError(f"a share in [0, 1] of some trials is needed: {share}, {trials}")
    if not scalar(quantile, "quantile") > 0:
        raise ValueError(f"the quantile must be above 0, got {quantile}")
    z2 = float(quantile) * quantile  # a product may be infinite, a power raises
    if math.isinf(z2):
        return Interval(0.0, 1.0)
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = share * (1 - share) / trials + z2 / trials / (4 * trials)
    half = quantile * math.sqrt(spread) / (1 + z2 / trials)
    # rounding must not move the ends off 0 and 1, where they lie exactly
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    high = 1.0 if share == 1 else min(centre + half, 1.0)
    return Interval(low, high)


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """The exact binomial interval: never covers less than it says.

    Source: Clopper and Pearson 1934, Biometrika 26:404.
    """
    _check(successes, trials)
    tail = (1 - confidence) / 2
    failures = trials - successes
    low = 0.0 if not successes else float(betaincinv(successes, failures + 1, tail))
    high = 1.0 if not failures else float(betaincinv(successes + 1, failures, 1 - tail))
    return Interval(low, high)


def jeffreys(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """The equal-tailed interval of the Beta(1/2, 1/2) prior, with ends 0 and 1 at the boundary.

    Source: Brown, Cai and DasGupta 2001, Statist. Sci. 16:101.
    """
    _check(successes, trials)
    tail = (1 - confidence) / 2
    a, b = successes + 0.5, trials - successes + 0.5
    low = 0.0 if successes == 0 else float(betaincinv(a, b, tail))
    high = 1.0 if successes == trials else float(betaincinv(a, b, 1 - tail))
    return Interval(low, high)


def share_standard_error(share: float, trials: float) -> float:
    """sqrt(p(1 - p) / n): of one share of independent trials, never of a paired difference."""
    if not (0 < trials < math.inf and 0 <= share <= 1):
        raise ValueError(f"a share in [0, 1] of at least one trial is needed: {share}, {trials}")
    return math.sqrt(share * (1 - share) / trials)


def _check(successes: float, trials: float) -> None:
    if not 0 < trials < math.inf:
        raise ValueError(f"an interval needs at least one trial, got {trials}")
    if not 0 <= successes <= trials:
        raise ValueError(f"successes must lie in 0..{trials}, got {successes}")
