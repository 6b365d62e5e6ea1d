"""What judging costs."""

import pytest

from eval_pipeline.judging.licences.cost import cost_ratio, judging_cost


def test_people_cost_by_pair_and_rater_and_so_many_times_the_judge():
    assert judging_cost(1000, 3, 0.5) == 1500
    assert cost_ratio(1500, 4) == 375


@pytest.mark.parametrize(
    "call",
    [
        lambda: judging_cost(-1, 3, 0.5),
        lambda: judging_cost(10, 0, 0.5),
        lambda: judging_cost(10, True, 0.5),
        lambda: judging_cost(10, 1, -0.5),
        lambda: cost_ratio(10, 0),
        lambda: cost_ratio(float("nan"), 1),
    ],
)
def test_impossible_costs_are_refused(call):
    with pytest.raises(ValueError, match=r"raters|pairs|usd|judge|human"):
        call()
