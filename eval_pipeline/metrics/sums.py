"""Metrics that sums over samples decide, so that resampling never goes back to the samples.

`of(terms.sum(axis=0))` is the metric. A bootstrap adds up the terms of each cluster once, weighs
the clusters by how often they were drawn, and calls `of` on all replicates together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.inputs import Floats

if TYPE_CHECKING:
    from eval_pipeline.statistics.deviations import Kind

MOST_CELLS = 50_000_000  # terms held in memory at once: 400 MB


@dataclass(frozen=True)
class Deviations:
    """of: sums of shape (..., s) to deviations of shape (..., d), whose size of that kind is the
    metric: noise makes it larger, and its interval must know that (`statistics.deviations`).
    """

    of: Callable[[Floats], Floats]
    kind: "Kind"


@dataclass(frozen=True)
class Sums:
    """terms: shape (samples, s). of: sums of shape (..., s) to values of shape (...), NaN where
    these sums leave the metric undefined. deviations: where the value is the size of a vector.
    """

    terms: Floats
    of: Callable[[Floats], Floats]
    deviations: "Deviations | None" = None

    @property
    def value(self) -> float:
        """The metric of all samples."""
        return float(self.of(self.terms.sum(axis=0)))

    def of_clusters(self, clusters: NDArray[np.int64], n_clusters: int) -> Floats:
        """Terms added up within each cluster, shape (n_clusters, s).

        clusters: number of each sample's cluster, from 0.
        """
        totals = np.zeros((n_clusters, self.terms.shape[1]))
        for column in range(totals.shape[1]):
            totals[:, column] = np.bincount(clusters, self.terms[:, column], n_clusters)
        return totals


def mean_sums(values: Floats) -> Sums:
    """Sums of the mean of one number a sample; samples whose number is NaN are left out."""
    known = ~np.isnan(values)
    return ratio_sums(np.where(known, values, 0.0), known.astype(np.float64))


def ratio_sums(part: Floats, whole: Floats) -> Sums:
    """Sums of sum(part) / sum(whole)."""
    return Sums(np.column_stack([part, whole]), lambda sums: ratio(sums[..., 0], sums[..., 1]))


def ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole; NaN where the whole is 0."""
    part, whole = np.broadcast_arrays(
        np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    )
    out = np.full(part.shape, np.nan)
    np.divide(part, whole, out=out, where=whole != 0)
    return out


def checked_cells(n_samples: int, columns: int, what: str) -> None:
    """ValueError where the terms of so many columns would not fit into memory."""
    if n_samples * columns > MOST_CELLS:
        raise ValueError(
            f"{n_samples} samples with {columns} columns of {what} are too many for resampling: "
            "use fewer, or estimate them in parts"
        )
