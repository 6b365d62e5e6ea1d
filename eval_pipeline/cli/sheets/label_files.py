"""The sheets that raters fill, and the annotation file in which their labels are kept."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.cli.reading.project import Chosen
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.sheets.filled_sheet import at_lines, cell, filled_rows
from eval_pipeline.rows.judgments import PairPlanRow
from eval_pipeline.rows.samples import GenerationsRow, ItemsRow, RunManifestRow

if TYPE_CHECKING:
    from eval_pipeline.judging.people.label_sheet import SheetRow
    from eval_pipeline.orchestration.evaluation import Evaluation

COLUMNS = ("row", "rater", "question", "reply_1", "reply_2", "answer", "note")
EVERY = 1 << 40  # pairs: answers are read back whatever size the sheet had


@dataclass(frozen=True)
class AskedPair:
    """Whose sheet, how many pairs, and how many honeypots (a share of the pairs by default)."""

    rater: str
    n: int
    honeypots: int | None = None


@dataclass(frozen=True)
class Kept:
    """What came of an import; n_refused: rows not kept; refused: each reason with its lines."""

    kept: int
    honeypots: int
    unsure: int
    empty: int
    known: int
    n_refused: int
    refused: list[str]


def sheet(found: "Evaluation", one: Chosen, asked: AskedPair) -> list[dict[str, str]]:
    """The rows of a rater's sheet: what may be seen of each pair, and nothing else."""
    from eval_pipeline.judging.people.label_sheet import decoy_item, masked, tells

    replies, families = _replies(found, one)
    questions = {
        row["item_id"]: row["question"] or "" for row in rows_read(found, one.home, ItemsRow)
    }
    names = tells(families)
    items = sorted({item for _, item in replies})

    def text(model: str, item: str, honest: str) -> str:
        if (model, item) in replies:
            return masked(replies[model, item], names)
        return masked(replies[honest, decoy_item(item, items)], names)

    shown = []
    for row in rows_of(found, one, asked):
        sides = [row.model_a, row.model_b] if row.first_is_a else [row.model_b, row.model_a]
        honest = row.model_a if (row.model_a, row.item_id) in replies else row.model_b
        first, second = (cell(text(model, row.item_id, honest)) for model in sides)
        shown.append(
            {
                "row": row.row,
                "rater": asked.rater,
                "question": cell(questions[row.item_id]),
                "reply_1": first,
                "reply_2": second,
                "answer": "",
                "note": "",
            }
        )
    return shown


def rows_of(found: "Evaluation", one: Chosen, asked: AskedPair) -> "list[SheetRow]":
    """The rows of a rater's sheet with what they stand for."""
    from eval_pipeline.judging.people.label_sheet import decoy_item, sheet_rows

    replies, _ = _replies(found, one)
    items = sorted({item for _, item in replies})
    plan = rows_read(found, one.home, PairPlanRow)
    planned = {
        (row["item_id"], row["model_a"], row["model_b"])
        for row in plan
        if all((model, row["item_id"]) in replies for model in (row["model_a"], row["model_b"]))
    }
    rows = sheet_rows(planned, asked.rater, asked.n, one.contract.statistics.seed, asked.honeypots)
    return [
        row
        for row in rows
        if not row.honeypot or (_honest(row), decoy_item(row.item_id, items)) in replies
    ]


def keep(found: "Evaluation", one: Chosen, file: Path, rater: str, name: str) -> Kept:
    """Appends the labels of a filled sheet to an annotation set.

    A label is final: a pair that the rater labelled before is passed over. Raises ValueError for a
    file that is no such sheet, or one of which no row is the rater's.
    """
    from eval_pipeline.judging.people.label_sheet import NAMED
    from eval_pipeline.warehouse.durable import write_text

    rows = {row.row: row for row in rows_of(found, one, AskedPair(rater, EVERY, EVERY))}
    path = found.root.annotations(name)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if before and not before.endswith("\n"):
        raise ValueError(f"{path}: the last line has no end: mend it before labels are added")
    there = _labelled(path, before)
    lines: list[str] = []
    refused: list[tuple[int, str]] = []
    strange = f"it is on no sheet of {rater} under {one.title}"
    counts = {"honeypots": 0, "unsure": 0, "empty": 0, "known": 0}
    for number, given in filled_rows(file, ("row", "answer")):
        named = given["row"].strip().lstrip("'")
        row = rows.get(named) or rows.get(NAMED + named)
        said = given["answer"].strip()
        if not said:
            counts["empty"] += 1
            continue
        if row is None or given.get("rater", "").strip().lstrip("'") not in ("", rater):
            refused.append((number, strange))
            continue
        try:
            label = row.label(said)
        except ValueError as error:
            refused.append((number, str(error)))
            continue
        key = (row.item_id, row.model_a, row.model_b, rater)
        if label is None:
            counts["unsure"] += 1
        elif key in there:
            counts["known"] += 1
        else:
            there.add(key)
            counts["honeypots"] += row.honeypot
            lines.append(_line(row, rater, label, given.get("note", "")))
    if refused and not lines and {fault for _, fault in refused} == {strange}:
        raise ValueError(
            f"{file}: none of its {len(refused)} answers is on a sheet of {rater} under "
            f"{one.title}: name the rater, contract and version that it was exported for"
        )
    if lines:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, before + "".join(lines))
    return Kept(len(lines), **counts, n_refused=len(refused), refused=at_lines(refused))


def _line(row: "SheetRow", rater: str, label: str, note: str) -> str:
    kept: dict[str, object] = {
        "item_id": row.item_id,
        "model_a": row.model_a,
        "model_b": row.model_b,
        "rater": rater,
        "label": label,
        "honeypot": row.honeypot,
    }
    if row.honeypot:
        kept["expected"] = row.expected
    if note.strip():
        kept["note"] = note.strip()
    return json.dumps(kept, ensure_ascii=True) + "\n"


def _labelled(path: Path, content: str) -> set[tuple[str, ...]]:
    there = set()
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            there.add((row["item_id"], *sorted((row["model_a"], row["model_b"])), row["rater"]))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{path}, line {number} is no label: mend or remove it") from None
    return there


def _honest(row: "SheetRow") -> str:
    return row.model_a if row.expected == "model_a" else row.model_b


def _replies(
    found: "Evaluation", one: Chosen
) -> tuple[dict[tuple[str, str], str], dict[str, str | None]]:
    """(model, item) to its reply, of those that came; checkpoint to its family."""
    columns = ["checkpoint", "item_id", "draw", "status", "text"]
    replies = {
        (row["checkpoint"], row["item_id"]): row["text"] or ""
        for row in rows_read(found, one.home, GenerationsRow, columns=columns)
        if row["draw"] == 0 and row["status"] == "ok" and (row["text"] or "").strip()
    }
    manifest = rows_read(found, one.home, RunManifestRow)
    families: dict[str, str | None] = {model: None for model, _ in replies}
    families |= {row["checkpoint"]: row["value"] for row in manifest if row["field"] == "family"}
    return replies, families
