"""Whether a finite strength exists, and for whom.

The likelihood has a finite maximum exactly where the graph "took something from" is strongly
connected (Ford 1957); a tie is an edge each way. Where it is not, some models run off to
infinity, and what remains finite are the differences within each strong component.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from eval_pipeline.ranking.counts import SEATS, PairCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Connectivity:
    """How models hang together.

    component: number of each model's connected component (who met at all), shape (n,).
    strong: number of its strongly connected component, those that lose to none first.
    standing: `ok` (a finite strength exists), `undefeated`, `winless`, `split` (won all against
    some and lost all against others, or one of several groups of which one won all),
    `unjudged` (no battle).
    n_strong_decisive: strong components when ties are left out; a single tie may hide a model
    that never won.
    """

    component: Ints
    strong: Ints
    standing: tuple[str, ...]
    n_weak: int
    n_strong: int
    n_strong_decisive: int

    @property
    def finite(self) -> Bools:
        """Models with a finite strength, shape (n,)."""
        return np.array([s == "ok" for s in self.standing], dtype=bool)


def connectivity(counts: PairCounts) -> Connectivity:
    """Components, and the standing of each model.

    Where one group of several models is strongly connected and the others are single, the group
    is `ok`: it keeps its finite differences while the single ones run off.
    """
    edges = counts.total > 0
    n_weak, component = _components(edges, "weak")
    n_strong, strong = _strong_components(edges)
    sizes = np.bincount(strong, minlength=n_strong)
    between = _between(edges, strong)
    loses, beats = between.sum(axis=0) > 0, between.sum(axis=1) > 0
    groups_in = np.bincount(
        component[_first_of_each(strong, n_strong)][sizes > 1], minlength=n_weak
    )
    standing = tuple(
        _standing(
            alone=sizes[s] == 1,
            groups=int(groups_in[c]),
            loses=bool(loses[s]),
            beats=bool(beats[s]),
        )
        for c, s in zip(component, strong, strict=True)
    )
    return Connectivity(
        component=component,
        strong=strong,
        standing=standing,
        n_weak=n_weak,
        n_strong=n_strong,
        n_strong_decisive=_components(counts.decisive, "strong")[0],
    )


def order_effect_is_identified(counts: PairCounts, group: Ints, *, prior: bool = False) -> bool:
    """Whether the effect of being shown first has a finite fit besides the strengths.

    counts within a group only count. The effect b runs off upwards where strengths exist with
    t_i - t_j + seat >= 0 for every win: difference constraints, solvable exactly where the
    graph of wins with cost = seat has no negative cycle; downwards likewise with cost = -seat.
    prior: strengths are held by a prior, so only wins from both seats are needed.
    """
    within = counts.wins * (group[:, None] == group[None, :])
    if prior:
        return bool(within[1].any() and within[2].any())
    cost = np.full(within.shape[1:], np.inf)
    for seat, wins in zip(SEATS, within, strict=True):
        cost = np.where(wins > 0, np.minimum(cost, seat), cost)
    other = np.full(within.shape[1:], np.inf)
    for seat, wins in zip(SEATS, within, strict=True):
        other = np.where(wins > 0, np.minimum(other, -seat), other)
    return _has_negative_cycle(cost) and _has_negative_cycle(other)


def _standing(*, alone: bool, groups: int, loses: bool, beats: bool) -> str:
    """Of a model in a strong component that loses to, or beats, other ones."""
    if not alone:
        return "ok" if groups == 1 else "split"
    if loses and beats:
        return "split"
    if loses:
        return "winless"
    return "undefeated" if beats else "unjudged"


def _components(edges: Bools, connection: Literal["weak", "strong"]) -> tuple[int, Ints]:
    """Number of components, and the one of each model, numbered by their first model."""
    directed = connection == "strong"
    graph = csr_array(edges.astype(np.int8), shape=edges.shape)
    count, labels = connected_components(graph, directed=directed, connection=connection)
    first = _first_of_each(labels.astype(np.int64), int(count))
    place = np.empty(int(count), dtype=np.int64)
    place[np.argsort(first)] = np.arange(int(count))
    return int(count), place[labels]


def _strong_components(edges: Bools) -> tuple[int, Ints]:
    """As `_components`, numbered so that none loses to a later one; ties by first model."""
    count, label = _components(edges, "strong")
    beats = csr_array(_between(edges, label))
    waits_for = np.bincount(beats.indices, minlength=count)  # how many beat it and have no place
    place = np.empty(count, dtype=np.int64)
    ready = np.flatnonzero(waits_for == 0).tolist()  # sorted, so a heap
    for position in range(count):
        one = heappop(ready)
        place[one] = position
        for other in beats.indices[beats.indptr[one] : beats.indptr[one + 1]].tolist():
            waits_for[other] -= 1
            if not waits_for[other]:
                heappush(ready, other)
    return count, place[label]


def _between(edges: Bools, label: Ints) -> Bools:
    """Edges between different components, shape (components, components)."""
    count = int(label.max(initial=-1)) + 1
    between = np.zeros((count, count), dtype=bool)
    winner, loser = np.nonzero(edges)
    between[label[winner], label[loser]] = True
    np.fill_diagonal(between, False)
    return between


def _first_of_each(labels: Ints, count: int) -> Ints:
    first = np.full(count, len(labels), dtype=np.int64)
    np.minimum.at(first, labels, np.arange(len(labels)))
    return first


def _has_negative_cycle(cost: Floats) -> bool:
    """Whether a cycle of edges with finite cost sums to less than 0 (Bellman-Ford)."""
    if np.isfinite(cost).any() and (cost + cost.T).min() < 0:
        return True  # two models are enough in nearly all data
    distance = np.zeros(len(cost))
    for _ in range(len(cost)):
        shorter = np.minimum(distance, (distance[:, None] + cost).min(axis=0))
        if (shorter == distance).all():
            return False
        distance = shorter
    return True
