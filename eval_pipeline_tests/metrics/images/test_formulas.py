"""Inception score, neighbours and CLIP score against their definitions."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import entropy

from eval_pipeline.metrics.images import formula_neighbours as neighbours
from eval_pipeline.metrics.images.formula_clip import clip_scores
from eval_pipeline.metrics.images.formula_inception import inception_score, inception_sums
from eval_pipeline.metrics.images.formula_neighbours import precision_recall


def test_inception_score_is_exp_of_the_mean_divergence_of_each_split() -> None:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.full(6, 0.3), size=50)
    p[0] = [1, 0, 0, 0, 0, 0]
    parts = np.array_split(p, 4)
    scores = [np.exp(np.mean([entropy(row, part.mean(axis=0)) for row in part])) for part in parts]
    found = inception_score(p, splits=4)
    assert found.value == pytest.approx(np.mean(scores))
    assert found.sd == pytest.approx(np.std(scores, ddof=1))
    assert inception_sums(p).value == pytest.approx(inception_score(p).value)
    assert np.isnan(inception_score(p).sd)


def test_inception_score_lies_between_one_and_the_classes() -> None:
    assert inception_score(np.eye(5)).value == pytest.approx(5.0)
    assert inception_score(np.full((4, 3), 1 / 3)).value == 1.0


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: inception_score([[0.5, 0.5], [0.5, 0.6]]), "image 1: its probabilities sum"),
        (lambda: inception_score([[0.5, 0.5], [1.5, -0.5]]), r"probabilities\[1, 0\] is 1.5"),
        (lambda: inception_score([[0.5, np.nan]]), r"probabilities\[0, 1\] is nan"),
        (lambda: inception_score([[1.0, 0.0]], splits=2), "cannot be split in 2"),
        (lambda: inception_score([]), "must be a table"),
        (lambda: clip_scores([1.0, 0.0], [[0.0, 0.0]], 2.5), r"texts\[0\] has length 0"),
        (lambda: clip_scores([1.0, 0.0], [[1.0, 0.0, 0.0]], 2.5), "one image a text"),
        (lambda: clip_scores([1.0, 0.0], [[1.0, 0.0]], -1.0), "w"),
        (lambda: clip_scores([1.0, 0.0], [[1.0, 0.0]], None), "w"),
        (lambda: clip_scores(np.ones((2, 2)), np.ones((3, 2)), 1.0), "one image a text"),
    ],
)
def test_scores_refuse_and_name_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()


def test_clip_score_is_the_scaled_cosine_without_the_negative_part() -> None:
    rng = np.random.default_rng(1)
    image, text = rng.normal(size=(30, 4)), rng.normal(size=(30, 4))
    cosine = np.sum(image * text, axis=1) / (
        np.linalg.norm(image, axis=1) * np.linalg.norm(text, axis=1)
    )
    np.testing.assert_allclose(clip_scores(image, text, 2.5), np.maximum(2.5 * cosine, 0))


def brute_force(real, fake, k):
    def radii(points):
        gaps = np.sum((points[:, None] - points) ** 2, axis=2).astype(float)
        np.fill_diagonal(gaps, np.inf)
        return np.sort(gaps, axis=1)[:, k - 1]

    def inside(points, centres):
        gaps = np.sum((points[:, None] - centres) ** 2, axis=2)
        return (gaps <= radii(centres)).any(axis=1)

    return inside(fake, real), inside(real, fake)


@example(7304, 1, 1, 40)  # the mean of the real ones is no binary fraction
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.sampled_from([2, 40]))
def test_manifolds_are_those_of_brute_force_also_with_ties(seed, k, width, spread) -> None:
    rng = np.random.default_rng(seed)
    # Whole numbers: many equal distances, which a quick form of the distance would round apart.
    real = rng.integers(0, spread, (rng.integers(k + 1, 12), width)).astype(float)
    fake = rng.integers(0, spread, (rng.integers(k + 1, 12), width)).astype(float)
    fake[0] = real[0]
    found = precision_recall(real, fake, "grid", k)
    generated_inside, real_inside = brute_force(real, fake, k)
    np.testing.assert_array_equal(found.generated_inside, generated_inside)
    np.testing.assert_array_equal(found.real_inside, real_inside)
    assert (found.precision, found.recall) == (generated_inside.mean(), real_inside.mean())


def test_far_from_the_origin_and_in_small_blocks_the_manifolds_stay(monkeypatch) -> None:
    rng = np.random.default_rng(2)
    real, fake = rng.integers(0, 3, (60, 2)) * 1.0, rng.integers(0, 4, (50, 2)) * 1.0
    near = precision_recall(real, fake, "grid", 2)
    monkeypatch.setattr(neighbours, "_ENTRIES", 150)
    far = precision_recall(real + 1e6, fake + 1e6, "grid", 2)
    np.testing.assert_array_equal(near.generated_inside, far.generated_inside)
    np.testing.assert_array_equal(near.real_inside, far.real_inside)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: precision_recall([[0.0], [1.0]], [[0.0], [1.0]], "net", 2), "k=2 needs at least"),
        (lambda: precision_recall([[0.0], [1.0]], [[0.0], [1.0]], "net", 0), "k must be at least"),
        (lambda: precision_recall([[0.0], [1.0]], [[0.0], [1.0]], "net", True), "whole number"),
        (lambda: precision_recall([[0.0], [1.0]], [[0.0, 1.0]] * 2, "net", 1), "same network"),
        (lambda: precision_recall([[0.0], [np.inf]], [[0.0], [1.0]], "net", 1), r"real\[1, 0\]"),
        (lambda: precision_recall([[0.0], [1.0]], [[0.0], [1.0]], "", 1), "name the network"),
    ],
)
def test_neighbours_refuse_and_name_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()
