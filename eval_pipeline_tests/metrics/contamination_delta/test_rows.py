import math

import numpy as np
import pytest
import statsmodels.api as sm

from eval_pipeline.metrics.contamination_delta.rows import clean_items, contamination_delta
from eval_pipeline.metrics.samples import Items
from eval_pipeline.statistics.randomness import generator
from eval_pipeline_tests.metrics.recorded import items_table


def test_the_difference_is_the_dirty_share_of_the_gap():
    rng = generator(1, "delta")
    clean = np.arange(200) >= 60
    values = rng.random(200) * np.where(clean, 0.6, 1.0)
    found = contamination_delta(values, np.arange(200), clean)
    gap = values[~clean].mean() - values[clean].mean()
    assert found.difference.value == pytest.approx(60 / 200 * gap)
    assert found.value_all - found.value_clean == pytest.approx(found.difference.value)
    assert (found.n_all, found.n_clean) == (200, 140)


def test_the_error_is_that_of_the_regression_on_being_dirty():
    """With independent items, all - clean = share x slope, and the slope has a robust error."""
    rng = generator(2, "delta")
    clean = np.arange(150) >= 40
    values = rng.random(150) * np.where(clean, 0.6, 1.0)
    found = contamination_delta(values, np.arange(150), clean)
    fit = sm.OLS(values, sm.add_constant((~clean).astype(float))).fit(cov_type="HC0")
    share_times_error = 40 / 150 * fit.bse[1]
    # the share of dirty items varies too when items are drawn
    varying = (values[~clean].mean() - values[clean].mean()) ** 2 * (40 / 150) * (110 / 150) / 150
    expected = math.sqrt(share_times_error**2 + varying) * math.sqrt(150 / 149)
    assert found.difference.se == pytest.approx(expected, rel=0.02)


def test_all_clean_is_zero_by_definition():
    found = contamination_delta([1.0, 0.0], ["a", "b"], [True, True])
    d = found.difference
    assert (d.value, d.low, d.high, d.method) == (0.0, 0.0, 0.0, "all_items_clean")


def test_nothing_clean_is_undefined():
    found = contamination_delta([1.0, 0.0], ["a", "b"], [False, False])
    assert math.isnan(found.value_clean)
    assert math.isnan(found.difference.value)
    assert found.difference.reason == "no scored item is clean"


def test_few_dirty_clusters_get_the_difference_without_an_interval():
    values, clean = np.linspace(0, 1, 100), np.arange(100) < 97
    found = contamination_delta(values, np.arange(100), clean)
    assert found.difference.value == pytest.approx(values.mean() - values[clean].mean())
    assert not found.difference.has_interval
    assert "97 clusters hold clean items and 3 hold others" in found.difference.reason


def test_items_without_a_score_are_in_neither_mean():
    values = np.array([1.0, np.nan, 0.0, np.nan])
    found = contamination_delta(values, list("abcd"), [True, True, False, False])
    assert (found.n_all, found.n_clean, found.value_all, found.value_clean) == (2, 1, 0.5, 1.0)


def test_an_item_is_clean_only_if_every_field_of_it_was_found_clean():
    items = Items.from_table(items_table(list("abcd")))
    verdicts = [
        ("a", "clean"),
        ("a", "clean"),
        ("b", "clean"),
        ("b", "short_exact"),
        ("c", "untestable"),
    ]
    np.testing.assert_array_equal(clean_items(items, verdicts), [True, False, False, False])


@pytest.mark.slow
def test_the_interval_holds_the_planted_difference_as_often_as_it_says():
    rng = generator(20260101, "delta coverage")
    truth = 0.2 * (0.9 - 0.5)
    runs, hits = 3000, 0
    for _ in range(runs):
        dirty = np.repeat(rng.random(120) < 0.2, 2)
        values = (rng.random(240) < np.where(dirty, 0.9, 0.5)).astype(float)
        d = contamination_delta(values, np.repeat(np.arange(120), 2), ~dirty).difference
        hits += not d.has_interval or d.low <= truth <= d.high
    assert hits / runs == pytest.approx(0.95, abs=0.015)
