import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from eval_pipeline.statistics.clustered import (
    constant_interval,
    influence,
    item_weights,
    mean,
    standard_error,
)
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.intervals import clopper_pearson, wilson
from eval_pipeline.statistics.randomness import generator


def sample(n_clusters, size, seed=1):
    """Item values in [0, 1] that agree within clusters of uneven size."""
    rng = generator(seed, "clustered")
    centre = rng.beta(2, 2, n_clusters)
    sizes = rng.integers(1, size + 1, n_clusters)
    clusters = np.repeat(np.arange(n_clusters), sizes)
    return rng.binomial(4, centre[clusters]) / 4, clusters


@pytest.mark.parametrize(("n_clusters", "size"), [(12, 1), (15, 6), (200, 3)])
def test_cr1_with_t_agrees_with_statsmodels(n_clusters, size):
    values, clusters = sample(n_clusters, size)
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    found = mean(values, clusters)
    assert found.method == "cr1_t"
    assert found.value == pytest.approx(fit.params[0], abs=1e-12)
    assert found.se == pytest.approx(fit.bse[0], abs=1e-12)
    assert (found.low, found.high) == pytest.approx(tuple(fit.conf_int()[0]), abs=1e-9)


def test_items_of_their_own_give_students_interval():
    values, _ = sample(40, 1)
    found = mean(values, np.arange(40), confidence=0.9)
    theirs = ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_standard_error_is_the_double_sum_of_its_definition():
    values, clusters = sample(20, 4)
    residuals = values - values.mean()
    twice = sum(
        residuals[i] * residuals[j]
        for i in range(len(values))
        for j in range(len(values))
        if clusters[i] == clusters[j]
    )
    expected = math.sqrt(twice) / len(values)
    weights, group, n_groups = item_weights(None, len(values))
    apart = influence(values, weights, group, n_groups)
    codes, q = cluster_codes(clusters)
    assert standard_error(apart, codes, q, correction="CR0") == pytest.approx(expected)
    cr1 = standard_error(apart, codes, q)
    assert cr1 == pytest.approx(expected * math.sqrt(q / (q - 1)))


def test_a_macro_mean_weighs_groups_alike_and_strata_add_their_variances():
    rng = generator(2, "macro")
    groups = np.repeat(["a", "b"], [30, 90])
    values = np.where(groups == "a", rng.random(120) < 0.9, rng.random(120) < 0.2).astype(float)
    found = mean(values, np.arange(120), groups=groups)
    parts = [values[groups == g] for g in ("a", "b")]
    assert found.value == pytest.approx(np.mean([p.mean() for p in parts]))
    by_hand = math.sqrt(sum(np.var(p) / len(p) for p in parts)) / 2 * math.sqrt(120 / 118)
    assert found.se == pytest.approx(by_hand)
    assert found.df == 118


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_items_changes_nothing(random):
    values, clusters = sample(14, 3)
    order = list(range(len(values)))
    random.shuffle(order)
    one, other = mean(values, clusters), mean(values[order], clusters[order])
    assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high))


@pytest.mark.parametrize(("right", "edge"), [(0, 0.0), (20, 1.0)])
def test_all_wrong_or_all_right_gets_wilsons_interval_over_the_clusters(right, edge):
    found = mean(np.full(20, edge), np.arange(20))
    assert found.method == "wilson_constant"
    assert (found.low, found.high) == pytest.approx(wilson(right, 20), abs=1e-12)


def test_a_constant_sample_never_has_an_interval_of_no_width():
    found = mean(np.full(40, 0.5), np.arange(40))
    assert found.low < 0.5 < found.high
    assert constant_interval(0.5, 40, 0.95, 0.0, 1.0) == (found.low, found.high)


def test_clusters_that_balance_out_are_as_silent_as_a_constant():
    found = mean(np.tile([0.0, 1.0], 15), np.repeat(np.arange(15), 2))
    assert found.method == "wilson_constant"
    assert found.low < 0.5 < found.high


def test_a_share_near_its_boundary_gets_wilson_with_the_effective_sample_size():
    values = np.zeros(200)
    values[:3] = 1.0
    found = mean(values, np.arange(200))
    assert found.method == "wilson_effective_n"
    assert 0 < found.low < 0.015 < found.high
    assert (found.low, found.high) == pytest.approx(wilson(3, 200), abs=2e-3)


def test_few_independent_items_get_the_exact_interval():
    found = mean([1, 1, 0, 1], ["a", "b", "c", "d"])
    assert found.method == "clopper_pearson"
    assert (found.low, found.high) == clopper_pearson(3, 4)


def test_few_clusters_get_the_sign_flip_interval_and_say_so():
    values, clusters = sample(8, 5)
    found = mean(values, clusters)
    assert found.method == "sign_flip"
    assert found.low < found.value < found.high


def test_too_few_clusters_get_no_interval_and_a_reason():
    values, clusters = sample(5, 4)
    found = mean(values, clusters)
    assert not found.has_interval
    assert math.isnan(found.low)
    assert found.reason == "no interval: 5 clusters are too few at confidence 0.95"


def test_one_cluster_and_no_items_are_undefined():
    assert mean([1.0, 0.0], ["a", "a"]).reason == "no interval: one cluster"
    nothing = mean([], [])
    assert math.isnan(nothing.value)
    assert nothing.reason == "no items"


def test_items_without_a_cluster_are_refused_and_never_move_together():
    with pytest.raises(ValueError, match=r"item 1 has no cluster \(2 such items\)"):
        mean([1, 1, 0, 0], ["a", None, "b", None])


@pytest.mark.parametrize("bad", [math.nan, 1.5, -0.1, math.inf])
def test_a_value_that_is_no_share_names_its_item(bad):
    with pytest.raises(ValueError, match=r"item 1: .* is not a number in \[0, 1\]"):
        mean([0.5, bad, 0.5], [1, 2, 3])


def binary(n, p):
    return lambda rng: ((rng.random(n) < p).astype(float), np.arange(n))


def alike(n_clusters, size, a, b, draws=1):
    """Clusters with their own chance, Beta(a, b)."""

    def draw(rng):
        clusters = np.repeat(np.arange(n_clusters), size)
        return rng.binomial(draws, rng.beta(a, b, n_clusters)[clusters]) / draws, clusters

    return draw


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "draw", "truth", "least"),
    [
        ("half, independent", binary(200, 0.5), 0.5, 0.94),
        ("rare, independent", binary(200, 0.02), 0.02, 0.92),
        ("common, independent", binary(50, 0.9), 0.9, 0.94),
        ("clusters of ten, twelve of them", alike(12, 10, 2, 2), 0.5, 0.94),
        ("clusters of five, skewed", alike(30, 5, 4, 1), 0.8, 0.92),
        ("clusters of five, near the edge", alike(30, 5, 9, 0.5), 9 / 9.5, 0.93),
        ("eight draws an item, hard", alike(100, 1, 0.5, 9, 8), 0.5 / 9.5, 0.92),
        ("eight clusters of ten", alike(8, 10, 2, 2), 0.5, 0.94),
        ("six clusters of ten", alike(6, 10, 2, 2), 0.5, 0.94),
    ],
)
def test_the_interval_holds_the_truth_as_often_as_it_says(name, draw, truth, least):
    """Nominal 95 %: the count of hits must not be below what a coverage of `least` allows."""
    rng = generator(20260101, "coverage", name)
    runs = 4000
    hits = 0
    for _ in range(runs):
        found = mean(*draw(rng))
        hits += not found.has_interval or found.low <= truth <= found.high
    assert binomtest(hits, runs, least, alternative="less").pvalue > 1e-3, hits / runs
