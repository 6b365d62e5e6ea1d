"""The three rates of agents, task by task and episode by episode."""

import numpy as np
import pytest

from eval_pipeline.metrics.agents.formula import agent_report, agent_sums, task_episodes

TASK = ["a", "a", "a", "b", "c", "c"]
SUCCESS = [True, False, False, True, False, False]
BROKEN = [False, False, True, False, True, True]


def test_tasks_weigh_the_same_and_episodes_are_nested() -> None:
    found = agent_report(TASK, SUCCESS, BROKEN)
    assert found.unconditional_success == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert found.success_given_healthy == pytest.approx((1 / 2 + 1) / 2)
    assert found.infra_failure_rate == pytest.approx((1 / 3 + 0 + 1) / 3)
    assert (found.n_tasks, found.n_episodes, found.n_tasks_never_healthy) == (3, 6, 1)


def test_by_episode_success_is_healthy_success_times_health() -> None:
    found = agent_report(TASK, SUCCESS, BROKEN, weight="episode")
    assert found.unconditional_success == pytest.approx(2 / 6)
    assert found.success_given_healthy == pytest.approx(2 / 3)
    assert found.infra_failure_rate == pytest.approx(3 / 6)


@pytest.mark.parametrize("weight", ["task", "episode"])
def test_the_sums_over_tasks_give_the_report(weight) -> None:
    episodes = task_episodes(TASK, SUCCESS, BROKEN)
    assert episodes.tasks == ("a", "b", "c")
    report = agent_report(TASK, SUCCESS, BROKEN, weight)
    for name, sums in agent_sums(episodes, weight).items():
        assert len(sums.terms) == 3
        assert sums.value == getattr(report, name)


def test_success_on_health_is_undefined_where_nothing_was_healthy() -> None:
    found = agent_report(["a"], [False], [True])
    assert (found.unconditional_success, found.infra_failure_rate) == (0.0, 1.0)
    assert np.isnan(found.success_given_healthy)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ((["a", "b"], [True, True], [False, True]), "episode 1 of task 'b' succeeded on failed"),
        ((["a", None], [True, True], [False, False]), "episode 1 has no task"),
        ((["a", "b"], [True, 1], [False, False]), r"success\[1\] is 1"),
        ((["a"], [True], [None]), r"infra_failed\[0\] is None"),
        ((["a"], [True, False], [False, False]), "one value of each"),
        (([], [], []), "success is empty"),
        ((["a"], [True], [False], "run"), "task or episode"),
    ],
)
def test_agents_refuse_and_name_the_episode(columns, told) -> None:
    with pytest.raises(ValueError, match=told):
        agent_report(*columns)
