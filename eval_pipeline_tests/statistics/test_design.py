import math

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.power import TTestPower

from eval_pipeline.statistics.design import (
    PilotVariance,
    battles_for_gap,
    design_effect,
    draw_noise,
)
from eval_pipeline.statistics.power import items_for_share, paired_items, win_probability
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.simulated_power import paired_experiment, simulated_power

PILOT = PilotVariance(between=0.04, within=0.16)


def test_more_draws_help_until_the_items_are_all_that_is_left():
    assert PILOT.standard_error(100, 4) == pytest.approx(math.sqrt((0.04 + 0.04) / 100))
    assert PILOT.standard_error(100, 1e9) == pytest.approx(0.02)
    assert PILOT.items(PILOT.standard_error(250, 3), 3) == pytest.approx(250)


def test_the_best_number_of_draws_is_the_one_that_a_search_finds():
    best = PILOT.best_draws(item_cost=8, draw_cost=0.5)
    assert best == pytest.approx(8.0)
    errors = {k: PILOT.affordable(1000, 8, 0.5, k)[1] for k in range(1, 40)}
    assert min(errors, key=errors.__getitem__) == 8


def test_free_items_are_drawn_once_and_equal_items_for_ever():
    assert PILOT.best_draws(item_cost=0, draw_cost=1) == 1.0
    assert PilotVariance(0.0, 0.1).best_draws(1, 1) == math.inf


def test_the_noise_of_the_draws_is_what_more_of_them_take_away():
    rng = generator(5, "noise")
    chance = rng.beta(2, 2, 4000)
    few, many = (rng.binomial(1, np.repeat(chance, k)).astype(float) for k in (4, 8))
    noise = draw_noise(few, np.repeat(np.arange(4000), 4))
    spread = [x.reshape(4000, -1).mean(axis=1).var() for x in (few, many)]
    assert spread[0] - noise / 2 == pytest.approx(spread[1], rel=0.06)
    assert math.isnan(draw_noise([0.0, 1.0], ["a", "b"]))


def test_a_cluster_of_equal_answers_counts_once():
    assert design_effect(1.0, [10] * 7) == 10
    assert design_effect(0.3, [1, 1, 1]) == 1
    assert design_effect(0.1, [1, 9]) == pytest.approx(1 + (82 / 10 - 1) * 0.1)


def test_battles_without_ties_are_the_items_of_a_share_and_ties_save_some():
    alone = battles_for_gap(30)
    assert alone == pytest.approx(items_for_share(win_probability(30)))
    assert battles_for_gap(30, tie_share=0.3) < alone
    assert battles_for_gap(-30) == alone


def within_reach(found, nominal, least=0.02):
    low, high = found.interval
    return low - least <= nominal <= high + least


def test_a_simulated_paired_experiment_has_the_power_of_the_formula():
    n = math.ceil(paired_items(0.05, 0.2))
    found = simulated_power(
        paired_experiment(0.05, 0.2, np.ones(n, dtype=int)),
        generator(1, "paired power"),
        simulations=800,
    )
    assert within_reach(found, 0.8)


def test_a_simulated_clustered_experiment_needs_the_design_effect():
    sizes = np.full(math.ceil(paired_items(0.08, 0.3) * design_effect(0.3, [6]) / 6), 6)
    rng = generator(2, "clustered power")
    made = paired_experiment(0.08, 0.3, sizes, correlation=0.3)
    assert within_reach(simulated_power(made, rng, simulations=800), 0.8)
    d, clusters = paired_experiment(0.08, 0.3, np.full(4000, 2), correlation=0.3)(rng)
    pairs = d[np.argsort(clusters, kind="stable")].reshape(-1, 2)
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(0.3, abs=0.05)


def test_a_simulated_arena_shows_the_gap_as_often_as_the_formula_says():
    gap, ties = 40.0, 0.2
    n = math.ceil(battles_for_gap(gap, ties))
    p = win_probability(gap)
    rng = generator(3, "arena")
    scores = rng.choice([1.0, 0.5, 0.0], (2000, n), p=[p - ties / 2, ties, 1 - p - ties / 2])
    mean, se = scores.mean(axis=1), scores.std(axis=1, ddof=1) / math.sqrt(n)
    shown = int(np.sum((mean - 0.5) / se > 1.96))
    assert binomtest(shown, 2000, 0.8).pvalue > 1e-4


def test_no_difference_is_shown_no_more_often_than_half_of_alpha():
    found = simulated_power(
        paired_experiment(0.0, 0.2, np.full(40, 5), 0.5), generator(4, "size"), simulations=1000
    )
    assert binomtest(round(found.power * 1000), 1000, 0.025, alternative="greater").pvalue > 1e-3


def test_the_error_of_a_plan_goes_with_the_power_of_another_library():
    """A pilot's variance an item of 0.08 and a gap of 0.05, by t instead of z."""
    needed = TTestPower().solve_power(0.05 / math.sqrt(0.08), power=0.8, alpha=0.05)
    se = PILOT.standard_error(needed, 4)
    assert 0.05 / se == pytest.approx(1.96 + 0.8416, abs=0.02)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: PilotVariance(-0.1, 0.2), "must be 0 or more"),
        (lambda: PilotVariance(0.0, 0.0), "not both 0"),
        (lambda: PILOT.items(0.0, 1), "standard_error must be above 0"),
        (lambda: design_effect(0.1, [0]), "1 item or more"),
        (lambda: design_effect(-0.9, [10, 10]), "cannot be in clusters"),
        (lambda: battles_for_gap(0.0), "elo_gap must be above 0"),
        (lambda: battles_for_gap(400, tie_share=0.5), "no room for a tie share"),
        (lambda: paired_experiment(0.3, 0.2, [1]), "needs a discordant share"),
        (lambda: paired_experiment(0.1, 0.2, [1.5]), "whole numbers"),
    ],
)
def test_impossible_plans_are_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()
