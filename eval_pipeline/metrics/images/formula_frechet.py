"""The Frechet distance of two sets of images, from the features of a named network (FID).

Both sets are summed up as a mean and a covariance, block by block, so that memory holds one block
and a few matrices of features x features, however many images there are.
Source: Heusel et al. 2017, arXiv:1706.08500, equation 6.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import Floats, numbers, whole
from eval_pipeline.metrics.matrices import LARGEST_FEATURE, matrix
from eval_pipeline.statistics.threads import one_blas_thread

Features = NDArray[Any] | Sequence[Sequence[float]] | Iterable[NDArray[Any]]

BLOCK = 4096  # images whose features are held in float64 at a time

_ROUNDING = float(np.finfo(np.float64).eps)
_SYMMETRY = 1e-8  # of the largest entry; covariances that were stored as float32 come close


@dataclass(frozen=True)
class Moments:
    """How many feature vectors there are, their mean (features,) and covariance, over n - 1.

    n is None where only mean and covariance were given.
    """

    n: int | None
    mean: Floats
    covariance: Floats


@dataclass(frozen=True)
class FrechetDistance:
    """value = mean_part + trace_part, and what it depends on.

    Its bias falls with n, so that only values of one n can be compared (50,000 by convention).
    `note` says where a covariance is singular: the value is then exact for these moments, but
    says little about directions in which the images were too few to vary.
    """

    value: float
    mean_part: float
    trace_part: float
    n_real: int | None
    n_generated: int | None
    network: str
    note: str | None = None


def moments(features: Features) -> Moments:
    """Mean and covariance of feature vectors, shape (images, features), or of blocks of them.

    float32 is welcome; sums are float64 about each block's own mean. Memory: one block of 4,096
    rows, and two matrices of features x features.
    Raises ValueError that names the first row that is not finite, rows of another width, bools,
    and fewer than two rows.
    Source of the merging: Chan, Golub and LeVeque 1983, The American Statistician 37(3).
    """
    with one_blas_thread(), np.errstate(invalid="ignore", over="ignore"):
        n, mean, scatter = _summed(_blocks(features))
    if n < 2:
        raise ValueError(f"a covariance needs the features of at least two images, got {n}")
    if not np.isfinite(scatter).all():
        raise ValueError("the features are too large for their products to be summed")
    return Moments(n, mean, scatter / (n - 1))


def given_moments(mean: ArrayLike, covariance: ArrayLike, n: int | None = None) -> Moments:
    """Moments that were computed elsewhere, shapes (features,) and (features, features).

    Raises ValueError for shapes that do not fit, numbers that are not finite, and a covariance
    that is not symmetric or has a negative eigenvalue: it is that of no data.
    """
    if n is not None:
        whole(n, "n", 2)
    mu = numbers(mean, "mean", -LARGEST_FEATURE, LARGEST_FEATURE)
    cov = matrix(covariance, "covariance", -LARGEST_FEATURE, LARGEST_FEATURE)
    if cov.shape != (mu.size, mu.size):
        raise ValueError(
            f"covariance must be {mu.size} x {mu.size} as the mean, got shape {cov.shape}"
        )
    apart = np.abs(cov - cov.T)
    if apart.max() > _SYMMETRY * np.abs(cov).max():
        i, j = np.unravel_index(int(apart.argmax()), cov.shape)
        raise ValueError(
            f"covariance[{i}, {j}] is {cov[i, j]:g} but [{j}, {i}] is {cov[j, i]:g}: it must be "
            "symmetric"
        )
    cov = (cov + cov.T) / 2
    eigenvalues = np.linalg.eigvalsh(cov)
    if eigenvalues[0] < -_SYMMETRY * max(eigenvalues[-1], 0.0):
        raise ValueError(f"covariance has the negative eigenvalue {eigenvalues[0]:g}")
    return Moments(n, mu, cov)


def frechet_distance(real: Moments, generated: Moments, network: str) -> FrechetDistance:
    """|m1 - m2|^2 + Tr(S1 + S2 - 2 (S1 S2)^(1/2)), at least 0.

    The product S1 S2 is not symmetric, so its root's trace is taken from the eigenvalues of the
    symmetric S1^(1/2) S2 S1^(1/2), within the range of S1; a singular S1 or S2 is no exception.
    network: names the features, such as "inception-v3 pool3"; distances of two networks have
    nothing to do with each other.
    Raises ValueError for an unnamed network and for moments of different width.
    """
    if not network:
        raise ValueError("name the network that made the features, such as 'inception-v3 pool3'")
    if real.mean.shape != generated.mean.shape:
        raise ValueError(
            f"real has {real.mean.size} features and generated {generated.mean.size}: both must "
            "come from the same network"
        )
    gap = real.mean - generated.mean
    mean_part = float(gap @ gap)
    with one_blas_thread():
        root, rank = _root_of_product(real.covariance, generated.covariance)
    spread = float(np.trace(real.covariance) + np.trace(generated.covariance))
    trace_part = max(spread - 2 * root, 0.0)  # of equal covariances rounding may leave -1e-15
    note = _note(real, generated, rank)
    return FrechetDistance(
        mean_part + trace_part, mean_part, trace_part, real.n, generated.n, network, note
    )


def _summed(blocks: Iterable[NDArray[Any]]) -> tuple[int, Floats, Floats]:
    """Rows, their mean, and the sums of products about it."""
    n, mean, scatter, buffer = 0, np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))
    for rows in blocks:
        if not n:
            mean, scatter = np.zeros(rows.shape[1]), np.zeros((rows.shape[1], rows.shape[1]))
            buffer = np.empty((BLOCK, rows.shape[1]))
        elif rows.shape[1] != mean.size:
            raise ValueError(
                f"features from row {n} have width {rows.shape[1]}, but before it was {mean.size}"
            )
        here = len(rows)
        centred = buffer[:here]
        np.copyto(centred, rows)
        own = np.ones(here) @ centred / here
        if not np.isfinite(own).all():
            raise _not_finite(rows, n)
        centred -= own
        scatter += centred.T @ centred  # with its own transpose: numpy computes one triangle
        shift = own - mean
        scatter += np.outer(shift, shift * (n * here / (n + here)))
        n += here
        mean += shift * (here / n)
    return n, mean, scatter


def _root_of_product(first: Floats, second: Floats) -> tuple[float, int]:
    """Tr (S1 S2)^(1/2) and the rank of S1.

    Eigenvalues at the level of rounding are 0: their roots would not be small.
    """
    values, vectors = np.linalg.eigh(first)
    kept = values > max(values[-1], 0.0) * values.size * _ROUNDING
    half = vectors[:, kept] * np.sqrt(values[kept])
    if not kept.any():
        return 0.0, 0
    product = np.linalg.eigvalsh(half.T @ second @ half)
    floor = max(product[-1], 0.0) * 4 * np.sqrt(values.size) * _ROUNDING
    return float(np.sqrt(product[product > floor]).sum()), int(kept.sum())


def _note(real: Moments, generated: Moments, rank: int) -> str | None:
    width = real.mean.size
    told = [
        f"{kind}: {m.n} images in {width} features, so the covariance is singular"
        for kind, m in (("real", real), ("generated", generated))
        if m.n is not None and m.n <= width
    ]
    if rank < width and not told:
        told = [f"real: the covariance has rank {rank} of {width}"]
    return "; ".join(told) or None


def _blocks(features: Features) -> Iterator[NDArray[Any]]:
    """Blocks of at most 4,096 rows; an array may be mapped, what is no array holds blocks."""
    if isinstance(features, list | tuple) and not any(isinstance(f, np.ndarray) for f in features):
        nested: Any = features
        features = matrix(nested, "features")
    n = 0
    for block in [features] if isinstance(features, np.ndarray) else features:
        rows = np.asarray(block)
        if rows.ndim != 2 or rows.dtype.kind not in "iuf" or not rows.size:
            raise ValueError(
                f"features from row {n} must be numbers, images x features, "
                f"got {rows.dtype} of shape {rows.shape}"
            )
        for i in range(0, len(rows), BLOCK):
            yield rows[i : i + BLOCK]
        n += len(rows)


def _not_finite(rows: NDArray[Any], n_before: int) -> ValueError:
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if not bad.size:
        return ValueError(f"features from row {n_before} are too large to be summed")
    return ValueError(
        f"image {n_before + bad[0]}: its features are not finite ({bad.size} such images nearby)"
    )
