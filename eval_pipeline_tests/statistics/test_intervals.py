import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from eval_pipeline.statistics.intervals import (
    clopper_pearson,
    jeffreys,
    score_interval,
    share_standard_error,
    wilson,
)

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.sampled_from([0.8, 0.9, 0.95, 0.99])


@given(counts, confidences)
def test_wilson_and_clopper_pearson_agree_with_two_libraries(case, confidence):
    x, n = case
    for ours, name, method in ((wilson, "wilson", "wilson"), (clopper_pearson, "beta", "exact")):
        theirs = proportion_confint(x, n, 1 - confidence, name)
        assert ours(x, n, confidence) == pytest.approx(theirs, abs=1e-12)
        scipys = binomtest(x, n).proportion_ci(confidence, method)
        assert ours(x, n, confidence) == pytest.approx((scipys.low, scipys.high), abs=1e-9)


@given(counts, confidences)
def test_jeffreys_agrees_with_statsmodels_inside_and_ends_at_the_boundary(case, confidence):
    x, n = case
    low, high = proportion_confint(x, n, 1 - confidence, "jeffreys")
    expected = (0.0 if x == 0 else low, 1.0 if x == n else high)
    assert jeffreys(x, n, confidence) == pytest.approx(expected, abs=1e-12)


def test_all_agree_with_the_golden_table(golden_vectors):
    ours = {"wilson": wilson, "clopper_pearson": clopper_pearson, "jeffreys": jeffreys}
    table = golden_vectors("ranking.json")["proportion_ci"]
    for row in table["rows"]:
        found = ours[row["method"]](row["k"], row["n"], 1 - table["alpha"])
        assert found == pytest.approx((row["lo"], row["hi"]), abs=1e-12)


@given(counts)
def test_intervals_hold_the_share_and_stay_within_0_and_1(case):
    x, n = case
    for function in (wilson, clopper_pearson, jeffreys):
        low, high = function(x, n)
        assert 0 <= low <= x / n <= high <= 1


def test_wilson_has_width_where_nothing_or_everything_succeeds():
    assert wilson(0, 20) == pytest.approx((0.0, 0.16113), abs=1e-4)
    assert wilson(20, 20) == pytest.approx((0.83887, 1.0), abs=1e-4)


def test_a_larger_quantile_gives_a_wider_score_interval():
    narrow, wide = score_interval(0.3, 50, 1.96), score_interval(0.3, 50, 2.26)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("function", [wilson, clopper_pearson, jeffreys])
@pytest.mark.parametrize(
    ("x", "n", "said"), [(0, 0, "at least one trial"), (3, 2, r"0\.\.2"), (-1, 2, r"0\.\.2")]
)
def test_impossible_counts_are_refused(function, x, n, said):
    with pytest.raises(ValueError, match=said):
        function(x, n)


def test_the_error_of_one_share_is_the_textbook_one():
    assert share_standard_error(0.5, 200) == pytest.approx(math.sqrt(0.25 / 200))
    with pytest.raises(ValueError, match="at least one trial"):
        share_standard_error(0.5, 0)
