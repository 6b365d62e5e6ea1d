import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.metrics.draws.formula_majority import majority_credit, majority_vote
from eval_pipeline.metrics.estimates.aggregate import micro_macro

draws = st.lists(st.sampled_from(["right", "b", "c", "d", None]), min_size=1, max_size=8)


def by_definition(answers, k):
    """The mean credit over every choice of k draws, each counted by hand."""
    credits = []
    for choice in combinations(answers, k):
        votes = Counter(a for a in choice if a is not None)
        modes = [a for a, n in votes.items() if n == max(votes.values())]
        credits.append(("right" in modes) / len(modes) if modes else 0.0)
    return sum(credits) / len(credits)


@given(draws, st.data())
def test_the_credit_is_the_mean_over_every_choice_of_draws(answers, data):
    k = data.draw(st.integers(1, len(answers)))
    wrong = [answers.count(a) for a in ("b", "c", "d")]
    found = majority_credit(answers.count("right"), wrong, answers.count(None), k)
    assert found == pytest.approx(by_definition(answers, k))


@given(draws)
def test_the_vote_of_all_draws_is_the_credit_at_k_equal_n(answers):
    wrong = [answers.count(a) for a in ("b", "c", "d")]
    found = majority_credit(answers.count("right"), wrong, answers.count(None), len(answers))
    assert majority_vote(answers, "right").score == pytest.approx(found)


def test_two_thousand_draws_do_not_overflow():
    p, q, k = 1100 / 2100, 900 / 2100, 50
    spread = math.sqrt(k * (p + q - (p - q) ** 2) * (2100 - k) / 2099)
    lead = 0.5 * (1 + math.erf(k * (p - q) / spread / math.sqrt(2)))
    assert majority_credit(1100, [900], 100, k) == pytest.approx(lead, abs=0.005)


def test_draws_without_an_answer_abstain_and_are_counted():
    found = majority_vote([None, None, "42"], "42")
    assert (found.modes, found.score, found.n_unparsed) == (("42",), 1.0, 2)


def test_an_item_where_nobody_votes_earns_nothing():
    found = majority_vote([None, None], "42")
    assert (found.modes, found.score, found.n_unparsed) == ((), 0.0, 2)


def test_fewer_draws_than_k_are_undefined():
    assert math.isnan(majority_credit(1, [1], 0, 3))


@pytest.mark.parametrize(("right", "wrong", "k"), [(-1, [], 1), (1, [-1], 1), (1, [], 0)])
def test_impossible_counts_are_refused(right, wrong, k):
    with pytest.raises(ValueError, match="must be at least"):
        majority_credit(right, wrong, 0, k)


def test_no_draws_have_no_majority():
    with pytest.raises(ValueError, match="at least one draw"):
        majority_vote([], "42")


def test_micro_and_macro_are_different_questions():
    found = micro_macro({"a": (90, 81), "b": (10, 2)})
    assert (found.micro, found.macro) == (pytest.approx(0.83), pytest.approx(0.55))


@pytest.mark.parametrize("groups", [{}, {"a": (0, 0)}, {"a": (3, 4)}])
def test_empty_groups_and_impossible_counts_are_refused(groups):
    with pytest.raises(ValueError, match="group"):
        micro_macro(groups)
