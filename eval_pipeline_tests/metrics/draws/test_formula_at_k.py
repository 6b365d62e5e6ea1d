import math
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.draws.formula_at_k import (
    all_right,
    pass_at_k,
    pass_at_k_unbiased,
    pass_hat_k,
)
from eval_pipeline.metrics.draws.theory_at_k import (
    plugin_expectation,
    plugin_pass_at_k,
    true_pass_at_k,
    unbiased_expectation,
    unbiased_variance,
)


def by_definition(rule, n, c, k):
    """The rule over every choice of k draws."""
    choices = list(combinations([True] * c + [False] * (n - c), k))
    return sum(map(rule, choices)) / len(choices)


cases = st.integers(1, 8).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
)


@given(cases)
def test_both_agree_with_every_choice_of_draws(case):
    n, c, k = case
    assert pass_at_k([n], [c], k)[0] == pytest.approx(by_definition(any, n, c, k))
    assert pass_hat_k([n], [c], k)[0] == pytest.approx(by_definition(all, n, c, k))


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=30))
def test_many_items_agree_with_whole_number_arithmetic(pairs):
    n, c = ([max(p) for p in pairs], [min(p) for p in pairs])
    k = 7
    for found, one in zip(pass_at_k(n, c, k), zip(n, c, strict=True), strict=True):
        draws, right = one
        if draws < k:
            assert math.isnan(found)
        else:
            exact = 1 - Fraction(comb(draws - right, k), comb(draws, k))
            assert found == pytest.approx(float(exact), abs=1e-13)


def test_huge_counts_take_the_path_without_a_table_and_agree():
    n, c = np.array([10**9, 10**9, 50]), np.array([0, 10**6, 50])
    found = pass_at_k(n, c, 3)
    assert found == pytest.approx([0.0, 1 - 0.999**3, 1.0], abs=1e-6)


def test_large_draws_do_not_overflow():
    assert pass_at_k_unbiased(10_000, 7, 5_000) == pytest.approx(0.9922038996852028, abs=1e-9)


def test_an_item_with_fewer_draws_than_k_is_undefined():
    np.testing.assert_array_equal(pass_at_k([1, 2, 0], [1, 2, 0], k=2), [np.nan, 1.0, np.nan])


def test_no_items_give_no_values():
    assert pass_at_k([], [], 1).shape == (0,)


def test_the_scalar_raises_where_no_unbiased_estimate_exists():
    with pytest.raises(ValueError, match="pass@5 is undefined with n=3 draws: record at least 5"):
        pass_at_k_unbiased(3, 1, 5)


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (5, -1, 2), (5, 6, 2), (5, 2, 0)])
def test_the_scalar_refuses_impossible_counts(n, c, k):
    with pytest.raises(ValueError, match=r"must|undefined|outside"):
        pass_at_k_unbiased(n, c, k)


@pytest.mark.parametrize("bad", [True, 1.0, "1", None, np.True_])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_scalar_refuses_what_is_no_whole_number(bad, place):
    arguments = [2, 1, 1]
    arguments[place] = bad
    with pytest.raises(ValueError, match="must be a whole number"):
        pass_at_k_unbiased(*arguments)


def test_an_impossible_count_names_its_item():
    with pytest.raises(ValueError, match=r"item 1: n_correct=4 is outside 0\.\.3 \(1 such items\)"):
        pass_at_k([5, 3], [2, 4], k=1)


@pytest.mark.parametrize("n", [[5.0, 3.0], [[5, 3]], [5], [True, True]])
def test_counts_must_be_integer_vectors_of_one_length(n):
    with pytest.raises(ValueError, match=r"integer vectors of one length|must be a whole number"):
        pass_at_k(n, [2, 1], k=1)


def test_unsigned_counts_do_not_wrap():
    n, c = np.array([3, 4], dtype=np.uint8), np.array([3, 1], dtype=np.uint8)
    np.testing.assert_allclose(pass_at_k(n, c, 2), [1.0, 0.5])


def test_problems_are_not_draws():
    """50 of 164 problems solved with one draw each: pass@1 is 30.5 %, pass@10 does not exist."""
    n, c = np.ones(164, dtype=int), np.repeat([1, 0], [50, 114])
    assert pass_at_k(n, c, 1).mean() == pytest.approx(50 / 164)
    assert np.isnan(pass_at_k(n, c, 10)).all()


def test_one_right_draw_of_many_is_not_a_pass():
    assert pass_at_k_unbiased(200, 1, 1) == pytest.approx(0.005)


chances = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@given(chances, st.data())
def test_guesses_are_averaged_over_every_choice_of_draws(p, data):
    k = data.draw(st.integers(1, len(p)))
    products = [math.prod(choice) for choice in combinations(p, k)]
    assert all_right(p, k) == pytest.approx(sum(products) / len(products), abs=1e-12)


@given(cases)
def test_chances_of_0_and_1_give_the_counted_estimators(case):
    n, c, k = case
    draws = np.repeat([1.0, 0.0], [c, n - c])
    assert all_right(draws, k) == pytest.approx(pass_hat_k([n], [c], k)[0])
    assert 1 - all_right(1 - draws, k) == pytest.approx(pass_at_k([n], [c], k)[0])


def test_too_few_guesses_are_undefined_and_impossible_ones_refused():
    assert math.isnan(all_right([0.5], 2))
    with pytest.raises(ValueError, match=r"numbers in \[0, 1\]"):
        all_right([0.5, math.nan], 1)


@given(st.floats(0, 1), st.integers(1, 12), st.data())
def test_the_estimator_is_unbiased_and_the_plug_in_is_low(p, n, data):
    k = data.draw(st.integers(1, n))
    truth = true_pass_at_k(p, k)
    assert unbiased_expectation(n, p, k) == pytest.approx(truth, abs=1e-12)
    assert plugin_expectation(n, p, k) <= truth + 1e-12


def test_the_variance_of_the_estimator_is_that_of_a_simulation():
    c = np.random.default_rng(1).binomial(10, 0.3, 200_000)
    found = pass_at_k(np.full(200_000, 10), c, 4)
    assert unbiased_variance(10, 0.3, 4) == pytest.approx(found.var(), rel=0.02)


def test_theory_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="must be a number in"):
        true_pass_at_k(1.2, 1)
    with pytest.raises(ValueError, match="c=6 is outside"):
        plugin_pass_at_k(5, 6, 2)
    with pytest.raises(ValueError, match="undefined with n=3"):
        unbiased_expectation(3, 0.5, 4)
