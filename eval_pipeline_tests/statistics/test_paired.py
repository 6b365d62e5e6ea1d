import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar

from eval_pipeline.statistics.paired import (
    mcnemar_chi_squared,
    mcnemar_exact,
    mean_difference,
    paired_difference,
    paired_standard_error,
    sign_test,
)
from eval_pipeline.statistics.randomness import generator


def test_items_of_their_own_give_the_paired_t_test():
    rng = generator(1, "pairs")
    a, b = rng.random(60), rng.random(60)
    found = paired_difference(a, b, np.arange(60))
    theirs = ttest_rel(a, b)
    interval = theirs.confidence_interval(0.95)
    assert found.estimate.value == pytest.approx((a - b).mean())
    assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    ends = (found.estimate.low, found.estimate.high)
    assert ends == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_the_difference_is_candidate_minus_baseline():
    assert paired_difference([1, 1], [0, 1], ["a", "b"]).estimate.value == 0.5


def test_repeating_every_item_within_its_cluster_changes_nothing():
    rng = generator(2, "repeats")
    d = rng.choice([-1.0, 0.0, 1.0], 50)
    once = mean_difference(d, np.arange(50))
    thrice = mean_difference(np.repeat(d, 3), np.repeat(np.arange(50), 3))
    assert thrice.estimate.se == pytest.approx(once.estimate.se)
    assert thrice.p_value == pytest.approx(once.p_value)


def test_pairing_is_kept_so_that_equal_answers_are_no_noise():
    """Two checkpoints that agree on 400 items differ by little, however hard the items vary."""
    answers = generator(3, "same").integers(0, 2, 400).astype(float)
    found = paired_difference(answers, answers, np.arange(400))
    assert found.estimate.value == 0.0
    assert found.p_value == 1.0
    assert found.estimate.method == "wilson_constant"
    assert 0 < found.estimate.high < 0.01


def test_few_differing_items_are_tested_exactly():
    """Five won and none lost of a thousand: t would say p = .025; the sign test says .0625."""
    d = np.zeros(1000)
    d[:5] = 1.0
    found = mean_difference(d, np.arange(1000))
    assert found.p_value == pytest.approx(sign_test(5, 0)) == pytest.approx(0.0625)
    assert found.estimate.method == "wilson_mover"
    assert found.estimate.low <= 0 < found.estimate.high


def test_eight_won_and_none_lost_is_shown():
    d = np.zeros(1000)
    d[:8] = 1.0
    found = mean_difference(d, np.arange(1000))
    assert found.p_value == pytest.approx(sign_test(8, 0))
    assert found.estimate.low > 0


@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.0, 0.0, 0.5, 1.0]), min_size=2, max_size=14),
    st.integers(0, 300),
)
def test_an_interval_without_zero_goes_with_a_small_p_value(head, padding):
    d = np.concatenate([head, np.zeros(padding)])
    found = mean_difference(d, np.arange(len(d)))
    estimate = found.estimate
    if estimate.has_interval and not estimate.low <= 0 <= estimate.high:
        assert found.p_value <= 0.05 + 1e-9
    if estimate.has_interval:
        assert -1 <= estimate.low <= estimate.value <= estimate.high <= 1


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0]), min_size=2, max_size=40))
def test_swapping_the_two_mirrors_the_result(d):
    one, other = (mean_difference(sign * np.array(d), np.arange(len(d))) for sign in (1, -1))
    assert other.estimate.value == pytest.approx(-one.estimate.value, abs=1e-12)
    if one.estimate.has_interval:
        mirrored = (-other.estimate.high, -other.estimate.low)
        assert mirrored == pytest.approx((one.estimate.low, one.estimate.high), abs=1e-12)
    assert other.p_value == pytest.approx(one.p_value)


def test_one_cluster_is_undefined_and_never_significant():
    found = mean_difference([1.0, 1.0], ["a", "a"])
    assert not found.estimate.has_interval
    assert math.isnan(found.p_value)


def test_five_wins_of_five_are_not_shown():
    found = mean_difference(np.ones(5), np.arange(5))
    assert found.p_value == pytest.approx(2 / 32)
    assert not found.estimate.has_interval


@pytest.mark.parametrize("n_clusters", [2, 3, 4, 5])
def test_so_few_equal_clusters_show_nothing_not_even_no_difference(n_clusters):
    found = mean_difference(np.zeros(n_clusters), np.arange(n_clusters)).estimate
    assert found.reason == f"no interval: {n_clusters} clusters are too few at confidence 0.95"
    assert math.isnan(found.high)


def test_more_groups_than_clusters_can_bear_give_no_interval_and_no_error():
    d = generator(9, "groups").choice([-1.0, 0.0, 1.0], 20)
    found = mean_difference(d, np.arange(20), groups=np.arange(20) % 12)
    assert found.estimate.reason == "no interval: 20 clusters are too few for a mean of 12 groups"


@pytest.mark.parametrize("n_clusters", [6, 7, 9])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_equal_clusters_below_ten_are_held_to_an_exact_interval(n_clusters, confidence):
    """All ways in which clusters of -1, -0.5, 0 and 1 can fall alike, under many populations."""
    values = np.array([-1.0, -0.5, 0.0, 1.0])
    grid = np.linspace(0, 1, 11)
    shares = [
        (a, b, c, 1 - a - b - c) for a in grid for b in grid for c in grid if a + b + c <= 1 + 1e-9
    ]
    ends = [
        mean_difference(np.full(n_clusters, v), np.arange(n_clusters), confidence=confidence)
        for v in values
    ]
    for p in np.clip(shares, 0, 1):
        mean = float(p @ values)
        missed = sum(
            chance**n_clusters
            for chance, found in zip(p, ends, strict=True)
            if not found.estimate.low - 1e-9 <= mean <= found.estimate.high + 1e-9
        )
        assert missed <= 1 - confidence


def test_a_half_as_the_largest_difference_narrows_the_constant_interval():
    wide = mean_difference(np.zeros(50), np.arange(50)).estimate
    narrow = mean_difference(np.zeros(50), np.arange(50), most=0.5).estimate
    assert narrow.high == pytest.approx(wide.high / 2)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ([1, 0], [1], "2 and 1 given"),
        ([], [], "0 and 0 given"),
        ([1, math.nan], [1, 0], "candidate, item 1"),
        ([1, 0], [1, 2], "baseline, item 1"),
    ],
)
def test_pairs_that_do_not_match_are_refused(a, b, said):
    with pytest.raises(ValueError, match=said):
        paired_difference(a, b, list(range(len(a))))


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_and_the_sign_test_agree_with_two_libraries(b, c):
    theirs = mcnemar([[5, b], [c, 7]], exact=True).pvalue
    assert mcnemar_exact(b, c) == pytest.approx(min(theirs, 1.0), abs=1e-12)
    if b + c:
        assert sign_test(b, c) == pytest.approx(binomtest(b, b + c).pvalue, abs=1e-9)
        assert mcnemar_chi_squared(b, c) == pytest.approx((b - c) ** 2 / (b + c))


def test_mcnemar_agrees_with_the_golden_table(golden_vectors):
    golden = golden_vectors("ranking.json")["mcnemar"]
    (_, b), (c, _) = golden["table"]
    assert mcnemar_exact(b, c) == pytest.approx(golden["exact_p"], abs=1e-12)


def test_the_binary_formula_is_the_clustered_one_on_independent_pairs():
    d = np.concatenate([np.ones(30), -np.ones(18), np.zeros(352)])
    formula = paired_standard_error(d.mean(), 48 / 400, 400)
    found = mean_difference(d, np.arange(400)).estimate.se
    assert found == pytest.approx(formula * math.sqrt(400 / 399))


def few_differ(rng):
    d = np.zeros(300)
    d[: rng.binomial(300, 0.012)] = 1.0
    d[-rng.binomial(300, 0.008) or 300 :] = -1.0
    return d, np.arange(300)


def many_differ(rng):
    return rng.choice([-1.0, 0.0, 1.0], 200, p=[0.15, 0.65, 0.2]), np.arange(200)


def alike_in_clusters(rng):
    centre = rng.uniform(-0.5, 0.7, 25)
    clusters = np.repeat(np.arange(25), 6)
    return np.clip(rng.normal(centre[clusters], 0.1), -1, 1), clusters


def few_clusters(rng):
    centre = rng.uniform(-0.5, 0.7, 8)
    clusters = np.repeat(np.arange(8), 6)
    return np.clip(rng.normal(centre[clusters], 0.1), -1, 1), clusters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "truth", "least"),
    [
        (few_differ, 0.004, 0.94),
        (many_differ, 0.05, 0.94),
        (alike_in_clusters, 0.1, 0.935),
        (few_clusters, 0.1, 0.94),
    ],
)
def test_the_interval_of_a_difference_holds_the_truth_as_often_as_it_says(draw, truth, least):
    rng = generator(20260101, "paired coverage", draw.__name__)
    runs = 4000
    hits = 0
    for _ in range(runs):
        estimate = mean_difference(*draw(rng)).estimate
        hits += estimate.low <= truth <= estimate.high
    assert binomtest(hits, runs, least, alternative="less").pvalue > 1e-3, hits / runs


@pytest.mark.slow
def test_no_difference_is_found_no_more_often_than_alpha():
    rng = generator(20260101, "paired size")
    runs = 4000
    found = sum(
        mean_difference(
            rng.choice([-1.0, 0.0, 1.0], 150, p=[q, 1 - 2 * q, q]), np.arange(150)
        ).p_value
        <= 0.05
        for q in rng.choice([0.01, 0.03, 0.2], runs)
    )
    assert binomtest(found, runs, 0.055, alternative="greater").pvalue > 1e-3, found / runs
