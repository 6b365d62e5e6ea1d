"""Ranks that the data do not exclude, for all models at once.

Built from simultaneous intervals of differences: a model ranks behind those that are surely
stronger, and before those that are surely weaker; all others stay open. Overlapping intervals of
single models say nothing about a difference.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.bootstrap import Replicates
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.uncertainty import Contrasts

Floats = NDArray[np.float64]

EQUAL = 1e-9
"""Strengths closer than this, in logits, share a rank; it is the accuracy of a fit."""


@dataclass(frozen=True)
class RankSets:
    """Ranks, 1 the best; arrays of shape (models,).

    rank: of the point estimate, equal strengths sharing the better rank; NaN where strengths are
    not all finite and on one scale.
    low, high: best and worst rank not excluded; NaN where there are no simultaneous intervals.
    p_best: share of usable replicates in which the model is best, ties shared: a description of
    the replicates, not a probability of the model.
    """

    rank: Floats
    low: Floats
    high: Floats
    p_best: Floats


def rank_sets(
    fit: BradleyTerryFit, contrasts: Contrasts, reach: Floats, replicates: Replicates | None
) -> RankSets:
    """Rank sets from the half-widths of simultaneous intervals, shape (pairs,).

    Models whose difference is not finite exclude no rank of each other, so that a set holds
    jointly even where the judgments fall apart.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic Studies 91(1), section 3.
    """
    n = len(fit.models)
    one_scale = np.isfinite(fit.theta).all() and len(np.unique(fit.group)) == 1
    better, worse = np.zeros(n), np.zeros(n)
    with np.errstate(invalid="ignore"):
        i_leads, j_leads = contrasts.difference > reach, contrasts.difference < -reach
    for leads, winner, loser in (
        (i_leads, contrasts.i, contrasts.j),
        (j_leads, contrasts.j, contrasts.i),
    ):
        better += np.bincount(loser[leads], minlength=n)
        worse += np.bincount(winner[leads], minlength=n)
    known = np.isfinite(reach).any()
    nothing = np.full(n, np.nan)
    return RankSets(
        rank=point_ranks(fit.theta) if one_scale else nothing,
        low=1.0 + better if known else nothing,
        high=n - worse if known else nothing,
        p_best=_share_best(replicates, n) if one_scale and replicates is not None else nothing,
    )


def point_ranks(theta: Floats) -> Floats:
    """1 + how many are stronger, shape (models,)."""
    ranks: Floats = 1.0 + (theta[None, :] - theta[:, None] > EQUAL).sum(axis=1)
    return ranks


def _share_best(replicates: Replicates, n: int) -> Floats:
    if not replicates.usable:
        return np.full(n, np.nan)
    strength = replicates.parameters[:, :n]
    strength = strength[~np.isnan(strength).any(axis=1)]
    best = strength >= strength.max(axis=1, keepdims=True) - EQUAL
    share: Floats = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return share
