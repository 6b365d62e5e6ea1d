"""Replicates of a fit under resampled clusters, and what may be read from them.

Clusters are drawn with replacement. One step of Newton moves all replicates at once; the exact
form refits each (`recount.py`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.recount import Recount
from eval_pipeline.ranking.uncertainty import Clustered, Contrasts
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

NONFINITE_LIMIT = 0.01
"""Share of replicates without a finite fit above which no interval is read from them."""
EXACT_BELOW_CLUSTERS = 50
"""With fewer clusters one step is not close enough, and each replicate is refitted."""
CHUNK_CELLS = 4_000_000
"""Cells held at once: 32 MB an array."""


@dataclass(frozen=True)
class Replicates:
    """Parameters under resampled clusters.

    parameters: shape (replicates, p), strengths centred in their groups, then the order effect;
    NaN rows for exact replicates without a finite fit.
    n_nonfinite: replicates in which the resampled battles have no finite fit.
    method: `one_step` or `exact`.
    """

    parameters: Floats
    n_nonfinite: int
    method: str

    @property
    def usable(self) -> bool:
        """Whether so few replicates lack a finite fit that intervals may be read."""
        return self.n_nonfinite <= NONFINITE_LIMIT * len(self.parameters)


def cluster_replicates(
    fit: BradleyTerryFit,
    battles: Battles,
    clustered: Clustered,
    replicates: int,
    rng: np.random.Generator,
    *,
    exact: bool | None = None,
) -> Replicates:
    """Replicates of the fit with clusters drawn with replacement.

    exact: refit each replicate; by default where clusters are fewer than
    `EXACT_BELOW_CLUSTERS`. Each replicate is checked for a finite fit either way. More replicates
    of the same generator begin with the same ones.
    Memory: replicates x parameters floats, and some arrays of `CHUNK_CELLS`.
    """
    refit = battles.n_clusters < EXACT_BELOW_CLUSTERS if exact is None else exact
    recount, movable = Recount(fit, battles), _movable(clustered)
    parameters = np.empty((replicates, len(fit.parameters)))
    finite = np.empty(replicates, dtype=bool)
    with one_blas_thread():
        for part in _chunks(replicates, battles.n_clusters):
            if refit:
                weights = resampled_weights(part.stop - part.start, battles.n_clusters, rng)
            else:
                weights = poisson_weights(part.stop - part.start, battles.n_clusters, rng)
            parameters[part] = _moved(fit, movable, weights)
            finite[part] = recount.finite(weights)
            if refit:
                parameters[part] = recount.refitted(parameters[part], weights, finite[part])
    if refit:
        finite[:] = np.isfinite(parameters).all(axis=1)
    method = "exact" if refit else "one_step"
    return Replicates(parameters, int((~finite).sum()), method)


def one_step(fit: BradleyTerryFit, clustered: Clustered, weights: NDArray[np.floating]) -> Floats:
    """One Newton step from the fit under each weighting of the clusters.

    weights: shape (replicates, clusters).
    """
    return _moved(fit, _movable(clustered), weights)


def resampled_weights(replicates: int, clusters: int, rng: np.random.Generator) -> Floats32:
    """How often each cluster was drawn, as many draws as clusters; (replicates, clusters)."""
    weights = np.empty((replicates, clusters), dtype=np.float32)
    for row in weights:
        row[:] = np.bincount(rng.integers(0, clusters, clusters), minlength=clusters)
    return weights


def poisson_weights(replicates: int, clusters: int, rng: np.random.Generator) -> Floats32:
    """The same with a number of draws that varies: Poisson counts of mean 1, by table.

    16 random bits choose a count; the table holds each count's chance to within 1 in 65,536.
    """
    bits = rng.integers(0, 2**16, (replicates, clusters), dtype=np.uint16)
    return _POISSON.take(bits).astype(np.float32)


def simultaneous_reach(
    contrasts: Contrasts,
    clustered: Clustered,
    fit: BradleyTerryFit,
    replicates: Replicates,
    confidence: float,
    rng: np.random.Generator,
) -> Floats:
    """Half-widths of intervals that hold all contrasts at once, shape (pairs,).

    The confidence quantile, over replicates, of the largest |replicate - estimate| / se, times
    each se. Each replicate is divided by a chi variable over its degrees of freedom, as in the
    multivariate t: the standard errors are themselves estimated from the clusters.
    NaN for contrasts without a standard error, and everywhere if the replicates are not usable.
    """
    usable = np.isfinite(contrasts.interval.se)
    reach = np.full(len(contrasts.i), np.nan)
    if not replicates.usable or not usable.any():
        return reach
    i, j = contrasts.i[usable], contrasts.j[usable]
    # The plain sandwich is the variance of the replicates; the correction belongs to the reach.
    with one_blas_thread():
        gram = clustered.influence.T @ clustered.influence
    plain = np.sqrt(gram[i, i] + gram[j, j] - 2 * gram[i, j])
    move = replicates.parameters - fit.parameters
    df = float(contrasts.interval.df[usable].min())
    scale = np.sqrt(rng.chisquare(df, size=len(move)) / df)
    rows = max(1, CHUNK_CELLS // len(i))
    largest = np.concatenate(
        [
            np.abs((part[:, i] - part[:, j]) / plain).max(axis=1)
            for part in (move[s : s + rows] for s in range(0, len(move), rows))
        ]
    )
    kept = ~np.isnan(largest)
    critical = np.quantile(largest[kept] / scale[kept], confidence)
    reach[usable] = critical * contrasts.interval.se[usable]
    return reach


def percentile_intervals(
    contrasts: Contrasts, replicates: Replicates, confidence: float
) -> tuple[Floats, Floats]:
    """Lower and upper percentiles of each contrast's replicates, shape (pairs,) each.

    NaN everywhere if more than `NONFINITE_LIMIT` of the replicates have no finite fit: leaving
    them out would cut the very tail that the interval is about.
    """
    low, high = np.full((2, len(contrasts.i)), np.nan)
    finite = np.isfinite(contrasts.difference)
    if replicates.usable and finite.any():
        kept = replicates.parameters[~np.isnan(replicates.parameters).any(axis=1)]
        moved = kept[:, contrasts.i[finite]] - kept[:, contrasts.j[finite]]
        tail = (1 - confidence) / 2
        low[finite], high[finite] = np.quantile(moved, [tail, 1 - tail], axis=0)
    return low, high


def _movable(clustered: Clustered) -> Floats32:
    """Influences, centred: under a prior they do not sum to 0, and how many clusters were drawn
    must not matter. Single precision, a millionth of a standard error, halves time and room.
    """
    apart = clustered.influence.astype(np.float32)
    apart -= clustered.influence.mean(axis=0).astype(np.float32)
    return apart


def _moved(fit: BradleyTerryFit, movable: Floats32, weights: NDArray[np.floating]) -> Floats:
    beyond = np.subtract(weights, np.float32(1.0), dtype=np.float32)
    moved: Floats = fit.parameters + beyond @ movable
    return moved


def _chunks(replicates: int, clusters: int) -> Iterator[slice]:
    # Chunks of even length, as a generator of 16-bit numbers draws them two by two.
    rows = max(2, CHUNK_CELLS // max(1, clusters) // 2 * 2)
    for start in range(0, replicates, rows):
        yield slice(start, min(start + rows, replicates))


def _poisson_table() -> NDArray[np.int8]:
    middle = (np.arange(2**16) + 0.5) / 2**16
    chance = np.exp(-1.0) / np.array([math.factorial(k) for k in range(13)], dtype=np.float64)
    return np.searchsorted(np.cumsum(chance), middle).astype(np.int8)


_POISSON = _poisson_table()
