"""The most frequent answer of k draws, and what it earns.

Draws without an answer abstain: they take a place among the k and cast no vote. Where several
answers are most frequent, the credit is shared as if one of them were drawn; where nobody votes,
it is 0. Right answers count as one answer, however they are written; wrong ones are told apart by
their text.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from eval_pipeline.metrics.inputs import numbers, rows, texts, whole


@dataclass(frozen=True)
class Majority:
    """The most frequent answers, sorted; the credit; the draws that abstained."""

    modes: tuple[str, ...]
    score: float
    n_unparsed: int


def majority_vote(answers: Sequence[str | None], reference: str) -> Majority:
    """The vote of all draws of one item: score 1[reference in modes] / number of modes.

    Answers are texts where the reference is one, else finite numbers; None abstains.
    Raises ValueError for no draws, and for an answer of another kind than the reference.
    """
    given = rows(answers, "answers")
    if not given:
        raise ValueError("a majority needs at least one draw")
    said = [answer for answer in given if answer is not None]
    (texts if isinstance(reference, str) else numbers)([reference, *said], "reference and answers")
    votes = Counter(said)
    top = max(votes.values(), default=0)
    modes = tuple(sorted(answer for answer, n in votes.items() if n == top))
    score = 1.0 / len(modes) if reference in modes else 0.0
    return Majority(modes, score, len(given) - votes.total())


def majority_credit(right: int, wrong: Sequence[int], abstained: int, k: int) -> float:
    """Expected credit of the majority of k draws, over every choice of k among those recorded.

    right: draws with the right answer; wrong: draws of each wrong answer; abstained: draws
    without one. In [0, 1]; NaN where there are fewer than k draws.
    Raises ValueError for negative counts or k < 1.
    """
    whole(k, "k", 1)
    wrong = rows(wrong, "wrong")
    for name, count in (("right", right), ("abstained", abstained), *(("wrong", n) for n in wrong)):
        whole(count, name, 0)
    if right + sum(wrong) + abstained < k:
        return float("nan")
    return _credit(right, tuple(sorted(n for n in wrong if n)), abstained, k)


@lru_cache(maxsize=65_536)
def _credit(right: int, wrong: tuple[int, ...], abstained: int, k: int) -> float:
    """Whole numbers throughout, divided once: choices overflow float64 from 1,030 draws."""
    total = comb(right + sum(wrong) + abstained, k)
    most_ties = len(wrong) + 1
    shared = [0] * (most_ties + 1)  # choices in which right is a mode, by number of modes
    for votes in range(1, min(right, k) + 1):
        ways = _choices(wrong, abstained, votes, k - votes)
        for ties, count in enumerate(ways):
            shared[ties + 1] += comb(right, votes) * count
    return sum(count / total / modes for modes, count in enumerate(shared) if modes)


def _choices(wrong: tuple[int, ...], abstained: int, most: int, size: int) -> list[int]:
    """Choices of `size` draws with no wrong answer above `most`, by how many reach it."""
    # ways[drawn][ties]
    ways = [[0] * (len(wrong) + 1) for _ in range(size + 1)]
    for drawn in range(min(abstained, size) + 1):
        ways[drawn][0] = comb(abstained, drawn)
    for n in wrong:
        after = [[0] * (len(wrong) + 1) for _ in range(size + 1)]
        for taken in range(min(n, most, size) + 1):
            tie = int(taken == most)
            for drawn in range(size - taken + 1):
                for ties in range(len(wrong) + 1 - tie):
                    if count := ways[drawn][ties]:
                        after[drawn + taken][ties + tie] += count * comb(n, taken)
        ways = after
    return ways[size]
