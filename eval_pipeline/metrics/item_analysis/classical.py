"""What a benchmark's items are worth, by classical test theory: how easy, how telling."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import Floats
from eval_pipeline.metrics.matrices import matrix
from eval_pipeline.statistics.rounding import NO_SPREAD

Reasons = tuple[str | None, ...]


@dataclass(frozen=True)
class ClassicalItems:
    """Of each item, shape (items,): facility in [0, 1], and two correlations in [-1, 1].

    item_total: with the total score, which holds the item itself and so flatters it, most where
    items are few; discrimination: with the rest of the score. A negative one is a likely error in
    the key. NaN and a reason where an item or the score does not vary.
    """

    facility: Floats
    item_total: Floats
    discrimination: Floats
    n_models: int
    reasons: Reasons


def classical_items(scores: ArrayLike) -> ClassicalItems:
    """Facility (mean score) and discrimination (point-biserial correlation) of each item.

    scores: in [0, 1], shape (items, models), each model's score on each item.
    Raises ValueError that names the first (item, model) without a number in [0, 1]: score it by
    the failure policy, or leave the item out.
    Source: Lord and Novick 1968, Statistical Theories of Mental Test Scores, chapter 15.
    """
    x = matrix(scores, "scores", 0.0, 1.0)
    total = x.sum(axis=0)
    rest = total - x
    varies, rest_varies = _varies(x), _varies(rest)
    reasons = tuple(_reason(*pair) for pair in zip(varies, rest_varies, strict=True))
    whole = _correlation(x, np.broadcast_to(total, x.shape), varies & _varies(total[None, :]))
    return ClassicalItems(
        x.mean(axis=1), whole, _correlation(x, rest, varies & rest_varies), x.shape[1], reasons
    )


def _varies(rows: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.ptp(rows, axis=1) > NO_SPREAD)


def _correlation(first: Floats, second: Floats, defined: NDArray[np.bool_]) -> Floats:
    """Pearson's correlation row by row; NaN where it is not defined."""
    one = first - first.mean(axis=1, keepdims=True)
    other = second - second.mean(axis=1, keepdims=True)
    found = np.full(len(one), np.nan)
    product = np.einsum("ij,ij->i", one, other)[defined]
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    found[defined] = np.clip(product / lengths[defined], -1.0, 1.0)
    return found


def _reason(varies: bool, rest_varies: bool) -> str | None:
    if not varies:
        return "all models score the same on the item"
    return None if rest_varies else "all models score the same on the other items"
