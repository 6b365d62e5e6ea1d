"""Misfit, cycles, and the printed scale."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import counts_of_wins, pair_counts
from eval_pipeline.ranking.diagnostics import cyclic_share, cyclic_triads, deviance
from eval_pipeline.ranking.elo import elo_odds, elo_scale, elo_update, elo_win_probability
from eval_pipeline.ranking.minorization import mm_step
from eval_pipeline.ranking.ties import davidson_probabilities, fit_davidson, fit_rao_kupper
from eval_pipeline_tests.ranking.strategies import simulated


def test_the_golden_triangle(golden_vectors: Callable[[str], Any]) -> None:
    golden = golden_vectors("ranking.json")["hodge_triangle"]
    assert cyclic_share(golden["wins"]) == pytest.approx(golden["cyclic_share"], abs=1e-12)
    assert cyclic_triads(golden["wins"]) == 1


def test_strengths_on_a_line_have_no_cycle_and_no_deviance() -> None:
    theta = np.array([1.0, 0.2, -1.2])
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    wins = 100 * chance * (1 - np.eye(3))
    counts = counts_of_wins("ABC", wins)
    assert cyclic_share(wins) == pytest.approx(0, abs=1e-20)
    found = deviance(fit_bradley_terry(counts), counts)
    assert (found.statistic, found.df) == (pytest.approx(0, abs=1e-9), 1)
    assert found.p_value == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("wins", [[[0, 5], [0, 0]], [[0, 3], [3, 0]]])
def test_the_cyclic_share_is_undefined_without_finite_preferences(wins: list) -> None:
    assert np.isnan(cyclic_share(wins))


@given(st.lists(st.integers(0, 3), min_size=20, max_size=20))
def test_cyclic_triads_equal_counting(entries: list) -> None:
    wins = np.zeros((5, 5))
    wins[~np.eye(5, dtype=bool)] = entries
    beats = wins > wins.T
    by_hand = sum(
        (beats[i, j] and beats[j, k] and beats[k, i])
        or (beats[j, i] and beats[k, j] and beats[i, k])
        for i, j, k in combinations(range(5), 3)
    )
    assert cyclic_triads(wins) == by_hand


@pytest.mark.parametrize("order_effect", [False, True])
def test_deviance_equals_statsmodels_on_cells(order_effect: bool) -> None:
    battles = simulated(np.random.default_rng(1), np.array([0.9, 0, -0.5]), 25, order_effect=0.5)
    counts = pair_counts(battles)
    rows = []  # cells: the design, what was won, what was lost
    for i, j in combinations(range(3), 2):
        strengths = np.eye(3)[i] - np.eye(3)[j]
        if order_effect:
            first, second = counts.wins[1], counts.wins[2]
            rows.append(([*strengths[1:], 1], first[i, j], second[j, i]))
            rows.append(([*-strengths[1:], 1], first[j, i], second[i, j]))
        else:
            rows.append((strengths[1:], counts.total[i, j], counts.total[j, i]))
    design, won, lost = zip(*rows, strict=True)
    glm = sm.GLM(np.column_stack([won, lost]), np.array(design), family=sm.families.Binomial())
    found = deviance(fit_bradley_terry(counts, order_effect=order_effect), counts)
    expected = glm.fit(tol=1e-14)
    assert found.statistic == pytest.approx(expected.deviance, abs=1e-9)
    assert found.df == expected.df_resid


def test_the_anchor_moves_only_what_is_printed() -> None:
    theta = np.array([0.5, -0.5, np.nan])
    free, anchored = elo_scale(theta), elo_scale(theta, anchor=-0.5)
    assert anchored[1] == 1000
    assert free[0] - free[1] == pytest.approx(anchored[0] - anchored[1])
    assert free[0] - free[1] == pytest.approx(400 / np.log(10))
    assert np.isnan(free[2])


def test_an_elo_score_outside_0_to_1_is_an_error() -> None:
    with pytest.raises(ValueError, match="score must be between 0 and 1, got 2"):
        elo_update(1000, 1000, 2, 32)


def test_minorization_refuses_what_it_cannot_step_from() -> None:
    with pytest.raises(ValueError, match="strengths must be positive"):
        mm_step([[0, 1], [1, 0]], [1, 0])
    with pytest.raises(ValueError, match="model 2 never met another"):
        mm_step([[0, 1, 0], [1, 0, 0], [0, 0, 0]], [1, 1, 1])


def test_tie_models_refuse_impossible_counts() -> None:
    with pytest.raises(ValueError, match="ties must be counts, not negative"):
        fit_davidson([[0, 1], [1, 0]], [[0, -1], [0, 0]])
    with pytest.raises(ValueError, match="square and alike"):
        fit_davidson([[0, 1], [1, 0]], [[0]])


def test_without_ties_the_tie_models_are_bradley_terrys() -> None:
    wins = np.array([[0.0, 30, 7], [10, 0, 9], [4, 6, 0]])
    plain = fit_bradley_terry(counts_of_wins("abc", wins))
    for fit in (fit_davidson(wins, 0 * wins), fit_rao_kupper(wins, 0 * wins)):
        assert fit.converged
        assert fit.tie_parameter == 0.0
        np.testing.assert_allclose(fit.theta, plain.theta)
        assert fit.log_likelihood == pytest.approx(plain.log_likelihood)
    undefeated = fit_davidson([[0, 5], [0, 0]], np.zeros((2, 2)))
    assert not undefeated.converged
    assert np.isnan(undefeated.theta).all()


def test_far_strengths_overflow_nothing() -> None:
    far = davidson_probabilities(2000.0, 0.5)
    assert (far["win"], far["loss"]) == (1.0, 0.0)
    assert davidson_probabilities(-2000.0, 0.5)["expected_score"] == 0.0
    assert elo_win_probability(-1e9) == 0.0
    even = davidson_probabilities(0.0, 2.0)
    assert (even["win"], even["tie"], even["loss"]) == (0.25, 0.5, 0.25)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: davidson_probabilities(1.0, -1.0),
        lambda: davidson_probabilities(np.nan, 1.0),
        lambda: elo_update(np.nan, 1000, 1.0, 32),
        lambda: elo_update(1000, 1000, 1.0, -16),
        lambda: elo_odds(np.inf),
        lambda: elo_odds(1e6),
        lambda: elo_scale([0.0], points=0.0),
    ],
)
def test_impossible_ratings_and_settings_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"finite|above 0|at least 0"):
        wrong()
