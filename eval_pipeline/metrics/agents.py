"""What an agent achieves, what it would achieve on sound infrastructure, and how often that fails.

The unit is the task; its episodes are nested in it. Success on healthy episodes alone flatters an
agent that breaks its own environment, so the three rates stand together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.vectors import Floats, equal_lengths, ratio, truth_vector
from eval_pipeline.statistics.clustered import cluster_codes

Weight = Literal["task", "episode"]

RATES = ("unconditional_success", "success_given_healthy", "infra_failure_rate")


@dataclass(frozen=True)
class AgentReport:
    """Three rates; an episode lost to the infrastructure is no success in the first.

    success_given_healthy is NaN where no episode was healthy; weighted by task it leaves out the
    tasks without a healthy episode, and `n_tasks_never_healthy` counts them.
    """

    unconditional_success: float
    success_given_healthy: float
    infra_failure_rate: float
    n_tasks: int
    n_episodes: int
    n_tasks_never_healthy: int
    weight: Weight


@dataclass(frozen=True)
class TaskSums:
    """For each task, sorted by name: its episodes, the healthy ones, the successes; (tasks, 3)."""

    tasks: tuple[str, ...]
    sums: Floats


def agent_report(
    task: Sequence[Any],
    success: ArrayLike | Sequence[Any],
    infra_failed: ArrayLike | Sequence[Any],
    weight: Weight = "task",
) -> AgentReport:
    """The rates over tasks (each task the same) or over episodes, one entry an episode.

    success, infra_failed: bool. Weighted by episode, unconditional success is success given
    healthy times the share of healthy episodes; weighted by task it is so within each task.
    Raises ValueError that names the first episode without a task or a bool, or with success on
    failed infrastructure, which cannot be told from luck.
    """
    if weight not in ("task", "episode"):
        raise ValueError(f"rates are weighted by task or episode, got {weight!r}")
    found = task_sums(task, success, infra_failed)
    each = found.sums if weight == "task" else found.sums.sum(axis=0, keepdims=True)
    values = agent_rates(each)
    rates = {name: _mean_of_defined(values[name]) for name in RATES}
    never = int((found.sums[:, 1] == 0).sum())
    n_episodes = int(found.sums[:, 0].sum())
    return AgentReport(
        **rates,
        n_tasks=len(found.tasks),
        n_episodes=n_episodes,
        n_tasks_never_healthy=never,
        weight=weight,
    )


def task_sums(
    task: Sequence[Any], success: ArrayLike | Sequence[Any], infra_failed: ArrayLike | Sequence[Any]
) -> TaskSums:
    """The sums that the rates are made of, task by task; errors as in `agent_report`."""
    won, broken = truth_vector(success, "success"), truth_vector(infra_failed, "infra_failed")
    equal_lengths(task=task, success=won, infra_failed=broken)
    if (bad := np.flatnonzero(won & broken)).size:
        raise ValueError(
            f"episode {bad[0]} of task {task[bad[0]]!r} succeeded on failed infrastructure "
            f"({bad.size} such episodes): record it as one of the two"
        )
    names: NDArray[Any] = np.array(list(task), dtype=object)
    codes, n_tasks = cluster_codes(names)
    columns = (np.ones(len(won)), ~broken, won)
    sums = [np.bincount(codes, column, n_tasks).astype(np.float64) for column in columns]
    return TaskSums(tuple(np.unique(names.astype(str)).tolist()), np.stack(sums, axis=1))


def agent_rates(totals: ArrayLike) -> dict[str, Floats]:
    """The rates of sums of episodes, healthy ones and successes, shape (..., 3) to (...)."""
    sums = np.asarray(totals, dtype=np.float64)
    episodes, healthy, won = sums[..., 0], sums[..., 1], sums[..., 2]
    values = (ratio(won, episodes), ratio(won, healthy), ratio(episodes - healthy, episodes))
    return dict(zip(RATES, values, strict=True))


def _mean_of_defined(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else float("nan")
