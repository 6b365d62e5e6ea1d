"""Who took how much from whom, added up.

Ties are half wins. The scores of verdicts are halves and quarters, which add up exactly in
floating point, so the counts do not depend on the order of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.ranking.encode import Battles
from eval_pipeline.statistics.given import table as table_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_COUNTED = 2.0**52
"""Above it, one half more or less is no other number."""
SEATS = (0, 1, -1)
"""No order seen, shown first, shown second."""


@dataclass(frozen=True)
class PairCounts:
    """Wins (a tie is half of one) by pair and by the seat of who took them.

    wins[s, i, j]: what model i took from model j while i sat at SEATS[s]; shape (3, n, n).
    decisive[i, j]: whether i took more than half of any single row against j; shape (n, n).
    """

    models: tuple[str, ...]
    wins: Floats
    decisive: Bools

    @property
    def total(self) -> Floats:
        """What i took from j in any seat, shape (n, n)."""
        total: Floats = self.wins.sum(axis=0)
        return total

    @property
    def battles(self) -> Floats:
        """Weight of all battles of i and j, shape (n, n), symmetric."""
        return self.total + self.total.T


def pair_counts(battles: Battles) -> PairCounts:
    """The counts of battles."""
    n = len(battles.models)
    first, second, seated = battles.first, battles.second, battles.seated
    won = battles.weight * battles.score
    lost = battles.weight - won

    def table(values: Floats, one: Ints, two: Ints, chosen: Bools) -> Floats:
        cell = one[chosen] * n + two[chosen]
        return _summed(cell, values[chosen], n * n).reshape(n, n)

    wins = np.stack(
        [
            table(won, first, second, ~seated) + table(lost, second, first, ~seated),
            table(won, first, second, seated),
            table(lost, second, first, seated),
        ]
    )
    decisive = np.zeros((n, n), dtype=bool)
    up, down = battles.score > 0.5, battles.score < 0.5
    decisive[first[up], second[up]] = True
    decisive[second[down], first[down]] = True
    return PairCounts(battles.models, wins, decisive)


def counts_of_wins(
    models: Sequence[str], wins: ArrayLike, ties: ArrayLike | None = None
) -> PairCounts:
    """Counts from a table of wins: wins[i][j] is how often i beat j, shape (n, n).

    ties: how often i and j drew, each pair once or split between [i][j] and [j][i].
    Raises ValueError that names the first model against itself, or the first count that is
    negative or not a number.
    """
    n = len(models)
    won = table_of(wins, "wins")
    drawn = np.zeros((n, n)) if ties is None else table_of(ties, "ties")
    for name, counted in (("wins", won), ("ties", drawn)):
        if counted.shape != (n, n):
            raise ValueError(f"{name} must have shape {(n, n)} for {n} models, got {counted.shape}")
        bad = np.argwhere(~((counted >= 0) & (counted <= MOST_COUNTED)))
        if len(bad):
            i, j = bad[0]
            raise ValueError(f"{name} of {models[i]!r} over {models[j]!r}: {counted[i, j]}")
        if np.diag(counted).any():
            i = int(np.flatnonzero(np.diag(counted))[0])
            raise ValueError(f"{name}: {models[i]!r} stands against itself")
    unseated = won + (drawn + drawn.T) / 2
    empty = np.zeros_like(unseated)
    return PairCounts(tuple(models), np.stack([unseated, empty, empty]), won > 0)


def cluster_scores(battles: Battles, residual: Floats, n_columns: int) -> Floats:
    """Each cluster's share in the likelihood's slope: the clustered score matrix.

    residual: weight times (score minus fitted chance), shape (rows,).
    Returns shape (clusters, n_columns): a column a model and, where n_columns is one more than
    the models, one for the order effect.
    """
    n = len(battles.models)
    size = battles.n_clusters * n_columns
    home = battles.cluster * n_columns
    flat = _summed(home + battles.first, residual, size)
    np.subtract.at(flat, home + battles.second, residual)  # in place: it may be a gigabyte
    if n_columns > n:
        seated = battles.seated
        np.add.at(flat, home[seated] + n, residual[seated])
    return flat.reshape(battles.n_clusters, n_columns)


def _summed(place: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(place, weights=values, minlength=size).astype(np.float64, copy=False)
