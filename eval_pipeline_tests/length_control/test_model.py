"""The length-controlled rate against golden values, statsmodels, and its promises."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import t as student

from eval_pipeline.length_control.design import EXTRAPOLATED, LENGTH_DROPPED, POSITION_DROPPED
from eval_pipeline.length_control.model import (
    LengthControlled,
    length_controlled_win_rate,
    log_likelihood,
)
from eval_pipeline.length_control.separation import is_separated
from eval_pipeline.ranking.newton import maximise

verdicts = st.lists(
    st.tuples(
        st.integers(-9, 9).map(lambda hundreds: 100 * hundreds),
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        st.sampled_from((-1.0, 1.0)),
        st.sampled_from("pqrstuvwxyzäöü"),
    ),
    min_size=1,
    max_size=60,
)


def of(drawn: list, sign: int = 1) -> LengthControlled:
    """The rate of the model (sign 1) or of the baseline (sign -1) from the same verdicts."""
    delta, preference, seat, cluster = (np.array(c) for c in zip(*drawn, strict=True))
    preference = preference if sign > 0 else 1 - preference
    return length_controlled_win_rate(sign * delta, preference, sign * seat, cluster=cluster)


def simulated(rng: np.random.Generator, n: int, *, theta: float = 0.3) -> dict[str, np.ndarray]:
    """Pairs judged in both orders, with a length effect of 0.8 and a seat worth 0.5 logits."""
    delta = rng.normal(150, 300, n)
    logit = theta + 0.8 * np.tanh(delta / 300) + rng.normal(0, 0.7, n)
    seats = np.repeat([1.0, -1.0], n)
    chance = expit(np.tile(logit, 2) + 0.5 * seats)
    return {
        "length_difference": np.tile(delta, 2),
        "preference": (rng.random(2 * n) < chance).astype(float),
        "seat": seats,
        "cluster": np.tile(np.arange(n), 2),
    }


def test_the_golden_fit_with_difficulty(golden_vectors: Callable[[str], Any]) -> None:
    golden = golden_vectors("ranking.json")["lc_glm"]
    t, d = np.array(golden["tanh_len"]), np.array(golden["difficulty"])
    y = np.array(golden["pref_model_wins"])
    design = np.column_stack([t, d, np.ones(len(t))])
    fit = maximise(lambda b: log_likelihood(b, design, y, np.ones(len(y))), np.zeros(3))
    expected = [golden["coef"][name] for name in ("phi", "psi", "theta")]
    np.testing.assert_allclose(fit.point, expected, atol=1e-10)
    # Through the front door: differences whose tanh, after scaling, is the given one.
    raw = np.arctanh(t)
    delta = raw / np.std(raw, ddof=1)
    found = length_controlled_win_rate(delta, y, difficulty=d)
    scaled = np.column_stack([np.ones(len(t)), d, np.tanh(delta / np.std(delta, ddof=1))])
    again = maximise(lambda b: log_likelihood(b, scaled, y, np.ones(len(y))), np.zeros(3)).point
    assert found.theta == pytest.approx(again[0], abs=1e-9)
    at_equal = expit(again[0] + again[1] * d).mean()
    assert found.length_controlled == pytest.approx(at_equal, abs=1e-12)
    assert 100 * found.raw == pytest.approx(golden["raw_winrate_pct"], abs=1e-10)
    lc = 100 * expit(fit.point[2] + fit.point[1] * d).mean()
    assert lc == pytest.approx(golden["lc_winrate_pct"], abs=1e-9)


def test_statsmodels_agrees_with_the_rate_and_its_clustered_error() -> None:
    rows = simulated(np.random.default_rng(7), 120)
    delta, seat = rows["length_difference"], rows["seat"]
    sd = np.std(delta[:120], ddof=1)
    design = np.column_stack([np.ones(240), np.tanh(delta / sd), seat])
    fit = sm.GLM(rows["preference"], design, family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": rows["cluster"]}, tol=1e-14
    )
    found = length_controlled_win_rate(**rows)
    assert found.length_sd == pytest.approx(sd, rel=1e-12)
    ours = [found.theta, found.length_coefficient, found.position_coefficient]
    np.testing.assert_allclose(ours, fit.params, atol=1e-9)
    rate = expit(fit.params[0])
    assert found.length_controlled == pytest.approx(rate, abs=1e-10)
    # statsmodels also multiplies by (N - 1) / (N - k).
    se_theta = fit.bse[0] * np.sqrt((240 - 3) / (240 - 1))
    assert found.se == pytest.approx(rate * (1 - rate) * se_theta, rel=1e-8)
    reach = student.ppf(0.975, 119) * se_theta
    assert found.low == pytest.approx(expit(fit.params[0] - reach), rel=1e-8)
    assert found.high == pytest.approx(expit(fit.params[0] + reach), rel=1e-8)
    assert (found.method, found.reason, found.n_clusters) == ("cr1_t_logit", None, 120)


@given(verdicts)
def test_both_sides_add_up_to_one(drawn: list) -> None:
    one, two = of(drawn), of(drawn, sign=-1)
    assert (one.reason == two.reason) or "all preferences equal" in str(one.reason)
    assert one.notes == two.notes
    np.testing.assert_allclose(one.raw, 1 - two.raw, atol=1e-12)
    np.testing.assert_allclose(one.length_controlled, 1 - two.length_controlled, atol=1e-7)
    np.testing.assert_allclose(one.low, 1 - two.high, atol=1e-7)
    np.testing.assert_allclose(one.theta, -two.theta, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(one.length_coefficient, two.length_coefficient, rtol=1e-6, atol=1e-6)


@given(verdicts, st.randoms(use_true_random=False))
def test_row_order_changes_nothing(drawn: list, random: Any) -> None:
    shuffled = list(drawn)
    random.shuffle(shuffled)
    one, two = of(drawn), of(shuffled)
    assert (one.reason, one.notes, one.n_clusters) == (two.reason, two.notes, two.n_clusters)
    np.testing.assert_allclose(one.length_controlled, two.length_controlled, atol=1e-8)
    np.testing.assert_allclose(one.se, two.se, rtol=1e-6, atol=1e-9)


@given(verdicts)
def test_the_unit_of_length_changes_nothing(drawn: list) -> None:
    inches = [(100 * delta, *rest) for delta, *rest in drawn]
    one, two = of(drawn), of(inches)
    np.testing.assert_allclose(one.length_controlled, two.length_controlled, atol=1e-8)


@given(verdicts)
def test_a_rate_is_there_exactly_where_the_fit_exists(drawn: list) -> None:
    found = of(drawn)
    if np.isnan(found.length_controlled):
        assert found.reason is not None
        assert not found.converged
    else:
        assert found.converged
        assert found.gradient_max < 1e-8
        assert 1e-7 < found.length_controlled < 1 - 1e-7


def test_equal_preferences_are_undefined() -> None:
    found = length_controlled_win_rate([1, 5, -3], [1, 1, 1])
    assert np.isnan(found.length_controlled)
    assert found.raw == 1
    assert found.reason == "all preferences equal 1"
    assert not found.extreme_change


def test_length_that_explains_everything_is_undefined() -> None:
    found = length_controlled_win_rate([-30, -20, -10, 10, 20, 30], [0, 0, 0, 1, 1, 1])
    assert np.isnan(found.length_controlled)
    assert found.reason == "separated: length or seat explains every outcome"


def test_no_rows_are_no_rate() -> None:
    found = length_controlled_win_rate([], [])
    assert found.reason == "0 comparisons"
    assert np.isnan(found.raw)
    assert np.isnan(found.length_controlled)


def test_a_constant_length_is_dropped_and_said() -> None:
    found = length_controlled_win_rate([7, 7, 7, 7], [1, 0, 1, 0.5])
    assert found.notes == (LENGTH_DROPPED,)
    assert found.length_controlled == pytest.approx(found.raw, abs=1e-12)
    assert np.isnan(found.length_coefficient)
    assert found.length_sd == 0


def test_lengths_that_hardly_vary_are_as_good_as_constant() -> None:
    found = length_controlled_win_rate([1000, 1001, 1002, 1003], [1, 0, 1, 0.5])
    assert LENGTH_DROPPED in found.notes
    assert found.length_controlled == pytest.approx(found.raw, abs=1e-12)


def test_one_order_alone_drops_the_seat_and_says_so() -> None:
    found = length_controlled_win_rate([1, 2, -3, 4], [1, 0, 1, 0], [1, 1, 1, 1])
    assert POSITION_DROPPED in found.notes
    assert np.isnan(found.position_coefficient)


def test_length_that_follows_the_seat_is_dropped_rather_than_the_seat() -> None:
    found = length_controlled_win_rate([9, -9, 9, -9], [1, 0, 0, 1], [1, -1, 1, -1])
    assert found.notes == (LENGTH_DROPPED,)
    assert np.isfinite(found.position_coefficient)


def test_a_side_that_is_always_longer_is_an_extrapolation() -> None:
    found = length_controlled_win_rate([10, 20, 30, 40], [1, 0, 1, 0])
    assert EXTRAPOLATED in found.notes


def test_few_clusters_give_a_rate_without_an_interval() -> None:
    found = length_controlled_win_rate([1, -2, 3, -4], [1, 0, 0, 1])
    assert np.isfinite(found.length_controlled)
    assert np.isnan(found.se)
    assert np.isnan(found.low)
    assert np.isnan(found.raw_se)
    assert found.method is None
    assert found.reason == "no interval: 4 clusters, 10 needed"


def test_ties_alone_give_one_half_without_an_interval() -> None:
    found = length_controlled_win_rate(np.arange(-10, 10), np.full(20, 0.5))
    assert found.length_controlled == 0.5
    assert found.reason == "no interval: the clusters do not differ"


def test_a_forfeit_counts_at_any_length() -> None:
    rows = simulated(np.random.default_rng(7), 60)
    plain = length_controlled_win_rate(**rows)
    more = {
        "length_difference": np.append(rows["length_difference"], [np.nan] * 20),
        "preference": np.append(rows["preference"], [0.0] * 20),
        "seat": np.append(rows["seat"], [0.0] * 20),
        "cluster": np.append(rows["cluster"], np.arange(100, 120)),
        "weight": np.append(np.full(120, 0.5), np.ones(20)),
        "forfeit": np.append(np.zeros(120, dtype=bool), np.ones(20, dtype=bool)),
    }
    found = length_controlled_win_rate(**more)
    assert found.theta == pytest.approx(plain.theta, abs=1e-9)
    assert found.length_controlled == pytest.approx(plain.length_controlled * 60 / 80, abs=1e-9)
    assert found.raw == pytest.approx(plain.raw * 60 / 80, abs=1e-12)
    # A share of forfeits is itself uncertain: sampled like any other outcome.
    share, rate = 0.75, plain.length_controlled
    mixed = (share * plain.se) ** 2 * (60 / 59) ** -1 * (80 / 79)
    mixed += rate**2 * share * (1 - share) / 79
    assert found.se == pytest.approx(np.sqrt(mixed), rel=1e-6)


def test_a_large_move_is_flagged() -> None:
    delta = np.tile([-400, -100, 300, 500, 800], 40)
    chance = expit(-1.0 + 2.5 * np.tanh(delta / 400))
    found = length_controlled_win_rate(delta, chance)
    assert found.raw - found.length_controlled > 0.1
    assert found.extreme_change


def test_the_error_knows_the_fit_and_not_only_the_fitted_values() -> None:
    """100 coin flips without a length effect: about five points, not the zero of fitted values."""
    rng = np.random.default_rng(11)
    found = length_controlled_win_rate(rng.normal(0, 200, 100), rng.integers(0, 2, 100))
    assert 0.045 < found.se < 0.056


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=4, max_size=12),
    st.data(),
)
def test_separation_is_what_makes_a_fit_run_away(points: list, data: Any) -> None:
    design = np.column_stack([np.ones(len(points)), np.array(points)])
    if np.linalg.matrix_rank(design) < 3:
        return
    outcome = np.array(
        data.draw(st.lists(st.sampled_from((0.0, 1.0)), min_size=len(points), max_size=len(points)))
    )
    fit = maximise(lambda b: log_likelihood(b, design, outcome, np.ones(len(points))), np.zeros(3))
    at_rest = fit.converged and np.abs(design @ fit.point).max() < 25
    assert is_separated(design, outcome) == (not at_rest)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"preference": [1, 1.5]}, r"row 1: preference must lie in 0 to 1, got 1\.5"),
        ({"preference": [np.nan, 1]}, r"row 0: preference must lie in 0 to 1, got nan"),
        ({"length_difference": [1, np.inf]}, r"row 1: length_difference must be finite"),
        ({"seat": [1, 2]}, r"row 1: seat must be \+1, -1 or 0, got 2"),
        ({"weight": [0, 1]}, r"row 0: weight must be positive"),
        ({"cluster": ["a", None]}, r"item 1 has no cluster"),
        ({"seat": [1]}, r"seat must have shape \(2,\) like preference"),
    ],
)
def test_a_bad_row_is_named(changed: dict, message: str) -> None:
    rows = {"length_difference": [1, 2], "preference": [0, 1]} | changed
    with pytest.raises(ValueError, match=message):
        length_controlled_win_rate(**rows)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20)
    truth = np.mean(
        [
            length_controlled_win_rate(
                **simulated(np.random.default_rng(s), 4000)
            ).length_controlled
            for s in range(100, 140)
        ]
    )
    found = [length_controlled_win_rate(**simulated(rng, 50)) for _ in range(1500)]
    covered = np.mean([f.low <= truth <= f.high for f in found])
    assert covered == pytest.approx(0.95, abs=0.02)
