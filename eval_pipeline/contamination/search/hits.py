"""What is kept of a shard: rows of `contamination_hits`, with the text of both sides."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.rule import FieldMatch, judged
from eval_pipeline.contamination.search.canary import FIELD
from eval_pipeline.contamination.search.reference import FieldOverlap, Scanner
from eval_pipeline.contamination.text.excerpts import CONTEXT, EXCERPT, bytes_of, excerpt
from eval_pipeline.contamination.text.fields import Field, Kind, kind_of
from eval_pipeline.contamination.text.normalise import place_of
from eval_pipeline.rows.contamination import ContaminationHitsRow

KEPT_SHARE = 0.1  # an overlap below this is kept only as the largest of its field in the shard

Row = Mapping[str, object]  # in the making


class Hit(Protocol):
    """An overlap with a document that can be written as a row."""

    @property
    def field(self) -> Field: ...

    @property
    def match(self) -> FieldMatch: ...

    def row(self) -> Row:
        """The columns that say where in the two texts it is."""
        ...


class Search(Protocol):
    """Looks for the fields of an index in documents."""

    def hits_in(self, texts: Any) -> Iterator[tuple[int, Sequence[Hit]]]:
        """(place in an Arrow array of texts, hits by item and field), in order."""
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

    def take(self, document: int, hit: Hit) -> None:
        key = (hit.field.item_id, hit.field.name)
        self._take(key, hit.match, hit.field.kind, lambda: _row(document, hit))

    def take_row(self, row: ContaminationHitsRow) -> None:
        """Takes what another keeper kept; rows come in the order of documents."""
        kind = kind_of(row["field"])
        self._take((row["item_id"], row["field"]), match_of(row), kind, lambda: row)

    def take_canary(self, document: int, item: str, canary: str, text: str, place: int) -> None:
        self._rows.append({"document": document, **_canary_row(item, canary, text, place)})

    def _take(
        self, key: tuple[str, str], match: FieldMatch, kind: Kind, row: Callable[[], Row]
    ) -> None:
        size = (match.window_ratio, match.longest_span)
        if is_kept(match, kind):
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


def is_kept(match: FieldMatch, kind: Kind) -> bool:
    return match.ratio >= KEPT_SHARE or judged(match, kind) is not None


def match_of(row: ContaminationHitsRow) -> FieldMatch:
    """The match of a row of `contamination_hits`."""
    coverage = row.get("token_coverage")
    return FieldMatch(
        row["match_type"],
        row["hits"],
        row["ratio"],
        row["window_ratio"],
        row["longest_span"],
        1.0 if coverage is None else coverage,
        bool(row.get("unspaced")),
        row.get("other_numbers") or 0,
        row.get("whole_ratio") or 0.0,
    )


class ReferenceSearch:
    """The search in plain Python, document by document."""

    def __init__(self, entries: Sequence[FieldEntry]) -> None:
        self._scanner = Scanner(entries)

    def hits_in(self, texts: Any) -> Iterator[tuple[int, Sequence[Hit]]]:
        for i, text in enumerate(texts):
            written: str = text.as_py()
            yield i, [_ReferenceHit(overlap, written) for overlap in self._scanner.scan(written)]


@dataclass(frozen=True)
class _ReferenceHit:
    overlap: FieldOverlap
    text: str

    @property
    def field(self) -> Field:
        return self.overlap.entry.field

    @property
    def match(self) -> FieldMatch:
        return self.overlap.match

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
    """The columns of a hit that say where in the two texts it is.

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


def _row(document: int, hit: Hit) -> Row:
    match = hit.match
    return {
        "document": document,
        "item_id": hit.field.item_id,
        "field": hit.field.name,
        "match_type": match.match_type,
        "hits": match.hits,
        "ratio": match.ratio,
        "window_ratio": match.window_ratio,
        "longest_span": match.longest_span,
        "token_coverage": match.coverage,
        "unspaced": match.unspaced,
        "other_numbers": match.other_numbers,
        "whole_ratio": match.whole_ratio,
        **hit.row(),
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
