"""From the shards of a corpus to rows of evidence, with the text of both sides."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_pipeline.contamination.canary import FIELD, CanaryScanner
from eval_pipeline.contamination.corpus import Unread, documents
from eval_pipeline.contamination.ngram import Entry
from eval_pipeline.contamination.normalise import Normaliser
from eval_pipeline.contamination.rule import judged
from eval_pipeline.contamination.scan import Overlap, Scanner

KEPT_SHARE = 0.1  # an overlap below this is kept only as the largest of its field in the shard
EXCERPT = 400  # characters
CONTEXT = 8  # words before and after a match

Row = Mapping[str, Any]


def scan_shard(
    corpus: str,
    shard: Path,
    entries: Sequence[Entry],
    canaries: Mapping[str, str],
    unread: Unread,
) -> list[Row]:
    """Rows of `contamination_hits` for one shard, a function of its bytes and the entries alone.

    Kept are the overlaps that the rule judges or that reach `KEPT_SHARE`, and of each field the
    largest, so that its largest share and span are exact. Sorted by document, item, field.
    """
    scanner, canary_scanner = Scanner(entries), CanaryScanner(canaries)
    rows: list[Row] = []
    largest: dict[tuple[str, str], tuple[int, str, Overlap]] = {}
    kept_of: set[tuple[str, str]] = set()
    for number, text in documents(shard, unread):
        where = {"corpus": corpus, "shard": shard.name, "document": number}
        kept = []
        for overlap in scanner.scan(text):
            key = (overlap.entry.field.item_id, overlap.entry.field.name)
            if _is_kept(overlap):
                kept.append(overlap)
                kept_of.add(key)
            elif key not in largest or _size(overlap) > _size(largest[key][2]):
                largest[key] = (number, text, overlap)
        rows += [{**where, **row} for row in _rows(kept, text)]
        for item, canary, place in canary_scanner.scan(text):
            rows.append({**where, **_canary_row(item, canary, text, place)})
    for key, (number, text, overlap) in largest.items():
        if key not in kept_of:
            where = {"corpus": corpus, "shard": shard.name, "document": number}
            rows += [{**where, **row} for row in _rows([overlap], text)]
    return sorted(_once(rows), key=_order)


def _is_kept(overlap: Overlap) -> bool:
    evidence = overlap.evidence
    return evidence.ratio >= KEPT_SHARE or judged(evidence, overlap.entry.field.kind) is not None


def _size(overlap: Overlap) -> tuple[float, int]:
    return overlap.evidence.window_ratio, overlap.evidence.longest_span


def _rows(overlaps: Iterable[Overlap], text: str) -> list[Row]:
    rows: list[Row] = []
    for overlap in overlaps:
        field, evidence = overlap.entry.field, overlap.evidence
        first, last = max(0, overlap.start - CONTEXT), overlap.end + CONTEXT - 1
        start, end = _place(field.normaliser, text, first, last)
        rows.append(
            {
                "item_id": field.item_id,
                "field": field.name,
                "match_type": evidence.match_type,
                "hits": evidence.hits,
                "ratio": evidence.ratio,
                "window_ratio": evidence.window_ratio,
                "longest_span": evidence.longest_span,
                "excerpt_document": _excerpt(text, start, end),
                "excerpt_item": _excerpt(field.text or "", 0, EXCERPT),
                "verified": True,
            }
        )
    return rows


def _place(normaliser: Normaliser, text: str, first: int, last: int) -> tuple[int, int]:
    """Where the words `first` to `last` stand, in characters; the text's end where it has fewer.

    Line by line, as words end with their line: finding places is slower than counting words.
    """
    start, seen, offset = 0, 0, 0
    for line in text.split("\n"):
        count = len(normaliser.words(line))
        if seen <= first < seen + count:
            start = offset + normaliser.spans(line)[first - seen][0]
        if last < seen + count:
            return start, offset + normaliser.spans(line)[last - seen][1]
        seen += count
        offset += len(line) + 1
    return start, len(text)


def _canary_row(item: str, canary: str, text: str, place: int) -> Row:
    return {
        "item_id": item,
        "field": FIELD,
        "match_type": "canary",
        "hits": 1,
        "ratio": 1.0,
        "window_ratio": 1.0,
        "longest_span": 1,
        "excerpt_document": _excerpt(text, max(0, place - 80), place + len(canary) + 80),
        "excerpt_item": _excerpt(canary, 0, EXCERPT),
        "verified": True,
    }


def _excerpt(text: str, start: int, end: int) -> str:
    """A part of a text, cut to `EXCERPT` characters; what cannot be UTF-8 becomes `?`."""
    cut = min(end, start + EXCERPT)
    part = text[start:cut].encode("utf-8", "replace").decode()
    return f"{'…' if start else ''}{part}{'…' if cut < len(text) else ''}"


def _once(rows: Iterable[Row]) -> list[Row]:
    """One row a key: a document may hold several canaries of one item."""
    return list({_order(row): row for row in rows}.values())


def _order(row: Row) -> tuple[Any, ...]:
    return row["document"], row["item_id"], row["field"], row["match_type"]
