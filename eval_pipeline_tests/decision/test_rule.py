import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.decision.guardrails import Bar, check
from eval_pipeline.decision.reasons import REASONS, outcome_of
from eval_pipeline.decision.rule import Estimated, n_needed, verdict


def finding(low, high, n=400):
    return Estimated((low + high) / 2, low, high, n, 0.95)


@pytest.mark.parametrize(
    ("rule", "margin", "low", "high", "reason_code"),
    [
        ("superior", 0.0, 0.01, 0.05, "superior"),
        ("superior", 0.0, -0.01, 0.05, "undecided"),
        ("superior", 0.0, -0.05, -0.01, "not_superior"),
        ("superior", 0.02, 0.01, 0.05, "undecided"),
        ("superior", 0.02, 0.0, 0.01, "not_superior"),
        ("non_inferior", 0.02, -0.01, 0.05, "non_inferior"),
        ("non_inferior", 0.02, -0.03, 0.05, "undecided"),
        ("non_inferior", 0.02, -0.05, -0.03, "inferior"),
        ("equivalent", 0.02, -0.01, 0.01, "equivalent"),
        ("equivalent", 0.02, -0.01, 0.03, "undecided"),
        ("equivalent", 0.02, 0.03, 0.05, "not_equivalent"),
        ("equivalent", 0.02, -0.05, -0.03, "not_equivalent"),
    ],
)
def test_the_bar_must_lie_outside_the_interval_on_the_right_side(
    rule, margin, low, high, reason_code
):
    found = verdict(rule, margin, finding(low, high), higher_is_better=True)
    assert found.reason_code == reason_code
    assert found.outcome == outcome_of(reason_code)


def test_touching_the_bar_is_not_clearing_it():
    at_bar = Estimated(0.03, 0.0, 0.06, 100, 0.95)
    assert verdict("superior", 0.0, at_bar, higher_is_better=True).reason_code == "undecided"


@given(
    st.sampled_from(["superior", "non_inferior", "equivalent"]),
    st.floats(0, 0.1),
    st.tuples(st.floats(-0.2, 0.2), st.floats(0.001, 0.2)),
)
def test_where_lower_is_better_the_mirror_image_decides_alike(rule, margin, case):
    centre, half = case
    up = verdict(rule, margin, finding(centre - half, centre + half), higher_is_better=True)
    down = verdict(rule, margin, finding(-centre - half, -centre + half), higher_is_better=False)
    assert up.reason_code == down.reason_code
    assert up.n_needed == down.n_needed


def test_the_reason_shows_the_difference_as_candidate_minus_reference():
    found = verdict("superior", 0.0, finding(-0.05, -0.01), higher_is_better=False)
    assert found.outcome == "ship"
    assert found.reason == (
        "-0.0300 [-0.0500, -0.0100] at 95% on 400 items, where lower is better; the bar is +0.0000"
    )


def test_the_items_that_would_decide_clear_the_bar_with_power():
    """Twice the items halve the variance: at n_needed the bar is 2.8 standard errors away."""
    found = verdict("superior", 0.0, finding(-0.01, 0.05), higher_is_better=True)
    se = 0.03 / 1.959964
    assert found.n_needed == math.ceil(400 * ((1.959964 + 0.841621) * se / 0.02) ** 2)


@given(st.floats(-0.2, 0.2), st.floats(0.001, 0.3), st.integers(2, 10_000))
def test_more_items_are_needed_than_there_are_where_nothing_is_decided(centre, half, n):
    found = verdict(
        "non_inferior", 0.02, finding(centre - half, centre + half, n), higher_is_better=True
    )
    if found.n_needed is not None:
        assert found.outcome == "not_enough_data"
        assert found.n_needed > n


def test_an_estimate_on_the_bar_is_decided_by_no_number_of_items():
    assert n_needed(0.0, finding(-0.01, 0.01)) is None
    assert n_needed(1e-12, finding(-0.01, 0.01)) is None


def test_without_an_interval_there_is_not_enough_data():
    bare = Estimated(0.5, math.nan, math.nan, 1, 0.95, "no interval: one cluster")
    found = verdict("superior", 0.0, bare, higher_is_better=True)
    assert (found.outcome, found.reason_code) == ("not_enough_data", "no_interval")
    assert found.reason == "no interval: one cluster"


def test_a_negative_margin_is_refused():
    with pytest.raises(ValueError, match="margin must be 0 or more"):
        verdict("superior", -0.1, finding(0, 1), higher_is_better=True)


@pytest.mark.parametrize(
    ("bar", "low", "high", "standing"),
    [
        (Bar("r", at_most=0.05), 0.01, 0.04, "satisfied"),
        (Bar("r", at_most=0.05), 0.01, 0.05, "satisfied"),
        (Bar("r", at_most=0.05), 0.04, 0.06, "undecided"),
        (Bar("r", at_most=0.05), 0.06, 0.08, "violated"),
        (Bar("r", at_least=0.9), 0.91, 0.95, "satisfied"),
        (Bar("r", at_least=0.9), 0.85, 0.95, "undecided"),
        (Bar("r", at_least=0.9), 0.8, 0.85, "violated"),
        (Bar("r", at_most=0.0), 0.0, 0.01, "undecided"),
    ],
)
def test_a_guardrail_is_held_by_its_whole_interval(bar, low, high, standing):
    assert check(bar, finding(low, high)).standing == standing


def test_an_undecided_guardrail_says_how_many_items_would_decide():
    assert check(Bar("r", at_most=0.05), finding(0.02, 0.06)).n_needed > 400


def test_a_guardrail_without_an_estimate_is_undecided_and_says_so():
    found = check(Bar("timeout_rate", at_most=0.1), None)
    assert found.standing == "undecided"
    assert found.reason == "timeout_rate at most 0.1: timeout_rate was not estimated"


@pytest.mark.parametrize("sides", [{}, {"at_most": 0.1, "at_least": 0.0}])
def test_a_bar_has_one_side(sides):
    with pytest.raises(ValueError, match="either at_most or at_least"):
        Bar("r", **sides)


def test_every_outcome_has_a_reason_and_every_reason_a_sentence():
    outcomes = {outcome for outcome, _ in REASONS.values()}
    assert outcomes == {"ship", "reject", "not_enough_data", "blocked", "reference"}
    assert all(meaning for _, meaning in REASONS.values())
