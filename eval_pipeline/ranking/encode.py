"""From names and labels to the arrays that a fit reads.

A label that is not known is an error. It is never a tie: twenty failed verdicts read as ties
would pull two models together by a hundred Elo points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Battles:
    """Judged pairs, one row a battle (or one row an order, where both orders were judged).

    models: names; the arrays hold their positions.
    first, second: who met whom, shape (rows,).
    score: what `first` took, 0 to 1; 0.5 is a tie.
    weight: battles that the row stands for, above 0; an order of a pair is half a battle.
    seated: whether `first` was also shown first; False where no order was seen.
    cluster: sampling unit of the row, 0 to n_clusters - 1.
    """

    models: tuple[str, ...]
    first: Ints
    second: Ints
    score: Floats
    weight: Floats
    seated: Bools
    cluster: Ints
    n_clusters: int


def outcome_scores(labels: Sequence[str], meaning: Mapping[str, float]) -> Floats:
    """Scores of outcome labels, shape (rows,), by the meaning given to each label.

    Raises ValueError that names the first label without a meaning and the labels that have one.
    """
    unknown = [i for i, label in enumerate(labels) if label not in meaning]
    if unknown:
        i = unknown[0]
        raise ValueError(
            f"row {i}: outcome {labels[i]!r} is not one of {sorted(meaning)} "
            f"({len(unknown)} such rows); drop and count what is no outcome, it is never a tie"
        )
    return np.array([meaning[label] for label in labels], dtype=np.float64)


def encode_battles(
    first: Sequence[str],
    second: Sequence[str],
    score: ArrayLike,
    *,
    cluster: Sequence[str] | None = None,
    weight: ArrayLike | None = None,
    seated: ArrayLike | None = None,
    models: Sequence[str] = (),
) -> Battles:
    """Battles between named models, rows sorted so that sums do not depend on their order.

    first, second: names, one a row. score: what `first` took, 0 to 1.
    cluster: name of each row's sampling unit; without it each row is a unit of its own.
    weight: battles a row stands for, default 1. seated: whether `first` was shown first,
    default no. models: further names that must be listed although they never met anyone.
    Raises ValueError that names the first row with unequal lengths, a score outside 0 to 1,
    a model against itself, a weight that is not positive, or a missing cluster.
    """
    rows = len(first)
    scores = np.asarray(score, dtype=np.float64)
    weights = np.ones(rows) if weight is None else np.asarray(weight, dtype=np.float64)
    seats = np.zeros(rows, dtype=bool) if seated is None else np.asarray(seated, dtype=bool)
    clusters = [str(i) for i in range(rows)] if cluster is None else cluster
    if {len(second), len(scores), len(weights), len(seats), len(clusters)} != {rows}:
        raise ValueError(
            f"columns differ in length: first {rows}, second {len(second)}, score {len(scores)}, "
            f"weight {len(weights)}, seated {len(seats)}, cluster {len(clusters)}"
        )
    names = tuple(sorted({*first, *second, *models}))
    code = {name: i for i, name in enumerate(names)}
    one = np.array([code[name] for name in first], dtype=np.int64)
    two = np.array([code[name] for name in second], dtype=np.int64)
    absent = np.array([name is None for name in clusters], dtype=bool)
    _refuse(one == two, "a model against itself", first)
    _refuse(~((scores >= 0) & (scores <= 1)), "a score outside 0 to 1", scores)
    _refuse(~((weights > 0) & np.isfinite(weights)), "a weight that is not positive", weights)
    _refuse(absent, "no cluster; name it or drop the row", first)
    units, unit = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    order = np.lexsort((weights, scores, seats, two, one, unit))
    return Battles(
        models=names,
        first=one[order],
        second=two[order],
        score=scores[order],
        weight=weights[order],
        seated=seats[order],
        cluster=unit[order].astype(np.int64),
        n_clusters=len(units),
    )


def _refuse(bad: Bools, what: str, values: Sequence[str] | Floats) -> None:
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(f"battle {i}: {what} ({values[i]}; {int(bad.sum())} such battles)")
