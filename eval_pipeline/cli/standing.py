"""How the cells of a contract stand: what is up to date, and what a table rests on."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from eval_pipeline.cli.project import Chosen

if TYPE_CHECKING:
    from eval_pipeline.orchestration.planning import Plan, PlannedCell

SETTLED = ("current", "not_applicable")


def cells_of(plan: "Plan", one: Chosen) -> "list[PlannedCell]":
    """The contract version's cells, in the order of the chain."""
    return [planned for planned in plan.cells if planned.cell.home == one.home]


def not_current(
    plan: "Plan", one: Chosen, table: str, checkpoints: Sequence[str] | None = None
) -> str | None:
    """Why a table does not rest on what is on disk now, in a sentence; None where it does.

    checkpoints: looks only at these among the cells of single checkpoints. A cell that there is
    nothing to run on stands in nobody's way.
    """
    upstream = _stages_behind(table)
    for planned in cells_of(plan, one):
        cell = planned.cell
        wanted = checkpoints is None or cell.checkpoint is None or cell.checkpoint in checkpoints
        if cell.stage in upstream and wanted and planned.state not in SETTLED:
            where = f"{cell.stage} of {cell.checkpoint}" if cell.checkpoint else cell.stage
            return f"{where} is {planned.state.replace('_', ' ')}: {planned.reason}"
    return None


def states(cells: "Iterable[PlannedCell]") -> dict[str, int]:
    """How many cells are in each state, those that there is nothing to run on left out."""
    counts: dict[str, int] = {}
    for planned in cells:
        if planned.state != "not_applicable":
            counts[planned.state] = counts.get(planned.state, 0) + 1
    return counts


def _stages_behind(table: str) -> set[str]:
    """The stage that writes the table, and all that it reads through any way."""
    from eval_pipeline.orchestration.chain import stage_of_table

    found: set[str] = set()
    waiting = [table]
    while waiting:
        stage = stage_of_table()[waiting.pop()]
        if stage.name not in found:
            found.add(stage.name)
            waiting.extend(stage.reads)
    return found
