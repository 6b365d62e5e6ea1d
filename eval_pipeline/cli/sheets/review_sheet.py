"""The sheet of items to look at, and what people said of them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from eval_pipeline.cli.reading.project import Chosen
from eval_pipeline.cli.reading.tables import rows_read
from eval_pipeline.cli.sheets.filled_sheet import Kept, append, cell, filled_rows, signed
from eval_pipeline.reporting.escaping import for_csv
from eval_pipeline.rows.contamination import (
    ContaminationHitsRow,
    ContaminationItemsRow,
    NearDuplicatesRow,
)

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Home
    from eval_pipeline.orchestration.evaluation import Evaluation

COLUMNS = (
    "evidence", "item_id", "field", "verdict", "why", "where", "share", "span", "item_text",
    "corpus_text", "further", "decision", "note",
)  # fmt: skip
FURTHER = 4  # documents shown beside the strongest one

Row = dict[str, object]


class FieldEvidence(TypedDict):
    """A document in which a field of an item was found, or one that resembles it."""

    key: tuple[str, str]
    where: str
    share: float
    span: int
    item_text: str
    corpus_text: str


def sheet(
    found: "Evaluation", one: Chosen, statuses: Collection[str], decided_too: bool
) -> list[Row]:
    """A row a field to look at, with the strongest evidence first; sorted by item and field."""
    evidence = _evidence(found, one)
    rows = [
        row
        for row in rows_read(found, _searched(one), ContaminationItemsRow)
        if row["status"] in statuses and (decided_too or row["review"] != "decided")
    ]
    return [_sheet_row(row, evidence.get((row["item_id"], row["field"]), [])) for row in rows]


def keep(found: "Evaluation", one: Chosen, file: Path, by: str) -> Kept:
    """Appends the decisions of a filled sheet to the contract's review file.

    What the person has said already, word for word, is not added again. Rows that contradict each
    other are refused, all of them. Raises ValueError for a nameless person, or a file that is no
    such sheet.
    """
    from eval_pipeline.contamination.verdict.review import LABELS, read_decisions

    signature = signed(by)
    path = found.root.contamination_review(*one.home)
    current = {
        row["evidence"]: row for row in rows_read(found, _searched(one), ContaminationItemsRow)
    }
    last = {
        (d.item_id, d.field): (d.evidence, d.label, d.note)
        for d in read_decisions(path)
        if d.by == signature["by"]
    }
    filled: dict[str, list[tuple[int, Decided]]] = {}
    empty, refused = 0, []
    for number, row in filled_rows(file, ("evidence", "item_id", "decision")):
        said = row["decision"].strip().lower()
        verdict = current.get(row["evidence"].strip())
        if not said:
            empty += 1
        elif said not in LABELS:
            refused.append(f"line {number}: decision must be {' or '.join(LABELS)}, not {said!r}")
        elif verdict is None:
            refused.append(
                f"line {number}: {one.title} has no verdict on {row['item_id']} with this evidence "
                "(or no longer, as a text has changed): export the sheet anew"
            )
        elif row["item_id"].strip() not in (verdict["item_id"], for_csv(verdict["item_id"])):
            refused.append(
                f"line {number}: this evidence is of item {verdict['item_id']}, not of "
                f"{row['item_id']}: export the sheet anew"
            )
        else:
            made = Decided(verdict, said, row.get("note", "").strip())
            filled.setdefault(row["evidence"].strip(), []).append((number, made))
    kept, again = [], 0
    for evidence, rows in filled.items():
        _, made = rows[-1]
        of = made.verdict
        word = (evidence, made.label, made.note)
        if len({row.label for _, row in rows}) > 1:
            lines = ", ".join(str(line) for line, _ in rows)
            refused.append(
                f"lines {lines} contradict each other on {of['item_id']}, {of['field']}: "
                "leave one of them"
            )
        elif last.get((of["item_id"], of["field"])) == word:
            again += 1
        else:
            kept.append(_decision(one, made) | signature)
    append(path, kept)
    return Kept(len(kept), empty, refused, again)


def standing_rows(found: "Evaluation", one: Chosen) -> tuple[list[Row], int]:
    """Fields by the rule's verdict, review and verdict; and decisions that no run has used yet.

    Who decides on a field again changes their word, and does not add one.
    """
    from eval_pipeline.contamination.verdict.review import read_decisions

    rows = rows_read(found, _searched(one), ContaminationItemsRow)
    counts = Counter((row["rule_status"], row["review"] or "", row["status"]) for row in rows)
    shown: list[Row] = [
        {"rule_status": rule, "review": review or None, "status": status, "n": n}
        for (rule, review, status), n in sorted(counts.items())
    ]
    used = {(r["item_id"], r["field"]): r["reviewed_at"] or "" for r in rows}
    decisions = read_decisions(found.root.contamination_review(*one.home))
    unused = {
        (d.item_id, d.field, d.by) for d in decisions if d.at > used.get((d.item_id, d.field), "")
    }
    return shown, len(unused)


def left_out(found: "Evaluation", one: Chosen, statuses: Collection[str]) -> Mapping[str, int]:
    """How many undecided fields of each other verdict a sheet leaves out, `clean` ones aside."""
    counts = Counter(
        row["status"]
        for row in rows_read(found, _searched(one), ContaminationItemsRow)
        if row["status"] not in (*statuses, "clean") and row["review"] != "decided"
    )
    return dict(sorted(counts.items()))


class Decided(NamedTuple):
    """What a person says of the verdict on a field."""

    verdict: ContaminationItemsRow
    label: str
    note: str


def _decision(one: Chosen, decided: Decided) -> Row:
    verdict = decided.verdict
    return {
        "contract": one.contract.contract,
        "version": one.contract.version,
        "item_id": verdict["item_id"],
        "field": verdict["field"],
        "evidence": verdict["evidence"],
        "rule_status": verdict["rule_status"],
        "rule": verdict["rule"],
        "label": decided.label,
        "note": decided.note,
    }


def _evidence(found: "Evaluation", one: Chosen) -> dict[tuple[str, str], list[FieldEvidence]]:
    """What was found of each field, strongest first, hits and near-duplicates alike."""
    rows: list[FieldEvidence] = [
        {
            "key": (hit["item_id"], hit["field"]),
            "where": f"{hit['corpus']}, {hit['shard']}, document {hit['document']}",
            "share": hit["window_ratio"],
            "span": hit["longest_span"],
            "item_text": hit["excerpt_item"],
            "corpus_text": hit["excerpt_document"],
        }
        for hit in rows_read(found, _searched(one), ContaminationHitsRow)
    ]
    rows += [
        {
            "key": (pair["item_id"], pair["field"]),
            "where": f"{pair['source']}, {pair['other']} (Jaccard {pair['jaccard']:.2f})",
            "share": pair["jaccard"],
            "span": 0,
            "item_text": pair["excerpt_item"],
            "corpus_text": pair["excerpt_other"],
        }
        for pair in rows_read(found, _searched(one), NearDuplicatesRow)
        if pair["relation"] == "corpus"
    ]
    by_field: dict[tuple[str, str], list[FieldEvidence]] = {}
    for row in sorted(rows, key=lambda r: (-r["share"], -r["span"], r["where"])):
        by_field.setdefault(row["key"], []).append(row)
    return by_field


def _sheet_row(row: ContaminationItemsRow, evidence: Sequence[FieldEvidence]) -> Row:
    strongest = evidence[0] if evidence else None
    others = [f"{one['where']}: {one['corpus_text']}" for one in evidence[1 : 1 + FURTHER]]
    if len(evidence) > 1 + FURTHER:
        others.append(f"and {len(evidence) - 1 - FURTHER} further documents")
    return {
        "evidence": row["evidence"],
        "item_id": row["item_id"],
        "field": row["field"],
        "verdict": row["status"],
        "why": row["reason"],
        "where": strongest["where"] if strongest else "",
        "share": strongest and strongest["share"],
        "span": strongest and strongest["span"],
        "item_text": cell(strongest["item_text"] if strongest else ""),
        "corpus_text": cell(strongest["corpus_text"] if strongest else ""),
        "further": cell("\n\n".join(others)),
        "decision": "",
        "note": "",
    }


def _searched(one: Chosen) -> "Home":
    """The contract version; raises ValueError where it searches nothing."""
    if one.contract.contamination is None:
        raise ValueError(f"{one.title} searches no corpora: add the section contamination to it")
    return one.home
