"""Texts compared in one line, for a notebook: what the search does to millions.

`same_text` asks whether two have the same words and `duplicates` which of many have,
`ngram_overlap` how much of one the other holds, `shingle_jaccard` how much two have in common.
They are written from the definitions: no index, no masks, no rule.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from eval_pipeline.contamination.index.entries import ngrams
from eval_pipeline.contamination.near_duplicates.minhash import SHINGLE
from eval_pipeline.contamination.text.exact import digest
from eval_pipeline.contamination.text.normalise import TEXT, Normaliser


def same_text(a: str, b: str, normaliser: Normaliser = TEXT) -> bool:
    """Whether two texts have the same words, at least one, in the same order.

    Raises ValueError for what is no text.
    """
    _check_texts(a=a, b=b)
    own = digest(normaliser.words(a))
    return own is not None and own == digest(normaliser.words(b))


def duplicates(texts: Sequence[str], normaliser: Normaliser = TEXT) -> list[list[int]]:
    """Groups of places that hold the same text, sorted; texts of any length, also of one word."""
    groups: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        if (key := digest(normaliser.words(text))) is not None:
            groups.setdefault(key, []).append(i)
    return sorted(group for group in groups.values() if len(group) > 1)


class Coverage(NamedTuple):
    """How many of an item's distinct n-grams a text holds; `coverage` is NaN for no n-grams."""

    hits: int
    total: int
    coverage: float


def ngram_overlap(item: str, corpus: str, n: int) -> Coverage:
    """The item's side of an overlap: |U_e & U_d| / |U_e|, U the distinct word n-grams.

    Raises ValueError for an n below 1 and for what is no text.
    """
    _check_size(n)
    _check_texts(item=item, corpus=corpus)
    wanted = set(ngrams(TEXT.words(item), n))
    hits = len(wanted.intersection(ngrams(TEXT.words(corpus), n)))
    return Coverage(hits, len(wanted), hits / len(wanted) if wanted else math.nan)


class Likeness(NamedTuple):
    """|A & B|, |A | B| and their ratio; `jaccard` is NaN where neither text has a word."""

    shared: int
    union: int
    jaccard: float


def shingle_jaccard(a: str, b: str, n: int = SHINGLE, normaliser: Normaliser = TEXT) -> Likeness:
    """Jaccard likeness of two texts by their word n-grams.

    Raises ValueError for an n below 1 and for what is no text.
    """
    _check_size(n)
    _check_texts(a=a, b=b)
    left, right = _shingles(normaliser.words(a), n), _shingles(normaliser.words(b), n)
    shared, union = len(left & right), len(left | right)
    return Likeness(shared, union, shared / union if union else math.nan)


def _shingles(words: Sequence[str], n: int) -> frozenset[str]:
    """The distinct n-grams; of fewer than n words the whole is one, so that short texts differ."""
    return frozenset(ngrams(words, min(n, len(words)))) if words else frozenset()


def _check_size(n: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"n must be a whole number of words, at least 1, got {n!r}")


def _check_texts(**texts: str) -> None:
    for name, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f"{name} must be a text, got {text!r}")
