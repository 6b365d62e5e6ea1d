"""Selective prediction: the curve, its area and the area's influence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.calibration.formula_risk_coverage import (
    risk_coverage,
    risk_coverage_influence,
)

samples = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=20)


def naive(confidence, loss, weight):
    """The curve from its definition, samples weighing what they are told to."""
    points, area = [], 0.0
    for t in sorted(set(confidence), reverse=True):
        accepted = confidence >= t
        risk = np.sum(weight * loss * accepted) / np.sum(weight * accepted)
        points.append((t, np.sum(weight * accepted) / np.sum(weight), risk))
        area += risk * np.sum(weight * (confidence == t)) / np.sum(weight)
    return points, area


@given(samples)
def test_the_curve_and_its_area_are_their_definition(case):
    confidence, loss = (np.array(x, dtype=float) for x in zip(*case, strict=True))
    points, area = naive(confidence, loss, np.ones(len(loss)))
    found = risk_coverage(confidence, loss)
    made = zip(found.threshold, found.coverage, found.risk, strict=True)
    np.testing.assert_allclose(list(made), points)
    assert found.area == pytest.approx(area)
    assert found.risk[-1] == pytest.approx(loss.mean())


@given(samples)
def test_the_influence_is_the_derivative_by_a_samples_weight(case):
    confidence, loss = (np.array(x, dtype=float) for x in zip(*case, strict=True))
    n, h = len(loss), 1e-6
    found = risk_coverage_influence(confidence, loss)
    assert found.sum() == pytest.approx(0, abs=1e-12)
    for i in range(n):
        more, less = np.ones(n), np.ones(n)
        more[i], less[i] = 1 + h, 1 - h
        slope = (naive(confidence, loss, more)[1] - naive(confidence, loss, less)[1]) / (2 * h)
        assert found[i] == pytest.approx(slope, abs=1e-6)


def test_without_ties_the_area_is_the_mean_risk_of_each_coverage():
    confidence, loss = [0.9, 0.8, 0.3, 0.1], [0, 1, 0, 1]
    assert risk_coverage(confidence, loss).area == pytest.approx((0 + 1 / 2 + 1 / 3 + 2 / 4) / 4)


def test_the_area_of_equal_confidences_is_the_mean_loss():
    assert risk_coverage([0.5] * 4, [1, 0, 0, 0]).area == 0.25


@pytest.mark.parametrize(
    ("confidence", "loss", "complaint"),
    [
        ([0.9, None], [0, 1], r"confidence\[1\] is undefined"),
        ([0.9], [float("nan")], r"loss\[0\] is undefined"),
        ([0.9], [True], r"loss\[0\] is True"),
        ([], [], "confidence is empty"),
        ([0.9, 0.8], [1], "2 of confidence, 1 of loss"),
    ],
)
def test_bad_input_is_named(confidence, loss, complaint):
    with pytest.raises(ValueError, match=complaint):
        risk_coverage(confidence, loss)
