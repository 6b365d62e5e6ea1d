"""What metrics refuse to take, told by place and mend."""

import numpy as np
import pytest

from eval_pipeline.metrics import inputs


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([], r"p is empty: give at least one sample"),
        ([0.1, None], r"p\[1\] is undefined: it must be a number in \[0, 1\]"),
        ([0.1, float("nan"), float("nan")], r"p\[1\] is undefined.*\(2 such samples\)"),
        ([0.1, 1.2], r"p\[1\] is 1\.2: it must be a number in \[0, 1\]"),
        ([0.5, True], r"p\[1\] is True: give a number"),
        ([0.5, np.True_], r"p\[1\] is np\.True_: give a number"),
        (np.array([True]), r"p holds bool values: give a number each"),
        (["0.5"], r"p\[0\] is '0\.5': give a number"),
        ("0.5", r"p must be a list, got '0\.5'"),
        (0.5, r"p must be a list, got 0\.5"),
        ([[0.5]], r"p\[0\] is \[0\.5\]: give a number"),
        (np.zeros((2, 2)), r"p must be a vector, got shape \(2, 2\)"),
        ([10**400], r"p holds a whole number too large"),
        ([float("inf")], r"p\[0\] is inf"),
    ],
)
def test_what_is_no_probability_is_named(values, complaint):
    with pytest.raises(ValueError, match=complaint):
        inputs.probabilities(values, "p")


@pytest.mark.parametrize(
    ("values", "complaint"),
    [([0.9], "the number 0 or 1"), ([True], "give the number 0 or 1"), ([2], "0 or 1")],
)
def test_an_outcome_is_0_or_1(values, complaint):
    with pytest.raises(ValueError, match=complaint):
        inputs.outcomes(values, "y")
    np.testing.assert_array_equal(inputs.outcomes([0, 1.0, np.int8(1)], "y"), [0, 1, 1])


def test_a_number_is_no_flag():
    with pytest.raises(ValueError, match=r"mask\[1\] is 1: give true or false"):
        inputs.flags([True, 1], "mask")


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([[0.2, 0.8], [0.5]], r"p\[1\] has 1 classes and p\[0\] has 2"),
        ([[0.2, 0.7]], r"p\[0\] adds up to 0\.9, not 1"),
        (np.array([[0.5, 0.5], [1.5, -0.5]]), r"p\[1\] holds a probability outside"),
        ([[0.2, True]], r"p\[0\]\[1\] is True"),
        ([], r"must be numbers of shape"),
    ],
)
def test_class_probabilities_are_whole_rows(values, complaint):
    with pytest.raises(ValueError, match=complaint):
        inputs.class_probabilities(values, "p")


def test_a_class_number_has_a_class():
    with pytest.raises(ValueError, match=r"y\[1\] is 2: it must be a class in 0\.\.1"):
        inputs.class_numbers([0, 2], "y", 2)


@pytest.mark.parametrize("values", [[True, False], ["a", 1], [1, "a"], [1, None], [1.5], []])
def test_labels_are_of_one_kind(values):
    with pytest.raises(ValueError, match=r"all texts or all whole numbers|is empty"):
        inputs.labels(values, "y")


def test_labels_may_come_in_arrays():
    assert inputs.labels(np.array([1, 2]), "y") == [1, 2]
    assert inputs.labels(np.array(["a", "b"]), "y") == ["a", "b"]


def test_lengths_are_told_apart_by_name():
    with pytest.raises(ValueError, match="2 of p, 1 of y"):
        inputs.same_length(p=[1, 2], y=[1])
