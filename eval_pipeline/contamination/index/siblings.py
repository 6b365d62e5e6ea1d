"""What several items share: it tells of no single one of them.

A template, a passage under several questions, an idiom of the field: a document that holds it may
hold any of the items, or none. But two items that are one text but for its spelling share all that
they are, and what they share is the text's own.
"""

from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.index.groups import components
from eval_pipeline.contamination.text.numbers import is_number

LEAST_COMMON = 0.15  # share of n-grams that one text in two spellings has in common, at least
CHANGED_SHARE = 20  # words of which one may be spelled otherwise, put in or left out
SPELLED_ALIKE = 0.8  # share of letters in order
NEGATIONS = frozenset(["except", "neither", "never", "no", "nor", "not", "without"])

Keys = frozenset[tuple[str, str]]  # (field name, n-gram)


def shared_by_several(entries: Sequence[FieldEntry], most: float) -> Keys:
    """The n-grams that two items or more hold which are not one text, by name of their field.

    most: items; what more of them hold does not show that two are one text.
    """
    shared: set[tuple[str, str]] = set()
    by_name = sorted(entries, key=lambda e: (e.field.name, e.field.item_id))
    for name, of_name in groupby(by_name, key=lambda e: e.field.name):
        texts = list(of_name)
        holder: dict[str, int] = {}
        for text, entry in zip(same_texts(texts, most), texts, strict=True):
            for gram in entry.positions:
                if holder.setdefault(gram, text) != text:
                    shared.add((name, gram))
    return frozenset(shared)


def same_texts(entries: Sequence[FieldEntry], most: float) -> list[int]:
    """Of each entry the first that is the same text as it: in all words, or but for spelling."""
    firsts: dict[tuple[str, ...], int] = {}
    first = [firsts.setdefault(entry.words, i) for i, entry in enumerate(entries)]
    pairs = [
        (i, j)
        for i, j in _candidates(entries, sorted(set(first)), most)
        if is_respelled(entries[i].words, entries[j].words)
    ]
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    joined = components(len(entries), left, right)
    return [joined[i] for i in first]


def is_respelled(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two texts differ by spelling, or by single words put in, at most one in twenty.

    A number or a negation is never a matter of spelling.
    """
    allowed = max(1, min(len(a), len(b)) // CHANGED_SHARE)
    if abs(len(a) - len(b)) > allowed:
        return False
    changed = 0
    for what, i, i_end, j, j_end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        changed += max(i_end - i, j_end - j)
        if changed > allowed or not _is_slight(a[i:i_end], b[j:j_end]):
            return False
    return True


def _is_slight(a: Sequence[str], b: Sequence[str]) -> bool:
    if any(is_number(word) or word in NEGATIONS for word in (*a, *b)):
        return False
    if not a or not b:
        return True
    return len(a) == len(b) and all(map(_is_variant, a, b))


def _is_variant(a: str, b: str) -> bool:
    alike = SequenceMatcher(None, a, b, autojunk=False).ratio()
    return a[0] == b[0] and alike >= SPELLED_ALIKE


def _candidates(
    entries: Sequence[FieldEntry], chosen: Sequence[int], most: float
) -> list[tuple[int, int]]:
    """Pairs that have enough n-grams in common, by the rarest of them.

    Two texts that have a share of their n-grams in common have one among the rarest of each.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    for i in chosen:
        for gram in entries[i].positions:
            holders[gram].append(i)
    meeting: dict[str, list[int]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for i in chosen:
        grams = sorted(entries[i].positions, key=lambda gram: (len(holders[gram]), gram))
        for gram in grams[: len(grams) - int(LEAST_COMMON * len(grams)) + 1]:
            if 1 < len(holders[gram]) <= most:
                pairs.update((j, i) for j in meeting[gram])
                meeting[gram].append(i)
    return [(j, i) for j, i in sorted(pairs) if _common(entries[i], entries[j]) >= LEAST_COMMON]


def _common(a: FieldEntry, b: FieldEntry) -> float:
    both = len(a.positions.keys() & b.positions.keys())
    return both / max(len(a.positions), len(b.positions))
