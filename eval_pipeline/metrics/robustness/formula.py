"""How much a perturbation of the items costs a model, relative to what it scored before.

A drop says something about the model only beside the difficulty of the perturbation, which a
panel of other models measures: what hurts all of them is a harder test, not a frailer model.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, numbers, same_length
from eval_pipeline.metrics.matrices import matrix
from eval_pipeline.metrics.sums import Sums, ratio


@dataclass(frozen=True)
class Drop:
    """Mean score before and after, and the loss: absolute, and relative to before.

    relative is NaN where nothing was right before the perturbation.
    """

    before: float
    after: float
    absolute: float
    relative: float
    n_items: int


@dataclass(frozen=True)
class CalibratedDrop:
    """A model's relative drop beside the panel's mean: excess = own - difficulty."""

    own: float
    difficulty: float
    excess: float
    n_panel: int


def perturbation_drop(before: ArrayLike, after: ArrayLike) -> Drop:
    """(before - after) / before, of mean scores over the same items; positive is a loss.

    before, after: scores in [0, 1], shape (items,), the same item at the same place.
    Raises ValueError that names the first score that is no number in [0, 1].
    """
    sums = drop_sums(before, after)
    mean_before, mean_after = (float(mean) for mean in sums.terms.mean(axis=0))
    absolute = mean_before - mean_after
    return Drop(mean_before, mean_after, absolute, sums.value, len(sums.terms))


def drop_sums(before: ArrayLike, after: ArrayLike) -> Sums:
    """The relative drop as sums over items of the scores before and after."""
    one, other = numbers(before, "before", 0.0, 1.0), numbers(after, "after", 0.0, 1.0)
    same_length(before=one, after=other)
    return Sums(np.stack([one, other], axis=1), relative_drop)


def calibrated_drop(
    before: ArrayLike, after: ArrayLike, panel_before: ArrayLike, panel_after: ArrayLike
) -> CalibratedDrop:
    """The model's relative drop minus the mean relative drop of a panel on the same items.

    panel_before, panel_after: shape (models, items), other models than this one.
    Raises ValueError for panels of another shape, and names the model of the panel that had
    nothing right before, whose drop is undefined: leave it out.
    """
    own = perturbation_drop(before, after)
    one = matrix(panel_before, "panel_before", 0.0, 1.0)
    other = matrix(panel_after, "panel_after", 0.0, 1.0)
    if one.shape != other.shape or one.shape[1] != own.n_items:
        raise ValueError(
            f"panels must be models x {own.n_items} items, got {one.shape} and {other.shape}"
        )
    drops = relative_drop(np.stack([one.sum(axis=1), other.sum(axis=1)], axis=1))
    if (bad := np.flatnonzero(np.isnan(drops))).size:
        raise ValueError(
            f"model {bad[0]} of the panel had nothing right before the perturbation, so that its "
            "drop is undefined: leave it out"
        )
    difficulty = float(drops.mean())
    return CalibratedDrop(own.relative, difficulty, own.relative - difficulty, len(drops))


def relative_drop(sums: Floats) -> Floats:
    """(before - after) / before of sums of both, shape (..., 2) to (...); NaN where before is 0."""
    return ratio(sums[..., 0] - sums[..., 1], sums[..., 0])
