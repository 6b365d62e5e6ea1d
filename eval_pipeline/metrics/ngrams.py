"""Shared n-grams of many candidates and their references, counted together.

Words become numbers and n-grams pairs of numbers, so that one sort counts all texts at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.metrics.inputs import Floats, Ints

Words = Sequence[str]


@dataclass(frozen=True)
class Overlap:
    """Counts of one order, shape (samples,): n-grams that candidate and references share, each at
    most as often as in the reference that has it most; n-grams of the candidate; and of the first
    reference.
    """

    matches: Floats
    candidate: Floats
    reference: Floats


def overlaps(
    candidates: Sequence[Words], references: Sequence[Sequence[Words]], most: int
) -> Iterator[Overlap]:
    """The overlap of each order 1..most; each sample has one or more references."""
    n = len(candidates)
    texts: list[Words] = [*candidates, *chain.from_iterable(references)]
    numbers: dict[str, int] = {}
    flat = [numbers.setdefault(word, len(numbers)) for text in texts for word in text]
    words = np.array(flat, dtype=np.int64)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    owner = np.repeat(np.arange(n), [len(refs) for refs in references])
    sample_of = np.concatenate([np.arange(n), owner])
    first = np.searchsorted(owner, np.arange(n)) + n
    text = np.repeat(np.arange(len(texts)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
    gram, start = words, np.arange(len(words))  # n-grams of this order, and where each starts
    for order in range(1, most + 1):
        if order > 1:
            longer = left[start] >= order
            gram, start = gram[longer], start[longer]
            # an n-gram is a shorter one and a word; numbered anew, the products stay small
            pair = gram * len(numbers) + words[start + order - 1]
            gram = np.unique(pair, return_inverse=True)[1].astype(np.int64)
        total = np.maximum(lengths - order + 1, 0).astype(np.float64)
        matches = _matches(text[start], gram, sample_of, n)
        yield Overlap(matches, total[:n], total[first])


def _matches(text: Ints, gram: Ints, sample_of: NDArray[np.int64], n: int) -> Floats:
    """Clipped matches of each sample; texts 0..n - 1 are the candidates."""
    if not gram.size:
        return np.zeros(n)
    width = int(gram.max()) + 1
    key, count = np.unique(text * width + gram, return_counts=True)
    of, which = key // width, key % width
    place = sample_of[of] * width + which
    is_candidate = of < n
    # the reference that has it most; sorted by place, so that equal places stand together
    order = np.argsort(place[~is_candidate], kind="stable")
    wanted, start = np.unique(place[~is_candidate][order], return_index=True)
    if not wanted.size:
        return np.zeros(n)
    most = np.maximum.reduceat(count[~is_candidate][order], start)
    said = place[is_candidate]
    found = np.minimum(np.searchsorted(wanted, said), len(wanted) - 1)
    shared = np.where(wanted[found] == said, np.minimum(count[is_candidate], most[found]), 0)
    return np.bincount(of[is_candidate], shared, n).astype(np.float64)
