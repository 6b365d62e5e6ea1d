"""The bound below which a spread is none: above what rounding leaves, far below what data have."""

import numpy as np
import pytest

from eval_pipeline.statistics.clustered import mean


@pytest.mark.parametrize("score", [0.1, 0.7, 1 / 3])
@pytest.mark.parametrize("n", [40, 20_000])
def test_equal_scores_have_no_spread_whatever_rounding_leaves(score, n):
    of_one_kind = mean(np.full(n, 0.5), np.arange(n))
    equal = mean(np.full(n, score), np.arange(n))
    assert equal.method == of_one_kind.method != "cr1_t"


def test_one_item_that_differs_by_a_millionth_is_a_spread():
    values = np.full(40, 0.5)
    values[0] += 1e-6
    found = mean(values, np.arange(40))
    assert found.method == "cr1_t"
    assert found.se == pytest.approx(1e-6 / 40, rel=1e-6)
