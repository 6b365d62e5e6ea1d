"""How often the intervals and rank sets hold the truth, when it is known."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from eval_pipeline.ranking.bootstrap import cluster_replicates, simultaneous_reach
from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import PairCounts, pair_counts
from eval_pipeline.ranking.rank_sets import rank_sets
from eval_pipeline.ranking.uncertainty import all_contrasts, cluster_covariance
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.ranking.strategies import simulated

ORDER_EFFECT, TIES = 0.4, 0.1


def aimed_at(theta: np.ndarray, prompt_sd: float) -> np.ndarray:
    """The strengths that a fit to infinitely many prompts would give: those of expected scores."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    gap = theta[:, None, None] - theta[None, :, None] + ORDER_EFFECT
    chance = expit(gap + np.sqrt(2) * prompt_sd * points) @ (weights / weights.sum())
    first = ((1 - TIES) * chance + TIES / 2) * (1 - np.eye(len(theta)))
    wins = np.stack([np.zeros_like(first), first, (1 - first.T) * (1 - np.eye(len(theta)))])
    models = tuple(f"m{k}" for k in range(len(theta)))
    return fit_bradley_terry(PairCounts(models, wins, first > 0), order_effect=True).theta


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [10, 15, 50])
@pytest.mark.parametrize("prompt_sd", [0.0, 1.0])
def test_clustered_intervals_of_differences_cover_95_percent(
    prompts: int, prompt_sd: float
) -> None:
    theta = np.linspace(0.9, -0.9, 8)
    truth = aimed_at(theta, prompt_sd)
    covered = []
    for seed in range(400):
        rng = generator(seed, "coverage", str(prompts), str(prompt_sd))
        battles = simulated(
            rng, theta, prompts, order_effect=ORDER_EFFECT, prompt_sd=prompt_sd, ties=TIES
        )
        fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
        found = all_contrasts(fit, cluster_covariance(fit, battles), 0.95)
        gap = truth[found.i] - truth[found.j]
        covered.append((found.interval.low <= gap) & (gap <= found.interval.high))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [15, 50, 200])
@pytest.mark.parametrize("groups", [3, 6])
def test_rank_sets_hold_all_ranks_at_once(prompts: int, groups: int) -> None:
    """Six models, equal in pairs or all different: all six ranks, and all 15 differences."""
    theta = np.repeat(np.linspace(0.8, -0.8, groups), 6 // groups)
    truth = aimed_at(theta, 1.0)
    best = 1 + (truth[None, :] > truth[:, None] + 1e-9).sum(axis=1)
    worst = (truth[None, :] >= truth[:, None] - 1e-9).sum(axis=1)
    simulations = 200
    held, inside = 0, 0
    for seed in range(simulations):
        rng = generator(seed, "rank sets", str(prompts), str(groups))
        battles = simulated(
            rng, theta, prompts, order_effect=ORDER_EFFECT, prompt_sd=1.0, ties=TIES
        )
        fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
        clustered = cluster_covariance(fit, battles)
        contrasts = all_contrasts(fit, clustered, 0.95)
        drawn = cluster_replicates(fit, battles, clustered, 400, rng)
        reach = simultaneous_reach(contrasts, clustered, fit, drawn, 0.95, rng)
        ranks = rank_sets(fit, contrasts, reach, drawn)
        # Equal models have a set of true ranks; a rank set must touch it from both sides.
        held += bool(((ranks.low <= best) & (worst <= ranks.high)).all())
        gap = truth[contrasts.i] - truth[contrasts.j]
        inside += bool((np.abs(contrasts.difference - gap) <= reach).all())
    least = binom.ppf(0.001, simulations, 0.95)
    assert inside >= least
    assert held >= inside
