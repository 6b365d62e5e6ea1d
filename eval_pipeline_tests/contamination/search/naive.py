"""The definition of each score, written to be obvious and slow."""

from collections.abc import Sequence

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.rule import FieldMatch
from eval_pipeline.contamination.search.reference import WINDOW


def whole(entry: FieldEntry, words: Sequence[str]) -> bool:
    """Whether the entry's words stand in the document in a row."""
    size = len(entry.words)
    return any(tuple(words[i : i + size]) == entry.words for i in range(len(words) - size + 1))


def match(entry: FieldEntry, words: Sequence[str]) -> FieldMatch | None:
    """What a document holds of an entry of at least five words; None for nothing."""
    n = entry.n
    grams = [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]
    hits = entry.open & set(grams)
    if whole(entry, words):
        return FieldMatch("exact", len(entry.open), 1.0, 1.0, len(entry.words))
    if not hits:
        return None
    size = WINDOW * len(entry.words)
    best = 0
    for start in range(len(words)):
        inside = grams[start : max(start, min(start + size, len(words)) - n + 1)]
        best = max(best, len(entry.open & set(inside)))
    return FieldMatch(
        "ngram",
        len(hits),
        len(hits) / len(entry.open),
        best / len(entry.open),
        longest_run(entry, words) + n - 1,
        covered(entry, hits) / len(entry.words),
    )


def covered(entry: FieldEntry, hits: frozenset[str]) -> int:
    """Words of the entry that lie in an n-gram which was found."""
    n, words = entry.n, entry.words
    return sum(
        any(" ".join(words[i : i + n]) in hits for i in range(max(0, at - n + 1), at + 1))
        for at in range(len(words))
    )


def longest_run(entry: FieldEntry, words: Sequence[str]) -> int:
    """Most unmasked n-grams in a row that stand in the same order in both."""
    n, longest = entry.n, 0
    for i in range(len(entry.words) - n + 1):
        for j in range(len(words) - n + 1):
            run = 0
            while (
                i + run + n <= len(entry.words)
                and j + run + n <= len(words)
                and tuple(words[j + run : j + run + n]) == entry.words[i + run : i + run + n]
                and " ".join(entry.words[i + run : i + run + n]) in entry.open
            ):
                run += 1
            longest = max(longest, run)
    return longest
