"""How the cells of a contract stand: what is up to date, and what a table rests on."""

import datetime
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.reading.project import Chosen

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.planning.plan import Plan, PlannedCell

SETTLED = ("current", "not_applicable")
NOT_YET = "not computed yet"


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


def remarks_on(
    found: "Evaluation", one: Chosen, checkpoints: Sequence[str]
) -> dict[str, list[str]]:
    """What else the tables show of each checkpoint, whatever the decision."""
    from eval_pipeline.decision.remarks import remarks
    from eval_pipeline.metrics.registry import metric
    from eval_pipeline.warehouse.errors import NotMaterialised

    rows: dict[str, list[dict[str, Any]]] = {}
    for table in ("paired_comparisons", "contamination_delta"):
        try:
            rows[table] = found.warehouse.read(table, *one.home).glance().to_pylist()
        except NotMaterialised:
            rows[table] = []
    endpoint = one.contract.question.primary_endpoint
    return {
        name: remarks(
            name,
            endpoint.label,
            rows["paired_comparisons"],
            rows["contamination_delta"],
            higher_is_better=metric(endpoint.metric).higher_is_better,
        )
        for name in checkpoints
    }


def licensed_judges(found: "Evaluation", one: Chosen) -> str | None:
    """How many judges hold a licence that is in force; None where the contract has no judges."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    if one.contract.judging is None:
        return None
    try:
        licences = found.warehouse.read("judge_licences", *one.home).glance().to_pylist()
    except NotMaterialised:
        return NOT_YET
    from eval_pipeline.orchestration import terms

    today = datetime.date.today().isoformat()
    whole = [row for row in licences if row["slice"] == "all"]
    licensed = [row for row in whole if row["outcome"] == "licensed"]
    ended = [row for row in licensed if row["reaudit_by"] and row["reaudit_by"] < today]
    names = {row["judge"] for row in licensed}
    if not names or any(names.isdisjoint(jury) for jury in terms.juries(one.contract)):
        return "quarantined: none licensed"
    text = f"{len(licensed)} of {len(whole)} licensed"
    return f"{text}, {len(ended)} run out" if ended else text


def unlicensed(found: "Evaluation", one: Chosen) -> list[str]:
    """A sentence on each judge that holds no licence: its outcome, and why."""
    from eval_pipeline.warehouse.errors import NotMaterialised

    if one.contract.judging is None:
        return []
    try:
        rows = found.warehouse.read("judge_licences", *one.home).glance().to_pylist()
    except NotMaterialised:
        return []
    return [
        f"judge {row['judge']}: {row['outcome'].replace('_', ' ')}: {row['reason']}"
        for row in sorted(rows, key=lambda row: str(row["judge"]))
        if row["slice"] == "all" and row["outcome"] != "licensed"
    ]


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
