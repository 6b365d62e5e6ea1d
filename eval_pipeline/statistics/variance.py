"""How much of the spread lies between items, and how much between draws of one item."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.statistics.given import table


@dataclass(frozen=True)
class VarianceComponents:
    """One-way components; `between` may be negative, which says that it is not above noise."""

    within_mean_square: float
    between_mean_square: float
    between: float
    within: float
    se_mean: float


def variance_components(scores: ArrayLike) -> VarianceComponents:
    """Between-item and within-item variance from scores of shape (items, draws).

    se_mean is that of the overall mean with items drawn at random: sqrt(between MS / (I K)).
    Raises ValueError for fewer than two items or two draws, or scores that are not finite.
    Source: Searle, Casella and McCulloch 1992, Variance Components; Miller 2024, arXiv:2411.00640.
    """
    x = table(scores, "scores")
    if x.ndim != 2 or min(x.shape) < 2:
        raise ValueError(f"scores must be (items, draws) with two of each, got shape {x.shape}")
    if not np.isfinite(x).all():
        raise ValueError("scores must be finite: leave out items with missing draws")
    n_items, n_draws = x.shape
    item_means = x.mean(axis=1)
    within = float(np.sum((x - item_means[:, None]) ** 2) / (n_items * (n_draws - 1)))
    between_square = float(n_draws * np.var(item_means, ddof=1))
    return VarianceComponents(
        within,
        between_square,
        (between_square - within) / n_draws,
        within,
        math.sqrt(between_square / (n_items * n_draws)),
    )
