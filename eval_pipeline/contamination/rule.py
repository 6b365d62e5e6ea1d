"""Rule F: what makes a field contaminated, and the one status that each field gets.

A ratio alone is not enough: a short item can share most of its few n-grams with a licence line.
So F asks for an absolute number of n-grams beside the share, or for one long run of words. Where
every character is a word, an idiom is a dozen words long and a word says half as much: F asks for
twice as much, and for half of the field's characters. What would do elsewhere is for review. So is
a document that differs in its numbers where the item has its own: it holds the same template with
another question, as far as a rule can tell. What several items share counts only together with
n-grams that are the item's own: then fewer of these are enough.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_pipeline.contamination.index.entries import Entry
from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.text.fields import Kind

RULE = "F@4"
SHARES = (0.3, 0.35, 0.4, 0.45, 0.5)  # of the item's n-grams, in one window: one is chosen
MIN_SHARE = SHARES[0]  # where nothing could be chosen
WHOLE_SHARE = 0.8  # a document that holds so much holds the item, but for edits
SPECIFIC = 2  # documents that may hold the same part of an item, before it is boilerplate
MIN_HITS = 4  # distinct n-grams; a field with fewer is only looked for as a whole
MIN_SPAN = 20  # words in a row
FAR_SPAN = 40  # words in a row that outweigh one number which differs
REVIEW_SHARE = 0.15
MIN_WHOLE = 0.5  # of all n-grams of a field, the shared ones too, where few are its own; and
JOINT_HITS, JOINT_REVIEW = 3, 2  # of its own, to be a leak or for review
UNSPACED = 2  # times as many n-grams, words in a row and review share, where characters are words
MIN_COVERAGE = 0.5  # and share of the field's characters inside an n-gram that was found
MAX_MASKED = 0.5  # share of boilerplate above which too little is left to say "clean"
MIN_WORDS = 3  # fewer words are found everywhere

FLAGGED = ("contaminated", "source_overlap", "short_exact")  # what validation counts as found


@dataclass(frozen=True)
class Evidence:
    """What one document holds of one field.

    coverage: share of the field's words inside an n-gram that was found; unspaced: whether they
    are single characters. other_numbers: how many numbers of the field stand there with another
    value. whole_ratio: where a part is masked and little is found, the share of all n-grams, the
    masked too, around the match.
    """

    match_type: str
    hits: int
    ratio: float
    window_ratio: float
    longest_span: int
    coverage: float = 1.0
    unspaced: bool = False
    other_numbers: int = 0
    whole_ratio: float = 0.0


@dataclass(frozen=True)
class FieldVerdict:
    """The status of one field of one item, and what decided."""

    status: str
    max_ratio: float
    max_span: int
    n_documents: int
    reason: str


def judged(evidence: Evidence, kind: Kind, share: float = MIN_SHARE) -> str | None:
    """What one document makes of a field: contaminated, short_exact, review, or None.

    Code shares idioms, so only a long run of it (or the whole) contaminates; its share is
    for review; the same where `share` is missed. Numbers that differ speak against a leak, unless
    so much stands there word by word that an edit is likelier than a template. A near-duplicate's
    `ratio` is the Jaccard of the whole texts.
    """
    said = _judged(evidence, kind, share)
    return "review" if said == "contaminated" and is_renumbered(evidence) else said


def is_renumbered(evidence: Evidence) -> bool:
    """Whether the numbers that differ outweigh what stands there word by word."""
    return evidence.longest_span < FAR_SPAN * evidence.other_numbers


def _judged(evidence: Evidence, kind: Kind, share: float) -> str | None:
    if evidence.match_type in ("exact", "canary"):
        return "contaminated"
    if evidence.match_type == "short_exact":
        return "short_exact"
    if evidence.match_type == "minhash":
        return "contaminated" if evidence.ratio >= DUPLICATE and kind != "code" else "review"
    times = UNSPACED if evidence.unspaced else 1
    if evidence.whole_ratio >= MIN_WHOLE and kind != "code":
        if evidence.hits >= times * JOINT_HITS and evidence.window_ratio >= share:
            return "contaminated"
        if evidence.hits >= times * JOINT_REVIEW:
            return "review"
    if evidence.hits < MIN_HITS:  # a long run may be one word again and again
        return None
    if evidence.longest_span >= times * MIN_SPAN:
        return "contaminated"
    is_enough = evidence.hits >= times * MIN_HITS and (
        not evidence.unspaced or evidence.coverage >= MIN_COVERAGE
    )
    if evidence.window_ratio >= share and is_enough and kind != "code":
        return "contaminated"
    return "review" if evidence.ratio >= times * REVIEW_SHARE else None


def judged_together(
    found: Sequence[Evidence], kind: Kind, share: float = MIN_SHARE
) -> list[str | None]:
    """What each of all documents makes of a field, given the others.

    A part of the field that more than `SPECIFIC` documents hold is boilerplate, or quoted
    everywhere: for review. A document that holds nearly the whole stays what it is alone.
    """
    alone = [judged(evidence, kind, share) for evidence in found]
    parts = [
        status == "contaminated" and _is_part(evidence)
        for evidence, status in zip(found, alone, strict=True)
    ]
    if sum(parts) <= SPECIFIC:
        return alone
    return ["review" if part else status for part, status in zip(parts, alone, strict=True)]


def is_short(entry: Entry) -> bool:
    """Whether a field has too few n-grams for any share of them to tell."""
    return len(entry.positions) < MIN_HITS


def verdict(
    entry: Entry, found: Iterable[Evidence], n_corpora: int, share: float = MIN_SHARE
) -> FieldVerdict:
    """The status of a field, given all that the corpora hold of it.

    `contaminated` (of a quoted passage: `source_overlap`) before `short_exact`, `untestable`,
    `review`, `low_information`, and `clean` last, which takes a corpus that was searched.
    share: the least share of n-grams, of `SHARES`.
    """
    found = list(found)
    statuses = judged_together(found, entry.field.kind, share)
    status, reason = _status(entry, set(statuses), n_corpora)
    everywhere = sum(
        now == "review" and judged(evidence, entry.field.kind, share) == "contaminated"
        for evidence, now in zip(found, statuses, strict=True)
    )
    renumbered = sum(
        is_renumbered(evidence) and said == "review"
        for evidence, said in zip(found, statuses, strict=True)
    )
    if status == "review" and renumbered:
        reason = f"{renumbered} documents hold it with other numbers: a template, or an edit"
    if status == "review" and everywhere:
        reason = f"{everywhere} documents hold a part of it, none the rest: boilerplate or a quote"
    return FieldVerdict(
        status,
        max((e.window_ratio for e in found), default=0.0),
        max((e.longest_span for e in found), default=0),
        len(found),
        reason,
    )


def _is_part(evidence: Evidence) -> bool:
    return evidence.match_type == "ngram" and evidence.window_ratio < WHOLE_SHARE


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
    if entry.masked and len(entry.open) < MIN_HITS <= len(entry.positions):
        return "low_information", f"boilerplate leaves {len(entry.open)} n-grams to look for"
    return "clean", "no document holds more than chance"
