"""Replicates against refits by hand; rank sets against their definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson

from eval_pipeline.ranking.bootstrap import (
    Replicates,
    cluster_replicates,
    one_step,
    percentile_intervals,
    poisson_weights,
    resampled_weights,
    simultaneous_reach,
)
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import Battles, encode_battles
from eval_pipeline.ranking.finite import FiniteFits
from eval_pipeline.ranking.identify import connectivity, order_effect_is_identified
from eval_pipeline.ranking.meetings import Meetings
from eval_pipeline.ranking.rank_sets import point_ranks, rank_sets
from eval_pipeline.ranking.uncertainty import all_contrasts, cluster_covariance
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.ranking.strategies import battles_of, simulated, some_rows

THETA = np.array([0.8, 0.1, -0.3, -0.6])


def resampled(battles: Battles, weights: np.ndarray) -> Battles | None:
    """The battles with each cluster repeated as often as it was drawn."""
    rows = np.flatnonzero(weights[battles.cluster] > 0)
    if not len(rows):
        return None
    names = np.array(battles.models)
    return encode_battles(
        names[battles.first[rows]].tolist(),
        names[battles.second[rows]].tolist(),
        battles.score[rows],
        weight=battles.weight[rows] * weights[battles.cluster[rows]],
        seated=battles.seated[rows],
        models=battles.models,
    )


def drawn_weights(battles: Battles, replicates: int, *purpose: str) -> np.ndarray:
    q = battles.n_clusters
    return resampled_weights(replicates, q, generator(1, *purpose))


@pytest.mark.parametrize("prior_sd", [None, 1.5])
@pytest.mark.parametrize("order_effect", [False, True])
def test_exact_replicates_equal_refits_by_hand(prior_sd: float | None, order_effect: bool) -> None:
    battles = simulated(np.random.default_rng(3), THETA, 12, order_effect=0.5, ties=0.1)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=order_effect, prior_sd=prior_sd)
    clustered = cluster_covariance(fit, battles)
    found = cluster_replicates(fit, battles, clustered, 40, generator(1, "exact"), exact=True)
    assert found.n_nonfinite == 0
    for k, weights in enumerate(drawn_weights(battles, 40, "exact")):
        again = resampled(battles, weights)
        refit = fit_bradley_terry(pair_counts(again), order_effect=order_effect, prior_sd=prior_sd)
        np.testing.assert_allclose(found.parameters[k], refit.parameters, atol=1e-7)


@settings(max_examples=40, deadline=None)
@given(some_rows, st.booleans())
def test_replicates_without_a_finite_fit_are_counted(drawn: list, order_effect: bool) -> None:
    battles = battles_of(drawn)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=order_effect)
    clustered = cluster_covariance(fit, battles)
    found = cluster_replicates(fit, battles, clustered, 30, generator(1, "finite"), exact=True)
    lost = 0
    for k, weights in enumerate(drawn_weights(battles, 30, "finite")):
        counts = pair_counts(resampled(battles, weights))
        held = counts.wins * fit.same_group
        within = type(counts)(counts.models, held, counts.decisive)
        finite = connectivity(within).n_strong == len(np.unique(fit.group))
        if fit.has_order_effect:
            finite &= order_effect_is_identified(counts, fit.group)
        lost += not finite
        assert np.isnan(found.parameters[k]).any() == (not finite)
    assert found.n_nonfinite == lost


def test_one_step_is_close_to_exact_where_clusters_are_many() -> None:
    battles = simulated(np.random.default_rng(6), THETA, 200, prompt_sd=0.5)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    clustered = cluster_covariance(fit, battles)
    weights = resampled_weights(200, 200, generator(1, "x"))
    one = one_step(fit, clustered, weights)
    two = cluster_replicates(fit, battles, clustered, 200, generator(1, "x"), exact=True)
    se = np.sqrt(np.diag(clustered.covariance))
    assert np.sqrt((((one - two.parameters) / se) ** 2).mean()) < 0.05
    np.testing.assert_allclose(one.std(axis=0), two.parameters.std(axis=0), rtol=0.03)
    many = cluster_replicates(fit, battles, clustered, 4000, generator(1, "x"))
    assert (many.method, two.method) == ("one_step", "exact")
    plain = np.sqrt((clustered.influence**2).sum(axis=0))
    np.testing.assert_allclose(many.parameters.std(axis=0), plain, rtol=0.05)
    np.testing.assert_allclose(many.parameters.mean(axis=0), fit.parameters, atol=0.005)


@pytest.mark.parametrize("exact", [False, True])
def test_more_replicates_begin_with_the_same_ones(exact: bool) -> None:
    battles = simulated(np.random.default_rng(6), THETA, 60)
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    few, many = (
        cluster_replicates(fit, battles, clustered, b, generator(1, "x"), exact=exact)
        for b in (31, 64)
    )
    np.testing.assert_allclose(many.parameters[:31], few.parameters, atol=1e-7)


def test_poisson_weights_have_the_chances_of_the_law() -> None:
    weights = poisson_weights(400, 1000, generator(1, "poisson")).astype(int)
    found = np.bincount(weights.ravel(), minlength=6)[:6] / weights.size
    np.testing.assert_allclose(found, poisson.pmf(np.arange(6), 1), atol=0.003)


@settings(max_examples=60, deadline=None)
@given(some_rows, st.booleans(), st.sampled_from([None, 2.0]))
def test_the_certificate_agrees_with_the_full_look(
    drawn: list, order_effect: bool, prior_sd: float | None
) -> None:
    battles = battles_of(drawn)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=order_effect, prior_sd=prior_sd)
    weights = resampled_weights(40, battles.n_clusters, generator(1, "certificate"))
    found = FiniteFits(fit, battles, lambda: Meetings(fit, battles))
    by_look = [found.by_full_look(row) for row in weights]
    assert found.among(weights).tolist() == by_look


def test_few_clusters_are_refitted_by_themselves() -> None:
    battles = simulated(np.random.default_rng(6), THETA, 20)
    fit = fit_bradley_terry(pair_counts(battles))
    found = cluster_replicates(
        fit, battles, cluster_covariance(fit, battles), 20, generator(1, "x")
    )
    assert found.method == "exact"


def near_separation() -> tuple[BradleyTerryFit, Battles]:
    """A lost once in 20 prompts: a third of the replicates have no finite fit."""
    battles = encode_battles(
        "A" * 20, "B" * 20, [0.0] + [1.0] * 19, cluster=[f"p{k}" for k in range(20)]
    )
    return fit_bradley_terry(pair_counts(battles)), battles


def test_more_than_one_percent_without_a_fit_leaves_no_interval() -> None:
    fit, battles = near_separation()
    clustered = cluster_covariance(fit, battles)
    found = cluster_replicates(fit, battles, clustered, 300, generator(1, "near"))
    assert 0.25 < found.n_nonfinite / 300 < 0.5  # (1 - 1/20)^20 = 0.358
    assert not found.usable
    contrasts = all_contrasts(fit, clustered, 0.95)
    assert np.isnan(percentile_intervals(contrasts, found, 0.95)).all()
    reach = simultaneous_reach(contrasts, clustered, fit, found, 0.95, generator(1, "t"))
    assert np.isnan(reach).all()
    ranks = rank_sets(fit, contrasts, reach, found)
    assert ranks.rank.tolist() == [1, 2]
    for undefined in (ranks.low, ranks.high, ranks.p_best):
        assert np.isnan(undefined).all()


def test_percentiles_are_those_of_the_replicates() -> None:
    battles = simulated(np.random.default_rng(6), THETA, 60)
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    found = cluster_replicates(fit, battles, clustered, 200, generator(1, "x"))
    contrasts = all_contrasts(fit, clustered, 0.9)
    low, high = percentile_intervals(contrasts, found, 0.9)
    gaps = found.parameters[:, 0] - found.parameters[:, 1]
    assert (low[0], high[0]) == tuple(np.quantile(gaps, [0.05, 0.95]))


def test_simultaneous_intervals_are_wider_than_single_ones() -> None:
    battles = simulated(np.random.default_rng(6), THETA, 60)
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    drawn = cluster_replicates(fit, battles, clustered, 2000, generator(1, "x"))
    contrasts = all_contrasts(fit, clustered, 0.95)
    reach = simultaneous_reach(contrasts, clustered, fit, drawn, 0.95, generator(1, "y"))
    single = (contrasts.interval.high - contrasts.interval.low) / 2
    ratio = reach / single
    np.testing.assert_allclose(ratio, ratio[0])  # one critical value for all
    assert 1.15 < ratio[0] < 1.5  # six dependent differences: Tukey's range would give 1.31


def test_two_models_need_no_wider_interval() -> None:
    battles = simulated(np.random.default_rng(6), THETA[:2], 60)
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    drawn = cluster_replicates(fit, battles, clustered, 20_000, generator(1, "x"))
    contrasts = all_contrasts(fit, clustered, 0.95)
    reach = simultaneous_reach(contrasts, clustered, fit, drawn, 0.95, generator(1, "y"))
    single = (contrasts.interval.high - contrasts.interval.low) / 2
    assert reach[0] / single[0] == pytest.approx(1, abs=0.03)


def test_rank_sets_count_who_is_surely_stronger_and_weaker() -> None:
    battles = simulated(np.random.default_rng(6), np.array([2.0, 0.1, 0.0, -2.0]), 80)
    fit = fit_bradley_terry(pair_counts(battles))
    clustered = cluster_covariance(fit, battles)
    contrasts = all_contrasts(fit, clustered, 0.95)
    reach = np.full(6, 0.7)
    drawn = cluster_replicates(fit, battles, clustered, 100, generator(1, "x"))
    ranks = rank_sets(fit, contrasts, reach, drawn)
    assert ranks.low.tolist() == [1, 2, 2, 4]
    assert ranks.high.tolist() == [1, 3, 3, 4]
    assert sorted(ranks.rank.tolist()) == [1, 2, 3, 4]
    assert ranks.p_best.sum() == pytest.approx(1)
    assert ranks.p_best[0] == 1


def test_models_that_cannot_be_compared_exclude_no_rank() -> None:
    first = simulated(np.random.default_rng(6), np.array([1.0, -1.0]), 60)
    names = np.array(first.models)
    one, two = names[first.first].tolist(), names[first.second].tolist()
    battles = encode_battles(
        [*one, *(f"other {m}" for m in one)],
        [*two, *(f"other {m}" for m in two)],
        np.tile(first.score, 2),
        cluster=[str(c) for c in np.tile(first.cluster, 2)],
    )
    fit = fit_bradley_terry(pair_counts(battles))
    contrasts = all_contrasts(fit, cluster_covariance(fit, battles), 0.95)
    assert np.isfinite(contrasts.difference).sum() == 2
    ranks = rank_sets(
        fit, contrasts, np.where(np.isfinite(contrasts.difference), 1.0, np.nan), None
    )
    assert np.isnan(ranks.rank).all()
    assert ranks.low.tolist() == [1, 2, 1, 2]
    assert ranks.high.tolist() == [3, 4, 3, 4]


def test_equal_strengths_share_the_better_rank() -> None:
    assert point_ranks(np.array([0.0, 1.0, 1.0 + 1e-12, -1.0])).tolist() == [3, 1, 1, 4]


def test_being_best_is_shared_among_equals() -> None:
    battles = encode_battles("AB", "BC", [0.5, 0.5])
    fit = fit_bradley_terry(pair_counts(battles))
    contrasts = all_contrasts(fit, cluster_covariance(fit, battles), 0.95)
    drawn = Replicates(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]), 0, "exact")
    ranks = rank_sets(fit, contrasts, np.full(3, np.nan), drawn)
    assert ranks.p_best.tolist() == [0.25, 0.25, 0.5]
