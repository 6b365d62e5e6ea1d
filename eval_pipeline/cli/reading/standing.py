"""How the cells of a contract stand: what is up to date, and what a table rests on."""

import datetime
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from eval_pipeline.cli.reading.project import Chosen

if TYPE_CHECKING:
    from eval_pipeline.judging.standing import JudgeStanding
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.orchestration.planning.plan import Plan, PlannedCell
    from eval_pipeline.orchestration.planning.world import World
    from eval_pipeline.rows.judgments import JudgeLicencesRow
    from eval_pipeline.rows.leaderboard import LeaderboardRow
    from eval_pipeline.rows.reading import RowType

SETTLED = ("current", "not_applicable", "gone")
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


def told_beside(row: "LeaderboardRow | None") -> list[str]:
    """What a row of `leaderboard` says besides its number and its decision; nothing of none."""
    if row is None:
        return []
    further = (row["leak_note"], row["votes_pending"])
    return [*row["remarks"], *(words for words in further if words)]


def note_gone(world: "World", names: Iterable[str | None]) -> None:
    """A line on stderr for each named checkpoint that is no longer on disk."""
    from eval_pipeline.cli.showing.printing import note
    from eval_pipeline.orchestration.planning.world import said_of_gone

    for name in sorted({name for name in names if name in world.gone and name is not None}):
        note(said_of_gone(name, world.gone[name]))


def gone_of(world: "World", one: Chosen) -> tuple[str, ...]:
    """The checkpoints with results of the contract version that are no longer on disk."""
    return next((active.gone for active in world.active if active.home == one.home), ())


def licences(found: "Evaluation", one: Chosen) -> "list[JudgeLicencesRow] | None":
    """Rows of `judge_licences`; None where the contract has no judges, or none were audited."""
    from eval_pipeline.rows.judgments import JudgeLicencesRow

    return _rows_of(found, one, JudgeLicencesRow) if one.contract.judging is not None else None


def judges_now(found: "Evaluation", one: Chosen, today: datetime.date) -> "list[JudgeStanding]":
    """How each judge of the contract stands on a day, by name."""
    from eval_pipeline.judging.standing import judge_standings
    from eval_pipeline.rows.judgments import AwaitedVotesRow

    audited = licences(found, one) or []
    awaited = _rows_of(found, one, AwaitedVotesRow) or []
    return list(judge_standings(audited, awaited, today).values())


def licensed_judges(found: "Evaluation", one: Chosen) -> str | None:
    """How many judges hold a licence that is in force; None where the contract has no judges."""
    from eval_pipeline.judging.standing import quarantines, reason_of
    from eval_pipeline.orchestration import terms

    if one.contract.judging is None:
        return None
    audited = licences(found, one)
    if audited is None:
        return NOT_YET
    standing = judges_now(found, one, datetime.date.today())
    counts = {state: sum(j.state == state for j in standing) for state in ("licensed", "run_out")}
    text = f"{counts['licensed']} of {len(standing)} licensed"
    if counts["run_out"]:
        text += f", {counts['run_out']} run out"
    waiting = sum(judge.state == "votes_pending" for judge in standing)
    if waiting:
        text += f", {waiting} with votes pending"
    taken = quarantines(terms.juries(one.contract), audited)
    for scope in ("board", "decision"):
        if (why := reason_of(taken, scope)) is not None:
            return f"{text}; {scope} quarantined: {why}"
    return text


def unlicensed(found: "Evaluation", one: Chosen) -> list[str]:
    """A sentence on each judge that holds no licence in force: how it stands, and why."""
    return [
        str(judge) for judge in judges_now(found, one, datetime.date.today()) if not judge.counts
    ]


def _rows_of(found: "Evaluation", one: Chosen, kind: "type[RowType]") -> "list[RowType] | None":
    from eval_pipeline.rows.reading import rows_of, table_of
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        return rows_of(kind, found.warehouse.read(table_of(kind), *one.home).glance())
    except NotMaterialised:
        return None


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
