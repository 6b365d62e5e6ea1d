"""Faults that were planted by hand and once passed unseen: each fails a test here."""

import numpy as np
import pytest

from eval_pipeline.statistics.bootstrap import bca_interval, bootstrap_mean
from eval_pipeline.statistics.clustered import constant_method, mean, standard_error
from eval_pipeline.statistics.design import design_effect
from eval_pipeline.statistics.given import vector
from eval_pipeline.statistics.intervals import normal_quantile
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.sequential import any_time_interval, any_time_p_value
from eval_pipeline.statistics.uneven import satterthwaite_df


@pytest.mark.parametrize(("failures", "method"), [(7, "wilson_effective_n"), (13, "cr1_t")])
def test_a_share_with_seven_failures_is_at_its_boundary(failures: int, method: str) -> None:
    """Of 400: far from 0 and 1 by its width, and still too few failures for a symmetric one."""
    values = np.ones(400)
    values[:failures] = 0.0
    assert mean(values, np.arange(400)).method == method


def test_nine_clusters_are_few_and_ten_are_not() -> None:
    values = np.array([0.2, 0.9, 0.4, 0.5, 0.7, 0.3, 0.8, 0.6, 0.45, 0.55])
    assert mean(values, np.arange(10)).method == "cr1_t"
    assert mean(values[:9], np.arange(9)).method != "cr1_t"
    assert [constant_method(n) for n in (9, 10)] == ["exact_constant", "wilson_constant"]


def test_a_p_value_that_equals_alpha_excludes_zero() -> None:
    """Five of ten clusters gain: the exact sign flip gives 2 / 2^5, which is alpha to the bit."""
    gains = np.repeat([1.0, 0.0], 5)
    found = mean_difference(gains, np.arange(10), confidence=1 - 2 / 2**5)
    assert found.p_value == 2 / 2**5
    assert found.estimate.low > 0


def test_a_stratum_weighs_as_many_items_as_it_has() -> None:
    values = np.array([0.8, 1.0] * 15 + [0.0, 0.2] * 5)
    strata = np.repeat(["large", "small"], [30, 10])
    found = bootstrap_mean(
        values, np.arange(40), generator(1, "strata"), replicates=400, strata=strata
    )
    assert found.value == pytest.approx(0.7)
    assert found.percentiles.low < 0.7 < found.percentiles.high
    assert found.percentiles.low > 0.6


def test_the_p_value_at_any_look_is_alpha_where_the_interval_ends_at_zero() -> None:
    """The two are one test: they must turn at the same estimate."""
    around = any_time_interval(0.0, 1.0, 60, 100, 0.9)
    assert any_time_p_value(around.high, 1.0, 60, 100, 0.9) == pytest.approx(0.1)
    assert any_time_p_value(2 * around.high, 1.0, 60, 100, 0.9) < 0.1


def test_the_least_that_is_enough_is_taken() -> None:
    """Two clusters have a spread, clusters of one item no effect, a confidence of 1 no quantile."""
    assert standard_error([0.5, -0.5], np.array([0, 1]), 2) == pytest.approx(1.0)
    assert satterthwaite_df([3, 3]) == pytest.approx(1.0)
    assert design_effect(1.0, [1, 1]) == 1.0
    assert design_effect(1.0, [3, 3]) == 3.0
    for wrong in (1.5, 2.0):
        with pytest.raises(ValueError, match="between -1 and 1"):
            design_effect(wrong, [2, 2])
        with pytest.raises(ValueError, match="between 0 and 1"):
            normal_quantile(wrong)
    with pytest.raises(ValueError, match="between -1 and 1"):
        design_effect(-1.5, [2, 2])


@pytest.mark.parametrize("far", [1e200, -1e200])
def test_a_number_too_large_to_square_is_refused_on_either_side(far: float) -> None:
    with pytest.raises(ValueError, match="too large to reckon with"):
        vector([0.0, far, 1.0], "values")
    assert vector([-2.0, 1.0], "values").tolist() == [-2.0, 1.0]


def test_few_clusters_give_a_mean_of_two_groups_no_interval() -> None:
    values = np.array([0.2, 0.9, 0.4, 0.5, 0.7, 0.3])
    found = mean(values, np.arange(6), groups=np.repeat(["a", "b"], 3))
    assert np.isnan(found.low)
    assert found.reason == "no interval: 6 clusters are too few for a mean of 2 groups"


@pytest.mark.parametrize("value", [-1.0, 5.0])
def test_replicates_on_one_side_of_the_value_give_no_interval(value: float) -> None:
    found = bca_interval([1.0, 2.0, 3.0, 4.0], value, 0.0)
    assert np.isnan(found.low)
    assert found.reason == "all replicates lie on one side of the estimate"
