"""Item analysis against scipy, statsmodels and planted items."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pointbiserialr
from statsmodels.stats.contingency_tables import StratifiedTable

from eval_pipeline.metrics.item_analysis.classical import classical_items
from eval_pipeline.metrics.item_analysis.curves import item_curve, slope_at_difficulty
from eval_pipeline.metrics.item_analysis.differential import mantel_haenszel, strata_of
from eval_pipeline.metrics.item_analysis.two_parameter import fit_two_parameter


def planted(items: int, respondents: int, seed: int):
    """Answers under the two-parameter model, and the a and b they were drawn with."""
    rng = np.random.default_rng(seed)
    a, b = rng.lognormal(0.0, 0.3, items), rng.normal(size=items)
    ability = rng.normal(size=respondents)
    chance = 1 / (1 + np.exp(-a[:, None] * (ability - b[:, None])))
    return (rng.random(chance.shape) < chance).astype(float), a, b, ability


def test_discrimination_is_the_correlation_with_the_rest_of_the_score() -> None:
    x, *_ = planted(12, 40, 0)
    found = classical_items(x)
    np.testing.assert_allclose(found.facility, x.mean(axis=1))
    for i, row in enumerate(x):
        rest = x.sum(axis=0) - row
        assert found.item_total[i] == pytest.approx(pointbiserialr(row, x.sum(axis=0))[0])
        assert found.discrimination[i] == pytest.approx(pointbiserialr(row, rest)[0])
    assert (found.item_total > found.discrimination).all()


def test_an_item_that_does_not_vary_tells_nothing_and_says_so() -> None:
    found = classical_items([[1, 1, 1], [0, 1, 0], [1, 0, 1]])
    assert np.isnan(found.discrimination[0])
    assert found.reasons == ("all models score the same on the item", None, None)
    assert found.facility.tolist() == [1.0, pytest.approx(1 / 3), pytest.approx(2 / 3)]
    alone = classical_items([[0, 1, 1]])
    assert alone.reasons == ("all models score the same on the other items",)
    assert np.isnan(alone.discrimination[0])
    assert np.isnan(classical_items([[1], [0]]).discrimination).all()


@given(st.lists(st.lists(st.integers(1, 30), min_size=4, max_size=4), min_size=1, max_size=6))
def test_mantel_haenszel_agrees_with_statsmodels(strata) -> None:
    found = mantel_haenszel(strata)
    tables = [np.array([[a, b], [c, d]], dtype=float) for a, b, c, d in strata]
    theirs = StratifiedTable(tables)
    assert found.odds_ratio == pytest.approx(theirs.oddsratio_pooled)
    assert found.ets_delta == pytest.approx(-2.35 * math.log(theirs.oddsratio_pooled))
    assert found.ets_delta_se == pytest.approx(2.35 * theirs.logodds_pooled_se)
    a, e, v = (
        sum(t[0, 0] for t in tables),
        sum(t[0].sum() * t[:, 0].sum() / t.sum() for t in tables),
        sum(
            t[0].sum() * t[1].sum() * t[:, 0].sum() * t[:, 1].sum() / (t.sum() ** 2 * (t.sum() - 1))
            for t in tables
        ),
    )
    assert found.chi_squared == pytest.approx(max(abs(a - e) - 0.5, 0) ** 2 / v)
    if abs(a - e) > 0.5:  # theirs is not cut at 0
        test = theirs.test_null_odds(correction=True)
        assert found.chi_squared == pytest.approx(test.statistic)
        assert found.p_value == pytest.approx(test.pvalue)


def test_strata_that_lack_a_group_change_nothing_and_are_counted() -> None:
    full = [[40, 10, 30, 20], [20, 30, 10, 40]]
    found = mantel_haenszel([*full, [5, 5, 0, 0], [0, 0, 0, 0], [3, 0, 2, 0]])
    plain = mantel_haenszel(full)
    assert found.odds_ratio == plain.odds_ratio
    assert found.chi_squared == plain.chi_squared
    assert (found.n_strata, found.n_strata_used) == (5, 2)
    assert plain.size == "C"


@pytest.mark.parametrize(
    ("strata", "told"),
    [
        ([[5, 5, 0, 0]], "no stratum holds both groups"),
        ([[5, 0, 2, 3]], "reference wrong and focal right"),
        ([[0, 5, 2, 3]], "reference right and focal wrong"),
    ],
)
def test_an_odds_ratio_that_is_unbounded_or_of_nothing_is_undefined(strata, told) -> None:
    found = mantel_haenszel(strata)
    assert np.isnan(found.odds_ratio)
    assert np.isnan(found.ets_delta)
    assert found.size is None
    assert found.reason is not None
    assert told in found.reason


def test_an_item_that_favours_a_group_is_found_within_equal_ability() -> None:
    rng = np.random.default_rng(1)
    focal = rng.random(4000) < 0.5
    ability = rng.normal(size=4000) - 0.8 * focal  # a gap that is ability, not the item

    def answers(shift: float):
        return rng.random(4000) < 1 / (1 + np.exp(-(ability - shift * focal)))

    score = np.sum([answers(0.0) for _ in range(30)], axis=0)
    fair, unfair = answers(0.0), answers(1.0)
    assert mantel_haenszel(strata_of(fair, focal, score + fair)).size == "A"
    found = mantel_haenszel(strata_of(unfair, focal, score + unfair))
    assert found.size == "C"
    assert found.ets_delta < -1.5


def test_the_fit_recovers_planted_items_within_its_standard_errors() -> None:
    x, a, b, ability = planted(40, 3000, 2)
    found = fit_two_parameter(x)
    assert found.converged
    assert np.corrcoef(found.ability, ability)[0, 1] > 0.9
    for estimate, truth, se in (
        (found.discrimination, a, found.discrimination_se),
        (found.difficulty, b, found.difficulty_se),
    ):
        z = (estimate - truth) / se
        assert abs(z.mean()) < 4 / math.sqrt(len(z))
        assert 0.7 < z.std() < 1.35
        assert np.abs(z).max() < 4.5


def test_the_fit_is_where_the_marginal_likelihood_is_greatest() -> None:
    x, *_ = planted(5, 200, 3)
    found = fit_two_parameter(x)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)

    def likelihood(a, b):
        p = 1 / (1 + np.exp(-a[:, None] * (nodes - b[:, None])))
        pattern = np.prod(np.where(x[:, :, None] == 1, p[:, None], 1 - p[:, None]), axis=0)
        return np.log(pattern @ weights / weights.sum()).sum()

    best = likelihood(found.discrimination, found.difficulty)
    assert found.log_likelihood == pytest.approx(best, rel=1e-5)
    for i in range(5):
        for nudge in (-0.05, 0.05):
            step = np.where(np.arange(5) == i, nudge, 0.0)
            assert likelihood(found.discrimination + step, found.difficulty) < best
            assert likelihood(found.discrimination, found.difficulty + step) < best


def test_items_without_a_finite_estimate_are_undefined_and_say_so() -> None:
    x, *_ = planted(8, 300, 4)
    found = fit_two_parameter(np.vstack([x, np.ones(300)]))
    assert np.isnan(found.difficulty[8])
    assert found.reasons[8] == "all respondents answered it the same"
    np.testing.assert_allclose(found.difficulty[:8], fit_two_parameter(x).difficulty)


def test_a_slope_that_no_finite_number_fits_best_is_undefined() -> None:
    x, _, _, ability = planted(6, 300, 5)
    # Two items that sort the respondents alike without a slip: each makes the other ever steeper.
    step = (ability > 0).astype(float)
    found = fit_two_parameter(np.vstack([x, step, step]))
    assert np.isnan(found.discrimination[-2:]).all()
    assert found.reasons[-1] == "its slope has no finite best value (beyond 8)"
    assert np.isfinite(found.difficulty[:6]).all()


@pytest.mark.slow
def test_intervals_of_the_fit_hold_the_truth_as_often_as_they_say() -> None:
    inside = []
    for seed in range(60):
        x, a, b, _ = planted(15, 600, 100 + seed)
        found = fit_two_parameter(x)
        for estimate, truth, se in (
            (found.discrimination, a, found.discrimination_se),
            (found.difficulty, b, found.difficulty_se),
        ):
            inside.append(np.abs(estimate - truth) <= 1.96 * se)
    assert 0.92 < np.mean(inside) < 0.98


def test_the_curve_passes_half_way_between_guess_and_certainty_at_its_difficulty() -> None:
    assert item_curve([0.5], 1.5, 0.5, 0.25)[0] == pytest.approx(0.625)
    nudge = 1e-6
    low, high = item_curve([0.5 - nudge, 0.5 + nudge], 1.5, 0.5, 0.25)
    assert (high - low) / (2 * nudge) == pytest.approx(slope_at_difficulty(1.5, 0.25), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: classical_items([[1, 2]]), r"scores\[0, 1\] is 2"),
        (lambda: classical_items([[1, np.nan]]), r"scores\[0, 1\] is nan"),
        (lambda: classical_items([[1, True]]), r"scores\[0, 1\] is True"),
        (lambda: classical_items([]), "must be a table"),
        (lambda: mantel_haenszel([[1, 2, 3]]), "got 3 columns"),
        (lambda: mantel_haenszel([[1, 2, 3, -1]]), r"strata\[0, 3\] is -1"),
        (lambda: mantel_haenszel([[1, 2, 3, 0.5]]), r"strata\[0, 3\] is 0.5"),
        (lambda: mantel_haenszel([[0, 0, 0, 0]]), "no respondents"),
        (lambda: strata_of([True], [1], [0.0]), r"focal\[0\] is 1"),
        (lambda: fit_two_parameter(np.ones((5, 10))), "10 respondents are too few"),
        (lambda: fit_two_parameter(np.ones((5, 100))), "0 of 5 items"),
        (lambda: fit_two_parameter(np.full((5, 100), 0.5)), r"answers\[0, 0\] is 0.5"),
        (lambda: item_curve([0.0], 0.0, 0.0), "a must not be 0"),
        (lambda: item_curve([0.0], 1.0, 0.0, 1.0), "c"),
        (lambda: item_curve([np.nan], 1.0, 0.0), r"ability\[0\] is undefined"),
        (lambda: item_curve([0.0], True, 0.0), "a"),
    ],
)
def test_item_analysis_refuses_and_names_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()
