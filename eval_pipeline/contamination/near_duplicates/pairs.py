"""Texts that are nearly the same: candidates by sketches, each compared shingle by shingle.

A whole text is held against a whole text. An item inside a long document is not found here but by
the n-gram search: their Jaccard is no more than the ratio of their lengths. Shingles of a template
are hidden: they count neither as shared nor as different, so that it makes no two items alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from eval_pipeline.contamination.arrays import Flags, Floats, Hashes, Longs, Sketches
from eval_pipeline.contamination.index.groups import components
from eval_pipeline.contamination.instruments import DUPLICATE
from eval_pipeline.contamination.near_duplicates.banding import ITEMS, Banding, candidates
from eval_pipeline.contamination.near_duplicates.sketches import (
    NOTHING,
    HashedTexts,
    Kind,
    agreement,
    exact_jaccard,
    hashed,
    joined,
    keys_of,
    sketched,
    stripped,
)

ALIKE = 0.5  # and from which a person should look
SLACK = 0.15  # an estimate of 128 values lies this far off in one pair of a thousand


@dataclass(frozen=True)
class Pairs:
    """Verified pairs, sorted: places of both texts, estimate, exact Jaccard, bands in common."""

    left: Longs
    right: Longs
    estimate: Floats
    jaccard: Floats
    bands: Longs

    def __len__(self) -> int:
        return len(self.left)

    def kept(self, which: Flags) -> "Pairs":
        """Some of the pairs."""
        return Pairs(
            self.left[which],
            self.right[which],
            self.estimate[which],
            self.jaccard[which],
            self.bands[which],
        )

    def clusters(self, n: int) -> list[int]:
        """The first member of each text's group, of n texts; edges are the verified pairs."""
        return components(n, self.left.tolist(), self.right.tolist())


def near_duplicates(
    texts: Sequence[str] | pa.Array | HashedTexts,
    least: float = DUPLICATE,
    *,
    banding: Banding = ITEMS,
    kind: Kind = "k",
    hidden: Hashes = NOTHING,
    fast: bool | None = None,
) -> Pairs:
    """Pairs of texts whose exact Jaccard is at least `least`, left before right.

    banding, kind: few texts want few misses, which is the default; of a whole corpus `CORPORA` and
    one permutation (`one`) take half the time. hidden: shingles of a template, as
    `sketches.hashes_of` gives them. Texts without a word equal nothing.
    Raises ValueError for a `least` outside 0..1.
    """
    _check(least)
    words = texts if isinstance(texts, HashedTexts) else hashed(texts, fast=fast)
    filled = np.flatnonzero(words.sizes)
    sketches = sketched(stripped(words, hidden), kind, banding.values, fast=fast)
    keys = keys_of(sketches[filled], banding, fast=fast)
    left, right, bands = candidates(keys)
    left, right = filled[left], filled[right]
    estimate = agreement(sketches, sketches, left, right, fast=fast)
    candidate_pairs = Pairs(left, right, estimate, estimate, bands)
    return _verified(words, words, candidate_pairs, least, hidden, fast)


@dataclass(frozen=True)
class Documents:
    """Some documents as words, sketches and buckets: made once, whatever is looked for."""

    words: HashedTexts
    sketches: Sketches
    keys: Hashes

    @classmethod
    def of(cls, texts: Sequence[str] | pa.Array) -> "Documents":
        """One permutation a document and 32 bands of 4.

        Looked up among few texts, candidates cost little and misses are rare (0.01 % at Jaccard
        .7). Raises ValueError for a text that is null or no text.
        """
        return cls.of_words(hashed(texts))

    @classmethod
    def of_words(cls, words: HashedTexts) -> "Documents":
        sketches = sketched(words, "one", ITEMS.values)
        return cls(words, sketches, keys_of(sketches, ITEMS))


class Lookup:
    """Finds in documents, batch by batch, those that nearly are one of some texts.

    A document may hold a template or not, so texts are looked up with it and without.
    """

    def __init__(
        self, texts: Sequence[str], least: float = ALIKE, hidden: Hashes = NOTHING
    ) -> None:
        """texts: what is looked for; hidden: shingles of their template.

        Raises ValueError for a `least` outside 0..1.
        """
        _check(least)
        self._least, self._hidden = least, hidden
        self._words = hashed(texts)
        forms = self._words
        if hidden.size:
            forms = joined(forms, stripped(forms, hidden))
        self._forms = Documents.of_words(forms)
        self._filled = np.flatnonzero(forms.sizes)
        keys = self._forms.keys[self._filled]
        self._bands = [_Band.of(keys[:, band]) for band in range(ITEMS.bands)]

    def find(self, documents: Documents) -> Pairs:
        """Pairs of (text, document of this batch)."""
        filled = documents.words.sizes > 0
        met = [
            self._filled[forms] << 32 | met_documents
            for band, buckets in enumerate(self._bands)
            for forms, met_documents in buckets.meetings(documents.keys[:, band], filled)
        ]
        if not met:
            none = np.empty(0, dtype=np.int64)
            return Pairs(none, none, np.empty(0), np.empty(0), none)
        pairs, bands = np.unique(np.concatenate(met), return_counts=True)
        form, right = pairs >> 32, pairs & 0xFFFFFFFF
        estimate = agreement(self._forms.sketches, documents.sketches, form, right)
        left = form % len(self._words)
        order = np.lexsort((-estimate, right, left))  # of both forms the likest
        first = np.ones(order.size, np.bool_)
        first[1:] = (np.diff(left[order]) != 0) | (np.diff(right[order]) != 0)
        best = order[first]
        likest = Pairs(left[best], right[best], estimate[best], estimate[best], bands[best])
        return _verified(self._words, documents.words, likest, self._least, self._hidden, None)


@dataclass(frozen=True)
class _Band:
    """The buckets of one band, sorted."""

    keys: Hashes
    texts: Longs

    @classmethod
    def of(cls, keys: Hashes) -> "_Band":
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], order.astype(np.int64))

    def meetings(self, keys: Hashes, filled: Flags) -> Iterator[tuple[Longs, Longs]]:
        """(texts, documents) that share a bucket."""
        low = np.searchsorted(self.keys, keys, "left")
        counts = np.searchsorted(self.keys, keys, "right") - low
        meeting = np.flatnonzero((counts > 0) & filled)
        if meeting.size:
            sizes = counts[meeting]
            first = np.repeat(low[meeting] - np.r_[0, np.cumsum(sizes)[:-1]], sizes)
            yield self.texts[first + np.arange(sizes.sum())], np.repeat(meeting, sizes)


def _verified(
    a: HashedTexts,
    b: HashedTexts,
    candidate_pairs: Pairs,
    least: float,
    hidden: Hashes,
    fast: bool | None,
) -> Pairs:
    """The candidates whose exact Jaccard is large enough; estimates far below are not compared."""
    near = candidate_pairs.kept(candidate_pairs.estimate >= least - SLACK)
    exact = exact_jaccard(a, b, near.left, near.right, hidden=hidden, fast=fast)
    return replace(near, jaccard=exact).kept(exact >= least)


def _check(least: float) -> None:
    if isinstance(least, bool) or not 0 <= least <= 1:
        raise ValueError(f"the least Jaccard must lie in 0..1, got {least!r}")
