"""A judge's marks on several criteria as one score."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, numbers, same_length

SCALE = (1.0, 5.0)  # of anchored marks
_SUM_TOLERANCE = 1e-9


def rubric_score(weights: Sequence[float], scores: Sequence[float]) -> float:
    """Weighted mean of the criteria's scores: sum of w_m s_m, in the unit of the scores.

    Raises ValueError where the weights do not sum to 1 or are negative, or a score is no finite
    number, and where they do not match.
    """
    if len(weights) != len(scores):
        raise ValueError(f"one weight a score, got {len(weights)} weights, {len(scores)} scores")
    w = _weights(weights, "weights")
    return math.fsum(w * numbers(scores, "scores"))


def rubric_scores(
    weights: Mapping[str, float],
    marks: Mapping[str, ArrayLike],
    scale: tuple[float, float] = SCALE,
) -> Floats:
    """Weighted mean of the marks of each sample, shape (samples,), in the unit of the marks.

    weights, marks: by criterion; marks: shape (samples,), within the ends of `scale`.
    Raises ValueError that names the criterion without marks or weight, and the first mark that is
    no number on the scale; and for weights that are negative or do not sum to 1.
    """
    if odd := sorted(weights.keys() ^ marks.keys()):
        lacks = "marks" if odd[0] in weights else "weight"
        raise ValueError(f"criterion {odd[0]!r} has no {lacks}: give one of each a criterion")
    criteria = sorted(weights)
    w = _weights([weights[name] for name in criteria], "weights")
    columns = {name: numbers(marks[name], f"marks on {name}", *scale) for name in criteria}
    same_length(**columns)
    return np.asarray(np.stack([columns[name] for name in criteria], axis=1) @ w)


def _weights(weights: Sequence[float], name: str) -> Floats:
    w = numbers(weights, name, 0.0)
    if not math.isclose(math.fsum(w), 1.0, abs_tol=_SUM_TOLERANCE):
        raise ValueError(f"weights must sum to 1, got {math.fsum(w):g}: {w.tolist()}")
    return w
