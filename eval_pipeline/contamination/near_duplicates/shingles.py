"""Likeness of whole texts: the share of their word n-grams that both have."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from eval_pipeline.contamination.index.entries import ngrams
from eval_pipeline.contamination.text.normalise import TEXT, Normaliser

SHINGLE = 5  # words


class Likeness(NamedTuple):
    """|A & B|, |A | B| and their ratio; `jaccard` is NaN where neither text has a word."""

    shared: int
    union: int
    jaccard: float


def shingles(words: Sequence[str], n: int = SHINGLE) -> frozenset[str]:
    """The distinct n-grams; of fewer than n words the whole is one, so that short texts differ."""
    return frozenset(ngrams(words, min(n, len(words)))) if words else frozenset()


def shingle_jaccard(a: str, b: str, n: int = SHINGLE, normaliser: Normaliser = TEXT) -> Likeness:
    """Jaccard likeness of two texts by their word n-grams.

    Raises ValueError for an n below 1 and for what is no text.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"n must be a whole number of words, at least 1, got {n!r}")
    for name, text in (("a", a), ("b", b)):
        if not isinstance(text, str):
            raise ValueError(f"{name} must be a text, got {text!r}")
    left, right = shingles(normaliser.words(a), n), shingles(normaliser.words(b), n)
    shared, union = len(left & right), len(left | right)
    return Likeness(shared, union, shared / union if union else math.nan)
