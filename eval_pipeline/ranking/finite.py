"""Which replicates have a finite fit: a cheap certificate for nearly all, a full look for the rest.

A fit is finite where wins, as edges, join each group strongly; so it is enough that the edges of
two trees, one out of a model and one into it, are still there. Each edge of the trees is backed by
clusters; a replicate that drew one of them for every edge needs no further look.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.counts import SEATS, PairCounts
from eval_pipeline.ranking.encode import Battles
from eval_pipeline.ranking.identify import order_effect_is_identified
from eval_pipeline.ranking.meetings import Meetings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

BACKERS = 32
"""Clusters looked at for each edge: none of them is drawn in one replicate of 10^14."""
WELL_BACKED = (32, 8, 2, 1)
"""Battles that the edges of the trees should have, the most first."""


class FiniteFits:
    """Tells which weightings of the clusters leave a finite fit."""

    def __init__(
        self, fit: BradleyTerryFit, battles: Battles, meetings: Callable[[], Meetings]
    ) -> None:
        """meetings: called only where a certificate fails, because it takes a while."""
        self._fit, self._counted = fit, meetings
        self._certificate = _certificate(fit, battles)
        self._known: dict[bytes, bool] = {}

    def among(self, weights: NDArray[np.floating]) -> Bools:
        """Whether each row of weights, shape (replicates, clusters), leaves a finite fit."""
        finite = np.zeros(len(weights), dtype=bool)
        if self._certificate is not None:
            drawn = np.asarray(self._certificate @ (weights > 0).T.astype(np.int32))
            finite = np.asarray((drawn > 0).all(axis=0), dtype=bool)
        for k in np.flatnonzero(~finite):
            finite[k] = self.by_full_look(weights[k])
        return finite

    @property
    def _meetings(self) -> Meetings:
        return self._counted()

    def by_full_look(self, weights: NDArray[np.floating]) -> bool:
        """The same for one weighting, by all that was won under it."""
        up, down = self._meetings.won(weights[:, None])
        present = np.concatenate([up[:, 0] > 0, down[:, 0] > 0])
        pattern = np.packbits(present).tobytes()
        if pattern not in self._known:
            self._known[pattern] = self._hangs_together(present)
        return self._known[pattern]

    def _hangs_together(self, present: Bools) -> bool:
        fit, n = self._fit, len(self._fit.models)
        wins = self._meetings.table(*np.split(present.astype(np.float64), 2))
        edges = wins.sum(axis=0) > 0
        if fit.prior_sd is None:
            count, _ = connected_components(csr_array(edges), directed=True, connection="strong")
            if count > len(np.unique(fit.group)):
                return False
        if not fit.has_order_effect:
            return True
        counts = PairCounts(fit.models, wins, np.zeros((n, n), dtype=bool))
        return order_effect_is_identified(counts, fit.group, prior=fit.prior_sd is not None)


def _certificate(fit: BradleyTerryFit, battles: Battles) -> csr_array | None:
    """Clusters that back each requirement, (requirements, clusters); None where none is known.

    Requirements: the edges of the trees, and for the order effect wins that bound it either way.
    """
    n = len(fit.models)
    seat, winner, loser, row = _wins(fit, battles)
    flat = np.bincount((seat * n + winner) * n + loser, minlength=3 * n * n)
    number = flat.reshape(3, n, n)
    required: list[tuple[Bools, int, int]] = []
    if fit.prior_sd is None:
        trees = _trees(number.sum(axis=0), fit.group)
        if trees is None:
            return None
        required += [(np.ones(3, dtype=bool), i, j) for i, j in trees]
    if fit.has_order_effect:
        bounds = _order_bounds(number, prior=fit.prior_sd is not None)
        if bounds is None:
            return None
        required += bounds
    # A cell may serve several requirements; only the few rows in wanted cells are looked at.
    wanted = np.zeros((3, n, n), dtype=bool)
    for seats, i, j in required:
        wanted[seats, i, j] = True
    chosen = np.flatnonzero(wanted[seat, winner, loser])
    seat, winner, loser = seat[chosen], winner[chosen], loser[chosen]
    cluster = battles.cluster[row[chosen]]
    pair = winner * n + loser
    order = np.argsort(pair, kind="stable")
    pair, seat, cluster = pair[order], seat[order], cluster[order]
    place, backers = [], []
    for k, (seats, i, j) in enumerate(required):
        low, high = np.searchsorted(pair, [i * n + j, i * n + j + 1])
        own = np.unique(cluster[low:high][seats[seat[low:high]]])[:BACKERS]
        place.append(np.full(len(own), k))
        backers.append(own)
    if not required:
        place, backers = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    rows, columns = np.concatenate(place), np.concatenate(backers)
    shape = (len(required), battles.n_clusters)
    return csr_array((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=shape)


def _wins(fit: BradleyTerryFit, battles: Battles) -> tuple[Ints, Ints, Ints, Ints]:
    """Of all that was won within groups: the winner's seat (place in SEATS), both models, row."""
    same = fit.same_group[battles.first, battles.second]
    up = np.flatnonzero(same & (battles.score > 0))
    down = np.flatnonzero(same & (battles.score < 1))
    seated = battles.seated
    return (
        np.concatenate([np.where(seated[up], 1, 0), np.where(seated[down], 2, 0)]),
        np.concatenate([battles.first[up], battles.second[down]]),
        np.concatenate([battles.second[up], battles.first[down]]),
        np.concatenate([up, down]),
    )


def _trees(number: Ints, group: Ints) -> list[tuple[int, int]] | None:
    """Edges (winner, loser) that join each group strongly, of the best backed wins."""
    needed = len(np.unique(group))
    for least in WELL_BACKED:
        edges = csr_array((number >= least).astype(np.int8))
        count, _ = connected_components(edges, directed=True, connection="strong")
        if count == needed:
            break
    else:
        return None
    found: list[tuple[int, int]] = []
    back = csr_array(edges.T)
    for root in np.unique(group, return_index=True)[1]:
        for graph, turned in ((edges, False), (back, True)):
            reached, before = breadth_first_order(graph, root, directed=True)
            pairs = [(int(before[k]), int(k)) for k in reached[1:]]
            found += [(b, a) for a, b in pairs] if turned else pairs
    return sorted(set(found))


def _order_bounds(number: Ints, *, prior: bool) -> list[tuple[Bools, int, int]] | None:
    """Wins that bound the order effect from both sides, of two models if possible.

    A winner shown second, whose loser also won when not shown second, bounds it from above; the
    same with the seats turned, from below. Under a prior any win from each seat is enough.
    """
    found: list[tuple[Bools, int, int]] = []
    for against in (SEATS.index(-1), SEATS.index(1)):
        seat = np.arange(3) == against
        if prior:
            i, j = np.unravel_index(int(number[against].argmax()), number[against].shape)
            if not number[against, i, j]:
                return None
            found.append((seat, int(i), int(j)))
            continue
        back = seat | (np.arange(3) == 0)
        both = np.minimum(number[against], number[back].sum(axis=0).T)
        i, j = np.unravel_index(int(both.argmax()), both.shape)
        if not both[i, j]:
            return None
        found += [(seat, int(i), int(j)), (back, int(j), int(i))]
    return found
