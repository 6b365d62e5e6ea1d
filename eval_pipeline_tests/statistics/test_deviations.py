"""Intervals of sizes hold a truth of 0, and one whose parts are equal, few, or all there is."""

import math

import numpy as np
import pytest

from eval_pipeline.statistics.deviations import size, size_interval
from eval_pipeline.statistics.randomness import generator

TRUTHS = {"none": np.zeros(6), "equal": np.full(6, 0.3), "one": np.array([1.5, 0, 0, 0, 0, 0])}


def sampled(truth, rng, clusters=40):
    """Means of clusters about the truth, and the means without each cluster."""
    values = truth + rng.normal(size=(clusters, truth.size))
    total = values.sum(axis=0)
    return total / clusters, (total - values) / (clusters - 1)


@pytest.mark.parametrize("kind", ["absolute", "squared"])
@pytest.mark.parametrize("name", TRUTHS)
def test_the_interval_holds_the_truth_as_often_as_it_says(name, kind):
    rng = generator(3, "sizes", name, kind)
    truth = TRUTHS[name]
    held = 0
    for _ in range(80):
        found = size_interval(*sampled(truth, rng), kind, rng, n_clusters=40)
        held += found.low <= size(truth, kind) <= found.high
        assert 0 <= found.low <= found.value <= found.high
    assert held >= 80 * 0.95 - 3 * math.sqrt(80 * 0.95 * 0.05)


def test_one_deviation_far_from_0_gets_the_interval_of_a_mean():
    rng = generator(4, "sizes", "one")
    mean, left_out = sampled(np.array([20.0]), rng, clusters=200)
    found = size_interval(mean, left_out, "absolute", rng, n_clusters=200)
    half = 1.972 * found.se
    assert (found.low, found.high) == pytest.approx(
        (mean[0] - half, mean[0] + half), abs=0.05 * half
    )
    twice = size_interval(mean, left_out, "squared", rng, n_clusters=200)
    assert twice.low == pytest.approx(found.low**2, rel=0.01)
    assert twice.high == pytest.approx(found.high**2, rel=0.01)


def test_what_leaves_no_interval_is_said():
    flat = np.full((30, 2), 0.5)
    rng = generator(1, "sizes", "none")
    for n, left_out, told in [
        (9, flat, "9 clusters are too few"),
        (30, flat, "no cluster moves the value"),
        (
            30,
            np.vstack([flat, [[np.nan, 0.5]]]),
            r"without some clusters there is no value \(1 of 31",
        ),
    ]:
        found = size_interval([0.5, 0.5], left_out, "absolute", rng, n_clusters=n)
        assert not found.has_interval
        assert found.value == 1.0
        assert told.replace("\\", "") in found.reason
    with pytest.raises(ValueError, match="left_out must be blocks x 3"):
        size_interval([1, 2, 3], flat, "absolute", rng, n_clusters=30)
    with pytest.raises(ValueError, match="unknown size 'cubed'"):
        size_interval([1, 2], flat, "cubed", rng, n_clusters=30)
    exact = size_interval(
        [0.0, 0.0], [[0.1, -0.1], [-0.1, 0.1]] * 10, "squared", rng, n_clusters=20
    )
    assert exact.value == exact.low == 0
    assert exact.high > 0  # 0 by luck is no proof of 0
