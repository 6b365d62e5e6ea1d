"""Rule F: its bars, and what one document makes of one field.

A ratio alone is not enough: a short item can share most of its few n-grams with a licence line.
So F asks for an absolute number of n-grams beside the share, or for one long run of words. Where
every character is a word, an idiom is a dozen words long and a word says half as much: F asks for
twice as much, and for half of the field's characters. What would do elsewhere is for review. So is
a document that differs in its numbers where the item has its own: it holds the same template with
another question, as far as a rule can tell. What several items share counts only together with
n-grams that are the item's own: then fewer of these are enough.
"""

from dataclasses import dataclass

from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.text.fields import Kind

RULE = "F@4"
SHARES = (0.3, 0.35, 0.4, 0.45, 0.5)  # of the item's n-grams, in one window: one is chosen
MIN_SHARE = SHARES[0]  # where nothing could be chosen
WHOLE_SHARE = 0.8  # a document that holds so much holds the item, but for edits
SPECIFIC = 2  # documents that may hold the same part of an item, before it is boilerplate
WINDOW = 2  # lengths of the field that the window spans
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
class FieldMatch:
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


def judged(match: FieldMatch, kind: Kind, share: float = MIN_SHARE) -> str | None:
    """What one document makes of a field: contaminated, short_exact, review, or None.

    Code shares idioms, so only a long run of it (or the whole) contaminates; its share is
    for review; the same where `share` is missed. Numbers that differ speak against a leak, unless
    so much stands there word by word that an edit is likelier than a template. A near-duplicate's
    `ratio` is the Jaccard of the whole texts.
    """
    status = _judged(match, kind, share)
    return "review" if status == "contaminated" and is_renumbered(match) else status


def is_renumbered(match: FieldMatch) -> bool:
    """Whether the numbers that differ outweigh what stands there word by word."""
    return match.longest_span < FAR_SPAN * match.other_numbers


def _judged(match: FieldMatch, kind: Kind, share: float) -> str | None:
    if match.match_type in ("exact", "canary"):
        return "contaminated"
    if match.match_type == "short_exact":
        return "short_exact"
    if match.match_type == "minhash":
        return "contaminated" if match.ratio >= DUPLICATE and kind != "code" else "review"
    times = UNSPACED if match.unspaced else 1
    if match.whole_ratio >= MIN_WHOLE and kind != "code":
        if match.hits >= times * JOINT_HITS and match.window_ratio >= share:
            return "contaminated"
        if match.hits >= times * JOINT_REVIEW:
            return "review"
    if match.hits < MIN_HITS:  # a long run may be one word again and again
        return None
    if match.longest_span >= times * MIN_SPAN:
        return "contaminated"
    is_enough = match.hits >= times * MIN_HITS and (
        not match.unspaced or match.coverage >= MIN_COVERAGE
    )
    if match.window_ratio >= share and is_enough and kind != "code":
        return "contaminated"
    return "review" if match.ratio >= times * REVIEW_SHARE else None
