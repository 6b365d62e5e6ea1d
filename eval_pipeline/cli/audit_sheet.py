"""The sheet that people fill, and the file in which their decisions are kept."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.project import Chosen

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation
    from eval_pipeline.verification.audit import Decision

COLUMNS = (
    "row", "checkpoint", "item_id", "draw", "question", "reference", "reply", "extracted",
    "verdict", "explanation", "verifier_is", "note",
)  # fmt: skip
MAX_CELL = 30_000  # characters: spreadsheets cut a cell at 32,767
MAX_SHEET_BYTES = 64 << 20


@dataclass(frozen=True)
class Kept:
    """What came of an import; `refused` names the lines not kept, each with the reason."""

    kept: int
    empty: int
    refused: list[str]


def sheet(found: "Evaluation", one: Chosen, checkpoint: str, n: int) -> list[dict[str, Any]]:
    """The rows of a sheet: a random sample of verdicts, with all that a person needs to judge."""
    from eval_pipeline.verification.audit import audit_sample, passed, row_key

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
            "question": _cell(items[row["item_id"]]["question"]),
            "reference": _cell(items[row["item_id"]]["answer"]),
            "reply": _cell(replies[row["item_id"], row["draw"]]),
            "extracted": _cell(row["extracted"]),
            "verdict": "passed"
            if passed(row)
            else f"turned down ({row['detail'] or row['status']})",
            "explanation": _cell(row["explanation"]),
            "verifier_is": "",
            "note": "",
        }
        for row in picked
    ]


def keep(found: "Evaluation", one: Chosen, file: Path, by: str) -> Kept:
    """Appends the decisions of a filled sheet to the contract's audit file.

    Raises ValueError for a nameless person, or a file that is no such sheet.
    """
    from eval_pipeline.warehouse.durable import write_text

    if not by.strip() or not by.isprintable():
        raise ValueError("--by must name who decided")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    current: dict[str, dict[str, dict[str, Any]]] = {}
    lines, empty, refused = [], 0, []
    for number, row in _filled(file):
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
            lines.append(_line(one, checkpoint, row, verdict, said, by, at))
    if lines:
        path = found.root.verifier_audit(*one.home)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        write_text(path, before + "".join(lines))
    return Kept(len(lines), empty, refused)


def decisions(path: Path) -> "list[Decision]":
    """All decisions that were kept, in order; none where there is no file.

    Raises ValueError that names the line which is damaged.
    """
    from eval_pipeline.verification.audit import Decision

    if not path.exists():
        return []
    made = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            made.append(Decision(row["row"], row["passed"], row["verifier_is"], row["by"]))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number} is no decision: mend or remove it") from None
    return made


def _line(
    one: Chosen, checkpoint: str, row: dict[str, str], verdict: dict[str, Any], *said: str
) -> str:
    from eval_pipeline.verification.audit import passed

    word, by, at = said
    kept = {
        "row": row["row"],
        "contract": one.contract.contract,
        "version": one.contract.version,
        "checkpoint": checkpoint,
        "item_id": verdict["item_id"],
        "draw": verdict["draw"],
        "verifier": verdict["verifier"],
        "passed": passed(verdict),
        "verifier_is": word,
        "by": by,
        "at": at,
        "note": row.get("note") or "",
    }
    return json.dumps(kept, ensure_ascii=True) + "\n"


def _by_key(found: "Evaluation", one: Chosen, checkpoint: str) -> dict[str, dict[str, Any]]:
    from eval_pipeline.verification.audit import row_key

    scores = _table(found, one, "verifier_scores", checkpoint)
    return {row_key(checkpoint, row): row for row in scores}


def _table(
    found: "Evaluation", one: Chosen, table: str, checkpoint: str | None
) -> list[dict[str, Any]]:
    stored = found.warehouse.read(table, *one.home, checkpoint=checkpoint)
    rows: list[dict[str, Any]] = stored.table().to_pylist()
    return rows


def _filled(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells of each row; raises ValueError for a file that is no sheet."""
    content = file.read_bytes()
    if len(content) > MAX_SHEET_BYTES:
        raise ValueError(f"{file} has {len(content)} bytes: no sheet that export made is so large")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: byte {error.start} is not UTF-8: save it as CSV UTF-8") from None
    csv.field_size_limit(MAX_SHEET_BYTES)
    first = text.split("\n", 1)[0]
    separator = ";" if first.count(";") > first.count(",") else ","  # some locales save with ;
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    needed = ("row", "checkpoint", "verifier_is")
    if lacking := [name for name in needed if name not in (reader.fieldnames or ())]:
        raise ValueError(f"{file} lacks the column {lacking[0]}: export the sheet anew")
    for row in reader:
        yield reader.line_num, {name: cell or "" for name, cell in row.items() if name}


def _cell(text: str | None) -> str:
    if text is None:
        return ""
    return text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]} [cut: {len(text)} characters]"
