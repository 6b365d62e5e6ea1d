"""How an interval lies to a bar, and what would decide."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eval_pipeline.judging.findings import (
    bias_outcome,
    count_outcome,
    floor_outcome,
    units_to_decide_bias,
    units_to_decide_floor,
)
from eval_pipeline.statistics.clustered import Estimate, undefined


def estimate(low: float, high: float, n: int = 100) -> Estimate:
    return Estimate((low + high) / 2, math.nan, low, high, "cr1_t", 0.95, n, n - 1)


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (-0.02, 0.03, "within"),
        (0.01, 0.03, "within"),  # biased beyond doubt, and small beyond doubt
        (-0.05, 0.05, "within"),
        (-0.02, 0.06, "undecided"),  # not significant shows nothing
        (0.04, 0.06, "undecided"),
        (0.051, 0.2, "outside"),
        (-0.2, -0.051, "outside"),
        (-0.2, 0.2, "undecided"),
    ],
)
def test_a_bias_is_small_only_where_its_whole_interval_is(
    low: float, high: float, outcome: str
) -> None:
    assert bias_outcome(estimate(low, high), 0.05) == outcome


def test_a_floor_is_held_by_the_lower_bound() -> None:
    assert floor_outcome(estimate(0.90, 1.1), 0.9) == "within"
    assert floor_outcome(estimate(0.89, 1.1), 0.9) == "undecided"
    assert floor_outcome(estimate(0.70, 0.89), 0.9) == "outside"


def test_without_an_interval_nothing_is_decided() -> None:
    none = undefined("one cluster", 0.95, 1, value=0.0)
    assert bias_outcome(none, 0.05) == "undecided"
    assert floor_outcome(none, 0.9) == "undecided"
    assert units_to_decide_bias(none, 0.05) is None


def test_a_counted_share_is_held_against_its_bar_as_it_is() -> None:
    assert [count_outcome(share, 0.02) for share in (0.02, 0.021)] == ["within", "outside"]
    assert count_outcome(math.nan, 0.02) == "undecided"


@example(value=0.0, half=0.2, bar=0.01)  # lands on the bar
@example(value=0.03, half=0.5, bar=0.01)
@given(st.floats(-0.3, 0.3), st.floats(0.001, 0.5), st.floats(0.01, 0.2))
def test_the_units_asked_for_would_decide_were_the_estimate_to_stay(
    value: float, half: float, bar: float
) -> None:
    found = estimate(value - half, value + half)
    needed = units_to_decide_bias(found, bar)
    if bias_outcome(found, bar) != "undecided" or abs(abs(value) - bar) < 1e-3:
        return
    assert needed is not None
    shrunk = half * math.sqrt(100 / needed)
    assert bias_outcome(estimate(value - shrunk, value + shrunk), bar) != "undecided"
    assert needed > 100


def test_the_units_that_decide_a_floor_shrink_the_side_that_crosses_it() -> None:
    skewed = Estimate(0.95, math.nan, 0.85, 1.2, "cluster_bootstrap_percentile", 0.95, 100, 99)
    assert units_to_decide_floor(skewed, 0.9) == pytest.approx(400, abs=1)
    below = Estimate(0.85, math.nan, 0.5, 0.95, "cluster_bootstrap_percentile", 0.95, 100, 99)
    assert units_to_decide_floor(below, 0.9) == pytest.approx(400, abs=1)


def test_an_estimate_on_the_bar_is_decided_by_no_number_of_units() -> None:
    assert units_to_decide_bias(Estimate(0.05, 0.01, 0.03, 0.07, "cr1_t", 0.95, 9, 8), 0.05) is None
