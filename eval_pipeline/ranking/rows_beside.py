"""Columns that stand beside a leaderboard: errors by prompt and judge, strengths at equal style."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.covariates import CovariateFit, fit_with_covariates
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.sandwiches import two_way_covariance
from eval_pipeline.ranking.uncertainty import LEAST_ERROR, counted
from eval_pipeline.statistics.clustered import FEW_CLUSTERS

Floats = NDArray[np.float64]
Row = Mapping[str, object]


@dataclass(frozen=True)
class RowsBeside:
    """Further columns: of each model, of each pair of models (i before j), and of the fit."""

    ratings: list[Row]
    contrasts: list[Row]
    diagnostics: Row


def rows_beside(fit: BradleyTerryFit, battles: Battles, judged: Battles | None) -> RowsBeside:
    """judged: the same battles told apart by who judged; None where one judge did.

    Columns of what was not asked for are left out, and are null in the table.
    """
    n = len(fit.models)
    i, j = np.triu_indices(n, k=1)
    ratings: list[dict[str, object]] = [{} for _ in range(n)]
    contrasts: list[dict[str, object]] = [{} for _ in i]
    diagnostics: dict[str, object] = {}
    if judged is not None:
        v = two_way_covariance(fit, judged).covariance
        between = np.where(fit.same_group[i, j], v[i, i] + v[j, j] - 2 * v[i, j], np.nan)
        own = np.where(np.isnan(fit.theta), np.nan, np.diag(v)[:n])
        for rows, variance in ((ratings, own), (contrasts, between)):
            for row, se in zip(rows, _root(variance), strict=True):
                row["se_two_way"] = se
        diagnostics["n_judges"] = judged.n_judges
    if battles.covariates and all(np.isnan(v).all() for v in battles.covariates.values()):
        diagnostics["covariates_notes"] = "no pair has them: the replies are not known"
    elif battles.covariates:
        beside, notes = at_equal_covariates(
            battles, order_effect=fit.has_order_effect, prior_sd=fit.prior_sd
        )
        v = beside.covariance if beside.n_clusters >= FEW_CLUSTERS else beside.covariance * np.nan
        for row, theta, se in zip(ratings, beside.theta, _root(np.diag(v)[:n]), strict=True):
            row |= {"theta_covariates": theta, "se_covariates": se}
        diagnostics |= {
            "covariates": _named(beside, beside.coefficients),
            "covariates_se": _named(beside, _root(np.diag(v)[n:])),
            "covariates_scale": _named(beside, beside.scales),
            "covariates_notes": "; ".join(notes) or None,
        }
    return RowsBeside(list(ratings), list(contrasts), diagnostics)


def at_equal_covariates(
    battles: Battles, *, order_effect: bool, prior_sd: float | None
) -> tuple[CovariateFit, tuple[str, ...]]:
    """The fit beside the battles' own covariates, and what a reader of it must know.

    Rows without one of them are left out and counted; a covariate that does not vary says nothing,
    and is left out as well.
    Raises ValueError where no row is left.
    """
    known = np.ones(len(battles.score), dtype=bool)
    for values in battles.covariates.values():
        known &= np.isfinite(values)
    varying = {
        name: values[known]
        for name, values in battles.covariates.items()
        if known.any() and np.ptp(values[known]) > 0
    }
    clusters, cluster = np.unique(battles.cluster[known], return_inverse=True)
    kept = replace(
        battles,
        first=battles.first[known],
        second=battles.second[known],
        score=battles.score[known],
        weight=battles.weight[known],
        seated=battles.seated[known],
        cluster=cluster.astype(np.int64),
        n_clusters=len(clusters),
        cluster_names=tuple(battles.cluster_name(int(k)) for k in clusters),
        judge=None,
        n_judges=0,
        covariates=varying,
    )
    fit = fit_with_covariates(kept, varying, order_effect=order_effect, prior_sd=prior_sd)
    notes = [f"{name} does not vary" for name in battles.covariates if name not in varying]
    if lacking := int((~known).sum()):
        notes.append(f"{lacking} of {len(known)} rows lack a covariate and are left out")
    if fit.reason is not None:
        notes.append(fit.reason)
    elif fit.n_clusters < FEW_CLUSTERS:
        notes.append(f"no errors: {counted(fit.n_clusters)}, {FEW_CLUSTERS} needed")
    return fit, tuple(notes)


def _named(found: CovariateFit, values: Floats) -> dict[str, float | None]:
    return {
        name: None if np.isnan(value) else float(value)
        for name, value in zip(found.names, values, strict=True)
    }


def _root(variance: Floats) -> Floats:
    """NaN where the clusters do not differ, or where a two-way variance comes out negative."""
    root: Floats = np.sqrt(np.where(variance > LEAST_ERROR**2, variance, np.nan))
    return root
