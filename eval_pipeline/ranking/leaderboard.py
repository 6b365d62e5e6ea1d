"""All that is said of one judge's pairs: strengths, differences, ranks, and how they fit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.bootstrap import (
    EXACT_BELOW_CLUSTERS,
    Replicates,
    cluster_replicates,
    simultaneous_reach,
)
from eval_pipeline.ranking.bounds import one_sided_bound
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.diagnostics import Misfit, cyclic_share, deviance, pearson
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.few_clusters import direct_tests
from eval_pipeline.ranking.rank_sets import RankSets, rank_sets
from eval_pipeline.ranking.sandwiches import battle_covariance, jackknife_covariance
from eval_pipeline.ranking.uncertainty import (
    Clustered,
    Contrasts,
    Intervals,
    all_contrasts,
    cluster_covariance,
    order_effect_interval,
    strength_intervals,
)
from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.multiplicity import adjusted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Leaderboard:
    """A fit with everything that is read from it.

    bounds: one-sided bounds of strength, shape (models,), NaN for models with a finite strength.
    se_battle: errors of strengths if every battle were independent, for comparison; shape
    (models,). se_jackknife: by leaving clusters out one at a time, NaN from
    `EXACT_BELOW_CLUSTERS` clusters on.
    largest: of each model, the cluster that moves its strength most, and its share of the variance.
    p_value, p_holm: of each contrast, shape (pairs,); exact where clusters are too few for an
    error, and then exact_clusters says on how many the test rests (else 0).
    reach: half-widths of simultaneous intervals, shape (pairs,), NaN without.
    replicates: None where there are too few clusters for any interval.
    """

    fit: BradleyTerryFit
    strengths: Intervals
    se_battle: Floats
    se_jackknife: Floats
    largest: tuple[tuple[str | None, float], ...]
    bounds: Floats
    order_effect: Intervals
    contrasts: Contrasts
    p_value: Floats
    p_holm: Floats
    exact_clusters: Ints
    reach: Floats
    replicates: Replicates | None
    ranks: RankSets
    misfit: Misfit
    pearson: Misfit
    cyclic_share: float
    confidence: float


def leaderboard(
    battles: Battles,
    *,
    order_effect: bool,
    prior_sd: float | None,
    confidence: float,
    replicates: int,
    rng: np.random.Generator,
    pairs: Battles | None = None,
) -> Leaderboard:
    """The whole analysis of one set of battles.

    Measured on one core: a million battles on a prompt each between 59 models take 20 s and 1.0 GB;
    by its arrays' shapes memory is about 12 bytes a cluster and model, and 150 a pair of models,
    met or not. For thousands of models take the fit and `strength_intervals` alone.

    pairs: the same as whole pairs without seats, for exact tests; the battles where they are so.
    Raises ValueError where there is no battle, ArithmeticError where Newton's method ends
    without a maximum although one exists.
    """
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts, order_effect=order_effect, prior_sd=prior_sd)
    if not fit.converged:
        raise ArithmeticError(
            f"the fit did not converge in {fit.iterations} steps (largest slope "
            f"{fit.gradient_max:.3g}): declare a prior (ranking.prior_sd) in a new version"
        )
    clustered = cluster_covariance(fit, battles)
    contrasts = all_contrasts(fit, clustered, confidence)
    drawn: Replicates | None = None
    reach = np.full(len(contrasts.i), np.nan)
    if np.isfinite(contrasts.interval.se).any():
        drawn = cluster_replicates(fit, battles, clustered, replicates, rng)
        reach = simultaneous_reach(contrasts, clustered, fit, drawn, confidence, rng)
    p_value, exact_clusters = _p_values(contrasts, battles if pairs is None else pairs)
    strengths = strength_intervals(fit, clustered, confidence)
    n = len(fit.models)
    alone = np.full(n, np.nan)
    if battles.n_clusters < EXACT_BELOW_CLUSTERS:
        alone = np.sqrt(np.diag(jackknife_covariance(fit, battles))[:n])
    by_battle = np.sqrt(np.diag(battle_covariance(fit, battles))[:n])
    known = np.isfinite(strengths.se)
    bounds = [
        one_sided_bound(fit, counts, battles, model, confidence)
        if standing in ("undefeated", "winless")
        else np.nan
        for model, standing in enumerate(fit.standing)
    ]
    return Leaderboard(
        fit=fit,
        strengths=strengths,
        se_battle=np.where(known, by_battle, np.nan),
        se_jackknife=np.where(known, alone, np.nan),
        largest=_largest(battles, clustered, n),
        bounds=np.array(bounds, dtype=np.float64),
        order_effect=order_effect_interval(fit, clustered, confidence),
        contrasts=contrasts,
        p_value=p_value,
        p_holm=adjusted(p_value, "holm"),
        exact_clusters=exact_clusters,
        reach=reach,
        replicates=drawn,
        ranks=rank_sets(fit, contrasts, reach, drawn),
        misfit=deviance(fit, counts),
        pearson=pearson(fit, counts),
        cyclic_share=cyclic_share(counts.total),
        confidence=confidence,
    )


def _p_values(contrasts: Contrasts, pairs: Battles) -> tuple[Floats, Ints]:
    """By the error; exact where clusters are too few for one, and no seat tilts the pairs."""
    p_value = contrasts.interval.p_value.copy()
    clusters = np.zeros(len(p_value), dtype=np.int64)
    few = np.flatnonzero(np.isfinite(contrasts.difference) & (contrasts.n_clusters < FEW_CLUSTERS))
    if len(few) and not pairs.seated.any():
        p_value[few], clusters[few] = direct_tests(pairs, contrasts.i[few], contrasts.j[few])
    return p_value, clusters


def _largest(
    battles: Battles, clustered: Clustered, n: int
) -> tuple[tuple[str | None, float], ...]:
    columns = clustered.influence[:, :n].T
    most = [int(np.abs(column).argmax()) for column in columns]  # one at a time: less memory
    whole = [float((column**2).sum()) for column in columns]
    return tuple(
        (battles.cluster_name(k), float(columns[model, k]) ** 2 / whole[model])
        if whole[model] > 0
        else (None, np.nan)
        for model, k in enumerate(most)
    )
