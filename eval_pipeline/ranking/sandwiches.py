"""Other covariances of a fit, to hold the clustered one against.

By battle, as leaderboards of judges often print it: too small where battles share prompts. By
prompt and judge, where several judge the same prompts. By leaving clusters out one at a time,
which is the careful choice where clusters are few.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.recount import Recount
from eval_pipeline.ranking.uncertainty import Clustered, cluster_covariance, residuals
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]


def battle_covariance(fit: BradleyTerryFit, battles: Battles) -> Floats:
    """The sandwich if every battle were independent (HC0), shape (p, p)."""
    n, p = len(fit.models), len(fit.parameters)
    square = residuals(fit, battles) ** 2
    cells = np.bincount(battles.first * n + battles.second, square, n * n).reshape(n, n)
    both = cells + cells.T
    meat = np.zeros((p, p))
    meat[:n, :n] = np.diag(both.sum(axis=1)) - both
    if p > n:
        own = square * battles.seated
        cross = np.bincount(battles.first, own, n) - np.bincount(battles.second, own, n)
        meat[:n, n] = meat[n, :n] = cross
        meat[n, n] = own.sum()
    with one_blas_thread():
        half = cho_solve(cho_factor(fit.information), meat)
        covariance: Floats = cho_solve(cho_factor(fit.information), half.T)
    return covariance


def two_way_covariance(fit: BradleyTerryFit, battles: Battles) -> Clustered:
    """By prompt and by judge at once: V_prompt + V_judge - V_prompt-and-judge.

    Clusters are the fewer of the two, and so are degrees of freedom. A variance may come out
    negative, where neither way of clustering matters; there is then no interval.
    Raises ValueError where the battles do not tell their judges.
    Source: Cameron, Gelbach and Miller 2011, J. Business & Economic Statistics 29(2), equation 2.3.
    """
    if battles.judge is None:
        raise ValueError("the battles do not tell who judged: give encode_battles a judge column")
    by_judge = replace(battles, cluster=battles.judge, n_clusters=battles.n_judges)
    cells, cell = np.unique(battles.cluster * battles.n_judges + battles.judge, return_inverse=True)
    by_both = replace(battles, cluster=cell.astype(np.int64), n_clusters=len(cells))
    one, two, both = (cluster_covariance(fit, b) for b in (battles, by_judge, by_both))
    return Clustered(
        influence=one.influence,
        covariance=one.covariance + two.covariance - both.covariance,
        n_clusters=np.minimum(one.n_clusters, two.n_clusters),
    )


def jackknife_covariance(fit: BradleyTerryFit, battles: Battles) -> Floats:
    """Refits without each cluster in turn (CR3), shape (p, p): (Q - 1) / Q sum (move)(move)'.

    NaN where some cluster alone holds the fit together, or there is only one.
    Source: MacKinnon, Nielsen and Webb 2023, J. Applied Econometrics 38(5), equation 11.
    """
    q, p = battles.n_clusters, len(fit.parameters)
    if q < 2:
        return np.full((p, p), np.nan)
    recount, weights = Recount(fit, battles), 1.0 - np.eye(q)
    with one_blas_thread():
        start = np.tile(fit.parameters, (q, 1))
        left_out = recount.refitted(start, weights, recount.finite(weights))
    moves = left_out - fit.parameters
    covariance: Floats = (q - 1) / q * moves.T @ moves
    return covariance
