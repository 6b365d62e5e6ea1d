"""Covariates against statsmodels; other covariances against golden values and refits by hand."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.covariates import fit_with_covariates
from eval_pipeline.ranking.encode import Battles, encode_battles
from eval_pipeline.ranking.sandwiches import (
    battle_covariance,
    jackknife_covariance,
    two_way_covariance,
)
from eval_pipeline.ranking.uncertainty import cluster_covariance
from eval_pipeline_tests.ranking.strategies import simulated

THETA = np.array([0.8, 0.0, -0.3, -0.5])


def names(battles: Battles, column: np.ndarray) -> list[str]:
    return [battles.models[k] for k in column]


def with_length(rng: np.random.Generator, effect: float) -> tuple[Battles, np.ndarray]:
    """Battles in which the first model's reply is longer the stronger it is, and length pays."""
    battles = simulated(rng, THETA, 60, order_effect=0.3)
    strength = THETA[battles.first] - THETA[battles.second]
    delta = 40 * rng.standard_normal(len(strength)) + 30 * strength + 5
    won = rng.random(len(strength)) < expit(strength + effect * delta / 40 + 0.3)
    return replace(battles, score=won.astype(float)), delta


def test_statsmodels_agrees_with_covariates_and_their_clustered_errors() -> None:
    battles, delta = with_length(np.random.default_rng(3), 0.7)
    found = fit_with_covariates(battles, {"n_chars": delta}, order_effect=True)
    rows = np.arange(len(delta))
    design = np.zeros((len(rows), 4))
    design[rows, battles.first], design[rows, battles.second] = 1, -1
    scaled = delta / np.std(delta, ddof=1)  # scaled, never centred
    design = np.column_stack([design[:, 1:], scaled, battles.seated])
    # All battles weigh the same, so weights change neither estimates nor sandwich.
    model = sm.GLM(battles.score, design, family=sm.families.Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": battles.cluster}, tol=1e-14)
    assert found.names == ("n_chars", "shown_first")
    np.testing.assert_allclose(found.theta[1:] - found.theta[0], fit.params[:3], atol=1e-8)
    np.testing.assert_allclose(found.coefficients, fit.params[3:], atol=1e-8)
    factor = np.sqrt((len(rows) - 1) / (len(rows) - 5))  # which statsmodels also multiplies by
    ours = np.sqrt(np.diag(found.covariance)[4:]) * factor
    np.testing.assert_allclose(ours, fit.bse[3:], rtol=1e-6)


def test_strengths_are_read_at_equal_length_and_not_at_the_mean_gap() -> None:
    battles, delta = with_length(np.random.default_rng(5), 0.9)
    plain = fit_bradley_terry(pair_counts(battles), order_effect=True)
    found = fit_with_covariates(battles, {"n_chars": delta}, order_effect=True)
    truth = THETA - THETA.mean()
    assert np.abs(found.theta - truth).max() < 0.3
    assert plain.theta[0] - plain.theta[3] > found.theta[0] - found.theta[3] + 0.5
    unseated = replace(battles, seated=np.zeros(len(delta), dtype=bool))
    one = fit_with_covariates(unseated, {"n_chars": delta})
    back = replace(unseated, first=battles.second, second=battles.first, score=1 - battles.score)
    two = fit_with_covariates(back, {"n_chars": -delta})
    np.testing.assert_allclose(one.theta, two.theta, atol=1e-8)
    np.testing.assert_allclose(one.coefficients, two.coefficients, atol=1e-8)


def test_without_covariates_it_is_the_plain_fit() -> None:
    battles = simulated(np.random.default_rng(8), THETA, 30, order_effect=0.4, ties=0.1)
    for prior_sd in (None, 2.0):
        plain = fit_bradley_terry(pair_counts(battles), order_effect=True, prior_sd=prior_sd)
        found = fit_with_covariates(battles, {}, order_effect=True, prior_sd=prior_sd)
        np.testing.assert_allclose(found.theta, plain.theta, atol=1e-8)
        assert found.coefficients[0] == pytest.approx(plain.order_effect, abs=1e-8)
        expected = cluster_covariance(plain, battles).covariance
        np.testing.assert_allclose(found.covariance, expected, atol=1e-8)


def test_what_covariates_cannot_be_told_has_no_number() -> None:
    battles = encode_battles("AB" * 10, "BA" * 10, [1.0, 0.0] * 10)
    ahead = np.where(battles.first == 0, 1.0, -1.0)
    for given, why in (({"x": ahead}, "took everything"),):
        found = fit_with_covariates(battles, given)
        assert np.isnan(found.theta).all()
        assert why in str(found.reason)
    even = encode_battles("AB" * 10, "BA" * 10, [1.0, 1.0] * 10)
    found = fit_with_covariates(even, {"x": np.where(even.first == 0, 1.0, -1.0)})
    assert "cannot be told apart from the strengths" in str(found.reason)
    assert np.isnan(found.coefficients).all()
    with pytest.raises(ValueError, match="covariate 'x' does not vary"):
        fit_with_covariates(even, {"x": np.ones(20)})
    with pytest.raises(ValueError, match="covariate 'x' of battle 2 is nan"):
        fit_with_covariates(even, {"x": [0, 1, np.nan, *[0] * 17]})
    with pytest.raises(ValueError, match=r"covariate 'x' has shape \(3,\)"):
        fit_with_covariates(even, {"x": [0, 1, 2]})


def test_the_error_by_battle_is_the_golden_one(golden_vectors: Callable[[str], Any]) -> None:
    golden = golden_vectors("ranking.json")["bt_cluster_sandwich"]
    prompt, a, b, y = zip(*golden["rows"], strict=True)
    battles = encode_battles(a, b, y, cluster=prompt)
    fit = fit_bradley_terry(pair_counts(battles))
    v = battle_covariance(fit, battles)
    found = np.sqrt(np.diag(v) + v[0, 0] - 2 * v[0])[1:]
    np.testing.assert_allclose(found, golden["se_HC0_battle"], atol=1e-10)


def test_the_error_by_battle_is_clustering_by_rows() -> None:
    battles = simulated(np.random.default_rng(8), THETA, 30, order_effect=0.4, ties=0.1)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    rows = len(battles.score)
    alone = cluster_covariance(fit, replace(battles, cluster=np.arange(rows), n_clusters=rows))
    expected = alone.influence.T @ alone.influence
    np.testing.assert_allclose(battle_covariance(fit, battles), expected, atol=1e-12)


def test_the_jackknife_equals_refits_by_hand() -> None:
    battles = simulated(np.random.default_rng(9), THETA, 12, order_effect=0.4, ties=0.1)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    moves = []
    for out in range(12):
        kept = battles.cluster != out
        again = encode_battles(
            names(battles, battles.first[kept]),
            names(battles, battles.second[kept]),
            battles.score[kept],
            weight=battles.weight[kept],
            seated=battles.seated[kept],
        )
        refit = fit_bradley_terry(pair_counts(again), order_effect=True)
        moves.append(refit.parameters - fit.parameters)
    expected = 11 / 12 * np.array(moves).T @ np.array(moves)
    found = jackknife_covariance(fit, battles)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    plain = np.diag(cluster_covariance(fit, battles).covariance)
    assert (np.diag(found) > plain).all()  # the careful choice


def test_a_cluster_that_holds_the_fit_together_leaves_no_jackknife() -> None:
    battles = encode_battles("AAAB", "BBBA", [1, 1, 1, 1], cluster="pqrs")
    fit = fit_bradley_terry(pair_counts(battles))
    assert np.isnan(jackknife_covariance(fit, battles)).any()


def judged_twice(copies: bool) -> Battles:
    """12 judges on 15 prompts; with copies every judge says what the prompt says."""
    rng = np.random.default_rng(2)
    one, two, score, prompt, judge = [], [], [], [], []
    for p in range(15):
        said = {pair: float(rng.random() < 0.6) for pair in ("AB", "BC", "AC")}
        for j in range(12):
            for pair in ("AB", "BC", "AC"):
                one.append(pair[0])
                two.append(pair[1])
                score.append(said[pair] if copies else float(rng.random() < 0.6))
                prompt.append(f"p{p:02}")
                judge.append(f"j{j:02}")
    return encode_battles(one, two, score, cluster=prompt, judge=judge)


def test_two_ways_add_up_as_they_are_defined() -> None:
    battles = judged_twice(copies=False)
    fit = fit_bradley_terry(pair_counts(battles))
    found = two_way_covariance(fit, battles)
    pair = np.unique(battles.cluster * 12 + battles.judge, return_inverse=True)[1]
    expected = (
        cluster_covariance(fit, battles).covariance
        + cluster_covariance(fit, replace(battles, cluster=battles.judge, n_clusters=12)).covariance
        - cluster_covariance(fit, replace(battles, cluster=pair, n_clusters=180)).covariance
    )
    np.testing.assert_allclose(found.covariance, expected, atol=1e-14)
    assert found.n_clusters.tolist() == [12, 12, 12]


def test_judges_that_copy_each_other_add_nothing() -> None:
    battles = judged_twice(copies=True)
    fit = fit_bradley_terry(pair_counts(battles))
    by_prompt = np.diag(cluster_covariance(fit, battles).covariance)
    found = np.diag(two_way_covariance(fit, battles).covariance)
    np.testing.assert_allclose(found, by_prompt, rtol=0.1)


def test_two_ways_need_to_know_the_judges() -> None:
    battles = simulated(np.random.default_rng(9), THETA, 12)
    fit = fit_bradley_terry(pair_counts(battles))
    with pytest.raises(ValueError, match="do not tell who judged"):
        two_way_covariance(fit, battles)
    with pytest.raises(ValueError, match="battle 1: no judge"):
        encode_battles("AB", "BA", [1, 1], judge=["j", None])
