"""Faults that were planted by hand and once passed unseen: each fails a test here."""

import numpy as np
import pytest

from eval_pipeline.statistics.bootstrap import bootstrap_mean
from eval_pipeline.statistics.clustered import constant_method, mean
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.randomness import generator


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
