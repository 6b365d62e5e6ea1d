import numpy as np
import pytest
from scipy.stats import f_oneway

from eval_pipeline.statistics.randomness import generator
from eval_pipeline.statistics.variance import variance_components


def test_the_mean_squares_are_those_of_one_way_anova():
    scores = generator(1, "anova").normal(size=(30, 5))
    found = variance_components(scores)
    ratio = found.between_mean_square / found.within_mean_square
    assert ratio == pytest.approx(f_oneway(*scores).statistic)


def test_the_components_are_unbiased():
    rng = generator(2, "components")
    found = [
        variance_components(rng.normal(0, 2, (40, 1)) + rng.normal(0, 1, (40, 4)))
        for _ in range(400)
    ]
    assert np.mean([f.between for f in found]) == pytest.approx(4.0, abs=0.2)
    assert np.mean([f.within for f in found]) == pytest.approx(1.0, abs=0.03)


def test_the_error_of_the_mean_is_that_of_the_item_means():
    scores = generator(3, "means").normal(size=(25, 4))
    item_means = scores.mean(axis=1)
    expected = item_means.std(ddof=1) / np.sqrt(25)
    assert variance_components(scores).se_mean == pytest.approx(expected)


@pytest.mark.parametrize("bad", [[[1.0, 2.0]], [[1.0], [2.0]], [1.0, 2.0]])
def test_one_item_or_one_draw_has_no_components(bad):
    with pytest.raises(ValueError, match="two of each"):
        variance_components(bad)


def test_a_missing_draw_is_refused():
    with pytest.raises(ValueError, match="leave out items with missing draws"):
        variance_components([[1.0, np.nan], [0.0, 1.0]])


def test_streams_are_named_by_seed_and_purpose():
    same = [generator(1, "a", "b").random(3).tolist() for _ in range(2)]
    assert same[0] == same[1]
    assert generator(1, "ab").random() != generator(1, "a", "b").random()
    assert generator(2, "a").random() != generator(1, "a").random()
