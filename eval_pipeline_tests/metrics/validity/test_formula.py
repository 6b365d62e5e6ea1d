"""Rank correlation with human labels: its value, its interval, and where there is none."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from eval_pipeline.metrics.validity.formula import rank_correlation


def rated(n_clusters: int, seed: int, each: int = 3):
    """A metric that follows the human label, both shaken by their item."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n_clusters), each)
    human = rng.normal(size=n_clusters)[cluster] + rng.normal(size=len(cluster))
    metric = human + rng.normal(size=n_clusters)[cluster] + rng.normal(size=len(cluster))
    return metric, np.round(human), cluster


def test_values_are_those_of_scipy_with_ties() -> None:
    metric, human, cluster = rated(40, 0)
    for name, theirs in (("spearman", spearmanr), ("kendall", kendalltau)):
        found = rank_correlation(
            metric, human, cluster, np.random.default_rng(0), coefficient=name, replicates=50
        )
        assert found.value == pytest.approx(theirs(metric, human).statistic)
        assert found.interval.low < found.value < found.interval.high
        assert (found.n_samples, found.n_clusters) == (120, 40)


def test_samples_that_are_copies_of_their_item_do_not_narrow_the_interval() -> None:
    metric, human, cluster = rated(40, 1, each=1)
    alone = rank_correlation(metric, human, cluster, np.random.default_rng(0))
    copies = [np.repeat(x, 10) for x in (metric, human, cluster)]
    found = rank_correlation(*copies, np.random.default_rng(0))
    width = alone.interval.high - alone.interval.low
    assert found.interval.high - found.interval.low == pytest.approx(width, rel=0.1)


def test_the_order_of_rows_changes_nothing_but_rounding() -> None:
    metric, human, cluster = rated(20, 2)
    order = np.random.default_rng(0).permutation(len(metric))
    one, other = (
        rank_correlation(metric[at], human[at], cluster[at], np.random.default_rng(0))
        for at in (np.arange(len(metric)), order)
    )
    assert one.interval.low == pytest.approx(other.interval.low)


def test_without_variation_or_clusters_there_is_no_number_but_a_reason() -> None:
    rng = np.random.default_rng(0)
    flat = rank_correlation([1, 1, 1], [1, 2, 3], [0, 1, 2], rng)
    assert np.isnan(flat.value)
    assert flat.reason == "the metric does not vary"
    assert rank_correlation([1, 2, 3], [2, 2, 2], [0, 1, 2], rng).reason == (
        "the human labels do not vary"
    )
    few = rank_correlation([1, 2, 3], [1, 2, 3], [0, 0, 0], rng)
    assert few.value == pytest.approx(1.0)
    assert np.isnan(few.interval.low)
    assert few.interval.reason == "1 clusters are too few: 10 are needed"


@pytest.mark.slow
def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    truth = spearmanr(*rated(100_000, 9)[:2]).statistic
    hits = []
    for seed in range(200):
        found = rank_correlation(*rated(60, seed), np.random.default_rng(seed), replicates=300)
        hits.append(found.interval.low <= truth <= found.interval.high)
    assert 0.89 < np.mean(hits) < 0.99


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (([1, np.nan, 2], [1, 2, 3], [0, 1, 2]), r"metric\[1\] is undefined"),
        (([1, 2, 3], [1, True, 3], [0, 1, 2]), r"human\[1\] is True"),
        (([1, 2], [1, 2, 3], [0, 1, 2]), "one value of each"),
        (([1, 2], [1, 2], [0, 1]), "at least three samples"),
        (([1, 2, 3], [1, 2, 3], ["a", None, "b"]), "item 1 has no cluster"),
    ],
)
def test_validity_refuses_and_names_the_place(columns, told) -> None:
    with pytest.raises(ValueError, match=told):
        rank_correlation(*columns, np.random.default_rng(0))
    with pytest.raises(ValueError, match="spearman or kendall"):
        rank_correlation([1, 2, 3], [1, 2, 3], [0, 1, 2], np.random.default_rng(0), coefficient="r")
