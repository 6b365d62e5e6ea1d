"""Shared n-grams of many candidates and their references, counted together.

Words become numbers, n-grams one number each, so that one sort an order counts all texts at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from eval_pipeline.metrics.inputs import Floats, Ints

Words = Sequence[str]

LARGEST = 2**62  # number that a text and its n-gram may make together


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
    owner = np.repeat(np.arange(n), [len(group) for group in references])
    sample_of = np.concatenate([np.arange(n), owner])
    first = np.searchsorted(owner, np.arange(n)) + n
    words, vocabulary = _numbered(texts, sample_of)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    text = np.repeat(np.arange(len(texts)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
    gram, start, span = words, np.arange(len(words)), vocabulary
    for order in range(1, most + 1):
        if order > 1:
            longer = left[start] >= order
            gram, start = gram[longer], start[longer]
            if span * vocabulary * len(texts) > LARGEST:
                gram = np.unique(gram, return_inverse=True)[1].astype(np.int64)
                span = int(gram.max(initial=0)) + 1
            gram, span = gram * vocabulary + words[start + order - 1], span * vocabulary
        total = np.maximum(lengths - order + 1, 0).astype(np.float64)
        yield Overlap(_matches(text[start], gram, span, sample_of, n), total[:n], total[first])


def _numbered(texts: Sequence[Words], sample_of: Ints) -> tuple[Ints, int]:
    """All words as numbers, anew in each sample so that they stay small, and their limit."""
    numbers: list[dict[str, int]] = [{} for _ in range(int(sample_of.max()) + 1)]
    flat: list[int] = []
    for text, sample in zip(texts, sample_of.tolist(), strict=True):
        known = numbers[sample]
        flat += [known.setdefault(word, len(known)) for word in text]
    return np.array(flat, dtype=np.int64), max(1, *map(len, numbers))


def _matches(text: Ints, gram: Ints, span: int, sample_of: Ints, n: int) -> Floats:
    """Clipped matches of each sample; texts 0..n - 1 are the candidates, grams are below span."""
    key, count = np.unique(text * span + gram, return_counts=True)
    of, which = key // span, key % span
    place = sample_of[of] * span + which
    is_candidate = of < n
    # the reference that has it most; sorted by place, so that equal places stand together
    theirs, times = place[~is_candidate], count[~is_candidate]
    order = np.argsort(theirs, kind="stable")
    wanted, start = np.unique(theirs[order], return_index=True)
    if not wanted.size:
        return np.zeros(n)
    most = np.maximum.reduceat(times[order], start)
    said = place[is_candidate]
    found = np.minimum(np.searchsorted(wanted, said), len(wanted) - 1)
    shared = np.where(wanted[found] == said, np.minimum(count[is_candidate], most[found]), 0)
    return np.bincount(of[is_candidate], shared, n).astype(np.float64)
