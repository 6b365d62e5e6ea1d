"""What a retriever found, apart from what was made of it (for that see `faithfulness`).

Each function gives one number a query, shape (queries,); a query for which nothing is relevant has
none, and is NaN. `mean_sums` makes sums of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from eval_pipeline.metrics.inputs import Floats, number, same_length, whole

Ranked = Sequence[Sequence[Any]]
Grades = Sequence[Mapping[Any, float]]
Gain = Literal["linear", "exponential"]


def recall_at_k(ranked: Ranked, grades: Grades, k: int, *, exhausted: bool = False) -> Floats:
    """Share of a query's relevant documents that are among the first k.

    ranked: each query's documents, best first, none twice; grades: relevance of each judged
    document, 0 or more; above 0 is relevant, and what was not judged is not. A list shorter than k
    is refused unless `exhausted` says that the retriever found no more.
    Source: Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, 8.4.
    """
    hits, relevant = _hits(ranked, grades, k, exhausted)
    return np.array([_share(sum(h), n) for h, n in zip(hits, relevant, strict=True)])


def precision_at_k(ranked: Ranked, grades: Grades, k: int, *, exhausted: bool = False) -> Floats:
    """Share of the first k places that hold a relevant document; else as `recall_at_k`.

    Empty places of an exhausted retriever count as not relevant.
    """
    hits, relevant = _hits(ranked, grades, k, exhausted)
    return np.array([sum(h) / k if n else np.nan for h, n in zip(hits, relevant, strict=True)])


def reciprocal_rank(ranked: Ranked, grades: Grades, k: int, *, exhausted: bool = False) -> Floats:
    """1 / place of the first relevant document of the first k, 0 where there is none.

    Its mean is MRR@k. Source: Voorhees 1999, TREC-8 question answering track.
    """
    hits, relevant = _hits(ranked, grades, k, exhausted)
    first = [h.index(True) + 1 if any(h) else np.inf for h in hits]
    return np.array([1 / f if n else np.nan for f, n in zip(first, relevant, strict=True)])


def ndcg_at_k(
    ranked: Ranked, grades: Grades, k: int, gain: Gain, *, exhausted: bool = False
) -> Floats:
    """Discounted gain of the first k over that of the best order of all judged documents.

    The gain of a grade g at place i, from 1, is discounted by log2(i + 1). gain: `linear`, g
    itself, or `exponential`, 2^g - 1; they differ as soon as a grade is above 1.
    Source: Järvelin and Kekäläinen 2002, ACM TOIS 20:422 (linear); Burges et al. 2005, ICML
    (exponential).
    """
    if gain not in get_args(Gain):
        raise ValueError(f"unknown gain {gain!r}: use {' or '.join(get_args(Gain))}")
    k = _checked(ranked, grades, k, exhausted)
    discount = [float(d) for d in 1 / np.log2(np.arange(2, k + 2))]
    found = np.full(len(ranked), np.nan)
    of_query: dict[int, tuple[dict[str, float], float]] = {}  # draws of an item share their grades
    for i, (documents, known) in enumerate(zip(ranked, grades, strict=True)):
        if id(known) not in of_query:
            gains = {name: _gain(grade, gain) for name, grade in known.items()}
            ideal = _discounted(sorted(gains.values(), reverse=True)[:k], discount)
            of_query[id(known)] = gains, ideal
        gains, best = of_query[id(known)]
        if best > 0:
            got = _discounted([gains.get(name, 0.0) for name in documents[:k]], discount)
            found[i] = got / best
    return found


def _gain(grade: float, gain: Gain) -> float:
    return float(grade) if gain == "linear" else 2.0**grade - 1


def _discounted(gains: Sequence[float], discount: Sequence[float]) -> float:
    return sum(g * d for g, d in zip(gains, discount, strict=False))


def _share(part: int, whole_: int) -> float:
    return part / whole_ if whole_ else np.nan


def _hits(
    ranked: Ranked, grades: Grades, k: int, exhausted: bool
) -> tuple[list[list[bool]], list[int]]:
    """Which of each query's first k are relevant, and how many relevant documents it has."""
    k = _checked(ranked, grades, k, exhausted)
    pairs = zip(ranked, grades, strict=True)
    hits = [[known.get(name, 0) > 0 for name in documents[:k]] for documents, known in pairs]
    return hits, [sum(grade > 0 for grade in known.values()) for known in grades]


def _are_grades(judged: list[Any]) -> bool:
    """Whether all are finite numbers of at least 0: all at once, for there are many."""
    if not set(map(type, judged)) <= {int, float}:
        return False
    values = np.array(judged, dtype=np.float64)
    return bool(np.all(np.isfinite(values) & (values >= 0)))


def _checked(ranked: Ranked, grades: Grades, k: int, exhausted: bool) -> int:
    k = whole(k, "k", 1)
    if not same_length(ranked=ranked, grades=grades):
        raise ValueError("ranked is empty: give at least one query")
    for i, documents in enumerate(ranked):
        if isinstance(documents, str):
            raise ValueError(f"query {i}: {documents!r} is a text: give a list of documents")
        if len(set(documents)) < len(documents):
            twice = next(d for j, d in enumerate(documents) if d in documents[:j])
            raise ValueError(f"query {i}: document {twice!r} stands twice in its ranking")
        if len(documents) < k and not exhausted:
            raise ValueError(
                f"query {i} has {len(documents)} documents, fewer than k = {k}: record more, or "
                "say that the retriever found no more (exhausted)"
            )
    judged = [grade for known in grades for grade in known.values()]
    if judged and not _are_grades(judged):
        for i, known in enumerate(grades):
            for name, grade in known.items():
                number(grade, f"query {i}, grade of {name!r}", least=0.0)
    return k
