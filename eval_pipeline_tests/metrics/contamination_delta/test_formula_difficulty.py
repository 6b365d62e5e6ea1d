"""Difficulty measured with error: no false alarm of a leak, and a real one is still seen."""

import numpy as np
import pytest

from eval_pipeline.metrics.contamination_delta.formula_difficulty import facility_error, remainder
from eval_pipeline.metrics.contamination_delta.formula_matched import facility, matched_delta

ITEMS, FLAGGED, DRAWS = 288, 38, 8


def alarms(voted: bool, others: int, shift: float, leak: float, runs: int) -> tuple[float, float]:
    """Share of intervals that leave out 0, and share that lie above it.

    shift: how much easier flagged items are, in logits; leak: share of the failures of flagged
    items that it turns.
    """
    rng = np.random.default_rng(3)
    flagged = np.arange(ITEMS) < FLAGGED
    outside = above = 0
    for _ in range(runs):
        right = 1 / (1 + np.exp(-rng.normal(0.3, 1.5, ITEMS) - shift * flagged))

        def scored(chance: np.ndarray) -> np.ndarray:
            count = rng.binomial(DRAWS, chance)
            return (count > DRAWS / 2).astype(float) if voted else count / DRAWS

        told = [scored(right) for _ in range(others)]
        own = scored(right + leak * flagged * (1 - right))
        d = matched_delta(
            own, np.arange(ITEMS), ~flagged, facility(told), error=facility_error(told)
        ).difference
        outside += not d.low <= 0 <= d.high
        above += d.low > 0
    return outside / runs, above / runs


def test_easy_flagged_items_raise_no_alarm_and_leaked_ones_do() -> None:
    assert alarms(voted=True, others=2, shift=1.5, leak=0.0, runs=200)[0] <= 0.10
    assert alarms(voted=False, others=2, shift=0.7, leak=0.3, runs=100)[1] >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("voted", [False, True])
@pytest.mark.parametrize("shift", [0.0, 0.7, 1.5])
def test_the_rate_of_false_alarms_is_near_nominal(voted: bool, shift: float) -> None:
    outside, above = alarms(voted, 2, shift, leak=0.0, runs=1500)
    assert outside <= 0.08
    assert above <= 0.055


@pytest.mark.slow
@pytest.mark.parametrize(("voted", "power"), [(False, 0.85), (True, 0.55)])
def test_a_leak_is_seen_among_easy_items(voted: bool, power: float) -> None:
    assert alarms(voted, 2, shift=0.7, leak=0.3, runs=400)[1] >= power


def test_the_reliability_is_cronbachs_alpha() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=60) + rng.normal(size=(3, 60)) + np.array([[0.0], [2.0], [5.0]])
    alpha = 3 / 2 * (1 - x.var(axis=1, ddof=1).sum() / x.sum(axis=0).var(ddof=1))
    ours = 1 - facility_error(x).sum() / 59 / facility(x).var(ddof=1)
    assert ours == pytest.approx(alpha, abs=1e-9)


def test_what_few_checkpoints_scored_has_the_error_of_the_others() -> None:
    x = np.array([[0.0, 1.0, 1.0, np.nan], [1.0, 0.0, np.nan, np.nan]])
    error = facility_error(x)
    assert error[2] == pytest.approx(2 * error[:2].mean())
    assert np.isnan(error[3])
    assert np.isnan(facility_error(x[:1])).all()


def test_the_influence_is_that_of_leaving_an_item_out() -> None:
    rng = np.random.default_rng(5)
    true = rng.normal(size=400)
    clean = np.arange(400) >= 60
    true[~clean] += 0.7
    told = true + rng.normal(scale=0.6, size=(2, 400))
    x, d, error = true + rng.normal(scale=0.5, size=400), facility(told), facility_error(told)
    whole = remainder(x, d, error, clean)
    for i in (0, 30, 100, 250, 399):
        rest = np.arange(400) != i
        without = remainder(x[rest], d[rest], error[rest], clean[rest]).value
        assert whole.value - without == pytest.approx(whole.apart[i], rel=0.1, abs=2e-5)


def test_an_unreliable_difficulty_gives_no_interval_and_says_why() -> None:
    rng = np.random.default_rng(2)
    clean = np.arange(200) >= 40
    told, own = rng.random((2, 200)), rng.random(200)
    for values, reason in ((told, "has reliability 0."), (told[:1], "one other checkpoint")):
        d = matched_delta(
            own, np.arange(200), clean, facility(values), error=facility_error(values)
        ).difference
        assert not d.has_interval
        assert np.isfinite(d.value)
        assert reason in (d.reason or "")
