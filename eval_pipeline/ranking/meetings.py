"""Battles as meetings of two models, each a mixture of clusters: what a replicate recounts."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.encode import Battles

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Meetings:
    """Who met whom within groups, and what each took, cluster by cluster.

    first, second: models, shape (meetings,). seated: 1.0 where `first` was shown first, 0.0 where
    no order was seen (`first` is then the model that sorts first).
    """

    def __init__(self, fit: BradleyTerryFit, battles: Battles) -> None:
        self._n = n = len(fit.models)
        turned = ~battles.seated & (battles.first > battles.second)
        key = np.where(turned, battles.second, battles.first)
        key += battles.seated * n
        key *= n
        key += np.where(turned, battles.first, battles.second)
        held = fit.same_group[battles.first, battles.second]
        present = np.zeros(2 * n * n, dtype=bool)
        present[key[held]] = True
        keys = np.flatnonzero(present)
        self.first, self.second = keys // n % n, keys % n
        self.seated = (keys // (n * n)).astype(np.float64)
        meeting = (np.cumsum(present, dtype=np.int32) - 1)[key]
        del key  # two million rows an array: what is done with makes room
        # Rows of what `first` took, then of what `second` took; most battles fill one of the two.
        place, column, amount = [], [], []
        for block, rest in enumerate((turned, ~turned)):
            share = np.where(rest, 1.0 - battles.score, battles.score)
            rows = np.flatnonzero(held & (share > 0))
            place.append(meeting[rows] + np.int32(block * len(keys)))
            column.append(battles.cluster[rows].astype(np.int32))
            amount.append(_taken(battles, rows, rest[rows]))
        self._mixture = csr_array(
            (np.concatenate(amount), (np.concatenate(place), np.concatenate(column))),
            shape=(2 * len(keys), battles.n_clusters),
        )

    def __len__(self) -> int:
        return len(self.first)

    def won(self, weights: NDArray[np.floating]) -> tuple[Floats, Floats]:
        """What `first` and `second` took, shape (meetings, replicates) each.

        weights: how often each cluster counts, shape (clusters, replicates).
        """
        taken = np.asarray(self._mixture @ weights.astype(np.float64, order="C"))
        return taken[: len(self)], taken[len(self) :]

    def table(self, up: Floats, down: Floats) -> Floats:
        """The same as `PairCounts.wins`, shape (3, n, n), of one replicate."""
        n = self._n
        wins = np.zeros((3, n, n))
        seat = self.seated.astype(np.int64)
        wins[seat, self.first, self.second] += up
        wins[2 * seat, self.second, self.first] += down
        return wins

    def incidence(self, n_parameters: int) -> csr_array:
        """How a meeting's logit depends on each parameter, shape (parameters, meetings)."""
        meeting = np.arange(len(self))
        rows, columns = [self.first, self.second], [meeting, meeting]
        values = [np.ones(len(self)), -np.ones(len(self))]
        if n_parameters > self._n:
            rows.append(np.full(len(self), self._n))
            columns.append(meeting)
            values.append(self.seated)
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
        return csr_array(entries, shape=(n_parameters, len(self)))


def _taken(battles: Battles, rows: Ints, turned: NDArray[np.bool_]) -> Floats:
    """What one side took; that of `second` is the rest of the weight, as it is counted."""
    weight = battles.weight[rows]
    won = weight * battles.score[rows]
    return np.where(turned, weight - won, won)
