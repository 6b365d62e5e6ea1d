import math
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap, ttest_1samp

from eval_pipeline.statistics.bootstrap import (
    bca_interval,
    bootstrap_difference,
    bootstrap_mean,
    enumerated_means,
    jackknife_acceleration,
    percentile_interval,
)
from eval_pipeline.statistics.intervals import wilson
from eval_pipeline.statistics.randomness import generator


def test_independent_items_give_scipys_percentile_interval():
    values = generator(1, "values").random(60)
    ours = bootstrap_mean(values, np.arange(60), generator(1, "ours"), replicates=20_000)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=generator(1, "theirs")
    ).confidence_interval
    assert ours.percentiles.low == pytest.approx(theirs.low, abs=3e-3)
    assert ours.percentiles.high == pytest.approx(theirs.high, abs=3e-3)


def test_drawing_comes_close_to_listing_every_resample():
    values = [0.9, 0.5, 0.5, 0.1]
    every = percentile_interval(enumerated_means(values))
    drawn = bootstrap_mean(values, list("abcd"), generator(1, "draws"), replicates=20_000)
    assert drawn.percentiles.low == pytest.approx(every.low, abs=1e-9)
    assert drawn.percentiles.high == pytest.approx(every.high, abs=1e-9)
    assert drawn.few_clusters


def test_duplicated_rows_of_one_prompt_do_not_narrow_the_interval():
    """Two games a prompt, each counted three times: rows alone claim less than half the width."""
    won = generator(2, "prompts").random(200) < 0.6
    rows = np.repeat(won.astype(float), 6)
    prompts = np.repeat(np.arange(200), 6)
    by_prompt, by_row = (
        bootstrap_mean(rows, units, generator(2, "resample"), confidence=0.9).percentiles
        for units in (prompts, np.arange(len(rows)))
    )
    ratio = (by_prompt.high - by_prompt.low) / (by_row.high - by_row.low)
    assert ratio == pytest.approx(math.sqrt(6), rel=0.1)


def test_strata_keep_their_share_in_every_resample():
    """With strata that differ and do not vary inside, nothing is left to vary."""
    values = np.repeat([0.0, 1.0], [30, 10])
    strata = np.repeat(["easy", "hard"], [30, 10])
    loose = bootstrap_mean(values, np.arange(40), generator(3, "loose"))
    tight = bootstrap_mean(values, np.arange(40), generator(3, "tight"), strata=strata)
    assert loose.percentiles.high > loose.percentiles.low
    assert tight.degenerate
    assert tight.percentiles.low == tight.percentiles.high == 0.25


@pytest.mark.parametrize("edge", [0.0, 1.0])
def test_a_constant_sample_is_degenerate_and_falls_back_on_wilson_at_the_boundary(edge):
    found = bootstrap_mean(np.full(20, edge), np.arange(20), generator(4, "edge"))
    assert found.degenerate
    assert (found.percentiles.low, found.percentiles.high) == (edge, edge)
    assert found.fallback == wilson(20 * edge, 20)


def test_one_cluster_has_no_interval():
    found = bootstrap_mean([1.0, 0.0], ["a", "a"], generator(5, "one"))
    assert math.isnan(found.percentiles.low)
    assert found.percentiles.reason == "one cluster has no spread"


def test_more_replicates_continue_the_same_stream():
    values = generator(6, "values").random(30)
    some = bootstrap_mean(values, np.arange(30), generator(6, "b"), replicates=500)
    same = bootstrap_mean(values, np.arange(30), generator(6, "b"), replicates=500)
    assert some == same


def test_memory_is_that_of_the_clusters():
    values, units = np.ones(50_000), np.arange(50_000)
    values[:7] = 0.0
    tracemalloc.start()
    bootstrap_mean(values, units, generator(7, "memory"), replicates=50)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10e6  # an index matrix of 50 x 50,000 alone takes 20 MB


def test_replicates_without_a_finite_fit_are_counted_and_too_many_give_no_interval():
    replicates = np.linspace(0, 1, 1000)
    replicates[:10] = np.nan
    some = percentile_interval(replicates)
    assert (some.n_nonfinite, some.reason) == (10, None)
    replicates[10] = np.inf
    many = percentile_interval(replicates)
    assert math.isnan(many.low)
    assert many.reason == "11 of 1000 replicates have no finite value"


def test_percentiles_are_linear_quantiles():
    found = percentile_interval([1, 2, 3, 4], 0.95)
    assert (found.low, found.high) == pytest.approx((1.075, 3.925))


@pytest.mark.parametrize(
    ("values", "clusters", "strata", "said"),
    [
        ([], [], None, "at least one value"),
        ([1.0, math.nan], [1, 2], None, "item 1: nan is not finite"),
        ([1.0, 0.0], ["a", None], None, "item 1 has no cluster"),
        ([1.0, 0.0, 1.0], ["a", "a", "b"], ["x", "y", "y"], "its cluster lies in two strata"),
    ],
)
def test_bad_input_names_its_item(values, clusters, strata, said):
    with pytest.raises(ValueError, match=said):
        bootstrap_mean(values, clusters, generator(8, "bad"), strata=strata)


def test_too_many_resamples_to_list_are_refused():
    with pytest.raises(ValueError, match="use bootstrap_mean"):
        enumerated_means(np.arange(8.0))


def skewed_clusters(n_clusters, seed):
    rng = generator(seed, "skewed")
    clusters = np.repeat(np.arange(n_clusters), rng.integers(1, 5, n_clusters))
    return rng.exponential(1.0, n_clusters)[clusters] + rng.random(len(clusters)), clusters


def test_bca_agrees_with_scipy_on_the_same_replicates():
    values = generator(9, "bca").exponential(1.0, 40)
    rng = generator(9, "draws")
    drawn = np.array([values[rng.integers(0, 40, 40)].mean() for _ in range(3000)])
    left_out = [np.delete(values, i).mean() for i in range(40)]
    ours = bca_interval(drawn, values.mean(), jackknife_acceleration([left_out]))
    given = SimpleNamespace(bootstrap_distribution=drawn)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=0, method="BCa", bootstrap_result=given
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_bca_of_clusters_is_bca_of_the_cluster_means_where_all_have_one_size():
    means = generator(10, "means").exponential(1.0, 50)
    values, clusters = np.repeat(means, 4), np.repeat(np.arange(50), 4)
    one, other = (
        bootstrap_mean(x, c, generator(10, "draws"), method="bca").percentiles
        for x, c in ((means, np.arange(50)), (values, clusters))
    )
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_a_studentised_interval_is_students_where_the_data_are_normal():
    values = generator(11, "normal").normal(size=400)
    found = bootstrap_mean(
        values, np.arange(400), generator(11, "draws"), replicates=4000, method="studentised"
    ).percentiles
    theirs = ttest_1samp(values, 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.012)


@pytest.mark.parametrize("method", ["bca", "studentised"])
def test_mended_intervals_lean_to_the_side_of_the_long_tail(method):
    values, clusters = skewed_clusters(40, 12)
    plain, mended = (
        bootstrap_mean(values, clusters, generator(12, "draws"), method=m).percentiles
        for m in ("percentile", method)
    )
    assert mended.low > plain.low
    assert mended.high > plain.high


@pytest.mark.parametrize("method", ["bca", "studentised"])
def test_strata_that_do_not_vary_inside_add_no_width(method):
    rng = generator(13, "strata")
    hard = rng.random(30)
    values = np.concatenate([hard, np.ones(30)])
    strata = np.repeat(["hard", "easy"], 30)
    both = bootstrap_mean(
        values, np.arange(60), generator(13, "draws"), strata=strata, method=method
    )
    alone = bootstrap_mean(hard, np.arange(30), generator(13, "draws"), method=method)
    width = both.percentiles.high - both.percentiles.low
    assert width == pytest.approx((alone.percentiles.high - alone.percentiles.low) / 2, rel=0.1)


def test_replicates_without_spread_take_the_studentised_interval_away():
    found = bootstrap_mean(
        [1.0, 0.0, 0.0, 0.0], np.arange(4), generator(14, "draws"), method="studentised"
    ).percentiles
    assert math.isnan(found.low)
    assert "replicates have no finite value" in str(found.reason)


def test_a_mended_interval_needs_two_clusters_in_each_stratum():
    with pytest.raises(ValueError, match="one cluster has no spread, which bca needs"):
        bootstrap_mean(
            [1, 0, 1], [1, 2, 3], generator(15, "x"), strata=["a", "a", "b"], method="bca"
        )


def test_a_paired_bootstrap_draws_both_answers_of_an_item_together():
    a, b = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])
    found = bootstrap_difference(a, b, np.arange(4), generator(16, "pairs"))
    assert (found.percentiles.low, found.percentiles.high) == (0.0, 0.0)
    assert found.degenerate


@pytest.mark.slow
@pytest.mark.parametrize(("method", "least"), [("bca", 0.89), ("studentised", 0.93)])
def test_mended_intervals_cover_a_skewed_mean_more_often_than_percentiles(method, least):
    """Twenty clusters from an exponential distribution: percentiles hold the mean in 0.90."""
    runs, hits = 1500, {"percentile": 0, method: 0}
    rng = generator(20260101, "mended coverage", method)
    for _ in range(runs):
        values = rng.exponential(1.0, 20)
        for name in hits:
            found = bootstrap_mean(
                values, np.arange(20), rng, replicates=999, method=name
            ).percentiles
            hits[name] += found.low <= 1.0 <= found.high
    assert hits[method] >= hits["percentile"]
    assert binomtest(hits[method], runs, least, alternative="less").pvalue > 1e-3, hits


def test_differences_that_are_all_equal_are_held_within_minus_one_and_one():
    even = bootstrap_difference([1] * 12, [1] * 12, range(12), generator(1, "x"))
    assert even.degenerate
    assert even.fallback.low == pytest.approx(-even.fallback.high)
    won = bootstrap_difference([1] * 12, [0] * 12, range(12), generator(1, "x"))
    assert won.fallback.high == 1.0
    assert won.fallback.low < 0.8
