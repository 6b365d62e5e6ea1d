"""What people decided of flagged fields, and whether it still holds.

A decision speaks of the evidence that its maker saw: the field's text and the texts that were
found. Where either changed, the decision is void, and the rule's verdict stands again.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.contamination.rule import judged
from eval_pipeline.contamination.search.hits import match_of
from eval_pipeline.contamination.text.fields import kind_of
from eval_pipeline.layout import FileRead
from eval_pipeline.rows.contamination import ContaminationHitsRow, NearDuplicatesRow

LABELS = ("contaminated", "clean")
TOLD = 5  # decisions, in a sentence
QUEUED = ("review", "short_exact", "low_information")  # what the rule leaves to people

Row = Mapping[str, object]  # of `contamination_items`, in the making


@dataclass(frozen=True)
class ReviewDecision:
    """What a person says of one field of one item, on the evidence of a digest."""

    item_id: str
    field: str
    evidence: str
    label: str
    by: str
    at: str
    note: str = ""


def evidence_digest(
    item_id: str,
    field: str,
    text: str | None,
    hits: Iterable[ContaminationHitsRow],
    near: Iterable[NearDuplicatesRow] = (),
) -> str:
    """A name of what a person would look at: the field's text and the texts that the rule judges.

    hits: rows of `contamination_hits` of the field; those too small to be judged are left out, so
    that a trifle in a new shard voids nothing; nor do shards cut anew, as places do not count.
    near: its rows of `near_duplicates` with a corpus.
    """
    seen = [
        [hit["corpus"], hit["match_type"], hit["excerpt_document"]]
        for hit in hits
        if judged(match_of(hit), kind_of(hit["field"])) is not None
    ]
    like = [[row["source"], row["excerpt_other"]] for row in near]
    parts = [item_id, field, text, sorted(seen), sorted(like)]
    written = json.dumps(parts, ensure_ascii=True).encode()
    return hashlib.sha256(written).hexdigest()[:20]


def read_decisions(path: Path) -> list[ReviewDecision]:
    """All decisions that were kept, in order; none where there is no file.

    Raises ValueError that names the line which is damaged.
    """
    return _read(path, path.read_text(encoding="utf-8")) if path.exists() else []


def since(path: Path, read: FileRead | None) -> str | None:
    """What people decided since the file was read, in a sentence; None for nothing.

    read: the file as it was, None where there was none. Raises ValueError as `read_decisions`.
    """
    content = path.read_bytes() if path.exists() else b""
    size = 0 if read is None else read.bytes
    if read is not None and hashlib.sha256(content[:size]).hexdigest() != read.sha256:
        return f"after a review: decisions that were kept in {path.name} have been altered"
    later = _read(path, content[size:].decode(), content[:size].count(b"\n"))
    if not later:
        return None
    sentences = [f"{new.by} says {new.label} of {new.item_id}, {new.field}" for new in later]
    more = [f"and {len(sentences) - TOLD} more"] if len(sentences) > TOLD else []
    return f"after a review: {'; '.join([*sentences[:TOLD], *more])}"


def _read(path: Path, text: str, before: int = 0) -> list[ReviewDecision]:
    made = []
    for number, line in enumerate(text.split("\n"), start=before + 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            decision = ReviewDecision(
                **{name: row[name] for name in ReviewDecision.__dataclass_fields__}
            )
        except (ValueError, KeyError, TypeError):
            decision = None
        if decision is None or decision.label not in LABELS:
            raise ValueError(f"{path}, line {number} is no decision: mend or remove it")
        made.append(decision)
    return made


def after_review(rows: Iterable[Row], decisions: Sequence[ReviewDecision]) -> list[Row]:
    """Rows of `contamination_items` with people's decisions in place of the rule's verdict.

    Each person's last word on a field counts. Those on other evidence are void; where the valid
    ones disagree, the verdict is `review`, and says so. The rule's own stays in `rule_status`.
    """
    words: dict[tuple[str, str], dict[str, ReviewDecision]] = {}
    for decision in decisions:
        words.setdefault((decision.item_id, decision.field), {})[decision.by] = decision
    return [_decided(row, words.get((str(row["item_id"]), str(row["field"])), {})) for row in rows]


def _decided(row: Row, by_person: Mapping[str, ReviewDecision]) -> Row:
    row = {**row, "rule_status": row["status"]}
    if not by_person:
        return row
    valid = [decision for decision in by_person.values() if decision.evidence == row["evidence"]]
    if not valid:
        last = max(by_person.values(), key=lambda decision: decision.at)
        reason = f"{row['reason']}; {last.by} said {last.label} of other evidence: decide anew"
        return {**row, **_signed(last), "review": "void", "reason": reason}
    if len({decision.label for decision in valid}) > 1:
        who = ", ".join(f"{word.by}: {word.label}" for word in sorted(valid, key=lambda o: o.by))
        last = max(valid, key=lambda decision: decision.at)
        reason = f"people disagree ({who})"
        return {**row, **_signed(last), "status": "review", "review": "disputed", "reason": reason}
    last = max(valid, key=lambda decision: decision.at)
    reason = f"{last.by} looked at it and says {last.label}; the rule said {row['status']}"
    return {**row, **_signed(last), "status": last.label, "review": "decided", "reason": reason}


def _signed(decision: ReviewDecision) -> dict[str, str]:
    return {"reviewer": decision.by, "reviewed_at": decision.at}
