import math
import tracemalloc

import numpy as np
import pytest
from scipy.stats import bootstrap

from eval_pipeline.statistics.bootstrap import (
    bootstrap_mean,
    enumerated_means,
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
