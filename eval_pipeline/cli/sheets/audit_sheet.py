"""The sheet that people fill, and the file in which their decisions are kept."""

from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.cli.reading.project import Chosen, unknown
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.sheets.filled_sheet import Kept, append, cell, filled_rows, signed
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow, VerifierScoresRow

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation

COLUMNS = (
    "row", "checkpoint", "item_id", "draw", "question", "reference", "reply", "extracted",
    "verdict", "explanation", "verifier_is", "note",
)  # fmt: skip


def sheet(found: "Evaluation", one: Chosen, checkpoint: str, n: int) -> list[dict[str, object]]:
    """The rows of a sheet: a random sample of verdicts, with all that a person needs to judge."""
    from eval_pipeline.verification.audits.audit import audit_sample, passed, row_key

    scores = _scores(found, one, checkpoint)
    picked = audit_sample(scores, n, one.contract.statistics.seed)
    items = {row["item_id"]: row for row in rows_read(found, one.home, ItemsRow)}
    replies = {
        (row["item_id"], row["draw"]): row["text"]
        for row in rows_read(found, one.home, GenerationsRow, checkpoint)
    }
    return [
        {
            "row": row_key(checkpoint, row),
            "checkpoint": checkpoint,
            "item_id": row["item_id"],
            "draw": row["draw"],
            "question": cell(items[row["item_id"]]["question"]),
            "reference": cell(_reference(items[row["item_id"]])),
            "reply": cell(replies[row["item_id"], row["draw"]]),
            "extracted": cell(row["extracted"]),
            "verdict": "passed"
            if passed(row)
            else f"turned down ({row['detail'] or row['status']})",
            "explanation": cell(row["explanation"]),
            "verifier_is": "",
            "note": "",
        }
        for row in picked
    ]


def keep(found: "Evaluation", one: Chosen, file: Path, by: str) -> Kept:
    """Appends the decisions of a filled sheet to the contract's audit file.

    Raises ValueError for a nameless person, or a file that is no such sheet.
    """
    signature = signed(by)
    current: dict[str, dict[str, VerifierScoresRow]] = {}
    made: list[dict[str, object]] = []
    empty, refused = 0, []
    for number, row in filled_rows(file, ("row", "checkpoint", "verifier_is")):
        said = (row["verifier_is"] or "").strip().lower()
        if not said:
            empty += 1
            continue
        checkpoint = row["checkpoint"] or ""
        if checkpoint not in current:
            current[checkpoint] = _by_key(found, one, checkpoint)
        verdict = current[checkpoint].get(row["row"] or "")
        if said not in ("right", "wrong"):
            refused.append(f"line {number}: verifier_is must be right or wrong, not {said!r}")
        elif verdict is None:
            refused.append(
                f"line {number}: its verdict is not (or no longer) in verifier_scores of "
                f"{one.title}, {checkpoint}: export the sheet anew"
            )
        else:
            made.append(_decision(one, checkpoint, row, verdict, said) | signature)
    append(found.root.verifier_audit(*one.home), made)
    return Kept(len(made), empty, refused)


def _decision(
    one: Chosen, checkpoint: str, row: dict[str, str], verdict: VerifierScoresRow, said: str
) -> dict[str, object]:
    from eval_pipeline.verification.audits.audit import passed

    return {
        "row": row["row"],
        "contract": one.contract.contract,
        "version": one.contract.version,
        "checkpoint": checkpoint,
        "item_id": verdict["item_id"],
        "draw": verdict["draw"],
        "verifier": verdict["verifier"],
        "passed": passed(verdict),
        "verifier_is": said,
        "note": row.get("note") or "",
    }


def _by_key(found: "Evaluation", one: Chosen, checkpoint: str) -> dict[str, VerifierScoresRow]:
    from eval_pipeline.verification.audits.audit import row_key

    return {row_key(checkpoint, row): row for row in _scores(found, one, checkpoint)}


def _scores(found: "Evaluation", one: Chosen, checkpoint: str) -> list[VerifierScoresRow]:
    if one.contract.verification is None:
        mend = (
            "`eval-pipeline label` has people check its judges"
            if one.contract.judging is not None
            else "ask a contract with the section verification"
        )
        raise ValueError(f"{one.title} has no verifier whose verdicts could be audited: {mend}")
    if checkpoint not in found.world.facts:
        raise ValueError(unknown("checkpoint", checkpoint, found.world.facts))
    return rows_read(found, one.home, VerifierScoresRow, checkpoint)


def _reference(item: ItemsRow) -> str | None:
    """What a reply is held against: the answer, or the tests of a program."""
    return item["test"] if item["answer"] is None else item["answer"]
