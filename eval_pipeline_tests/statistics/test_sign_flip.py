from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.sign_flip import sign_flip_interval, sign_flip_p

sums = st.lists(st.integers(-8, 8), min_size=1, max_size=8).map(lambda x: np.array(x, float) / 4)


def by_definition(values):
    """The share of all sign vectors whose sum is at least as extreme."""
    observed = abs(values.sum())
    signed = [abs(np.dot(s, values)) for s in product((-1, 1), repeat=len(values))]
    return np.mean([total >= observed - 1e-9 for total in signed])


@given(sums)
def test_the_p_value_is_the_share_of_flips_at_least_as_extreme(values):
    assert sign_flip_p(values) == pytest.approx(by_definition(values), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), min_size=1, max_size=8))
def test_the_interval_holds_exactly_the_centres_that_the_test_keeps(clusters):
    totals = np.array([t / 20 * n for t, n in clusters])
    weights = np.array([float(n) for _, n in clusters])
    found = sign_flip_interval(totals, weights, 0.9)
    grid = np.linspace(-0.25, 1.25, 61) + 0.0071  # off the ties
    kept = np.array([by_definition(totals - m * weights) > 0.1 + 1e-9 for m in grid])
    if found is None:
        assert kept.all()
    else:
        np.testing.assert_array_equal(kept, (grid >= found.low) & (grid <= found.high))


def test_six_clusters_are_the_fewest_that_bound_anything_at_95_percent():
    assert sign_flip_interval(np.arange(5.0), np.ones(5), 0.95) is None
    assert sign_flip_interval(np.arange(6.0), np.ones(6), 0.95) is not None


def test_all_zero_sums_show_nothing():
    assert sign_flip_p(np.zeros(30)) == 1.0


def test_random_flips_come_close_to_all_flips():
    values = generator(3, "sums").normal(0.4, 1.0, 16)
    exact = sign_flip_p(values)
    padded = np.concatenate([values, [1e-9]])  # one more than is enumerated, of no weight
    drawn = sign_flip_p(padded, rng=generator(3, "flips"), replicates=20_000)
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_many_clusters_need_a_generator():
    with pytest.raises(ValueError, match="17 clusters are too many to enumerate"):
        sign_flip_p(np.arange(1.0, 18.0))


@pytest.mark.parametrize("bad", [[], [np.nan], [[1.0]]])
def test_what_is_no_vector_of_finite_sums_is_refused(bad):
    with pytest.raises(ValueError, match="finite sums"):
        sign_flip_p(bad)


def test_weights_must_be_positive():
    with pytest.raises(ValueError, match="weights must be positive"):
        sign_flip_interval([1.0, 2.0], [1.0, 0.0], 0.95)
