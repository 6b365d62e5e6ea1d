"""A judge's marks on several criteria as one score."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, mapping, numbers, rows, same_length

SCALE = (1.0, 5.0)  # of anchored marks
_SUM_TOLERANCE = 1e-9


def rubric_score(
    weights: Sequence[float], scores: Sequence[float], scale: tuple[float, float] = SCALE
) -> float:
    """Weighted mean of the criteria's scores: sum of w_m s_m, in the unit of the scores.

    Raises ValueError where the weights do not sum to 1 or are negative, where a score is no number
    within the ends of `scale`, and where they do not match.
    """
    given, said = rows(weights, "weights"), rows(scores, "scores")
    if len(given) != len(said):
        raise ValueError(f"one weight a score, got {len(given)} weights, {len(said)} scores")
    w = _weights(given, "weights")
    return math.fsum(w * numbers(said, "scores", *ends(scale)))


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
    if odd := sorted(mapping(weights, "weights").keys() ^ mapping(marks, "marks").keys()):
        lacks = "marks" if odd[0] in weights else "weight"
        raise ValueError(f"criterion {odd[0]!r} has no {lacks}: give one of each a criterion")
    criteria = sorted(weights)
    w = _weights([weights[name] for name in criteria], "weights")
    columns = {name: numbers(marks[name], f"marks on {name}", *ends(scale)) for name in criteria}
    same_length(**columns)
    return np.asarray(np.stack([columns[name] for name in criteria], axis=1) @ w)


def ends(scale: tuple[float, float]) -> tuple[float, float]:
    """The lowest and the highest mark of a scale; ValueError where they are no such two numbers."""
    low, high = numbers(scale, "scale")
    if not low < high:
        raise ValueError(
            f"a scale goes from its lowest mark to a higher one, not {low:g} to {high:g}"
        )
    return float(low), float(high)


def _weights(weights: Sequence[float], name: str) -> Floats:
    w = numbers(weights, name, 0.0)
    if not math.isclose(math.fsum(w), 1.0, abs_tol=_SUM_TOLERANCE):
        raise ValueError(f"weights must sum to 1, got {math.fsum(w):g}: {w.tolist()}")
    return w
