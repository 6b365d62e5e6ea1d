"""Marks on several criteria: one score, and no number from marks or weights that are wrong."""

import math

import numpy as np
import pytest

from eval_pipeline.metrics.rubric.formula import rubric_score, rubric_scores

WEIGHTS = {"style": 0.25, "truth": 0.75}


def test_samples_are_scored_as_one_by_one() -> None:
    marks = {"truth": [5, 1, 3], "style": [1, 4, 2.5]}
    found = rubric_scores(WEIGHTS, marks)
    np.testing.assert_allclose(found, [4.0, 1.75, 2.875])
    one = [rubric_score([0.75, 0.25], [marks["truth"][i], marks["style"][i]]) for i in range(3)]
    np.testing.assert_allclose(found, one)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rubric_score([0.5, 0.6], [5, 3]), "weights must sum to 1, got 1.1"),
        (lambda: rubric_score([1.5, -0.5], [5, 3]), r"weights\[1\] is -0.5"),
        (lambda: rubric_score([True], [5]), r"weights\[0\] is True"),
        (lambda: rubric_score([0.5, math.nan], [5, 3]), r"weights\[1\] is undefined"),
        (lambda: rubric_score([0.5, 0.5], [5, math.nan]), r"scores\[1\] is undefined"),
        (lambda: rubric_score([1.0], [True]), r"scores\[0\] is True"),
        (lambda: rubric_score([1.0], [5, 3]), "1 weights, 2 scores"),
        (lambda: rubric_score([], []), "weights is empty"),
        (lambda: rubric_scores(WEIGHTS, {"truth": [1]}), "criterion 'style' has no marks"),
        (lambda: rubric_scores({"a": 1}, {"a": [1], "b": [2]}), "'b' has no weight"),
        (lambda: rubric_scores({"a": 1}, {"a": [1, 6]}), r"marks on a\[1\] is 6"),
        (lambda: rubric_scores(WEIGHTS, {"truth": [1], "style": [1, 2]}), "one value of each"),
    ],
)
def test_wrong_weights_and_marks_are_named(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()
