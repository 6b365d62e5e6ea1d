"""Shared n-grams of many candidates and their references, counted together.

Words become numbers, n-grams one number each, so that one sort an order counts all texts at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from eval_pipeline.metrics.inputs import Floats, Ints

Words = Sequence[str]

LARGEST = 2**62  # number that a sample, a text of it and an n-gram may make together


@dataclass(frozen=True)
class SharedNgrams:
    """Counts of one order, shape (samples,): n-grams that candidate and references share, each at
    most as often as in the reference that has it most; n-grams of the candidate; and of the first
    reference.
    """

    matches: Floats
    candidate: Floats
    reference: Floats


def overlaps(
    candidates: Sequence[Words], references: Sequence[Sequence[Words]], most: int
) -> Iterator[SharedNgrams]:
    """The overlap of each order 1..most; each sample has one or more references.

    Of a higher order only those are counted that begin with a shared n-gram of the order below: no
    other can be shared.
    """
    n = len(candidates)
    texts: list[Words] = [*candidates, *chain.from_iterable(references)]
    sizes = np.array([len(group) for group in references], dtype=np.int64)
    owner = np.repeat(np.arange(n), sizes)
    sample_of = np.concatenate([np.arange(n), owner])
    first = n + np.cumsum(sizes) - sizes
    slot_of = np.concatenate(
        [np.zeros(n, dtype=np.int64), np.arange(len(owner)) + n - first[owner] + 1]
    )
    slots = int(sizes.max(initial=0)) + 1
    words, vocabulary = _numbered(texts)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    text = np.repeat(np.arange(len(texts)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
    gram, start, span = words, np.arange(len(words)), vocabulary
    for order in range(1, most + 1):
        if order > 1:
            longer = left[start] >= order
            gram, start = gram[longer], start[longer]
            if span * vocabulary * n * slots > LARGEST:
                gram = np.unique(gram, return_inverse=True)[1].astype(np.int64)
                span = int(gram.max(initial=0)) + 1
            gram, span = gram * vocabulary + words[start + order - 1], span * vocabulary
        total = np.maximum(lengths - order + 1, 0).astype(np.float64)
        of = text[start]
        place = sample_of[of] * span + gram
        matches, shared = _matches(place, slot_of[of], slots, span, n)
        yield SharedNgrams(matches, total[:n], total[first])
        if order < most:
            begun = shared[np.minimum(np.searchsorted(shared, place), len(shared) - 1)] == place
            gram, start = gram[begun], start[begun]


def _numbered(texts: Sequence[Words]) -> tuple[Ints, int]:
    """All words as numbers, one behind the other, and their limit."""
    flat = list(chain.from_iterable(texts))
    number = {word: i for i, word in enumerate(dict.fromkeys(flat))}
    words = np.fromiter(map(number.__getitem__, flat), dtype=np.int64, count=len(flat))
    return words, max(1, len(number))


def _matches(place: Ints, slot: Ints, slots: int, span: int, n: int) -> tuple[Floats, Ints]:
    """Clipped matches of each sample, from one entry an n-gram of each text, and shared places.

    place: sample * span + n-gram; slot: 0 for the candidate, 1 and on for its references. The
    shared places are sorted; where there are none, a place that is none stands for them.
    """
    nowhere = np.array([-1], dtype=np.int64)
    key, count = np.unique(place * slots + slot, return_counts=True)
    if not key.size:
        return np.zeros(n), nowhere
    where, which = key // slots, key % slots
    # sorted by place, so that a sample's texts with the same n-gram stand together
    start = np.flatnonzero(np.concatenate([[True], where[1:] != where[:-1]]))
    said = np.where(which[start] == 0, count[start], 0)
    most = np.maximum.reduceat(np.where(which > 0, count, 0), start)
    clipped = np.minimum(said, most)
    shared = where[start[clipped > 0]]
    matches = np.bincount(where[start] // span, clipped, n).astype(np.float64)
    return matches, shared if shared.size else nowhere
