"""Answers about images: VQA credit, POPE probes, SPICE statements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.vision_language.formula_pope import pope, pope_from_counts, pope_sums
from eval_pipeline.metrics.vision_language.formula_spice import spice
from eval_pipeline.metrics.vision_language.formula_vqa import (
    vqa_official,
    vqa_scores,
    vqa_simple,
    vqa_v1,
)


def by_leaving_out(said: str, humans: list[str]) -> float:
    """The definition: each human is left out once, by place."""
    credits = []
    for i in range(len(humans)):
        others = humans[:i] + humans[i + 1 :]
        credits.append(min(others.count(said) / 3, 1.0))
    return sum(credits) / len(humans)


@given(st.lists(st.sampled_from("xyz"), min_size=2, max_size=12))
def test_official_credit_is_the_mean_over_humans_left_out_by_place(humans: list[str]) -> None:
    found = vqa_scores(["x"], [humans], "official", "verbatim@1")
    assert found[0] == pytest.approx(by_leaving_out("x", humans))
    assert vqa_official([humans.count("x")], len(humans))[0] == pytest.approx(found[0])


def test_the_two_vqa_numbers_differ_where_they_are_known_to() -> None:
    np.testing.assert_allclose(vqa_simple([0, 1, 2, 3, 10]), [0, 1 / 3, 2 / 3, 1, 1])
    np.testing.assert_allclose(vqa_official([1, 2, 3, 4]), [0.3, 0.6, 0.9, 1.0])


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Dog.", "dog"),
        ("two", "2"),
        ("1,000", "1000"),
        ("3.5", "3.5"),
        ("dont know", "don't know"),
        ("yes/no", "yes no"),
        ("None", "0"),
        ("A", "a"),
        ("  Blue,  red ", "blue red"),
    ],
)
def test_answers_are_normalised_by_the_named_policy(text: str, normal: str) -> None:
    assert vqa_v1(text) == normal


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: vqa_simple([1, True]), r"matches\[1\] is True"),
        (lambda: vqa_simple([1, 0.5]), r"matches\[1\] is 0.5"),
        (lambda: vqa_official([3, 11]), "answer 1: 11 matches of 10"),
        (lambda: vqa_official([1], 1), "two annotators, got 1"),
        (lambda: vqa_scores([], []), "samples must be at least 1"),
        (lambda: vqa_scores(["a"], [[]]), "sample 0: human_answers"),
        (lambda: vqa_scores(["a"], ["text"]), "sample 0: human_answers"),
        (lambda: vqa_scores([None], [["a", "b"]]), "sample 0: an answer must be text"),
        (lambda: vqa_scores(["a"], [["a", "b"]], "best"), "simple or official"),
        (lambda: vqa_scores(["a"], [["a", "b"]], policy="vqa@9"), "known are vqa@1"),
    ],
)
def test_vqa_refuses_and_names_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()


def test_pope_from_answers_is_pope_from_counts_and_its_own_sums() -> None:
    rng = np.random.default_rng(5)
    present = rng.random(400) < 0.5
    yes = np.where(present, rng.random(400) < 0.9, rng.random(400) < 0.4)
    there = int(present.sum())
    found = pope(yes, present)
    counted = pope_from_counts(
        int(yes[present].sum()), there, int(yes[~present].sum()), 400 - there
    )
    assert found == counted
    assert found.f1 == pytest.approx(
        2 * found.precision * found.recall / (found.precision + found.recall)
    )
    assert found.yes_rate == yes.mean()
    assert found.present_share == there / 400
    for name, sums in pope_sums(yes, present).items():
        assert sums.value == getattr(found, name)


def test_precision_of_a_model_that_never_says_yes_is_undefined() -> None:
    found = pope_from_counts(0, 5, 0, 5)
    assert np.isnan(found.precision)
    assert (found.recall, found.f1, found.accuracy, found.yes_rate) == (0.0, 0.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: pope([True, None], [True, False]), r"said_yes\[1\] is None"),
        (lambda: pope([True, 1], [True, False]), r"said_yes\[1\] is 1"),
        (lambda: pope([True], [True, False]), "one value of each"),
        (lambda: pope([True, False], [True, True]), "no probe asks for absent objects"),
        (lambda: pope_from_counts(3, 2, 0, 1), "present_yes=3 is more than present_n=2"),
        (lambda: pope_from_counts(0, 0, 0, 1), "no probe asks for present objects"),
        (lambda: pope_from_counts(True, 2, 0, 1), "present_yes must be a whole number"),
    ],
)
def test_pope_refuses_and_names_the_place(call, told) -> None:
    with pytest.raises(ValueError, match=told):
        call()


def test_spice_is_f1_of_statements() -> None:
    said = [("girl",), ("girl", "young"), ("girl", "on", "court"), ("girl",)]
    true = [("girl",), ("girl", "on", "court"), ("court",), ("racket",)]
    found = spice([said, [], said], [true, true, []])
    np.testing.assert_allclose(found.precision, [2 / 3, np.nan, np.nan])
    np.testing.assert_allclose(found.recall, [0.5, 0.0, np.nan])
    np.testing.assert_allclose(found.f1, [2 * 2 / (3 + 4), 0.0, np.nan])
    assert found.n_undefined == 1


@pytest.mark.parametrize("statement", ["girl", (), ("a", "b", "c", "d"), ("a", 1), ("a", "")])
def test_spice_refuses_what_is_no_statement(statement) -> None:
    with pytest.raises(ValueError, match="caption 1: a statement is a tuple"):
        spice([[("girl",)], [statement]], [[("girl",)], [("girl",)]])
