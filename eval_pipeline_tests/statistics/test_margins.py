import itertools
import math

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

from eval_pipeline.statistics.margins import margin_tests, paired_margin_tests
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.randomness import generator


def test_independent_pairs_give_the_paired_equivalence_test():
    rng = generator(1, "tost")
    d = np.clip(rng.normal(0.01, 0.1, 60), -1, 1)
    found = paired_margin_tests(d, np.arange(60), 0.04)
    theirs, low, high = ttost_paired(d, np.zeros(60), -0.04, 0.04)
    assert found.equivalence == pytest.approx(theirs)
    assert found.non_inferiority == pytest.approx(low[1])
    assert found.equivalence == pytest.approx(max(low[1], high[1]))


@pytest.mark.parametrize("margin", [0.0, 0.02, 0.08])
def test_a_claim_is_the_interval_beyond_its_bar(margin):
    rng = generator(2, "claims")
    clusters = np.repeat(np.arange(14), 5)
    d = np.clip(rng.normal(0.02, 0.02, 14)[clusters] + rng.normal(0, 0.1, 70), -1, 1)
    found = paired_margin_tests(d, clusters, margin)
    ends = mean_difference(d, clusters, confidence=0.9).estimate
    assert (found.non_inferiority < 0.05) == (ends.low > -margin)
    assert (found.superiority < 0.05) == (ends.low > 0)
    assert (found.equivalence < 0.05) == (ends.low > -margin and ends.high < margin)


def test_few_clusters_are_tested_by_every_sign():
    d, margin = np.array([0.3, -0.1, 0.25, 0.4, 0.05, 0.2]), 0.15
    shifted = d + margin
    sums = [np.dot(signs, shifted) for signs in itertools.product([-1, 1], repeat=6)]
    expected = np.mean(np.array(sums) >= shifted.sum() - 1e-12)
    found = paired_margin_tests(d, np.arange(6), margin)
    assert found.non_inferiority == expected
    assert found.superiority >= expected


def test_two_equal_clusters_show_no_equivalence():
    found = paired_margin_tests([0.0, 0.0], ["a", "b"], 0.5)
    assert found.equivalence == found.non_inferiority == 0.25


def test_where_a_standard_error_says_little_there_is_no_p_value():
    d = np.zeros(100)
    d[:3] = 1.0
    found = paired_margin_tests(d, np.arange(100), 0.02)
    assert math.isnan(found.superiority)
    assert math.isnan(paired_margin_tests([1.0], ["a"], 0.1).equivalence)


@pytest.mark.parametrize(("se", "margin", "df"), [(0, 0.1, 5), (0.1, -1, 5), (0.1, 0.1, 0)])
def test_impossible_terms_are_refused(se, margin, df):
    with pytest.raises(ValueError, match="a positive standard error"):
        margin_tests(0.1, se, margin, df)
