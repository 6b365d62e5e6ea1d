"""The Frechet distance against closed forms, scipy's matrix root, and its own invariances."""

import numpy as np
import pytest
from scipy.linalg import sqrtm
from scipy.stats import ortho_group

from eval_pipeline.metrics.images.formula_frechet import (
    BLOCK,
    Moments,
    frechet_distance,
    given_moments,
    moments,
)

NET = "test net"


def gaussian(rng: np.random.Generator, width: int, rank: int | None = None) -> Moments:
    half = rng.normal(size=(width, rank or width))
    return Moments(None, rng.normal(size=width), half @ half.T)


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_the_distance_is_that_of_the_matrix_root(width: int) -> None:
    rng = np.random.default_rng(width)
    one, other = gaussian(rng, width), gaussian(rng, width)
    root = np.trace(sqrtm(one.covariance @ other.covariance)).real
    gap = one.mean - other.mean
    expected = gap @ gap + np.trace(one.covariance) + np.trace(other.covariance) - 2 * root
    assert frechet_distance(one, other, NET).value == pytest.approx(expected, rel=1e-9)
    assert frechet_distance(other, one, NET).value == pytest.approx(expected, rel=1e-9)


def test_commuting_covariances_have_a_closed_form_also_where_they_are_singular() -> None:
    rotation = ortho_group.rvs(12, random_state=3)
    rng = np.random.default_rng(3)
    first, second = rng.gamma(2.0, size=12), rng.gamma(2.0, size=12)
    first[:5] = 0.0
    second[3:7] = 0.0
    zero = np.zeros(12)
    one = given_moments(zero, rotation @ np.diag(first) @ rotation.T)
    other = given_moments(zero, rotation @ np.diag(second) @ rotation.T)
    expected = np.sum((np.sqrt(first) - np.sqrt(second)) ** 2)
    found = frechet_distance(one, other, NET)
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert found.note == "real: the covariance has rank 7 of 12"
    assert frechet_distance(one, one, NET).value == pytest.approx(0.0, abs=1e-12)


def test_points_without_spread_are_as_far_as_they_lie() -> None:
    here, there = moments([[0.0, 0.0]] * 3), moments([[3.0, 4.0]] * 3)
    assert frechet_distance(here, there, NET).value == 25.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_moments_are_those_of_numpy_however_the_features_come(dtype: type) -> None:
    rng = np.random.default_rng(1)
    x = (1000 + rng.normal(size=(2 * BLOCK + 77, 5))).astype(dtype)
    x[: BLOCK // 2] += 50  # blocks differ in mean
    whole = moments(x)
    assert whole.n == len(x)
    np.testing.assert_allclose(whole.mean, x.astype(float).mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(whole.covariance, np.cov(x.astype(float).T), rtol=1e-10)
    parts = moments(x[i : i + 1000] for i in range(0, len(x), 1000))
    np.testing.assert_allclose(parts.covariance, whole.covariance, rtol=1e-10)
    assert np.array_equal(moments(iter([x])).covariance, whole.covariance)


def test_fewer_images_than_features_are_allowed_and_said() -> None:
    rng = np.random.default_rng(2)
    few, many = moments(rng.normal(size=(5, 8))), moments(rng.normal(size=(50, 8)))
    found = frechet_distance(few, many, NET)
    assert found.value > 0
    assert (found.n_real, found.n_generated, found.network) == (5, 50, NET)
    assert found.note == "real: 5 images in 8 features, so the covariance is singular"
    assert frechet_distance(many, many, NET).note is None


def test_a_sample_comes_near_the_distance_of_its_distributions() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(40_000, 3)), 1 + 2 * rng.normal(size=(40_000, 3))
    assert frechet_distance(moments(x), moments(y), NET).value == pytest.approx(3 + 3, rel=0.02)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: moments(np.ones((1, 3))), "at least two images, got 1"),
        (lambda: moments(np.array([[1.0, 2.0], [np.nan, 1.0]])), "image 1: its features are not"),
        (lambda: moments(np.ones(3)), "images x features"),
        (lambda: moments(np.ones((3, 2), dtype=bool)), "bool"),
        (lambda: moments([[1.0, 2.0], [True, 2.0]]), r"features\[1, 0\] is True"),
        (lambda: moments([[1.0, 2.0], [1.0]]), r"features\[1\] has 1 entries"),
        (lambda: moments([np.ones((2, 3)), np.ones((2, 4))]), "row 2 have width 4, but before"),
        (lambda: moments([]), "features must be a table"),
        (lambda: moments(np.full((2, 2), 1e308)), "too large"),
        (lambda: given_moments([0, 0], [[1, 0.5], [0.4, 1]]), "must be symmetric"),
        (lambda: given_moments([0, 0], [[1, 2], [2, 1]]), "negative eigenvalue -1"),
        (lambda: given_moments([0, 0, 0], [[1, 0], [0, 1]]), "must be 3 x 3"),
        (lambda: given_moments([0, np.nan], [[1, 0], [0, 1]]), r"mean\[1\] is undefined"),
        (
            lambda: frechet_distance(moments([[0], [1]]), moments([[0, 0], [1, 1]]), NET),
            "real has 1 features and generated 2",
        ),
        (lambda: frechet_distance(moments([[0], [1]]), moments([[0], [1]]), ""), "name the net"),
    ],
)
def test_frechet_refuses_and_names_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()
