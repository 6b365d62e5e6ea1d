"""What is kept of a shard: rows of evidence, with the text of both sides."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from eval_pipeline.contamination.index.entries import Entry
from eval_pipeline.contamination.rule import Evidence, judged
from eval_pipeline.contamination.search.canary import FIELD
from eval_pipeline.contamination.search.reference import Overlap, Scanner
from eval_pipeline.contamination.text.fields import Field, Kind, kind_of
from eval_pipeline.contamination.text.normalise import place_of

KEPT_SHARE = 0.1  # an overlap below this is kept only as the largest of its field in the shard
EXCERPT = 400  # characters
CONTEXT = 8  # words before and after a match

Row = Mapping[str, Any]


class Finding(Protocol):
    """An overlap with a document that can be written as a row."""

    @property
    def field(self) -> Field: ...

    @property
    def evidence(self) -> Evidence: ...

    def row(self) -> Row:
        """The columns that say where in the two texts it is."""
        ...


class Search(Protocol):
    """Looks for the fields of an index in documents."""

    def findings(self, texts: Any) -> Iterator[tuple[int, Sequence[Finding]]]:
        """(place in an Arrow array of texts, findings by item and field), in order."""
        ...


class Keeper:
    """Keeps the rows of one shard.

    Kept are the overlaps that the rule judges or that reach `KEPT_SHARE`, and of each field the
    largest, so that its largest share and span are exact.
    """

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._largest: dict[tuple[str, str], tuple[tuple[float, int], Row]] = {}
        self._kept_of: set[tuple[str, str]] = set()

    def take(self, document: int, finding: Finding) -> None:
        key = (finding.field.item_id, finding.field.name)
        self._take(key, finding.evidence, finding.field.kind, lambda: _row(document, finding))

    def take_row(self, row: Row) -> None:
        """Takes what another keeper kept; rows come in the order of documents."""
        kind = kind_of(row["field"])
        self._take((row["item_id"], row["field"]), evidence_of(row), kind, lambda: row)

    def take_canary(self, document: int, item: str, canary: str, text: str, place: int) -> None:
        self._rows.append({"document": document, **_canary_row(item, canary, text, place)})

    def _take(
        self, key: tuple[str, str], evidence: Evidence, kind: Kind, row: Callable[[], Row]
    ) -> None:
        size = (evidence.window_ratio, evidence.longest_span)
        if is_kept(evidence, kind):
            self._rows.append(row())
            self._kept_of.add(key)
        elif key not in self._kept_of and (
            key not in self._largest or size > self._largest[key][0]
        ):
            self._largest[key] = size, row()

    def rows(self) -> list[Row]:
        """All that was kept, by document, item, field and kind of match, one of each."""
        rows = self._rows + [
            row for key, (_, row) in self._largest.items() if key not in self._kept_of
        ]
        return sorted({_order(row): row for row in rows}.values(), key=_order)


def is_kept(evidence: Evidence, kind: Kind) -> bool:
    return evidence.ratio >= KEPT_SHARE or judged(evidence, kind) is not None


def evidence_of(row: Row) -> Evidence:
    """The evidence of a row of `contamination_hits`."""
    return Evidence(
        row["match_type"],
        row["hits"],
        row["ratio"],
        row["window_ratio"],
        row["longest_span"],
        1.0 if row.get("token_coverage") is None else row["token_coverage"],
        bool(row.get("unspaced")),
        row.get("other_numbers") or 0,
        row.get("whole_ratio") or 0.0,
    )


class ReferenceSearch:
    """The search in plain Python, document by document."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._scanner = Scanner(entries)

    def findings(self, texts: Any) -> Iterator[tuple[int, Sequence[Finding]]]:
        for i, text in enumerate(texts):
            written: str = text.as_py()
            yield i, [_Found(one, written) for one in self._scanner.scan(written)]


@dataclass(frozen=True)
class _Found:
    overlap: Overlap
    text: str

    @property
    def field(self) -> Field:
        return self.overlap.entry.field

    @property
    def evidence(self) -> Evidence:
        return self.overlap.evidence

    def row(self) -> Row:
        overlap, normaliser = self.overlap, self.field.normaliser
        start, end = place_of(normaliser, self.text, overlap.start, overlap.end - 1)
        first, last = max(0, overlap.start - CONTEXT), overlap.end + CONTEXT - 1
        return located(
            self.field,
            (overlap.item_start, overlap.item_end),
            (bytes_of(self.text[:start]), bytes_of(self.text[:end])),
            excerpt(self.text, *place_of(normaliser, self.text, first, last)),
            overlap.idf_ratio,
        )


def located(
    field: Field,
    in_item: tuple[int, int],
    in_document: tuple[int, int],
    shown: str,
    idf_ratio: float,
) -> Row:
    """The columns of a finding that say where in the two texts it is.

    in_item: words; in_document: bytes; shown: the document around the match.
    """
    text = field.text or ""
    first, last = max(0, in_item[0] - CONTEXT), in_item[1] + CONTEXT - 1
    start, end = place_of(field.normaliser, text, first, last)
    return {
        "excerpt_document": shown,
        "excerpt_item": excerpt(text, start if first else 0, end),
        "verified": True,
        "idf_ratio": idf_ratio,
        "item_start": in_item[0],
        "item_end": in_item[1],
        "document_start": in_document[0],
        "document_end": in_document[1],
    }


def excerpt(text: str, start: int, end: int) -> str:
    """A part of a text, cut to `EXCERPT` characters; what cannot be UTF-8 becomes `?`."""
    cut = min(end, start + EXCERPT)
    part = text[start:cut].encode("utf-8", "replace").decode()
    return f"{'…' if start else ''}{part}{'…' if cut < len(text) else ''}"


def bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _row(document: int, finding: Finding) -> Row:
    evidence = finding.evidence
    return {
        "document": document,
        "item_id": finding.field.item_id,
        "field": finding.field.name,
        "match_type": evidence.match_type,
        "hits": evidence.hits,
        "ratio": evidence.ratio,
        "window_ratio": evidence.window_ratio,
        "longest_span": evidence.longest_span,
        "token_coverage": evidence.coverage,
        "unspaced": evidence.unspaced,
        "other_numbers": evidence.other_numbers,
        "whole_ratio": evidence.whole_ratio,
        **finding.row(),
    }


def _canary_row(item: str, canary: str, text: str, place: int) -> Row:
    return {
        "item_id": item,
        "field": FIELD,
        "match_type": "canary",
        "hits": 1,
        "ratio": 1.0,
        "window_ratio": 1.0,
        "longest_span": 1,
        "excerpt_document": excerpt(text, max(0, place - 80), place + len(canary) + 80),
        "excerpt_item": excerpt(canary, 0, EXCERPT),
        "verified": True,
    }


def _order(row: Row) -> tuple[Any, ...]:
    return row["document"], row["item_id"], row["field"], row["match_type"]
