"""How strong a model is at least, when it never lost; how weak at most, when it never won."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, log_expit
from scipy.stats import norm

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, Likelihood
from eval_pipeline.ranking.counts import PairCounts
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.newton import Optimum, maximise
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FARTHEST = 60.0
"""Logits beyond which a profile is flat in floating point."""


def one_sided_bound(
    fit: BradleyTerryFit, counts: PairCounts, battles: Battles, model: int, confidence: float
) -> float:
    """Lower bound of the strength of an undefeated model, or upper bound of a winless one.

    Where the profile likelihood, with all other strengths free, is lower than at infinity by half
    the chi-square quantile of a one-sided test. The scale has mean 0 over the models of its
    component with a finite strength; NaN where there are none. Battles of the model in one
    cluster count as one: they may all stand or fall together. The order effect is held at its
    fitted value.
    Raises ValueError for a model of another standing.
    """
    standing = fit.standing[model]
    if standing not in ("undefeated", "winless"):
        raise ValueError(f"model {fit.models[model]!r} is {standing}: it needs no one-sided bound")
    sign = 1.0 if standing == "undefeated" else -1.0
    component = fit.connectivity.component
    others = np.flatnonzero((component == component[model]) & fit.connectivity.finite)
    if not len(others):
        return np.nan
    shift, weight, opponent = _pooled_battles(fit, battles, model, others)
    b = np.array([fit.order_effect]) if fit.has_order_effect else np.array([])
    group = np.zeros(len(others), dtype=np.int64)
    inner = Likelihood(
        counts.wins[:, others][:, :, others],
        group,
        order_effect=fit.has_order_effect,
        prior_sd=None,
    )
    n = len(others)

    def profile(strength: float) -> Optimum:
        """The likelihood at this strength (away from the others, in the sense of `sign`)."""

        def objective(theta: Floats) -> tuple[float, Floats, Floats]:
            value, slope, information = inner(np.concatenate([theta, b]))
            slope, information = slope[:n].copy(), information[:n, :n].copy()
            logits = strength - sign * theta[opponent] + shift
            chance = expit(logits)
            pull = np.bincount(opponent, weight * (1 - chance), n) * -sign
            stiffness = np.bincount(opponent, weight * chance * (1 - chance), n)
            # The scale is the mean of the others, so only what moves them apart counts.
            slope += pull - pull.mean()
            away = np.eye(n) - 1.0 / n
            information += away @ np.diag(stiffness) @ away
            return value + float(weight @ log_expit(logits)), slope, information

        return maximise(objective, fit.strength[others] - fit.strength[others].mean())

    drop = norm.ppf(confidence) ** 2 / 2
    at_infinity = inner.of_data(np.concatenate([fit.strength[others], b]))

    def excess(strength: float) -> float:
        return at_infinity - profile(strength).value - drop

    with one_blas_thread():
        low = -1.0
        while excess(low) < 0:
            low *= 2
            if low < -FARTHEST:
                return np.nan
        bound: float = brentq(excess, low, FARTHEST, xtol=1e-10)
    return sign * bound


def _pooled_battles(
    fit: BradleyTerryFit, battles: Battles, model: int, others: Ints
) -> tuple[Floats, Floats, Ints]:
    """Of the model's battles with the others: seat's logits for it, weight, and opponent.

    Weights of one cluster are scaled down to one battle at most.
    """
    place = np.full(len(fit.models), -1, dtype=np.int64)
    place[others] = np.arange(len(others))
    is_first, is_second = battles.first == model, battles.second == model
    foe = np.where(is_first, battles.second, battles.first)
    rows = np.flatnonzero((is_first | is_second) & (place[foe] >= 0))
    weight, cluster = battles.weight[rows], battles.cluster[rows]
    per_cluster = np.bincount(cluster, weight, battles.n_clusters)
    b = fit.order_effect if fit.has_order_effect else 0.0
    sign = 1.0 if fit.standing[model] == "undefeated" else -1.0
    seat = np.where(battles.seated[rows], np.where(is_first[rows], 1.0, -1.0), 0.0)
    return (
        sign * b * seat,
        weight / np.maximum(per_cluster[cluster], 1.0),
        place[foe[rows]],
    )
