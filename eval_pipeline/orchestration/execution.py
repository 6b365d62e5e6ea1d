"""Runs one cell: opens its inputs, computes, checks, publishes. No dagster here.

The Dagster assets, `verify` and the tests all go through this module, so there is one way in
which a table comes about.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.cells import (
    ActiveContract,
)
from eval_pipeline.orchestration.planning import Opened
from eval_pipeline.orchestration.stage import Computed, Settings, Stage, StageInputs

RECORDED_PACKAGES = ("duckdb", "numpy", "pandas", "pyarrow", "scipy", "statsmodels")


@dataclass(frozen=True)
class CheckResult:
    """Whether a sentence holds of a table."""

    sentence: str
    table: str
    finding: str | None

    @property
    def passed(self) -> bool:
        return self.finding is None


@dataclass(frozen=True)
class Made:
    """What computing a cell gave; not yet published."""

    opened: Opened
    computed: Computed
    checks: tuple[CheckResult, ...]


def compute(
    stage: Stage,
    active: ActiveContract,
    root: DataRoot,
    settings: Settings,
    checkpoint: str | None,
    tables: Mapping[str, Callable[[], pa.Table]],
) -> tuple[Computed, tuple[CheckResult, ...]]:
    """The stage's tables and what its checks say of them.

    Raises ValueError where the stage does not give the tables that it declares.
    """
    inputs = StageInputs(active.contract, root, tables, checkpoint, settings)
    computed = stage.compute(inputs)
    if set(computed.tables) != set(stage.tables):
        raise ValueError(
            f"stage {stage.name} gave {sorted(computed.tables)}, "
            f"but it declares {sorted(stage.tables)}"
        )
    checks = tuple(
        CheckResult(check.sentence, check.table, check.finds(inputs, computed))
        for check in stage.checks
    )
    return computed, checks
