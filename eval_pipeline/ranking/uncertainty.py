"""How sure the strengths are, when judgments on one prompt move together.

CR1: the sandwich H^-1 G'G H^-1 of cluster scores, times Q / (Q - 1), with t(Q - 1); Q counts the
clusters that a model takes part in, and a difference has the fewer of its two. Below
`FEW_CLUSTERS` there is no interval, and `reason` says so.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit
from scipy.stats import t as student

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.counts import cluster_scores
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

METHOD = "cr1_t"
LEAST_ERROR = 1e-9
"""Standard errors below this, in logits, are rounding: the clusters do not differ at all."""


@dataclass(frozen=True)
class Clustered:
    """The clustered covariance of a fit.

    influence: how far each cluster moves each parameter, G H^-1, shape (clusters, parameters);
    also the one-step jackknife.
    covariance: CR1, of the group-centred strengths and the order effect, shape (p, p); NaN
    where a single cluster takes part. Entries between groups mean nothing.
    n_clusters: clusters that take part in each parameter, shape (p,).
    """

    influence: Floats
    covariance: Floats
    n_clusters: Ints


@dataclass(frozen=True)
class Intervals:
    """Estimates with clustered intervals, all arrays of one shape; NaN where undefined.

    method: how each interval was made; None where there is none, and then `reason` says why.
    """

    value: Floats
    se: Floats
    low: Floats
    high: Floats
    p_value: Floats
    df: Floats
    method: tuple[str | None, ...]
    reason: tuple[str | None, ...]


@dataclass(frozen=True)
class Contrasts:
    """Differences of strength of all pairs of models, i before j; arrays of shape (pairs,).

    difference: strength of i minus that of j, logits; NaN where it is not finite.
    n_clusters: clusters that it rests on: the fewer of the two models'.
    """

    i: Ints
    j: Ints
    interval: Intervals
    n_clusters: Ints

    @property
    def difference(self) -> Floats:
        return self.interval.value


def model_covariance(fit: BradleyTerryFit) -> Floats:
    """Covariance of the group-centred parameters if battles were independent, shape (p, p).

    The inverse information; too small where battles share prompts, so only for comparison. NaN
    between groups and for a model alone in its group, whose strength is not finite; what a
    difference needs is then NaN too.
    """
    with one_blas_thread():
        inverse = cho_solve(cho_factor(fit.information), np.eye(len(fit.information)))
    covariance = _without_gauge(fit, inverse)
    alone = np.isnan(fit.strength)
    n = len(fit.models)
    covariance[:n, :n][~fit.same_group] = np.nan
    covariance[:n][alone] = np.nan
    covariance[:, :n][:, alone] = np.nan
    return covariance


def cluster_covariance(fit: BradleyTerryFit, battles: Battles) -> Clustered:
    """Covariance when whole clusters are the units; see `Clustered`.

    Source: Cameron and Miller 2015, Journal of Human Resources 50(2), equations 11 and 12.
    """
    within = fit.same_group[battles.first, battles.second]
    scores = cluster_scores(battles, residuals(fit, battles) * within, len(fit.parameters))
    taking_part = _taking_part(fit, battles, within)
    with one_blas_thread():
        # In place: the scores are as large as all battles together.
        influence = cho_solve(cho_factor(fit.information), scores.T, overwrite_b=True).T
        total = influence.sum(axis=0) / np.sqrt(np.maximum(taking_part, 1))
        # Under a prior the scores do not sum to zero; it is their spread that counts.
        meat = influence.T @ influence - np.outer(total, total)
    with np.errstate(divide="ignore", invalid="ignore"):
        correction = np.sqrt(np.where(taking_part > 1, taking_part / (taking_part - 1.0), np.nan))
    return Clustered(influence, meat * np.outer(correction, correction), taking_part)


def strength_intervals(fit: BradleyTerryFit, clustered: Clustered, confidence: float) -> Intervals:
    """Strengths (mean 0 in their component) with their intervals, shape (models,)."""
    n = len(fit.models)
    variance = np.diag(clustered.covariance)[:n]
    return _intervals(fit.theta, variance, clustered.n_clusters[:n], confidence)


def order_effect_interval(
    fit: BradleyTerryFit, clustered: Clustered, confidence: float
) -> Intervals:
    """The order effect with its interval, shape (1,); all NaN where it was not fitted."""
    value = np.array([fit.order_effect])
    if not fit.has_order_effect:
        return _intervals(value, np.array([np.nan]), np.array([0]), confidence)
    return _intervals(value, clustered.covariance[-1:, -1], clustered.n_clusters[-1:], confidence)


def all_contrasts(fit: BradleyTerryFit, clustered: Clustered, confidence: float) -> Contrasts:
    """Every difference of two models, with its own (not simultaneous) interval."""
    i, j = np.triu_indices(len(fit.models), k=1)
    difference = np.where(fit.same_group[i, j], fit.strength[i] - fit.strength[j], np.nan)
    v = clustered.covariance
    variance = v[i, i] + v[j, j] - 2 * v[i, j]
    fewer = np.minimum(clustered.n_clusters[i], clustered.n_clusters[j])
    return Contrasts(
        i.astype(np.int64),
        j.astype(np.int64),
        _intervals(difference, variance, fewer, confidence),
        fewer,
    )


def residuals(fit: BradleyTerryFit, battles: Battles) -> Floats:
    """Weight times (score minus fitted chance) of each battle, shape (rows,)."""
    theta = np.nan_to_num(fit.strength)
    gap = theta[:, None] - theta
    residual: Floats = battles.score - expit(gap)[battles.first, battles.second]
    if fit.has_order_effect:
        rows = np.flatnonzero(battles.seated)
        seated = expit(gap + fit.order_effect)
        residual[rows] = battles.score[rows] - seated[battles.first[rows], battles.second[rows]]
    residual *= battles.weight
    return residual


def _taking_part(fit: BradleyTerryFit, battles: Battles, within: Bools) -> Ints:
    """Clusters with a battle of each model (or, for the order effect, with a seated battle)."""
    columns = len(fit.parameters)
    n = len(fit.models)
    seen = np.zeros((battles.n_clusters, columns), dtype=bool)
    seen[battles.cluster[within], battles.first[within]] = True
    seen[battles.cluster[within], battles.second[within]] = True
    if columns > n:
        seen[battles.cluster[within & battles.seated], n] = True
    taking_part: Ints = seen.sum(axis=0, dtype=np.int64)
    return taking_part


def _without_gauge(fit: BradleyTerryFit, inverse: Floats) -> Floats:
    """Takes 11'/g^2 out of each group's block: what the gauge term left in the inverse."""
    n = len(fit.models)
    size = np.bincount(fit.group)[fit.group].astype(np.float64)
    covariance = inverse.copy()
    covariance[:n, :n] -= fit.same_group / np.outer(size, size)
    return covariance


def _intervals(value: Floats, variance: Floats, n_clusters: Ints, confidence: float) -> Intervals:
    few = n_clusters < FEW_CLUSTERS
    se = np.sqrt(np.where(few | np.isnan(value), np.nan, np.maximum(variance, 0.0)))
    se = np.where(se < LEAST_ERROR, np.nan, se)
    df = np.where(np.isnan(se), np.nan, n_clusters - 1.0)
    reach = student.ppf(0.5 + confidence / 2, df) * se
    reasons = [
        None if np.isnan(v) or np.isfinite(s) else _no_interval(int(q))
        for v, s, q in zip(value, se, n_clusters, strict=True)
    ]
    return Intervals(
        value=value,
        se=se,
        low=value - reach,
        high=value + reach,
        p_value=np.asarray(2 * student.sf(np.abs(value) / se, df)),
        df=df,
        method=tuple(METHOD if np.isfinite(s) else None for s in se),
        reason=tuple(reasons),
    )


def _no_interval(n_clusters: int) -> str:
    if n_clusters < FEW_CLUSTERS:
        return f"no interval: {counted(n_clusters)}, {FEW_CLUSTERS} needed"
    return "no interval: the clusters do not differ"


def counted(n_clusters: int) -> str:
    """`1 cluster`, `2 clusters`."""
    return f"{n_clusters} cluster" if n_clusters == 1 else f"{n_clusters} clusters"
