"""From evidence to verdicts: one row a field of an item, and one status an item."""

from collections.abc import Iterable, Mapping, Sequence

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.rule import (
    FLAGGED,
    MIN_SHARE,
    RULE,
    FieldMatch,
    is_renumbered,
    judged,
)
from eval_pipeline.contamination.search.canary import FIELD
from eval_pipeline.contamination.search.hits import match_of
from eval_pipeline.contamination.text.digests import field_digests
from eval_pipeline.contamination.text.fields import Field, kind_of
from eval_pipeline.contamination.verdict.fields import verdict
from eval_pipeline.contamination.verdict.review import ReviewDecision, after_review, evidence_digest
from eval_pipeline.rows.contamination import (
    ContaminationHitsRow,
    ContaminationItemsRow,
    NearDuplicatesRow,
)

Row = Mapping[str, object]  # in the making

SEVERITY = (
    "contaminated",
    "short_exact",
    "review",
    "source_overlap",
    "low_information",
    "clean",
    "untestable",
)


def item_rows(
    entries: Sequence[FieldEntry],
    hits: Iterable[ContaminationHitsRow],
    n_corpora: int,
    near: Iterable[NearDuplicatesRow] = (),
    decisions: Sequence[ReviewDecision] = (),
    share: float = MIN_SHARE,
) -> list[Row]:
    """Rows of `contamination_items`, sorted by item and field.

    hits: rows of `contamination_hits`; near: of `near_duplicates`, of which those with a corpus
    are evidence; decisions: what people said; share: the rule's least share of n-grams. A canary
    that was found is a row of its own, field `canary`, of its item or of `*`; so is a whole item
    (field `item`) that a document nearly is.
    """
    held = _InCorpora(hits, (row for row in near if row["relation"] == "corpus"))
    rows = [_row(entry, held, n_corpora, share) for entry in entries]
    named = {(entry.field.item_id, entry.field.name) for entry in entries}
    rows += [_further_row(key, held) for key in held.places() if key not in named]
    return after_review(sorted(rows, key=lambda r: (str(r["item_id"]), str(r["field"]))), decisions)


class _InCorpora:
    """What the corpora hold, by (item, field)."""

    def __init__(
        self, hits: Iterable[ContaminationHitsRow], near: Iterable[NearDuplicatesRow]
    ) -> None:
        self.hits: dict[tuple[str, str], list[ContaminationHitsRow]] = {}
        self.near: dict[tuple[str, str], list[NearDuplicatesRow]] = {}
        self.renumbered: dict[tuple[str, str, str], int] = {}  # item and document -> numbers
        for row in hits:
            self.hits.setdefault((row["item_id"], row["field"]), []).append(row)
            if (match := match_of(row)).other_numbers and is_renumbered(match):
                place = (row["item_id"], row["corpus"], f"{row['shard']}:{row['document']}")
                self.renumbered[place] = match.other_numbers
        for pair in near:
            self.near.setdefault((pair["item_id"], pair["field"]), []).append(pair)

    def places(self) -> list[tuple[str, str]]:
        return sorted(self.hits.keys() | self.near.keys())

    def matches(self, key: tuple[str, str]) -> list[FieldMatch]:
        near = [self._near(row) for row in self.near.get(key, ())]
        return [match_of(hit) for hit in self.hits.get(key, ())] + near

    def _near(self, row: NearDuplicatesRow) -> FieldMatch:
        """A document that nearly is the text, with the numbers that the search saw to differ."""
        place = (row["item_id"], row["source"], row["other"])
        numbers = self.renumbered.get(place, 0)
        return FieldMatch("minhash", 0, row["jaccard"], 0.0, 0, other_numbers=numbers)

    def documents(self, key: tuple[str, str]) -> int:
        """Different documents with a hit or of nearly the same text."""
        hits = {(r["corpus"], f"{r['shard']}:{r['document']}") for r in self.hits.get(key, ())}
        return len(hits | {(r["source"], r["other"]) for r in self.near.get(key, ())})

    def digest(self, key: tuple[str, str], text: str | None) -> str:
        return evidence_digest(*key, text, self.hits.get(key, ()), self.near.get(key, ()))


def with_unsearched(rows: Iterable[Row], unread: int, shards: int, lines: int) -> list[Row]:
    """The rows, where `clean` says what was not searched: shards, and lines without a document."""
    left_out = f"; {unread} of {shards} shards could not be read" if unread else ""
    left_out += f"; lines of the corpora that hold no readable document: {lines}" if lines else ""
    return [
        {**row, "reason": f"{row['reason']}{left_out}"} if row["status"] == "clean" else row
        for row in rows
    ]


def with_digests(rows: Iterable[Row], fields: Sequence[Field], fast: bool) -> list[Row]:
    """The rows with the digest of their field's words; fast: by the kernel."""
    digests = field_digests(fields, fast)
    of = {
        (field.item_id, field.name): digest for field, digest in zip(fields, digests, strict=True)
    }
    return [
        {**row, "text_digest": of.get((str(row["item_id"]), str(row["field"])))} for row in rows
    ]


def flagged_documents(hits: Iterable[ContaminationHitsRow]) -> set[tuple[str, str, int]]:
    """(corpus, shard, document) of every hit that alone would flag its field."""
    return {
        (hit["corpus"], hit["shard"], hit["document"])
        for hit in hits
        if judged(match_of(hit), kind_of(hit["field"])) in FLAGGED
    }


def item_status(statuses: Iterable[str]) -> str:
    """The status of an item, given those of its fields: the gravest one.

    A field that cannot be tested does not spoil an item that another field shows to be clean.
    Raises ValueError for no statuses.
    """
    return min(statuses, key=SEVERITY.index)


def item_statuses(rows: Iterable[ContaminationItemsRow]) -> dict[str, str]:
    """The status of each item, given rows with item_id and status of its fields."""
    of_fields: dict[str, list[str]] = {}
    for row in rows:
        of_fields.setdefault(row["item_id"], []).append(row["status"])
    return {item: item_status(statuses) for item, statuses in of_fields.items()}


def _row(entry: FieldEntry, held: _InCorpora, n_corpora: int, share: float) -> Row:
    key = (entry.field.item_id, entry.field.name)
    decided = verdict(entry, held.matches(key), n_corpora, share)
    return {
        "item_id": key[0],
        "field": key[1],
        "status": decided.status,
        "max_ratio": decided.max_ratio,
        "max_span": decided.max_span,
        "n_documents": held.documents(key),
        "rule": RULE,
        "reason": decided.reason,
        "evidence": held.digest(key, entry.field.text),
    }


def _further_row(key: tuple[str, str], held: _InCorpora) -> Row:
    """Of what is no field that is searched: a canary, or the item as a whole."""
    kinds = {judged(match, "text") for match in held.matches(key)}
    if key[1] == FIELD:
        status, reason = "contaminated", "a canary of the benchmark stands in the corpus"
    elif "contaminated" in kinds:
        status, reason = "contaminated", "a document nearly is the item as a whole"
    else:
        status, reason = "review", "a document is like the item as a whole"
    return {
        "item_id": key[0],
        "field": key[1],
        "status": status,
        "max_ratio": 1.0 if key[1] == FIELD else 0.0,
        "max_span": 1 if key[1] == FIELD else 0,
        "n_documents": held.documents(key),
        "rule": RULE,
        "reason": reason,
        "evidence": held.digest(key, None),
    }
