"""The sheet that people fill, and the file in which their decisions are kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.reading.project import Chosen, unknown
from eval_pipeline.cli.sheets.filled_sheet import Kept, append, cell, filled_rows, signed

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation

COLUMNS = (
    "row", "checkpoint", "item_id", "draw", "question", "reference", "reply", "extracted",
    "verdict", "explanation", "verifier_is", "note",
)  # fmt: skip


def sheet(found: "Evaluation", one: Chosen, checkpoint: str, n: int) -> list[dict[str, Any]]:
    """The rows of a sheet: a random sample of verdicts, with all that a person needs to judge."""
    from eval_pipeline.verification.audits.audit import audit_sample, passed, row_key

    scores = _table(found, one, "verifier_scores", checkpoint)
    picked = audit_sample(scores, n, one.contract.statistics.seed)
    items = {row["item_id"]: row for row in _table(found, one, "items", None)}
    replies = {
        (row["item_id"], row["draw"]): row["text"]
        for row in _table(found, one, "generations", checkpoint)
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
    current: dict[str, dict[str, dict[str, Any]]] = {}
    made: list[dict[str, Any]] = []
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
    one: Chosen, checkpoint: str, row: dict[str, str], verdict: dict[str, Any], said: str
) -> dict[str, Any]:
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


def _by_key(found: "Evaluation", one: Chosen, checkpoint: str) -> dict[str, dict[str, Any]]:
    from eval_pipeline.verification.audits.audit import row_key

    scores = _table(found, one, "verifier_scores", checkpoint)
    return {row_key(checkpoint, row): row for row in scores}


def _table(
    found: "Evaluation", one: Chosen, table: str, checkpoint: str | None
) -> list[dict[str, Any]]:
    if one.contract.verification is None:
        mend = (
            "`eval-pipeline label` has people check its judges"
            if one.contract.judging is not None
            else "ask a contract with the section verification"
        )
        raise ValueError(f"{one.title} has no verifier whose verdicts could be audited: {mend}")
    if checkpoint is not None and checkpoint not in found.world.facts:
        raise ValueError(unknown("checkpoint", checkpoint, found.world.facts))
    stored = found.warehouse.read(table, *one.home, checkpoint=checkpoint)
    rows: list[dict[str, Any]] = stored.table().to_pylist()
    return rows


def _reference(item: dict[str, Any]) -> str | None:
    """What a reply is held against: the answer, or the tests of a program."""
    answer: str | None = item["answer"]
    return item["test"] if answer is None else answer
