import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest

from eval_pipeline.statistics.intervals import normal_quantile
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.sequential import (
    any_time_interval,
    betting_sequence,
    peeking_error_rate,
)


def test_one_look_keeps_its_level_and_ten_do_not():
    rate = peeking_error_rate(1, 0.05, generator(4, "one"), 20_000)
    assert binomtest(round(rate * 20_000), 20_000, 0.05).pvalue > 1e-3
    ten = peeking_error_rate(10, 0.05, generator(4, "ten"), 20_000)
    assert ten == pytest.approx(0.193, abs=0.012)


def half_width(n, planned, confidence=0.95):
    return any_time_interval(0.0, 1 / math.sqrt(n), n, planned, confidence).high


def test_the_boundary_is_narrowest_at_the_planned_size():
    """The mixture's formula with any other r is wider there."""

    def at(log_r, n=400, alpha=0.05):
        v = n * math.exp(log_r)
        return math.sqrt((1 + 1 / v) * math.log((v + 1) / alpha**2) / n)

    best = minimize_scalar(at, bounds=(-10, 2), method="bounded", options={"xatol": 1e-9})
    assert half_width(400, 400) == pytest.approx(best.fun, rel=1e-9)


def test_leave_to_look_costs_width_but_not_endlessly():
    ratio = half_width(400, 400) * 20 / normal_quantile(0.95)
    assert 1.4 < ratio < 1.6
    assert half_width(4000, 400) < half_width(400, 400)


def looks(rng, runs, n):
    """For each run, whether any look from 30 clusters on misses the mean 0."""
    steps = rng.standard_normal((runs, n))
    counts = np.arange(1, n + 1)
    means = np.cumsum(steps, axis=1) / counts
    squares = np.cumsum(steps**2, axis=1) / counts - means**2
    seen = np.arange(29, n)
    se = np.sqrt(squares[:, seen] / (counts[seen] - 1))
    half = np.array([half_width(k, 200) * math.sqrt(k) for k in counts[seen]])
    return (np.abs(means[:, seen]) > half * se).any(axis=1)


def test_every_look_at_once_holds_the_mean():
    missed = int(looks(generator(5, "looks"), 2000, 600).sum())
    assert binomtest(missed, 2000, 0.05, alternative="greater").pvalue > 1e-3
    assert missed > 0


def capital_by_definition(x, m, confidence):
    """Waudby-Smith and Ramdas, written out one bet at a time; both sides for one candidate mean."""
    mean = spread = None
    up = down = 1.0
    sums, squares = 0.5, 0.25
    best = [1.0, 1.0]
    variance = 0.25
    for t, value in enumerate(x, start=1):
        stake = math.sqrt(2 * math.log(2 / (1 - confidence)) / (variance * t * math.log(t + 1)))
        up *= 1 + min(stake, 0.5 / m) * (value - m)
        down *= 1 - min(stake, 0.5 / (1 - m)) * (value - m)
        best = [max(best[0], up), max(best[1], down)]
        sums += value
        mean = sums / (t + 1)
        squares += (value - mean) ** 2
        spread = squares / (t + 1)
        variance = spread
    return best


def test_what_is_ruled_out_is_what_the_bets_win_against():
    x = generator(6, "bets").beta(2, 5, 120)
    low, high = (ends[-1] for ends in betting_sequence(x))
    bar = 2 / 0.05
    assert (
        capital_by_definition(x, low - 1e-4, 0.95)[0]
        >= bar
        > capital_by_definition(x, low + 1e-3, 0.95)[0]
    )
    assert (
        capital_by_definition(x, high + 1e-4, 0.95)[1]
        >= bar
        > capital_by_definition(x, high - 1e-3, 0.95)[1]
    )


def test_a_sequence_only_ever_narrows_and_holds_its_data():
    x = (generator(7, "bets").random(300) < 0.2).astype(float)
    low, high = betting_sequence(x)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert low[-1] < x.mean() < high[-1]
    assert high[-1] - low[-1] < 0.25


def test_ones_only_are_ruled_out_from_below_and_never_from_above():
    low, high = betting_sequence(np.ones(40))
    assert (high == 1.0).all()
    assert 0.7 < low[-1] < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("mean", [0.03, 0.5, 0.9])
def test_bets_miss_the_mean_at_any_look_no_more_often_than_alpha(mean):
    rng = generator(20260101, "bets", str(mean))
    runs, missed = 600, 0
    for _ in range(runs):
        low, high = betting_sequence((rng.random(250) < mean).astype(float))
        missed += low[-1] > mean or high[-1] < mean  # the ends never move back
    assert binomtest(missed, runs, 0.05, alternative="greater").pvalue > 1e-3, missed / runs


@pytest.mark.parametrize("bad", [[], [0.5, 1.2], [math.nan], [[0.1]]])
def test_values_outside_the_range_are_refused(bad):
    with pytest.raises(ValueError, match=r"in \[0, 1\]|a vector"):
        betting_sequence(bad)


def test_an_interval_at_any_time_needs_a_spread():
    with pytest.raises(ValueError, match="a positive standard error"):
        any_time_interval(0.1, 0.0, 50, 100)
