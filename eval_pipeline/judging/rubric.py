"""A judge's marks on several criteria as one score."""

import math
from collections.abc import Sequence


def rubric_score(weights: Sequence[float], scores: Sequence[float]) -> float:
    """Weighted mean of the criteria's scores: sum of w_m s_m, in the unit of the scores.

    Raises ValueError where the weights do not sum to 1, are negative, or do not match the scores.
    """
    if not weights or len(weights) != len(scores):
        raise ValueError(f"one weight a score, got {len(weights)} weights, {len(scores)} scores")
    if min(weights) < 0 or not math.isclose(math.fsum(weights), 1.0, abs_tol=1e-9):
        raise ValueError(f"weights must be 0 or more and sum to 1, got {list(weights)}")
    return math.fsum(w * s for w, s in zip(weights, scores, strict=True))
