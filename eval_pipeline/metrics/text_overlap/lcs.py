"""Longest common subsequences of words, plain and weighted by runs."""

from collections.abc import Sequence

import numpy as np

from eval_pipeline.metrics.inputs import Floats

Words = Sequence[str]

BATCH = 256  # pairs of like length that are filled together


def longest_common(candidate: Words, reference: Words) -> int:
    """Length of the longest common subsequence.

    A whole row of the table is one integer: bit j says that the row grows at place j.
    Source: Crochemore et al. 2001, Inf. Process. Lett. 80:279.
    """
    places: dict[str, int] = {}
    for j, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << j
    every = (1 << len(reference)) - 1
    flat = every
    for word in candidate:
        match = flat & places.get(word, 0)
        flat = (flat + match | flat - match) & every
    return len(reference) - flat.bit_count()


def weighted_common(candidates: Sequence[Words], references: Sequence[Words], w: float) -> Floats:
    """Weighted common subsequence of each pair, shape (pairs,): a run of k words is worth k^w.

    As its source computes it: a match always extends its run, greedily. The table is filled by
    diagonals, for all pairs of like length at once.
    Source: Lin 2004, ROUGE: A package for automatic evaluation of summaries, section 4.
    """
    longest = [max(len(c), len(r)) for c, r in zip(candidates, references, strict=True)]
    order = np.argsort(longest, kind="stable")
    found = np.zeros(len(longest))
    for batch in np.array_split(order, max(1, len(order) // BATCH)):
        pairs = [(candidates[i], references[i]) for i in batch]
        found[batch] = _diagonals(pairs, w)
    return found


def _diagonals(pairs: Sequence[tuple[Words, Words]], w: float) -> Floats:
    n = len(pairs)
    rows, columns = (max((len(pair[side]) for pair in pairs), default=0) for side in (0, 1))
    first, second = np.full((n, rows), -1), np.full((n, columns), -2)  # never equal
    ends = np.zeros(n, dtype=np.int64)
    lengths = np.zeros(n, dtype=np.int64)
    for i, (candidate, reference) in enumerate(pairs):
        numbers: dict[str, int] = {}
        first[i, : len(candidate)] = [numbers.setdefault(x, len(numbers)) for x in candidate]
        second[i, : len(reference)] = [numbers.setdefault(x, len(numbers)) for x in reference]
        lengths[i], ends[i] = len(candidate), len(candidate) + len(reference)
    worth = np.arange(max(rows, columns) + 2, dtype=np.float64) ** w
    gain = np.diff(worth)
    found = np.zeros(n)
    # score and run of the two diagonals before, by row: column 0 and row 0 hold nothing
    score = [np.zeros((n, rows + 1)) for _ in range(2)]
    run = [np.zeros((n, rows + 1), dtype=np.int64) for _ in range(2)]
    for d in range(2, rows + columns + 1):
        row = np.arange(max(1, d - columns), min(rows, d - 1) + 1)
        same = first[:, row - 1] == second[:, d - row - 1]
        longer = run[0][:, row - 1]
        new_score, new_run = np.zeros((n, rows + 1)), np.zeros((n, rows + 1), dtype=np.int64)
        extended = score[0][:, row - 1] + gain[longer]
        carried = np.maximum(score[1][:, row - 1], score[1][:, row])
        new_score[:, row] = np.where(same, extended, carried)
        new_run[:, row] = np.where(same, longer + 1, 0)
        score, run = [score[1], new_score], [run[1], new_run]
        done = np.flatnonzero(ends == d)
        found[done] = new_score[done, lengths[done]]
    return found
