"""Clustered errors against golden values and statsmodels; bounds against brute force."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from scipy.optimize import brentq, minimize
from scipy.special import expit, log_expit
from scipy.stats import norm
from scipy.stats import t as student

from eval_pipeline.ranking.bounds import one_sided_bound
from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.encode import Battles, encode_battles
from eval_pipeline.ranking.uncertainty import (
    Clustered,
    all_contrasts,
    cluster_covariance,
    model_covariance,
    order_effect_interval,
    strength_intervals,
)
from eval_pipeline_tests.ranking.strategies import battles_of, simulated, some_rows

THETA = np.array([0.8, 0.0, -0.3, -0.5])


def from_first(covariance: np.ndarray) -> np.ndarray:
    """Standard errors of the differences to the first model."""
    v = covariance
    return np.sqrt(np.diag(v) + v[0, 0] - 2 * v[0])[1:]


def clustered(battles: Battles, *, order_effect: bool = False) -> Clustered:
    fit = fit_bradley_terry(pair_counts(battles), order_effect=order_effect)
    return cluster_covariance(fit, battles)


def test_the_golden_sandwich(golden_vectors: Callable[[str], Any]) -> None:
    golden = golden_vectors("ranking.json")["bt_cluster_sandwich"]
    prompt, a, b, y = zip(*golden["rows"], strict=True)
    battles = encode_battles(a, b, y, cluster=prompt)
    fit = fit_bradley_terry(pair_counts(battles))
    expected = [golden["theta_minus_A"][m] for m in "BCD"]
    np.testing.assert_allclose(fit.theta[1:] - fit.theta[0], expected, atol=1e-10)
    found = cluster_covariance(fit, battles)
    np.testing.assert_allclose(from_first(found.covariance), golden["se_CR1_QoverQm1"], atol=1e-10)
    plain = found.influence.T @ found.influence
    np.testing.assert_allclose(from_first(plain), golden["se_CR0"], atol=1e-10)
    q, n, k = 12, len(y), 3
    stata = from_first(found.covariance) * np.sqrt((n - 1) / (n - k))
    np.testing.assert_allclose(stata, golden["se_CR1_stata"], atol=1e-10)
    assert found.n_clusters.tolist() == [q] * 4
    alone = clustered(encode_battles(a, b, y))
    by_battle = from_first(alone.influence.T @ alone.influence)
    np.testing.assert_allclose(by_battle, golden["se_HC0_battle"], atol=1e-10)


def test_statsmodels_agrees_with_the_order_effect_and_its_error() -> None:
    battles = simulated(
        np.random.default_rng(8), THETA, 30, order_effect=0.4, prompt_sd=1.0, ties=0.2
    )
    rows = np.arange(len(battles.score))
    design = np.zeros((len(rows), 4))
    design[rows, battles.first], design[rows, battles.second] = 1, -1
    design = np.column_stack([design[:, 1:], battles.seated])
    fit = sm.GLM(battles.score, design, family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": battles.cluster}, tol=1e-14
    )
    n, k = design.shape
    ours = clustered(battles, order_effect=True).covariance
    factor = np.sqrt((n - 1) / (n - k))
    np.testing.assert_allclose(from_first(ours)[:3] * factor, fit.bse[:3], rtol=1e-8)
    assert np.sqrt(ours[-1, -1]) * factor == pytest.approx(fit.bse[3], rel=1e-8)


def test_intervals_use_t_of_the_clusters_and_do_not_know_the_anchor() -> None:
    battles = simulated(np.random.default_rng(2), THETA, 20)
    fit = fit_bradley_terry(pair_counts(battles))
    found = cluster_covariance(fit, battles)
    contrasts = all_contrasts(fit, found, 0.9).interval
    reach = student.ppf(0.95, 19) * contrasts.se
    np.testing.assert_allclose(contrasts.high - contrasts.low, 2 * reach)
    np.testing.assert_allclose(contrasts.df, 19)
    np.testing.assert_allclose(
        contrasts.p_value, 2 * student.sf(np.abs(contrasts.value) / contrasts.se, 19)
    )
    assert set(contrasts.method) == {"cr1_t"}
    strengths = strength_intervals(fit, found, 0.9)
    centre = np.eye(4) - 1 / 4
    influence = found.influence @ centre
    expected = np.sqrt(20 / 19 * (influence**2).sum(axis=0))
    np.testing.assert_allclose(strengths.se, expected, rtol=1e-9)


def test_few_clusters_give_no_interval_and_say_so() -> None:
    battles = simulated(np.random.default_rng(2), THETA, 9, order_effect=0.2)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    found = cluster_covariance(fit, battles)
    for interval in (
        strength_intervals(fit, found, 0.95),
        all_contrasts(fit, found, 0.95).interval,
        order_effect_interval(fit, found, 0.95),
    ):
        assert np.isfinite(interval.value).all()
        for undefined in (interval.se, interval.low, interval.high, interval.p_value):
            assert np.isnan(undefined).all()
        assert set(interval.method) == {None}
        assert set(interval.reason) == {"no interval: 9 clusters, 10 needed"}


def test_clusters_that_do_not_differ_give_no_interval() -> None:
    battles = encode_battles("A" * 20, "B" * 20, [0.5] * 20)
    fit = fit_bradley_terry(pair_counts(battles))
    found = all_contrasts(fit, cluster_covariance(fit, battles), 0.95).interval
    assert found.value[0] == 0
    assert np.isnan(found.se[0])
    assert found.reason == ("no interval: the clusters do not differ",)


def test_a_model_on_few_prompts_is_not_helped_by_the_others() -> None:
    battles = simulated(np.random.default_rng(4), THETA[:3], 40)
    kept = (battles.cluster < 6) | ((battles.first != 2) & (battles.second != 2))
    names = np.array(battles.models)
    fewer = encode_battles(
        names[battles.first[kept]].tolist(),
        names[battles.second[kept]].tolist(),
        battles.score[kept],
        cluster=[str(c) for c in battles.cluster[kept]],
    )
    fit = fit_bradley_terry(pair_counts(fewer))
    found = all_contrasts(fit, cluster_covariance(fit, fewer), 0.95).interval
    assert found.reason == (None, *["no interval: 6 clusters, 10 needed"] * 2)


@given(some_rows)
def test_a_pair_elsewhere_moves_no_error(drawn: list) -> None:
    more = [*drawn, ("yak", "zebu", 1.0, 1.0, False, "x"), ("yak", "zebu", 0.0, 1.0, False, "y")]
    one, two = clustered(battles_of(drawn)), clustered(battles_of(more))
    n = len(one.covariance)
    np.testing.assert_allclose(one.covariance, two.covariance[:n, :n], atol=1e-9)


@given(some_rows)
def test_the_model_covariance_is_the_pseudo_inverse(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    fit = fit_bradley_terry(counts)
    chance = expit(np.nan_to_num(fit.strength)[:, None] - np.nan_to_num(fit.strength))
    weight = counts.battles * fit.same_group * chance * (1 - chance)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    expected = np.linalg.pinv(laplacian, rcond=1e-12)
    alone = np.isnan(fit.strength)
    expected[~fit.same_group | alone | alone[:, None]] = np.nan
    np.testing.assert_allclose(model_covariance(fit), expected, rtol=1e-6, atol=1e-6)


def brute_bound(
    foes: dict[str, int], inner: dict[tuple[str, str], int], confidence: float
) -> float:
    """Undefeated against foes that met each other, by a general optimiser."""
    names = sorted(foes)

    def profile(strength: float) -> float:
        def loss(free: np.ndarray) -> float:
            theta = dict(zip(names, [*free, -free.sum()], strict=True))
            value = sum(n * log_expit(theta[a] - theta[b]) for (a, b), n in inner.items())
            value += sum(n * log_expit(strength - theta[m]) for m, n in foes.items())
            return -value

        return -minimize(loss, np.zeros(len(names) - 1), method="BFGS", tol=1e-12).fun

    top = profile(200.0)
    drop = norm.ppf(confidence) ** 2 / 2
    return brentq(lambda s: top - profile(s) - drop, -20, 60)


INNER = {("B", "C"): 4, ("C", "B"): 2, ("C", "D"): 5, ("D", "C"): 3, ("B", "D"): 1, ("D", "B"): 1}


def played(*, upside_down: bool, clusters: bool) -> Battles:
    rows = [(a, b, f"i{a}{b}{k}") for (a, b), n in INNER.items() for k in range(n)]
    rows += [("A", foe, f"A{foe}{k}") for foe, n in (("B", 6), ("C", 3)) for k in range(n)]
    if clusters:  # each battle of A told three times in the same cluster
        rows += [row for row in rows for _ in range(2) if row[0] == "A"]
    first, second, cluster = zip(*rows, strict=True)
    if upside_down:
        first, second = second, first
    return encode_battles(first, second, np.ones(len(rows)), cluster=cluster)


@pytest.mark.parametrize("clusters", [False, True])
def test_the_bound_of_an_undefeated_model_is_the_profile_likelihood(clusters: bool) -> None:
    battles = played(upside_down=False, clusters=clusters)
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts)
    assert fit.standing == ("undefeated", "ok", "ok", "ok")
    found = one_sided_bound(fit, counts, battles, 0, 0.95)
    assert found == pytest.approx(brute_bound({"B": 6, "C": 3, "D": 0}, INNER, 0.95), abs=1e-5)


def test_the_bound_of_a_winless_model_mirrors_it() -> None:
    battles = played(upside_down=True, clusters=False)
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts)
    assert fit.standing[0] == "winless"
    mirrored = played(upside_down=False, clusters=False)
    other = pair_counts(mirrored)
    expected = one_sided_bound(fit_bradley_terry(other), other, mirrored, 0, 0.95)
    assert one_sided_bound(fit, counts, battles, 0, 0.95) == pytest.approx(-expected, abs=1e-8)


def test_there_is_no_bound_without_a_finite_group() -> None:
    battles = encode_battles("A", "B", [1.0])
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts)
    assert np.isnan(one_sided_bound(fit, counts, battles, 0, 0.95))


def test_a_bound_is_only_for_a_model_that_runs_off() -> None:
    battles = played(upside_down=False, clusters=False)
    counts = pair_counts(battles)
    fit = fit_bradley_terry(counts)
    with pytest.raises(ValueError, match="model 'B' is ok: it needs no one-sided bound"):
        one_sided_bound(fit, counts, battles, 1, 0.95)
