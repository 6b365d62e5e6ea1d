"""How sure a classifier is of each image, and how varied all images are: the Inception Score.

It never sees a real image, so it cannot tell whether the images are of the right kind.
Source: Salimans et al. 2016, arXiv:1606.03498, section 4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from eval_pipeline.metrics.inputs import Floats, whole
from eval_pipeline.metrics.matrices import matrix
from eval_pipeline.metrics.sums import Sums

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
    terms = inception_sums(probabilities).terms
    if whole(splits, "splits", 1) > len(terms):
        raise ValueError(f"{len(terms)} images cannot be split in {splits}: use fewer splits")
    scores = _score(np.stack([part.sum(axis=0) for part in np.array_split(terms, splits)]))
    sd = float(scores.std(ddof=1)) if splits > 1 else float("nan")
    return InceptionScore(float(scores.mean()), sd, len(terms), splits)


def inception_sums(probabilities: ArrayLike) -> Sums:
    """The score without splits, as sums over images of the probabilities and of p log p."""
    p = matrix(probabilities, "probabilities", 0.0, 1.0)
    total = p.sum(axis=1)
    if (bad := np.flatnonzero(np.abs(total - 1) > ROW_SUM)).size:
        raise ValueError(
            f"image {bad[0]}: its probabilities sum to {total[bad[0]]:g}, but must sum to 1 "
            f"({bad.size} such images): give softmax outputs"
        )
    return Sums(np.column_stack([p, xlogy(p, p).sum(axis=1)]), _score)


def _score(sums: Floats) -> Floats:
    """Shape (..., classes + 1) to (...); the probabilities sum to the number of images."""
    mass = sums[..., :-1].sum(axis=-1)
    marginal = sums[..., :-1] / mass[..., None]
    divergence = sums[..., -1] / mass - xlogy(marginal, marginal).sum(axis=-1)
    return np.asarray(np.exp(np.maximum(divergence, 0.0)))
