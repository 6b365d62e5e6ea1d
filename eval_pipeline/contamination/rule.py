"""Rule F: what makes a field contaminated, and the one status that each field gets.

A ratio alone is not enough: a short item can share most of its few n-grams with a licence line.
So F asks for an absolute number of n-grams beside the share, or for one long run of words.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from eval_pipeline.contamination.fields import Kind
from eval_pipeline.contamination.near_duplicates import DUPLICATE
from eval_pipeline.contamination.ngram import Entry

RULE = "F@2"
MIN_SHARE = 0.3  # of the item's n-grams, inside one window
MIN_HITS = 4  # distinct n-grams; a field with fewer is only looked for as a whole
MIN_SPAN = 20  # words in a row
REVIEW_SHARE = 0.15
MAX_MASKED = 0.5  # share of boilerplate above which too little is left to say "clean"
MIN_WORDS = 3  # fewer words are found everywhere

FLAGGED = ("contaminated", "source_overlap", "short_exact")  # what validation counts as found


@dataclass(frozen=True)
class Evidence:
    """What one document holds of one field."""

    match_type: str
    hits: int
    ratio: float
    window_ratio: float
    longest_span: int


@dataclass(frozen=True)
class FieldVerdict:
    """The status of one field of one item, and what decided."""

    status: str
    max_ratio: float
    max_span: int
    n_documents: int
    reason: str


def judged(evidence: Evidence, kind: Kind) -> str | None:
    """What one document makes of a field: contaminated, short_exact, review, or None.

    Code shares idioms, so only a long run of it (or the whole) contaminates; its share is
    for review. A near-duplicate's `ratio` is the Jaccard of the whole texts.
    """
    if evidence.match_type in ("exact", "canary"):
        return "contaminated"
    if evidence.match_type == "short_exact":
        return "short_exact"
    if evidence.match_type == "minhash":
        return "contaminated" if evidence.ratio >= DUPLICATE and kind != "code" else "review"
    if evidence.longest_span >= MIN_SPAN:
        return "contaminated"
    if evidence.hits < MIN_HITS:
        return None
    if evidence.window_ratio >= MIN_SHARE and kind != "code":
        return "contaminated"
    return "review" if evidence.ratio >= REVIEW_SHARE else None


def is_short(entry: Entry) -> bool:
    """Whether a field has too few n-grams for any share of them to tell."""
    return len(entry.positions) < MIN_HITS


def verdict(entry: Entry, found: Iterable[Evidence], n_corpora: int) -> FieldVerdict:
    """The status of a field, given all that the corpora hold of it.

    `contaminated` (of a quoted passage: `source_overlap`) before `short_exact`, `untestable`,
    `review`, `low_information`, and `clean` last, which takes a corpus that was searched.
    """
    found = list(found)
    kinds = {judged(evidence, entry.field.kind) for evidence in found}
    status, reason = _status(entry, kinds, n_corpora)
    return FieldVerdict(
        status,
        max((e.window_ratio for e in found), default=0.0),
        max((e.longest_span for e in found), default=0),
        len(found),
        reason,
    )


def _status(entry: Entry, kinds: set[str | None], n_corpora: int) -> tuple[str, str]:
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
    return "clean", "no document holds more than chance"
