"""Fits against golden values, statsmodels, minorization, and what must not change them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import counts_of_wins, pair_counts
from eval_pipeline.ranking.encode import Battles, encode_battles, outcome_scores
from eval_pipeline.ranking.minorization import mm_step
from eval_pipeline.ranking.newton import maximise
from eval_pipeline.ranking.ties import fit_davidson, fit_rao_kupper
from eval_pipeline.ranking.uncertainty import model_covariance
from eval_pipeline_tests.ranking.strategies import NAMES, battles_of, simulated, some_rows

LABELS = {"left": 1.0, "right": 0.0, "tie": 0.5}


def test_citations(golden_vectors: Callable[[str], Any]) -> None:
    golden = golden_vectors("ranking.json")["bt_citations"]
    fit = fit_bradley_terry(counts_of_wins(golden["items"], golden["wins"]))
    np.testing.assert_allclose(fit.theta, golden["theta_centered"], atol=1e-12)
    v = model_covariance(fit)
    to_first = np.sqrt(np.diag(v) + v[0, 0] - 2 * v[0])
    np.testing.assert_allclose(to_first, golden["se_ref_first"], atol=1e-6)


@pytest.mark.parametrize(("name", "home"), [("bt_baseball", False), ("bt_baseball_home", True)])
def test_baseball_with_and_without_the_home_advantage(
    golden_vectors: Callable[[str], Any], name: str, home: bool
) -> None:
    golden = golden_vectors("ranking.json")[name]
    battles = encode_battles(
        [row[0] for row in golden["rows"] for _ in range(2)],
        [row[1] for row in golden["rows"] for _ in range(2)],
        [1.0, 0.0] * len(golden["rows"]),
        weight=[max(n, 1e-300) for row in golden["rows"] for n in row[2:]],
        seated=[True] * 2 * len(golden["rows"]),
    )
    fit = fit_bradley_terry(pair_counts(battles), order_effect=home)
    v = model_covariance(fit)
    at = fit.models.index(golden["ref"])
    for name, coefficient in golden["coef"].items():
        if name == "order_effect":
            assert fit.order_effect == pytest.approx(coefficient, abs=1e-9)
            assert np.sqrt(v[-1, -1]) == pytest.approx(golden["se"][name], abs=1e-6)
            continue
        k = fit.models.index(name)
        assert fit.theta[k] - fit.theta[at] == pytest.approx(coefficient, abs=1e-9)
        se = np.sqrt(v[k, k] + v[at, at] - 2 * v[k, at])
        assert se == pytest.approx(golden["se"][name], abs=1e-6)


@pytest.mark.parametrize("name", ["ties_food", "ties_simple"])
def test_three_rules_for_ties(golden_vectors: Callable[[str], Any], name: str) -> None:
    golden = golden_vectors("ranking.json")[name]
    left, right, labels = zip(*golden["rows"], strict=True)
    battles = encode_battles(left, right, outcome_scores(labels, LABELS))
    fit = fit_bradley_terry(pair_counts(battles))
    expected = golden["half_ties_theta_ref_first"]
    np.testing.assert_allclose(fit.theta - fit.theta[0], expected, atol=1e-10)
    wins, ties = np.zeros((2, len(fit.models), len(fit.models)))
    for first, second, label in golden["rows"]:
        i, j = fit.models.index(first), fit.models.index(second)
        if label == "tie":
            ties[i, j] += 1
        else:
            wins[(i, j) if label == "left" else (j, i)] += 1
    davidson, expected = fit_davidson(wins, ties), golden["davidson"]
    assert davidson.converged
    np.testing.assert_allclose(
        davidson.theta - davidson.theta[0], expected["theta_ref_first"], atol=1e-5
    )
    assert davidson.tie_parameter == pytest.approx(expected["nu"], abs=1e-5)
    assert davidson.log_likelihood == pytest.approx(expected["loglik"], abs=1e-8)
    rao_kupper, expected = fit_rao_kupper(wins, ties), golden["rao_kupper"]
    assert rao_kupper.converged
    np.testing.assert_allclose(
        rao_kupper.theta - rao_kupper.theta[0], expected["theta_ref_first"], atol=1e-6
    )
    assert rao_kupper.tie_parameter == pytest.approx(expected["eta"], abs=1e-6)
    assert rao_kupper.log_likelihood == pytest.approx(expected["loglik"], abs=1e-8)


def test_ties_alone_leave_the_tie_models_undefined() -> None:
    ties = [[0, 4], [0, 0]]
    for fit in (fit_davidson(np.zeros((2, 2)), ties), fit_rao_kupper(np.zeros((2, 2)), ties)):
        assert not fit.converged
        assert np.isnan(fit.theta).all()
        assert np.isnan(fit.tie_parameter)


def glm(battles: Battles, *, order_effect: bool) -> np.ndarray:
    """The same model by statsmodels: differences to the first model, then the order effect."""
    rows = np.arange(len(battles.score))
    design = np.zeros((len(rows), len(battles.models)))
    design[rows, battles.first], design[rows, battles.second] = 1, -1
    design = design[:, 1:]
    if order_effect:
        design = np.column_stack([design, battles.seated])
    family = sm.families.Binomial()
    fit = sm.GLM(battles.score, design, family=family, freq_weights=battles.weight).fit(tol=1e-14)
    return fit.params


@pytest.mark.parametrize("order_effect", [False, True])
def test_statsmodels_agrees(order_effect: bool) -> None:
    rng = np.random.default_rng(5)
    battles = simulated(rng, np.array([0.8, 0.0, -0.3, -0.5]), 40, order_effect=0.4, ties=0.2)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=order_effect)
    expected = glm(battles, order_effect=order_effect)
    np.testing.assert_allclose(fit.theta[1:] - fit.theta[0], expected[:3], atol=1e-9)
    if order_effect:
        assert fit.order_effect == pytest.approx(expected[3], abs=1e-9)
    assert fit.converged
    assert fit.gradient_max < 1e-9


@given(some_rows)
def test_minorization_stays_where_newton_ended(drawn: list) -> None:
    counts = pair_counts(battles_of(drawn))
    fit = fit_bradley_terry(counts)
    assert fit.converged
    for group in np.unique(fit.group):
        members = np.flatnonzero(fit.group == group)
        if len(members) > 1:
            strengths = np.exp(fit.strength[members])
            again = mm_step(counts.total[np.ix_(members, members)], strengths)
            np.testing.assert_allclose(again, strengths / strengths.sum(), atol=1e-8)


@given(some_rows, st.permutations(range(5)))
def test_renaming_models_renames_the_fit(drawn: list, places: list) -> None:
    renamed = {name: f"n{p}" for name, p in zip(NAMES, places, strict=True)}
    turned = [(renamed[a], renamed[b], *rest) for a, b, *rest in drawn]
    one = fit_bradley_terry(pair_counts(battles_of(drawn)), order_effect=True)
    two = fit_bradley_terry(pair_counts(battles_of(turned)), order_effect=True)
    for name, theta, standing in zip(one.models, one.theta, one.standing, strict=True):
        k = two.models.index(renamed[name])
        assert two.standing[k] == standing
        np.testing.assert_allclose(two.theta[k], theta, atol=1e-8)
    np.testing.assert_allclose(one.order_effect, two.order_effect, atol=1e-8)


@given(some_rows)
def test_turning_a_battle_round_changes_nothing(drawn: list) -> None:
    turned = [(b, a, 1 - score, weight, seat, c) for a, b, score, weight, seat, c in drawn]
    one = fit_bradley_terry(pair_counts(battles_of(drawn, seats=False)))
    two = fit_bradley_terry(pair_counts(battles_of(turned, seats=False)))
    np.testing.assert_allclose(one.theta, two.theta, atol=1e-9)


@given(some_rows)
def test_a_pair_elsewhere_changes_nothing(drawn: list) -> None:
    """Disconnected models must not move a difference, nor its error."""
    more = [*drawn, ("yak", "zebu", 1.0, 1.0, False, "x"), ("yak", "zebu", 0.0, 1.0, False, "y")]
    one = fit_bradley_terry(pair_counts(battles_of(drawn)))
    two = fit_bradley_terry(pair_counts(battles_of(more)))
    np.testing.assert_allclose(one.theta, two.theta[: len(one.models)], atol=1e-9)
    assert one.standing == two.standing[: len(one.models)]


def fitted(rows: list) -> BradleyTerryFit:
    first, second, won = zip(*rows, strict=True)
    return fit_bradley_terry(
        pair_counts(encode_battles(first, second, np.ones(len(rows)), weight=won))
    )


def test_a_winless_model_leaves_the_others_as_they_were() -> None:
    fit = fitted([("A", "B", 3), ("B", "A", 1), ("A", "C", 2), ("B", "C", 2)])
    assert fit.standing == ("ok", "ok", "winless")
    assert fit.theta[0] - fit.theta[1] == pytest.approx(np.log(3), abs=1e-9)
    assert np.isnan(fit.theta[2])


def test_one_battle_gives_no_number() -> None:
    fit = fitted([("A", "B", 1)])
    assert fit.standing == ("undefeated", "winless")
    assert np.isnan(fit.theta).all()
    assert np.isnan(fit.win_probability[0, 1])


def test_ties_alone_make_all_equal() -> None:
    battles = encode_battles("AB", "BC", [0.5, 0.5])
    fit = fit_bradley_terry(pair_counts(battles))
    np.testing.assert_array_equal(fit.theta, [0, 0, 0])
    assert fit.connectivity.n_strong == 1
    assert fit.connectivity.n_strong_decisive == 3


def test_an_unjudged_model_is_listed_and_moves_nothing() -> None:
    battles = encode_battles("ABAB", "BABA", [1, 1, 1, 0], models=["C"])
    fit = fit_bradley_terry(pair_counts(battles))
    assert fit.standing == ("ok", "ok", "unjudged")
    assert fit.theta[0] - fit.theta[1] == pytest.approx(np.log(3), abs=1e-9)


def test_an_order_effect_that_explains_all_is_said_and_left_out() -> None:
    battles = encode_battles("ABAB", "BABA", [1, 1, 1, 1], seated=[True] * 4)
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    assert np.isnan(fit.order_effect)
    assert "order effect not identifiable" in str(fit.order_effect_reason)
    np.testing.assert_allclose(fit.theta, 0, atol=1e-12)


def test_a_prior_makes_separated_models_finite_and_says_so() -> None:
    counts = counts_of_wins("AB", [[0, 10], [0, 0]])
    fit = fit_bradley_terry(counts, prior_sd=3.0)
    assert fit.estimator == "map"
    assert fit.standing == ("ok", "ok")
    gap = fit.theta[0] - fit.theta[1]
    # The penalty of centred strengths t and -t is t^2 / 9, so 10 sigma(-gap) = t / 9.
    assert 10 / (1 + np.exp(gap)) == pytest.approx(gap / 2 / 9, abs=1e-9)
    for wide in (50.0, 500.0):
        strong = counts_of_wins("AB", [[0, 3], [1, 0]])
        almost = fit_bradley_terry(strong, prior_sd=wide)
        assert almost.theta[0] == pytest.approx(np.log(3) / 2, abs=10 / wide**2)


def test_no_battle_is_an_error() -> None:
    with pytest.raises(ValueError, match="no battle between any two models"):
        fit_bradley_terry(counts_of_wins("AB", np.zeros((2, 2))))


@pytest.mark.parametrize("prior_sd", [0.0, -1.0, np.nan, np.inf])
def test_a_prior_must_be_a_positive_width(prior_sd: float) -> None:
    with pytest.raises(ValueError, match="prior_sd must be a positive number of logits"):
        fit_bradley_terry(counts_of_wins("AB", [[0, 1], [1, 0]]), prior_sd=prior_sd)


@settings(max_examples=20)
@given(st.floats(-6, 6), st.integers(1, 10**9))
def test_two_models_have_the_closed_form(gap: float, battles: int) -> None:
    p = 1 / (1 + np.exp(-gap))
    fit = fit_bradley_terry(counts_of_wins("AB", [[0, battles * p], [battles * (1 - p), 0]]))
    assert fit.converged
    assert fit.theta[0] - fit.theta[1] == pytest.approx(gap, abs=1e-9)


def test_newton_says_when_there_is_no_maximum() -> None:
    def flat(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        return float(x[0]), np.ones(1), np.zeros((1, 1))

    assert not maximise(flat, np.zeros(1)).converged


def test_newton_halves_a_step_that_goes_too_far() -> None:
    def steep(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        root = np.sqrt(1 + x[0] ** 2)  # plain Newton diverges from |x| > 1
        return -root, -x / root, np.array([[root**-3]])

    found = maximise(steep, np.array([30.0]))
    assert found.converged
    assert found.point[0] == pytest.approx(0, abs=1e-9)
