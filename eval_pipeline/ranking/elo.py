"""Strengths as chess players print them. The anchor moves what is printed, nothing else."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from eval_pipeline.statistics.given import scalar

Floats = NDArray[np.float64]

POINTS_PER_TENFOLD_ODDS = 400.0
ANCHOR_RATING = 1000.0
"""What is printed for the anchor, or for the mean strength where there is none."""
LARGEST_EXPONENT = float(np.log(np.finfo(np.float64).max))


def elo_scale(
    theta: ArrayLike,
    anchor: float = 0.0,
    rating: float = ANCHOR_RATING,
    points: float = POINTS_PER_TENFOLD_ODDS,
) -> Floats:
    """Ratings of strengths in logits: rating + points log10(e) (theta - anchor); NaN stays NaN.

    anchor: the strength, in logits, at which `rating` is printed. points: for tenfold odds.
    Raises ValueError where points is not a finite number above 0.
    """
    if not scalar(points, "points for tenfold odds") > 0:
        raise ValueError(f"points for tenfold odds must be above 0, got {points}")
    logits = np.asarray(theta, dtype=np.float64) - anchor
    ratings: Floats = rating + points / np.log(10.0) * logits
    return ratings


def elo_odds(gap: float) -> float:
    """Odds of the stronger model at a gap in rating points: 10^(gap / 400).

    Raises ValueError for a gap that is not finite, or whose odds are not.
    """
    logits = _logits(gap)
    if logits > LARGEST_EXPONENT:
        raise ValueError(f"a gap of {gap} points has no finite odds")
    return float(np.exp(logits))


def elo_win_probability(gap: float) -> float:
    """Chance of the stronger model at a gap in rating points: 1 / (1 + 10^(-gap / 400))."""
    return float(expit(_logits(gap)))


def elo_update(rating_a: float, rating_b: float, score: float, k: float) -> tuple[float, float]:
    """Both ratings after one game in which a took `score` (1, 0.5 or 0): R + K (S - E).

    Raises ValueError where score is outside 0 to 1, k is not above 0, or a rating is not finite.
    """
    scalar(rating_a, "a rating"), scalar(rating_b, "a rating")
    if not scalar(k, "k") > 0:
        raise ValueError(f"k must be above 0, got {k}")
    if not 0 <= scalar(score, "score") <= 1:
        raise ValueError(f"score must be between 0 and 1, got {score}")
    change = k * (score - elo_win_probability(rating_a - rating_b))
    return rating_a + change, rating_b - change


def _logits(gap: float) -> float:
    return scalar(gap, "a gap in rating points") / POINTS_PER_TENFOLD_ODDS * float(np.log(10.0))


def online_elo(
    games: Iterable[tuple[str, str, float]], k: float = 32.0, start: float = ANCHOR_RATING
) -> Mapping[str, float]:
    """Ratings after games (a, b, score of a) in this order.

    For comparison only, never a leaderboard: another order of the same games gives others.
    """
    ratings: dict[str, float] = {}
    for a, b, score in games:
        before = ratings.get(a, start), ratings.get(b, start)
        ratings[a], ratings[b] = elo_update(*before, score, k)
    return ratings
