"""Texts that are nearly the same: candidates by sketches, each compared shingle by shingle.

A whole text is held against a whole text. An item inside a long document is not found here but by
the n-gram search: their Jaccard is no more than the ratio of their lengths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.lsh import CORPORA, ITEMS, Banding, candidates, components
from eval_pipeline.contamination.sketches import (
    Floats,
    HashedTexts,
    Ints,
    Kind,
    agreement,
    exact_jaccard,
    hashed,
    keys_of,
    sketched,
)

ALIKE = 0.5  # and from which a person should look
SLACK = 0.15  # an estimate of 128 values lies this far off in one pair of a thousand


@dataclass(frozen=True)
class Pairs:
    """Verified pairs, sorted: places of both texts, estimate, exact Jaccard, bands in common."""

    left: Ints
    right: Ints
    estimate: Floats
    jaccard: Floats
    bands: Ints

    def __len__(self) -> int:
        return len(self.left)

    def clusters(self, n: int) -> list[int]:
        """The first member of each text's group, of n texts; edges are the verified pairs."""
        return components(n, self.left.tolist(), self.right.tolist())


def near_duplicates(
    texts: Sequence[str] | pa.Array | HashedTexts,
    least: float = DUPLICATE,
    *,
    banding: Banding = ITEMS,
    kind: Kind = "k",
    fast: bool | None = None,
) -> Pairs:
    """Pairs of texts whose exact Jaccard is at least `least`, left before right.

    Texts without a word equal nothing. Raises ValueError for a `least` outside 0..1.
    """
    _check(least)
    words = texts if isinstance(texts, HashedTexts) else hashed(texts, fast=fast)
    filled = np.flatnonzero(words.sizes)
    sketches = sketched(words, kind, banding.values, fast=fast)
    keys = keys_of(sketches[filled], banding, fast=fast)
    left, right, bands = candidates(keys)
    left, right = filled[left], filled[right]
    return _verified(words, words, sketches, sketches, left, right, bands, least, fast)


def corpus_duplicates(
    texts: Sequence[str] | pa.Array, least: float = DUPLICATE, *, banding: Banding = CORPORA
) -> Pairs:
    """As `near_duplicates`, by one permutation: for many texts, at half the time."""
    return near_duplicates(texts, least, banding=banding, kind="one")


@dataclass(frozen=True)
class Documents:
    """Some documents as words, sketches and buckets: made once, whatever is looked for."""

    words: HashedTexts
    sketches: NDArray[np.uint32]
    keys: NDArray[np.uint64]

    @classmethod
    def of(cls, texts: Sequence[str] | pa.Array) -> "Documents":
        """One permutation a document and 32 bands of 4.

        Looked up among few texts, candidates cost little and misses are rare (0.01 % at Jaccard
        .7). Raises ValueError for a text that is null or no text.
        """
        words = hashed(texts)
        sketches = sketched(words, "one", ITEMS.values)
        return cls(words, sketches, keys_of(sketches, ITEMS))


class Lookup:
    """Finds in documents, batch by batch, those that nearly are one of some texts."""

    def __init__(self, texts: Sequence[str], least: float = ALIKE) -> None:
        """texts: what is looked for. Raises ValueError for a `least` outside 0..1."""
        _check(least)
        self._least = least
        self._texts = Documents.of(texts)
        self._filled = np.flatnonzero(self._texts.words.sizes)
        keys = self._texts.keys[self._filled]
        self._bands = [_Band.of(keys[:, band]) for band in range(ITEMS.bands)]

    def find(self, documents: Documents) -> Pairs:
        """Pairs of (text, document of this batch)."""
        filled = documents.words.sizes > 0
        met = [
            self._filled[texts] << 32 | found
            for band, one in enumerate(self._bands)
            for texts, found in one.meetings(documents.keys[:, band], filled)
        ]
        if not met:
            none = np.empty(0, dtype=np.int64)
            return Pairs(none, none, np.empty(0), np.empty(0), none)
        pairs, bands = np.unique(np.concatenate(met), return_counts=True)
        left, right = pairs >> 32, pairs & 0xFFFFFFFF
        return _verified(
            self._texts.words,
            documents.words,
            self._texts.sketches,
            documents.sketches,
            left,
            right,
            bands,
            self._least,
            None,
        )


@dataclass(frozen=True)
class _Band:
    """The buckets of one band, sorted."""

    keys: NDArray[np.uint64]
    texts: Ints

    @classmethod
    def of(cls, keys: NDArray[np.uint64]) -> "_Band":
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], order.astype(np.int64))

    def meetings(
        self, keys: NDArray[np.uint64], filled: NDArray[np.bool_]
    ) -> Iterator[tuple[Ints, Ints]]:
        """(texts, documents) that share a bucket."""
        low = np.searchsorted(self.keys, keys, "left")
        counts = np.searchsorted(self.keys, keys, "right") - low
        found = np.flatnonzero((counts > 0) & filled)
        if found.size:
            sizes = counts[found]
            first = np.repeat(low[found] - np.r_[0, np.cumsum(sizes)[:-1]], sizes)
            yield self.texts[first + np.arange(sizes.sum())], np.repeat(found, sizes)


def _verified(
    a: HashedTexts,
    b: HashedTexts,
    sketches_a: NDArray[np.uint32],
    sketches_b: NDArray[np.uint32],
    left: Ints,
    right: Ints,
    bands: Ints,
    least: float,
    fast: bool | None,
) -> Pairs:
    """The candidates whose exact Jaccard is large enough; estimates far below are not compared."""
    estimate = agreement(sketches_a, sketches_b, left, right, fast=fast)
    kept = estimate >= least - SLACK
    left, right, bands, estimate = left[kept], right[kept], bands[kept], estimate[kept]
    exact = exact_jaccard(a, b, left, right, fast=fast)
    kept = exact >= least
    return Pairs(left[kept], right[kept], estimate[kept], exact[kept], bands[kept])


def _check(least: float) -> None:
    if isinstance(least, bool) or not 0 <= least <= 1:
        raise ValueError(f"the least Jaccard must lie in 0..1, got {least!r}")
