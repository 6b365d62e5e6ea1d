import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k_unbiased
from eval_pipeline.metrics.measures.item_values import item_values
from eval_pipeline.metrics.registry import METRICS
from eval_pipeline_tests.metrics.recorded import recorded


def of(label, k, marks, draws=None, policy="primary", **more):
    items, samples = recorded(marks, **more)
    return item_values(METRICS[label], k, items, samples, draws_per_item=draws, policy=policy)


def test_pass_at_k_counts_failures_as_attempts_unless_they_are_excluded():
    found = of("pass_at_k", 2, {"a": "+-r-", "b": "+-x-"})
    assert found.value == pytest.approx([pass_at_k_unbiased(4, 1, 2), pass_at_k_unbiased(3, 1, 2)])


def test_bounds_read_what_is_missing_as_all_wrong_and_all_right():
    found = of("pass_at_k", 1, {"a": "+-x"}, draws=4)
    assert (found.low[0], found.value[0], found.high[0]) == (0.25, 0.5, 0.75)


def test_an_item_without_draws_has_no_value_but_bounds():
    found = of("pass_at_k", 2, {"a": "++"}, absent=["b"], draws=2)
    assert math.isnan(found.value[1])
    assert (found.low[1], found.high[1]) == (0.0, 1.0)
    assert not found.short.any()


def test_an_item_with_some_draws_but_fewer_than_k_is_short():
    found = of("pass_at_k", 3, {"a": "++", "b": "+++", "c": "+xx"})
    assert found.short.tolist() == [True, False, False]
    assert np.isnan(found.value).tolist() == [True, False, True]


def test_a_guess_earns_its_expected_credit_at_any_k():
    found = of("pass_at_k", 2, {"a": "-g"})
    assert found.value[0] == pytest.approx(0.25)
    assert of("pass_hat_k", 2, {"a": "+g"}).value[0] == pytest.approx(0.25)
    assert of("accuracy", None, {"a": "+g"}).value[0] == pytest.approx(0.625)
    assert of("mean_score", None, {"a": "+g"}).value[0] == pytest.approx(0.625)


def test_the_credit_of_guesses_is_the_mean_over_their_outcomes():
    marks = "+g-g"
    outcomes = []
    for first, second in product((0, 1), repeat=2):
        chance = (0.25 if first else 0.75) * (0.25 if second else 0.75)
        outcomes.append(chance * pass_at_k_unbiased(4, 1 + first + second, 2))
    assert of("pass_at_k", 2, {"a": marks}).value[0] == pytest.approx(sum(outcomes))


def test_a_verdict_in_between_is_no_pass_and_the_metric_says_so():
    found = of("pass_at_k", 1, {"a": "+h", "b": "++"})
    assert np.isnan(found.value).all()
    assert found.reason == (
        "1 verdicts lie between wrong and right, and pass_at_k needs 0 or 1: ask for mean_score"
    )
    assert of("mean_score", None, {"a": "+h"}).value[0] == 0.75


def test_the_majority_is_over_verified_answers_only():
    found = of("majority_vote", 3, {"a": "+-p", "b": "--+", "c": "+xx"})
    assert found.value[:2] == pytest.approx([0.5, 0.0])
    assert math.isnan(found.value[2])


def test_wrong_answers_are_told_apart_and_right_ones_are_not():
    found = of("majority_vote", 4, {"a": "++--"}, answers={"a": "ABCD"})
    assert found.value[0] == 1.0


def test_the_majority_is_bounded_by_what_missing_draws_could_vote():
    found = of("majority_vote", 3, {"a": "+-x"}, answers={"a": "AB?"})
    assert (found.low[0], found.high[0]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("rate", "expected"),
    [("refusal_rate", 0.5), ("parser_failure_rate", 0.25), ("infra_error_rate", 0.0)],
)
def test_a_failure_rate_is_the_share_of_recorded_draws(rate, expected):
    found = of(rate, None, {"a": "rrp+"})
    assert found.value[0] == expected


def test_absent_draws_bound_a_failure_rate():
    found = of("refusal_rate", None, {"a": "r+"}, draws=4)
    assert (found.low[0], found.value[0], found.high[0]) == (0.25, 0.5, 0.75)


drawn = st.lists(st.text("+-rpxg", min_size=1, max_size=6), min_size=1, max_size=5)


@given(drawn, st.integers(1, 6), st.sampled_from(["pass_at_k", "pass_hat_k", "majority_vote"]))
def test_the_value_lies_between_its_bounds(marks, k, label):
    found = of(label, k, {f"i{i}": text for i, text in enumerate(marks)}, draws=6)
    known = ~np.isnan(found.value)
    assert (found.low[known] <= found.value[known] + 1e-12).all()
    assert (found.value[known] <= found.high[known] + 1e-12).all()
    assert not np.isnan(found.low).any()


@given(drawn)
def test_every_sample_is_either_scored_or_excluded(marks):
    found = of("pass_at_k", 1, {f"i{i}": text for i, text in enumerate(marks)})
    excluded = [text.count("x") for text in marks]
    assert found.recorded.tolist() == [len(text) for text in marks]
    assert (found.recorded - found.scored).tolist() == excluded


def test_a_k_is_asked_for_where_it_means_something_only():
    with pytest.raises(ValueError, match="pass_at_k needs a k"):
        of("pass_at_k", None, {"a": "+"})
    with pytest.raises(ValueError, match="accuracy takes no k"):
        of("accuracy", 2, {"a": "+"})
    with pytest.raises(ValueError, match="made from a judge's votes"):
        of("win_rate", None, {"a": "+"})
