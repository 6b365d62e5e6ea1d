"""The one status that each field gets, given what all documents hold of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.rule import (
    MAX_MASKED,
    MIN_HITS,
    MIN_SHARE,
    MIN_WORDS,
    SPECIFIC,
    WHOLE_SHARE,
    FieldMatch,
    is_renumbered,
    judged,
)
from eval_pipeline.contamination.text.fields import Kind


@dataclass(frozen=True)
class FieldVerdict:
    """The status of one field of one item, and what decided."""

    status: str
    max_ratio: float
    max_span: int
    n_documents: int
    reason: str


def verdict(
    entry: FieldEntry, matches: Iterable[FieldMatch], n_corpora: int, share: float = MIN_SHARE
) -> FieldVerdict:
    """The status of a field, given all that the corpora hold of it.

    `contaminated` (of a quoted passage: `source_overlap`) before `short_exact`, `untestable`,
    `review`, `low_information`, and `clean` last, which takes a corpus that was searched.
    share: the least share of n-grams, of `SHARES`.
    """
    matches = list(matches)
    statuses = judged_together(matches, entry.field.kind, share)
    status, reason = _status(entry, set(statuses), n_corpora)
    everywhere = sum(
        now == "review" and judged(match, entry.field.kind, share) == "contaminated"
        for match, now in zip(matches, statuses, strict=True)
    )
    renumbered = sum(
        is_renumbered(match) and status_here == "review"
        for match, status_here in zip(matches, statuses, strict=True)
    )
    if status == "review" and renumbered:
        reason = f"{renumbered} documents hold it with other numbers: a template, or an edit"
    if status == "review" and everywhere:
        reason = f"{everywhere} documents hold a part of it, none the rest: boilerplate or a quote"
    return FieldVerdict(
        status,
        max((e.window_ratio for e in matches), default=0.0),
        max((e.longest_span for e in matches), default=0),
        len(matches),
        reason,
    )


def judged_together(
    matches: Sequence[FieldMatch], kind: Kind, share: float = MIN_SHARE
) -> list[str | None]:
    """What each of all documents makes of a field, given the others.

    A part of the field that more than `SPECIFIC` documents hold is boilerplate, or quoted
    everywhere: for review. A document that holds nearly the whole stays what it is alone.
    """
    alone = [judged(match, kind, share) for match in matches]
    parts = [
        status == "contaminated" and _is_part(match)
        for match, status in zip(matches, alone, strict=True)
    ]
    if sum(parts) <= SPECIFIC:
        return alone
    return ["review" if part else status for part, status in zip(parts, alone, strict=True)]


def _is_part(match: FieldMatch) -> bool:
    return match.match_type == "ngram" and match.window_ratio < WHOLE_SHARE


def _status(entry: FieldEntry, kinds: set[str | None], n_corpora: int) -> tuple[str, str]:
    if "contaminated" in kinds:
        if entry.field.kind == "source":
            return "source_overlap", "the passage stands in the corpus; alone that is no leak"
        return "contaminated", "a document holds the field, or a large part of it in one place"
    if "short_exact" in kinds:
        return "short_exact", "the whole of a short field stands in a document"
    if not entry.words:
        return "untestable", "the field is empty"
    if len(entry.words) < MIN_WORDS:
        return "untestable", f"fewer than {MIN_WORDS} words are found everywhere"
    if not n_corpora:
        return "untestable", "no corpus was searched"
    if "review" in kinds:
        return "review", "a document shares more than chance, less than the rule asks"
    if entry.masked_share > MAX_MASKED:
        return "low_information", f"{entry.masked_share:.0%} of the n-grams are boilerplate"
    if entry.masked and len(entry.open) < MIN_HITS <= len(entry.positions):
        return "low_information", f"boilerplate leaves {len(entry.open)} n-grams to look for"
    return "clean", "no document holds more than chance"
