import math

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.power import NormalIndPower

from eval_pipeline.statistics.margins import margin_tests
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.power import (
    detectable_difference,
    items_for_half_width,
    items_for_share,
    items_per_arm,
    items_to_detect,
    paired_items,
    win_probability,
)
from eval_pipeline.statistics.randomness import generator


def test_two_arms_agree_with_statsmodels():
    effect = 0.02 / math.sqrt(0.25)
    theirs = NormalIndPower().solve_power(effect, power=0.8, alpha=0.05)
    assert items_per_arm(0.02, 0.5) == pytest.approx(theirs, rel=1e-5)  # theirs counts the far tail


def test_a_half_width_equal_to_the_effect_has_a_power_of_one_half():
    n = items_for_half_width(0.05)
    z = norm.ppf(0.975)
    power = norm.cdf(0.05 / math.sqrt(0.25 / n) - z) + norm.cdf(-0.05 / math.sqrt(0.25 / n) - z)
    assert power == pytest.approx(0.5, abs=1e-3)
    assert items_for_share(0.55) == pytest.approx(782.5, abs=0.1)


def test_pairing_pays_where_checkpoints_mostly_agree():
    assert paired_items(0.02, 0.1) < items_per_arm(0.02, 0.5) / 5


def test_what_n_items_detect_and_the_items_it_takes_are_inverse():
    n = items_to_detect(0.03, 0.02, 500, confidence=0.9, power=0.7)
    back = detectable_difference(0.02, 500, n, confidence=0.9, power=0.7)
    assert back == pytest.approx(0.03)


def test_a_difference_of_zero_is_shown_by_no_number_of_items():
    assert math.isnan(items_to_detect(0.0, 0.02, 500))


@pytest.mark.slow
def test_the_planned_items_reach_the_planned_power():
    """Pilot and study are clustered alike; the study finds the effect about 80 times in 100."""
    rng = generator(20260101, "power")

    def study(n_clusters):
        centre = rng.normal(0.05, 0.15, n_clusters)
        clusters = np.repeat(np.arange(n_clusters), 4)
        d = np.clip(rng.normal(centre[clusters], 0.3), -1, 1)
        return mean_difference(d, clusters)

    se = np.median([study(50).estimate.se for _ in range(400)])
    planned = round(items_to_detect(0.05, se, 200) / 4)
    found = np.mean([study(planned).p_value <= 0.05 for _ in range(2000)])
    assert found == pytest.approx(0.8, abs=0.04)


def test_ten_points_of_elo_are_a_win_probability_just_above_one_half():
    assert win_probability(10) == pytest.approx(0.514387, abs=1e-6)
    assert win_probability(0) == 0.5


@pytest.mark.parametrize(
    "call",
    [
        lambda: items_for_half_width(0.0),
        lambda: items_for_share(0.5),
        lambda: paired_items(0.1, 0.05),
        lambda: items_to_detect(0.1, 0.0, 10),
        lambda: items_per_arm(0.1, 0.5, power=1.0),
    ],
)
def test_plans_without_an_effect_or_a_spread_are_refused(call):
    with pytest.raises(ValueError, match="must"):
        call()


@pytest.mark.parametrize(("difference", "margin"), [(0.01, 0.02), (-0.03, 0.02), (0.0, 0.0)])
def test_margin_tests_are_intervals_beyond_the_bar(difference, margin):
    found = margin_tests(difference, 0.01, margin)
    low, high = difference - norm.ppf(0.95) * 0.01, difference + norm.ppf(0.95) * 0.01
    assert (found.superiority < 0.05) == (low > 0)
    assert (found.non_inferiority < 0.05) == (low > -margin)
    assert (found.equivalence < 0.05) == (low > -margin and high < margin)


def test_margins_and_errors_must_make_sense():
    with pytest.raises(ValueError, match="positive standard error"):
        margin_tests(0.1, 0.0, 0.02)
