import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.decision.frontier import pareto_frontier

QUALITY_AND_COST = {"quality": "higher", "cost": "lower"}
candidates = st.dictionaries(
    st.sampled_from("abcdef"),
    st.fixed_dictionaries({"quality": st.integers(0, 3), "cost": st.integers(0, 3)}),
    min_size=1,
)


@given(candidates)
def test_every_candidate_is_in_one_list_and_the_beaten_have_a_better_one(given):
    found = pareto_frontier(given, QUALITY_AND_COST, {})
    assert sorted((*found.frontier, *found.dominated)) == sorted(given)
    for name in found.dominated:
        mine = given[name]
        assert any(
            given[o]["quality"] >= mine["quality"]
            and given[o]["cost"] <= mine["cost"]
            and given[o] != mine
            for o in found.frontier
        )


def test_a_disqualified_candidate_beats_nobody():
    found = pareto_frontier(
        {"safe": {"quality": 1, "risk": 0.01}, "wild": {"quality": 2, "risk": 0.5}},
        {"quality": "higher"},
        {"risk": "<0.1"},
    )
    assert (found.frontier, found.disqualified) == (("safe",), ("wild",))


def test_equals_stay_together():
    same = {"quality": 1, "cost": 1}
    assert pareto_frontier({"a": same, "b": same}, QUALITY_AND_COST, {}).frontier == ("a", "b")


@pytest.mark.parametrize("value", [None, math.nan])
def test_a_candidate_without_a_measure_is_refused_and_not_placed(value):
    with pytest.raises(ValueError, match="candidate 'a' has no cost"):
        pareto_frontier({"a": {"quality": 1, "cost": value}}, QUALITY_AND_COST, {})


def test_an_unreadable_bar_and_no_objective_are_refused():
    with pytest.raises(ValueError, match=r"'about 1' is no bar; write it as >=0\.95"):
        pareto_frontier({"a": {"quality": 1}}, {"quality": "higher"}, {"quality": "about 1"})
    with pytest.raises(ValueError, match="at least one objective"):
        pareto_frontier({}, {}, {})
