"""Replicates of a fit under resampled clusters, and what may be read from them.

Clusters are drawn with replacement, as many as there are. One step of Newton moves all
replicates at once; the exact form refits each, sharing one Cholesky factor (chord method).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from eval_pipeline.ranking.bradley_terry import (
    BradleyTerryFit,
    Likelihood,
    centred,
    prior_precision,
)
from eval_pipeline.ranking.counts import SEATS, PairCounts
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.identify import order_effect_is_identified
from eval_pipeline.ranking.newton import maximise
from eval_pipeline.ranking.uncertainty import Clustered, Contrasts
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NONFINITE_LIMIT = 0.01
"""Share of replicates without a finite fit above which no interval is read from them."""
EXACT_BELOW_CLUSTERS = 50
"""With fewer clusters one step is not close enough, and each replicate is refitted."""
CHORD_TOLERANCE = 1e-9
CHORD_LIMIT = 60
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
    `EXACT_BELOW_CLUSTERS`. Each replicate is checked for a finite fit either way.
    Memory: replicates x (clusters + models) floats, and `CHUNK_CELLS` cells.
    """
    q = battles.n_clusters
    refit = q < EXACT_BELOW_CLUSTERS if exact is None else exact
    weights = rng.multinomial(q, np.full(q, 1.0 / q), size=replicates).astype(np.float64)
    cells = _Cells(fit, battles)
    with one_blas_thread():
        parameters = fit.parameters + (weights - 1.0) @ clustered.influence
        finite = np.array([cells.has_finite_fit(w) for w in weights], dtype=bool)
        if refit:
            parameters = cells.refitted(parameters, weights, finite)
            finite = np.isfinite(parameters.sum(axis=1))
    method = "exact" if refit else "one_step"
    return Replicates(parameters, int((~finite).sum()), method)


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
    spread = clustered.influence[:, i] - clustered.influence[:, j]
    plain = np.sqrt((spread**2).sum(axis=0))
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


class _Cells:
    """The battles within groups as cells (seat, winner, loser), each a mixture of clusters."""

    def __init__(self, fit: BradleyTerryFit, battles: Battles) -> None:
        self.fit = fit
        self.n = n = len(fit.models)
        first, second, seated = battles.first, battles.second, battles.seated
        won = battles.weight * battles.score
        up, down = np.where(seated, 1, 0), np.where(seated, 2, 0)
        key = np.concatenate([(up * n + first) * n + second, (down * n + second) * n + first])
        amount = np.concatenate([won, battles.weight - won])
        cluster = np.tile(battles.cluster, 2)
        held = np.tile(fit.same_group[first, second], 2) & (amount > 0)
        self.keys, cell = np.unique(key[held], return_inverse=True)
        shape = (len(self.keys), battles.n_clusters)
        self.mixture = csr_array((amount[held], (cell, cluster[held])), shape=shape)
        self.seat = np.array(SEATS)[self.keys // (n * n)]
        self.winner, self.loser = self.keys // n % n, self.keys % n
        self.known: dict[bytes, bool] = {}

    def has_finite_fit(self, weights: Floats) -> bool:
        """Whether every group still hangs together, and the order effect too."""
        present = self.mixture @ weights > 0
        if present.all():
            return True
        pattern = np.packbits(present).tobytes()
        if pattern not in self.known:
            self.known[pattern] = self._hangs_together(present)
        return self.known[pattern]

    def refitted(self, start: Floats, weights: Floats, finite: Bools) -> Floats:
        """Exact parameters of each replicate, shape (replicates, p); NaN where not finite."""
        result = np.full_like(start, np.nan)
        rows = max(1, CHUNK_CELLS // max(1, len(self.keys)))
        wanted = np.flatnonzero(finite)
        for s in range(0, len(wanted), rows):
            part = wanted[s : s + rows]
            wins = np.asarray(self.mixture @ weights[part].T)  # cells x replicates
            found = self._chord(start[part], wins)
            for k in np.flatnonzero(np.isnan(found).any(axis=1)):
                found[k] = self._newton(wins[:, k])
            result[part] = found
        return result

    def _hangs_together(self, present: Bools) -> bool:
        edges = np.zeros((self.n, self.n), dtype=bool)
        edges[self.winner[present], self.loser[present]] = True
        if self.fit.prior_sd is None:
            count, _ = connected_components(csr_array(edges), directed=True, connection="strong")
            if count > len(np.unique(self.fit.group)):
                return False
        if not self.fit.has_order_effect:
            return True
        counts = PairCounts(self.fit.models, self._table(present.astype(np.float64)), edges)
        prior = self.fit.prior_sd is not None
        return order_effect_is_identified(counts, self.fit.group, prior=prior)

    def _table(self, amounts: Floats) -> Floats:
        wins = np.zeros((3, self.n, self.n))
        wins.reshape(-1)[self.keys] = amounts
        return wins

    def _chord(self, start: Floats, wins: Floats) -> Floats:
        """Newton steps with the full data's curvature, for all replicates; NaN where too far."""
        fit, n = self.fit, self.n
        factor = cho_factor(fit.information)
        cells = np.arange(len(self.keys))
        into = csr_array(
            (
                np.tile([1.0, -1.0], len(cells)),
                (np.stack([self.winner, self.loser], axis=1).ravel(), np.repeat(cells, 2)),
            ),
            shape=(n, len(cells)),
        )
        prior = prior_precision(fit.group, fit.prior_sd)
        point = start.T.copy()
        for _ in range(CHORD_LIMIT):
            logits = point[self.winner] - point[self.loser]
            if fit.has_order_effect:
                logits = logits + self.seat[:, None] * point[n]
            slope = wins * expit(-logits)
            gradient = into @ slope - prior @ point[:n]
            if fit.has_order_effect:
                gradient = np.vstack([gradient, self.seat @ slope])
            step = cho_solve(factor, gradient)
            point += step
            size = np.abs(step).max(axis=0)
            if (size <= CHORD_TOLERANCE).all():
                break
        point[:, ~(size <= CHORD_TOLERANCE)] = np.nan
        return point.T

    def _newton(self, wins: Floats) -> Floats:
        fit = self.fit
        likelihood = Likelihood(
            self._table(wins), fit.group, order_effect=fit.has_order_effect, prior_sd=fit.prior_sd
        )
        optimum = maximise(likelihood, np.zeros(likelihood.n_parameters))
        if not optimum.converged:
            return np.full(likelihood.n_parameters, np.nan)
        optimum.point[: self.n] = centred(optimum.point[: self.n], fit.group)
        return optimum.point
