"""How sure a classifier is of each image, and how varied all images are: the Inception Score.

It never sees a real image, so it cannot tell whether the images are of the right kind.
Source: Salimans et al. 2016, arXiv:1606.03498, section 4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from eval_pipeline.metrics.vectors import Floats, number_array, one_count

ROW_SUM = 1e-5  # how far the float32 probabilities of an image may sum from 1


@dataclass(frozen=True)
class InceptionScore:
    """Mean over the splits, in [1, classes], their standard deviation, and what was split.

    sd is NaN for one split; it is the spread of smaller, more biased scores, not a standard error.
    """

    value: float
    sd: float
    n: int
    splits: int


def inception_score(probabilities: ArrayLike, splits: int = 1) -> InceptionScore:
    """exp of the mean divergence of p(class | image) from the mean over images.

    probabilities: shape (images, classes), rows sum to 1. Images are split in their order, as
    evenly as can be; published scores use 10 splits of 50,000 images.
    Raises ValueError that names the first row that is no distribution, and for more splits than
    images.
    """
    sums = inception_sums(probabilities)
    if one_count(splits, "splits", 1) > len(sums):
        raise ValueError(f"{len(sums)} images cannot be split in {splits}: use fewer splits")
    scores = inception_from_sums(
        np.stack([part.sum(axis=0) for part in np.array_split(sums, splits)])
    )
    sd = float(scores.std(ddof=1)) if splits > 1 else float("nan")
    return InceptionScore(float(scores.mean()), sd, len(sums), splits)


def inception_sums(probabilities: ArrayLike) -> Floats:
    """One row an image: its probabilities, then sum of p log p; shape (images, classes + 1)."""
    p = number_array(probabilities, "probabilities", 2, low=0.0, high=1.0)
    total = p.sum(axis=1)
    if (bad := np.flatnonzero(np.abs(total - 1) > ROW_SUM)).size:
        raise ValueError(
            f"image {bad[0]}: its probabilities sum to {total[bad[0]]:g}, but must sum to 1 "
            f"({bad.size} such images): give softmax outputs"
        )
    return np.column_stack([p, xlogy(p, p).sum(axis=1)])


def inception_from_sums(totals: ArrayLike) -> Floats:
    """The score of sums of rows of `inception_sums`, shape (..., classes + 1) to (...).

    The rows' probabilities sum to their number, so the number of images is in the sums.
    """
    sums = np.asarray(totals, dtype=np.float64)
    mass = sums[..., :-1].sum(axis=-1)
    marginal = sums[..., :-1] / mass[..., None]
    divergence = sums[..., -1] / mass - xlogy(marginal, marginal).sum(axis=-1)
    return np.asarray(np.exp(np.maximum(divergence, 0.0)))
