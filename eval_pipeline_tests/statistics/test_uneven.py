import math

import numpy as np
import pytest
from scipy.stats import binomtest

from eval_pipeline.statistics.clustered import mean
from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.uneven import satterthwaite_df, uneven_mean

SIZES = np.array([1, 1, 2, 3, 3, 4, 5, 8, 40, 90])


def sample(rng, sizes=SIZES):
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    return rng.normal(size=len(sizes))[clusters] * 0.3 + rng.normal(size=len(clusters)), clusters


def by_matrices(values, clusters):
    """CR2 and the degrees of freedom of Bell and McCaffrey from their definition."""
    n = len(values)
    hat = np.full((n, n), 1 / n)
    rest = np.eye(n) - hat
    residuals = rest @ values
    square, columns = 0.0, []
    for c in np.unique(clusters):
        own = clusters == c
        eigen, vectors = np.linalg.eigh(rest[np.ix_(own, own)])
        adjust = vectors @ np.diag(eigen**-0.5) @ vectors.T
        square += (np.ones(own.sum()) @ adjust @ residuals[own]) ** 2 / n**2
        columns.append(rest[:, own] @ adjust @ np.ones(own.sum()) / n)
    spread = np.array(columns) @ np.array(columns).T
    return math.sqrt(square), np.trace(spread) ** 2 / np.sum(spread**2)


def test_cr2_and_its_degrees_of_freedom_are_those_of_their_definition():
    values, clusters = sample(generator(1, "uneven"))
    found = uneven_mean(values, clusters)
    se, df = by_matrices(values, clusters)
    assert found.se == pytest.approx(se, rel=1e-9)
    assert found.df == pytest.approx(df, rel=1e-9)


def test_cr3_is_leaving_each_cluster_out():
    values, clusters = sample(generator(2, "uneven"))
    left_out = [values[clusters != c].mean() for c in range(len(SIZES))]
    expected = math.sqrt(sum((one - values.mean()) ** 2 for one in left_out))
    assert uneven_mean(values, clusters, correction="CR3").se == pytest.approx(expected)


def test_even_clusters_give_cr1_with_one_degree_fewer_than_clusters():
    values, clusters = sample(generator(3, "even"), np.full(15, 4))
    share = (values - values.min()) / np.ptp(values)
    found, usual = uneven_mean(share, clusters), mean(share, clusters)
    assert satterthwaite_df(np.full(15, 4)) == pytest.approx(14)
    assert (found.low, found.high) == pytest.approx((usual.low, usual.high))


def test_nothing_to_go_by_is_undefined():
    assert uneven_mean([1.0, 2.0], ["a", "a"]).reason == "no interval: one cluster"
    assert uneven_mean([1.0, 1.0], ["a", "b"]).reason == "no interval: the clusters do not vary"
    assert uneven_mean([], []).reason == "no items"
    with pytest.raises(ValueError, match="finite"):
        uneven_mean([math.nan, 1.0], ["a", "b"])


@pytest.mark.slow
def test_cr2_keeps_its_promise_where_two_clusters_hold_most_items():
    rng = generator(20260101, "uneven coverage")
    runs, hits = 4000, 0
    for _ in range(runs):
        found = uneven_mean(*sample(rng))
        hits += found.low <= 0 <= found.high
    assert binomtest(hits, runs, 0.93, alternative="less").pvalue > 1e-3, hits / runs
