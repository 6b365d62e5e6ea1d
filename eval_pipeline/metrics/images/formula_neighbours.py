"""How many generated images look real, and how much of the real ones is reached.

Each set spans a manifold: the balls around its points that reach to their k-th neighbour.
Precision is the share of generated images inside the real one, recall the share of real images
inside the generated one. A model that repeats a few good images has high precision, low recall.
Source: Kynkaanniemi et al. 2019, arXiv:1904.06991, section 2.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import Bools, Floats, whole
from eval_pipeline.metrics.matrices import LARGEST_FEATURE, matrix
from eval_pipeline.statistics.threads import one_blas_thread

PUBLISHED_K = 3

_ENTRIES = 4_000_000  # distances that are held at a time
_ROUNDING = float(np.finfo(np.float64).eps)

Places = NDArray[np.intp]


@dataclass(frozen=True)
class PrecisionRecall:
    """Both shares, in [0, 1], and for each image whether it lies inside the other manifold."""

    precision: float
    recall: float
    generated_inside: Bools  # shape (generated,): precision is its mean
    real_inside: Bools  # shape (real,): recall is its mean
    k: int
    network: str


def precision_recall(
    real: ArrayLike, generated: ArrayLike, network: str, k: int = PUBLISHED_K
) -> PrecisionRecall:
    """Shares of generated images in the real manifold, and of real ones in the generated.

    real, generated: features of the named network, shape (images, features). A point is no
    neighbour of itself, but a copy of it is; a point at the very radius lies inside.
    Memory: 4,000,000 distances at a time beside the features.
    Raises ValueError for k outside 1..images - 1 of either set, widths that differ, and features
    that are not finite.
    """
    if not network:
        raise ValueError("name the network that made the features, such as 'vgg16 fc2'")
    x, y = (
        matrix(features, name, -LARGEST_FEATURE, LARGEST_FEATURE)
        for name, features in (("real", real), ("generated", generated))
    )
    if x.shape[1] != y.shape[1]:
        raise ValueError(
            f"real has {x.shape[1]} features and generated {y.shape[1]}: both must come from the "
            "same network"
        )
    whole(k, "k", 1)
    for name, points in (("real", x), ("generated", y)):
        if k >= len(points):
            raise ValueError(
                f"k={k} needs at least {k + 1} {name} images, got {len(points)}: lower k"
            )
    centre = x.mean(axis=0)
    with one_blas_thread():
        generated_inside = _inside(y, x, _squared_radii(x, k, centre), centre)
        real_inside = _inside(x, y, _squared_radii(y, k, centre), centre)
    return PrecisionRecall(
        float(generated_inside.mean()),
        float(real_inside.mean()),
        generated_inside,
        real_inside,
        k,
        network,
    )


def _squared_radii(points: Floats, k: int, centre: Floats) -> Floats:
    """Squared distance of each point to its k-th neighbour, itself left out by place."""
    radii = np.empty(len(points))
    for rows, near, slack in _quick_distances(points, points, centre):
        own = np.arange(len(near))
        near[own, rows.start + own] = np.inf
        kth = np.partition(near, k - 1, axis=1)[:, k - 1]
        at, other = np.nonzero(near <= (kth + 2 * slack)[:, None])
        exact = _exact(points[rows], points, at, other)
        order = np.lexsort((exact, at))
        first = np.searchsorted(at, own)  # nonzero lists row by row, and lexsort keeps that
        radii[rows] = exact[order][first + k - 1]
    return radii


def _inside(points: Floats, centres: Floats, squared_radii: Floats, centre: Floats) -> Bools:
    """Whether each point lies within the radius of any centre."""
    inside = np.zeros(len(points), dtype=bool)
    for rows, near, slack in _quick_distances(points, centres, centre):
        beyond = near - squared_radii
        surely: Bools = np.any(beyond <= -slack[:, None], axis=1)
        at, other = np.nonzero((beyond <= slack[:, None]) & ~surely[:, None])
        touched = _exact(points[rows], centres, at, other) <= squared_radii[other]
        surely[at[touched]] = True
        inside[rows] = surely
    return inside


def _quick_distances(
    points: Floats, centres: Floats, centre: Floats
) -> Iterator[tuple[slice, Floats, Floats]]:
    """Blocks of squared distances by |a|^2 + |b|^2 - 2ab, and a bound on each row's rounding.

    Quick because it is a product of matrices; ties are then settled by the exact form. Features are
    taken from `centre`: distances stay, and the rounding of the product shrinks; what the
    subtraction itself rounds, which would part equal distances, is within the bound.
    """
    width = points.shape[1]
    largest = max(float(np.abs(points).max()), float(np.abs(centres).max()))
    lost = 2 * _ROUNDING * largest  # by each difference of two features
    points, centres = points - centre, centres - centre
    lengths = np.einsum("ij,ij->i", centres, centres)
    step = max(1, _ENTRIES // len(centres))
    for start in range(0, len(points), step):
        rows = slice(start, min(start + step, len(points)))
        own = np.einsum("ij,ij->i", points[rows], points[rows])
        near = points[rows] @ centres.T
        near *= -2.0
        near += own[:, None]
        near += lengths
        farthest = np.sqrt(own) + np.sqrt(lengths.max())
        shifted = 2 * np.sqrt(width) * lost * farthest + width * lost**2
        yield rows, near, 4 * (width + 4) * _ROUNDING * (own + lengths.max()) + 2 * shifted


def _exact(points: Floats, centres: Floats, at: Places, other: Places) -> Floats:
    """Squared distances of the pairs, from the differences; equal pairs give equal numbers."""
    found = np.empty(len(at))
    step = max(1, _ENTRIES // points.shape[1])
    for start in range(0, len(at), step):
        part = slice(start, start + step)
        gap = points[at[part]] - centres[other[part]]
        found[part] = np.einsum("ij,ij->i", gap, gap)
    return found
