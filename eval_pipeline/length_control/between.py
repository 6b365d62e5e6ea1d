"""Two models at equal length that were both held against one baseline.

The logit of one against the other is the difference of their logits against the baseline, so the
rate of a against b and of b against a add up to 1, and of a model against itself is one half.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from eval_pipeline.length_control.design import refuse
from eval_pipeline.length_control.model import LengthControlled, rate_interval
from eval_pipeline.statistics.clustered import FEW_CLUSTERS

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RateBetween:
    """The rate of one model against another at equal length; NaN with the reason, as elsewhere.

    se: over clusters (CR1) of both fits, which share their prompts; the difficulties are given.
    """

    rate: float = np.nan
    se: float = np.nan
    low: float = np.nan
    high: float = np.nan
    method: str | None = None
    n_clusters: int = 0
    reason: str | None = None


def rate_between(
    one: LengthControlled,
    two: LengthControlled,
    difficulty: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
) -> RateBetween:
    """How often `one` beats `two` at equal length, over items of these difficulties.

    Both are rates against the same baseline, without forfeits: mean of
    sigma((theta_1 - theta_2) + (psi_1 - psi_2) difficulty). difficulty: shape (items,); may be
    left out where the fits have no such term.
    Raises ValueError where one fit has a difficulty term and the other has not, where the items'
    difficulties are needed and missing, or one of them is not finite.
    """
    for name, fit in (("first", one), ("second", two)):
        if np.isnan(fit.length_controlled):
            return RateBetween(reason=f"the {name} model has no rate: {fit.reason}")
    asked = [not np.isnan(fit.difficulty_coefficient) for fit in (one, two)]
    if asked[0] != asked[1]:
        raise ValueError("one fit has a difficulty term and the other has not: fit both alike")
    if asked[0] and difficulty is None:
        raise ValueError("the fits have a difficulty term: give the items' difficulties")
    hard = np.zeros(1) if difficulty is None else np.asarray(difficulty, dtype=np.float64)
    refuse(~np.isfinite(hard), "difficulty must be finite", hard)
    if not hard.size:
        return RateBetween(reason="no items")
    bend = one.difficulty_coefficient - two.difficulty_coefficient if asked[0] else 0.0
    chance = expit(one.theta - two.theta + bend * hard)
    rate = float(chance.mean())
    slope = chance * (1 - chance)
    by_theta, by_bend = float(slope.mean()), float((slope * hard).mean())
    clusters = sorted({*one.influence, *two.influence})
    none = (0.0, 0.0)
    moves = np.array(
        [np.subtract(one.influence.get(c, none), two.influence.get(c, none)) for c in clusters]
    ) @ np.array([by_theta, by_bend])
    q = len(clusters)
    se = float(np.sqrt(q / (q - 1) * (moves**2).sum())) if q >= FEW_CLUSTERS else np.nan
    low, high, method, reason = rate_interval(rate, se, q, confidence)
    return RateBetween(rate, se if method else np.nan, low, high, method, q, reason)
