"""How to spend a budget: clusters, repeats of an item, pairs of models; by formula.

The pilot's variances go in, so that the plan is about these items and these models. All counts are
real numbers; round up to plan.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.power import win_probability


@dataclass(frozen=True)
class PilotVariance:
    """Of one item's score: what stays however often it is drawn, and what one draw adds.

    between: variance an item, that of its cluster included (n se^2 of the pilot without the noise
    of its draws), 0 or more. within: variance of one draw about its item.
    """

    between: float
    within: float

    def __post_init__(self) -> None:
        if not (self.between >= 0 and self.within >= 0 and self.between + self.within > 0):
            raise ValueError(
                f"variances must be 0 or more and not both 0: {self.between}, {self.within}"
            )

    def standard_error(self, n_items: float, draws: float) -> float:
        """sqrt((between + within / draws) / items). Source: Miller 2024, arXiv:2411.00640."""
        _positive(n_items=n_items, draws=draws)
        return math.sqrt((self.between + self.within / draws) / n_items)

    def items(self, standard_error: float, draws: float) -> float:
        """Items at which the mean has that standard error with so many draws each."""
        _positive(standard_error=standard_error, draws=draws)
        return (self.between + self.within / draws) / standard_error**2

    def best_draws(self, item_cost: float, draw_cost: float) -> float:
        """Draws an item at which a budget buys the smallest error; 1 at least.

        sqrt(within / between x cost of an item / cost of a draw); infinite where items do not
        differ. Source: Cochran 1977, Sampling Techniques, section 10.6.
        """
        _positive(draw_cost=draw_cost)
        if not item_cost >= 0:
            raise ValueError(f"item_cost must be 0 or more, got {item_cost}")
        if self.between == 0:
            return math.inf
        return max(1.0, math.sqrt(self.within / self.between * item_cost / draw_cost))

    def affordable(
        self, budget: float, item_cost: float, draw_cost: float, draws: float
    ) -> tuple[float, float]:
        """Items that the budget buys with so many draws each, and the standard error they give."""
        _positive(budget=budget, draws=draws, price=item_cost + draw_cost * draws)
        n_items = budget / (item_cost + draw_cost * draws)
        return n_items, self.standard_error(n_items, draws)


def draw_noise(scores: ArrayLike, items: ArrayLike) -> float:
    """How much of the variance of an item's mean comes of its draws: mean of s^2 / K over items.

    scores: shape (draws,), finite; items: the item of each draw. Items with one draw tell nothing;
    NaN where none has two. Raises ValueError for lengths that differ.
    Source: Miller 2024, arXiv:2411.00640.
    """
    x, codes = np.asarray(scores, dtype=np.float64), cluster_codes(items)[0]
    if x.ndim != 1 or x.shape != codes.shape or not np.isfinite(x).all():
        raise ValueError("scores must be finite numbers, one an entry of items")
    counts = np.bincount(codes)
    means = np.bincount(codes, x) / counts
    squares = np.bincount(codes, (x - means[codes]) ** 2)
    several = counts > 1
    if not several.any():
        return math.nan
    return float(np.mean(squares[several] / (counts[several] - 1) / counts[several]))


def design_effect(within_cluster_correlation: float, sizes: ArrayLike) -> float:
    """How many times as many items a clustered sample needs as an independent one.

    1 + (sum m^2 / sum m - 1) rho, m the items of each cluster. Raises ValueError for a correlation
    outside [-1, 1] or sizes below 1. Source: Kish 1965, Survey Sampling, section 5.4.
    """
    m = np.asarray(sizes, dtype=np.float64)
    if m.ndim != 1 or not m.size or not (m >= 1).all():
        raise ValueError("sizes must be a vector of one cluster or more, each of 1 item or more")
    rho = within_cluster_correlation
    if not -1 <= rho <= 1:
        raise ValueError(f"a correlation lies between -1 and 1, got {rho}")
    effect = 1 + (float(np.sum(m**2) / np.sum(m)) - 1) * rho
    if not effect > 0:
        raise ValueError(f"a correlation of {rho} cannot be in clusters of such sizes")
    return effect


def battles_for_gap(
    elo_gap: float, tie_share: float = 0.0, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Independent battles at which a gap between two models shows, two-sided, ties as half wins.

    ((z_a s_0 + z_b s_1) / (p - 1/2))^2 with p the expected score of the stronger, s^2 = p(1 - p) -
    ties / 4 and s_0 that at p = 1/2; both seating orders of one prompt are one battle. Raises
    ValueError for a gap of 0 or a tie share that the gap cannot have.
    """
    p = win_probability(abs(elo_gap))
    if not 0 <= tie_share < 1 or tie_share > 2 * (1 - p):
        raise ValueError(f"a gap of {elo_gap:g} Elo leaves no room for a tie share of {tie_share}")
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError(f"alpha and power must lie between 0 and 1, got {alpha} and {power}")
    _positive(elo_gap=abs(elo_gap))
    at_null, at_gap = (math.sqrt(q * (1 - q) - tie_share / 4) for q in (0.5, p))
    return float((ndtri(1 - alpha / 2) * at_null + ndtri(power) * at_gap) / (p - 0.5)) ** 2


def _positive(**named: float) -> None:
    for name, value in named.items():
        if not value > 0:
            raise ValueError(f"{name} must be above 0, got {value}")
