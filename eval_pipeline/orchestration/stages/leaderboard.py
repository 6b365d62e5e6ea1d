"""The leaderboard of the contract version: what `ls`, `gate`, the report and the UI show.

What depends on the day, such as a licence that has run out, stands in none of its rows: whoever
reads them on a day says it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import (
    Check,
    Computed,
    Notice,
    Stage,
    StageInputs,
    told_of_gone,
)
from eval_pipeline.orchestration.stages import decisions, metric_estimates
from eval_pipeline.orchestration.stages.generations import REPLIES
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.decision.leaderboard import Judged

READ = (
    "run_manifest",
    "ingest_files",
    "metric_estimates",
    "judge_score_estimates",
    "length_controlled_win_rates",
    "judge_licences",
    "awaited_votes",
    "contamination_delta",
    "paired_comparisons",
    "decisions",
)


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline import rows
    from eval_pipeline.decision.leaderboard import BoardTables, board_rows
    from eval_pipeline.orchestration import terms

    noted = inputs.notes("generations")
    board = board_rows(
        terms.board_terms(inputs.contract, inputs.table("items", ["item_id"]).num_rows),
        BoardTables(
            inputs.rows(rows.RunManifestRow),
            inputs.rows(rows.IngestFilesRow),
            inputs.rows(rows.MetricEstimatesRow),
            inputs.rows(rows.JudgeScoreEstimatesRow),
            inputs.rows(rows.LengthControlledWinRatesRow),
            inputs.rows(rows.PairedComparisonsRow),
            inputs.rows(rows.ContaminationDeltaRow),
            inputs.rows(rows.DecisionsRow),
        ),
        _judged(inputs),
        {name: notes[REPLIES] for name, notes in noted.items() if REPLIES in notes},
        inputs.gone,
    )
    table = TABLES["leaderboard"].from_rows(board)
    notes = {**terms.notes(inputs.contract), **told_of_gone(inputs.gone)}
    return Computed({"leaderboard": table}, notes=notes)


def _judged(inputs: StageInputs) -> "Judged":
    """How the judges stand that the board and its decisions rest on."""
    from eval_pipeline import rows
    from eval_pipeline.decision.leaderboard import Judged
    from eval_pipeline.judging.awaited import awaited_words
    from eval_pipeline.judging.standing import panel_of, quarantines, reason_of
    from eval_pipeline.orchestration import terms

    juries = terms.juries(inputs.contract)
    if not juries:
        return Judged()
    licences, awaited = inputs.rows(rows.JudgeLicencesRow), inputs.rows(rows.AwaitedVotesRow)
    panels = {jury: panel_of(jury.judges, licences) for jury in juries}
    heard = {name for panel in panels.values() for name in panel.members}
    taken = quarantines(juries, licences)
    reasons = {scope: reason_of(taken, scope) for scope in ("board", "decision")}
    pending = {
        row["checkpoint"]: awaited_words(awaited, row["checkpoint"], heard) for row in awaited
    }
    own = next((panel for jury, panel in panels.items() if jury.primary), None)
    return Judged(
        own.words if own else None,
        own.members if own else (),
        {scope: why for scope, why in reasons.items() if why},
        {name: words for name, words in pending.items() if words},
    )


def undecided_upon(inputs: StageInputs, computed: Computed) -> str | None:
    """Decisions whose checkpoint has no row."""
    if not inputs.has("decisions"):
        return None
    decided = set(inputs.table("decisions", ["checkpoint"])["checkpoint"].to_pylist())
    lacking = decided.difference(computed.tables["leaderboard"]["checkpoint"].to_pylist())
    return f"no row for {', '.join(sorted(lacking))}" if lacking else None


def pending(board: "pa.Table") -> str | None:
    said = zip(board["checkpoint"].to_pylist(), board["votes_pending"].to_pylist(), strict=True)
    waiting = [f"{name}: {words}" for name, words in said if words]
    return "; ".join(waiting) or None


def quarantined(board: "pa.Table") -> str | None:
    scopes, reasons = (
        board[name].to_pylist() for name in ("quarantine_scope", "quarantine_reason")
    )
    found = {f"{scope}: {why}" for scope, why in zip(scopes, reasons, strict=True) if scope}
    return "; ".join(sorted(found)) or None


def gone(board: "pa.Table") -> str | None:
    marks = zip(board["checkpoint"].to_pylist(), board["gone"].to_pylist(), strict=True)
    return ", ".join(name for name, lost in marks if lost) or None


def wanted(contract: Contract) -> bool:
    return decisions.wanted(contract) or metric_estimates.wanted(contract)


def instruments(contract: Contract) -> Mapping[str, str]:
    """What stands outside the contract's identity: freezing a draft counts anew."""
    from eval_pipeline.orchestration import terms

    said = terms.reading(contract)
    return {"status": contract.status, **({"reading": said} if said else {})}


STAGE = Stage(
    name="leaderboard",
    tables=("leaderboard",),
    scope="contract",
    reads=("items", "generations", *READ),
    version=2,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    checks=(Check("every_decision_has_a_row", "leaderboard", undecided_upon),),
    notices=(
        Notice("every_vote_is_cast", "leaderboard", pending),
        Notice("nothing_is_quarantined", "leaderboard", quarantined),
        Notice("every_checkpoint_is_on_disk", "leaderboard", gone),
    ),
    keeps_gone=True,
)
