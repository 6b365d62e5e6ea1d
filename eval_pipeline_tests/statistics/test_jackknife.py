import math

import numpy as np
import pytest
from scipy.special import ndtr

from eval_pipeline.metrics.classification.formula_ranks import auroc_influence, discrimination
from eval_pipeline.statistics.jackknife import blocks_of_clusters, from_influence, jackknife
from eval_pipeline.statistics.randomness import generator


def leave_one_out(x):
    return (x.sum() - x) / (len(x) - 1)


def test_of_a_mean_it_is_the_textbook_standard_error():
    x = generator(1, "jackknife").normal(size=40)
    by_jackknife = jackknife(x.mean(), leave_one_out(x), n_clusters=40)
    by_influence = from_influence(x.mean(), (x - x.mean()) / 40)
    assert by_jackknife.se == pytest.approx(x.std(ddof=1) / math.sqrt(40))
    assert by_influence.se == pytest.approx(by_jackknife.se)
    assert (by_jackknife.low, by_jackknife.high) == pytest.approx(
        (by_influence.low, by_influence.high)
    )
    assert by_jackknife.method == "jackknife_t"


@pytest.mark.parametrize(
    ("least", "most", "method"),
    [
        (0.0, 1.0, "jackknife_logit_t"),
        (0.0, 100.0, "jackknife_logit_t"),
        (0.0, math.inf, "jackknife_log_t"),
        (-math.inf, 1.0, "jackknife_log_t"),
    ],
)
def test_the_interval_stays_within_the_range_and_near_the_plain_one(least, most, method):
    x = generator(2, "jackknife").uniform(0.2, 0.9, size=400)
    plain = jackknife(x.mean(), leave_one_out(x), n_clusters=400)
    bounded = jackknife(x.mean(), leave_one_out(x), n_clusters=400, least=least, most=most)
    assert bounded.method == method
    assert bounded.low == pytest.approx(plain.low, abs=0.002)
    assert bounded.high == pytest.approx(plain.high, abs=0.002)
    wide = jackknife(0.95, 0.95 + np.array([-0.1, 0.1] * 10), n_clusters=20, least=0, most=1)
    assert 0 < wide.low < wide.high < 1


@pytest.mark.parametrize(
    ("value", "left_out", "n", "reason"),
    [
        (0.5, [0.5] * 9, 9, "9 clusters are too few"),
        (0.5, [0.5] * 12, 12, "no cluster moves the value"),
        (0.5, [0.4] * 11 + [math.nan], 12, "without some clusters there is no value"),
        (1.0, [1.0] * 11 + [0.9], 12, "the value lies at the end of its range"),
    ],
)
def test_where_there_is_no_interval_the_reason_stands(value, left_out, n, reason):
    found = jackknife(value, left_out, n_clusters=n, least=0, most=1)
    assert found.value == value
    assert math.isnan(found.low)
    assert not found.has_interval
    assert reason in found.reason


def test_a_value_outside_its_range_is_refused():
    with pytest.raises(ValueError, match=r"value 1.5 is outside \[0, 1\]"):
        jackknife(1.5, [1.0] * 12, n_clusters=12, least=0, most=1)


def test_blocks_are_even_and_the_same_for_the_same_seed():
    blocks = blocks_of_clusters(1001, generator(3, "blocks"))
    sizes = np.bincount(blocks)
    assert len(sizes) == 200
    assert set(sizes.tolist()) == {5, 6}
    again = blocks_of_clusters(1001, generator(3, "blocks"))
    np.testing.assert_array_equal(blocks, again)
    assert blocks_of_clusters(4, generator(3, "blocks")).tolist() == [0, 1, 2, 3]


def test_a_class_of_few_clusters_gives_no_interval_and_a_small_one_a_wider() -> None:
    x = generator(4, "jackknife").normal(size=100)
    apart = (x - x.mean()) / 100
    plain, small = (from_influence(0.0, apart, scarcest=n) for n in (None, 10))
    assert small.df == 9
    assert small.se == pytest.approx(plain.se * math.sqrt(10 / 9 * 99 / 100))
    none = from_influence(0.0, apart, scarcest=9)
    assert not none.has_interval
    assert none.reason == "no interval: a class has 9 of the clusters, 10 needed"


@pytest.mark.slow
@pytest.mark.parametrize("events", [10, 20])
def test_the_area_of_few_events_is_held_as_often_as_said(events: int) -> None:
    rng, y = generator(5, "areas"), np.repeat([1.0, 0.0], [events, 100 - events])
    held = []
    for _ in range(1000):
        score = rng.normal(size=100) + y
        area = discrimination(y, score).auroc
        found = from_influence(area, auroc_influence(y, score), least=0, most=1, scarcest=events)
        held.append(found.low <= ndtr(1 / math.sqrt(2)) <= found.high)
    assert np.mean(held) > 0.93
