"""Strengths beside what else a battle shows, such as length: logit = theta_i - theta_j + beta f.

f is the difference of a feature between first and second, over its standard deviation and never
centred: at f = 0 the two replies are alike, so strengths are read at equal style. Centred
features would be read at the average gap between models, which is another question.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, log_expit

from eval_pipeline.ranking.bradley_terry import prior_precision
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.identify import connectivity
from eval_pipeline.ranking.newton import maximise
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FARTHEST = 25.0
"""Logits; a fit with a steeper battle is running away."""


@dataclass(frozen=True)
class CovariateFit:
    """Strengths at equal covariates; everything NaN, and `reason` given, without a finite fit.

    theta: logits, mean 0, shape (n,). coefficients: logits per standard deviation of each
    covariate, in the order of `names`; the order effect, where asked for, is the last one,
    `shown_first`. covariance: CR1 over clusters, of theta and then the coefficients; NaN for one
    cluster. scales: what each covariate was divided by.
    """

    models: tuple[str, ...]
    names: tuple[str, ...]
    theta: Floats
    coefficients: Floats
    covariance: Floats
    scales: Floats
    n_clusters: int
    converged: bool
    reason: str | None


SHOWN_FIRST = "shown_first"


def fit_with_covariates(
    battles: Battles,
    covariates: Mapping[str, ArrayLike],
    *,
    order_effect: bool = False,
    prior_sd: float | None = None,
) -> CovariateFit:
    """Maximum likelihood of strengths and covariates, or the mode under a declared prior.

    covariates: of each row of `battles` (in its order), the value of first minus second.
    prior_sd: as in `fit_bradley_terry`; it holds strengths only.
    Raises ValueError where there is no battle, a covariate has not one finite value a battle, or
    does not vary.
    """
    rows, n = len(battles.score), len(battles.models)
    if not rows:
        raise ValueError("there is no battle between any two models: nothing to fit")
    names, columns, scales = [], [], []
    for name, given in sorted(covariates.items()):
        values = np.asarray(given, dtype=np.float64)
        if values.shape != (rows,):
            raise ValueError(f"covariate {name!r} has shape {values.shape}, not {(rows,)}")
        if (bad := np.flatnonzero(~np.isfinite(values))).size:
            raise ValueError(
                f"covariate {name!r} of battle {bad[0]} is {values[bad[0]]} ({bad.size} such)"
            )
        scale = float(np.std(values, ddof=1)) if rows > 1 else 0.0
        if not scale > 0:
            raise ValueError(f"covariate {name!r} does not vary: leave it out")
        names.append(name)
        columns.append(values / scale)
        scales.append(scale)
    if order_effect:
        names.append(SHOWN_FIRST)
        columns.append(battles.seated.astype(np.float64))
        scales.append(1.0)
    features = np.column_stack(columns) if columns else np.zeros((rows, 0))
    whole = connectivity(pair_counts(battles))
    nothing = _without_fit(battles, names, np.array(scales))
    if whole.n_weak > 1 or (prior_sd is None and whole.n_strong > 1):
        return nothing("no finite strengths: some model took everything, or never met the others")
    objective = _Rows(battles, features, prior_sd)
    if np.linalg.matrix_rank(objective.matrix()) < n - 1 + len(names):
        return nothing("the covariates cannot be told apart from the strengths or each other")
    with one_blas_thread():
        optimum = maximise(objective, np.zeros(n + len(names)))
        if not optimum.converged or np.abs(objective.logits(optimum.point)).max() > FARTHEST:
            return nothing("no finite fit: strengths and covariates explain every outcome")
        influence = objective.influence(optimum.point, optimum.information)
    q = battles.n_clusters
    spread = influence - influence.mean(axis=0)
    covariance = spread.T @ spread * (q / (q - 1) if q > 1 else np.nan)
    return CovariateFit(
        models=battles.models,
        names=tuple(names),
        theta=optimum.point[:n] - optimum.point[:n].mean(),
        coefficients=optimum.point[n:],
        covariance=covariance,
        scales=np.array(scales),
        n_clusters=q,
        converged=True,
        reason=None,
    )


class _Rows:
    """The likelihood of single battles; parameters: n strengths, then the coefficients."""

    def __init__(self, battles: Battles, features: Floats, prior_sd: float | None) -> None:
        self._battles, self._features = battles, features
        self._n = n = len(battles.models)
        self._prior = prior_precision(np.zeros(n, dtype=np.int64), prior_sd)

    def logits(self, point: Floats) -> Floats:
        theta = point[: self._n]
        gap: Floats = theta[self._battles.first] - theta[self._battles.second]
        return gap + self._features @ point[self._n :]

    def __call__(self, point: Floats) -> tuple[float, Floats, Floats]:
        b, n, f = self._battles, self._n, self._features
        eta = self.logits(point)
        chance = expit(eta)
        value = b.weight @ (b.score * log_expit(eta) + (1 - b.score) * log_expit(-eta))
        residual = b.weight * (b.score - chance)
        curve = b.weight * chance * (1 - chance)
        gradient = np.concatenate([self._summed(residual), f.T @ residual])
        information = np.zeros((len(point), len(point)))
        cells = np.bincount(b.first * n + b.second, curve, n * n).reshape(n, n)
        both = cells + cells.T
        information[:n, :n] = np.diag(both.sum(axis=1)) - both + 1.0  # 1.0 fixes the mean
        cross = np.array([self._summed(curve * column) for column in f.T]).reshape(-1, n).T
        information[:n, n:], information[n:, :n] = cross, cross.T
        information[n:, n:] = f.T @ (curve[:, None] * f)
        pull = self._prior @ point[:n]
        gradient[:n] -= pull
        information[:n, :n] += self._prior
        return float(value) - float(point[:n] @ pull) / 2, gradient, information

    def influence(self, point: Floats, information: Floats) -> Floats:
        """How far each cluster moves each parameter, shape (clusters, parameters)."""
        b, n = self._battles, self._n
        residual = b.weight * (b.score - expit(self.logits(point)))
        scores = np.zeros((b.n_clusters, len(point)))
        np.add.at(scores, (b.cluster, b.first), residual)
        np.add.at(scores, (b.cluster, b.second), -residual)
        for k, column in enumerate(self._features.T):
            scores[:, n + k] = np.bincount(b.cluster, residual * column, b.n_clusters)
        moved: Floats = cho_solve(cho_factor(information), scores.T).T
        return moved

    def matrix(self) -> Floats:
        """The information where every battle is even: its rank tells what can be told apart."""
        return self(np.zeros(self._n + self._features.shape[1]))[2] - self._gauge()

    def _gauge(self) -> Floats:
        gauge = np.zeros((self._n + self._features.shape[1],) * 2)
        gauge[: self._n, : self._n] = 1.0 + self._prior
        return gauge

    def _summed(self, values: Floats) -> Floats:
        b, n = self._battles, self._n
        up, down = np.bincount(b.first, values, n), np.bincount(b.second, values, n)
        return np.asarray(up - down, dtype=np.float64)


def _without_fit(
    battles: Battles, names: list[str], scales: Floats
) -> Callable[[str], CovariateFit]:
    n, k = len(battles.models), len(names)

    def fit(reason: str) -> CovariateFit:
        return CovariateFit(
            models=battles.models,
            names=tuple(names),
            theta=np.full(n, np.nan),
            coefficients=np.full(k, np.nan),
            covariance=np.full((n + k, n + k), np.nan),
            scales=scales,
            n_clusters=battles.n_clusters,
            converged=False,
            reason=reason,
        )

    return fit
