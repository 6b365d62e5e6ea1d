"""What an agent achieves, what it would achieve on sound infrastructure, and how often that fails.

The unit is the task; its episodes are nested in it. Success on healthy episodes alone flatters an
agent that breaks its own environment, so the three rates stand together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import Floats, flags, same_length
from eval_pipeline.metrics.sums import Sums, mean_sums, ratio
from eval_pipeline.statistics.clusters import cluster_codes

Weight = Literal["task", "episode"]


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
class TaskEpisodes:
    """For each task, sorted by name: its episodes, the healthy ones, the successes; (tasks, 3)."""

    tasks: tuple[str, ...]
    counts: Floats


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
    episodes = task_episodes(task, success, infra_failed)
    rates = {name: sums.value for name, sums in agent_sums(episodes, weight).items()}
    never = int((episodes.counts[:, 1] == 0).sum())
    n_episodes = int(episodes.counts[:, 0].sum())
    return AgentReport(
        **rates,
        n_tasks=len(episodes.tasks),
        n_episodes=n_episodes,
        n_tasks_never_healthy=never,
        weight=weight,
    )


def agent_sums(episodes: TaskEpisodes, weight: Weight = "task") -> dict[str, Sums]:
    """Each rate as sums over tasks, in the order of `episodes.tasks`; the task is the unit."""
    if weight not in ("task", "episode"):
        raise ValueError(f"rates are weighted by task or episode, got {weight!r}")
    if weight == "task":
        return {name: mean_sums(rate(episodes.counts)) for name, rate in RATES.items()}
    return {name: Sums(episodes.counts, rate) for name, rate in RATES.items()}


def task_episodes(
    task: Sequence[Any], success: ArrayLike | Sequence[Any], infra_failed: ArrayLike | Sequence[Any]
) -> TaskEpisodes:
    """The counts that the rates are made of, task by task; errors as in `agent_report`."""
    won, broken = flags(success, "success"), flags(infra_failed, "infra_failed")
    same_length(task=task, success=won, infra_failed=broken)
    if (bad := np.flatnonzero(won & broken)).size:
        raise ValueError(
            f"episode {bad[0]} of task {task[bad[0]]!r} succeeded on failed infrastructure "
            f"({bad.size} such episodes): record it as one of the two"
        )
    if (
        lost := next((i for i, name in enumerate(task) if name is None or name == ""), None)
    ) is not None:
        raise ValueError(f"episode {lost} has no task: name the task of each episode")
    names: NDArray[Any] = np.array(list(task), dtype=object)
    codes, n_tasks = cluster_codes(names)
    columns = (np.ones(len(won)), ~broken, won)
    counts = [np.bincount(codes, column, n_tasks).astype(np.float64) for column in columns]
    return TaskEpisodes(tuple(np.unique(names.astype(str)).tolist()), np.stack(counts, axis=1))


RATES: dict[str, Callable[[Floats], Floats]] = {
    "unconditional_success": lambda counts: ratio(counts[..., 2], counts[..., 0]),
    "success_given_healthy": lambda counts: ratio(counts[..., 2], counts[..., 1]),
    "infra_failure_rate": lambda counts: ratio(counts[..., 0] - counts[..., 1], counts[..., 0]),
}
