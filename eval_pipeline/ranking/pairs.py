"""Judged pairs, one row an item and pair, as battles; and what each model's pairs came to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.ranking.encode import Battles, encode_battles

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs of replies to one item each, as one judge saw them; arrays of shape (pairs,).

    score: what model_a took over both orders, 0 to 1; NaN where an order lacks a vote. A score
    with one order is of a pair that was to be shown in one order only: no seat was seen.
    score_first, score_second: the same when model_a was shown first, or second; NaN without.
    n_first, n_second: votes in each order. category: what the orders say together.
    A score with no order is a forfeit: one side gave no reply, which decides the pair without a
    judge.
    """

    model_a: Sequence[str]
    model_b: Sequence[str]
    cluster: Sequence[str]
    score: Floats
    score_first: Floats
    score_second: Floats
    n_first: Floats
    n_second: Floats
    category: Sequence[str]

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(sorted({*self.model_a, *self.model_b}))

    @property
    def in_one_order(self) -> Bools:
        """Pairs with a score although only one order was shown."""
        alone = np.isnan(self.score_first) != np.isnan(self.score_second)
        return np.asarray(alone & ~np.isnan(self.score))


def pairs_of_table(outcomes: pa.Table) -> JudgedPairs:
    """Pairs from a table with the columns of `pair_outcomes`, in any order of rows."""
    table = outcomes.sort_by([(name, "ascending") for name in ("model_a", "model_b", "item_id")])

    def numbers(name: str) -> Floats:
        column = pc.cast(table[name], pa.float64())
        return np.asarray(column.to_numpy(), dtype=np.float64)  # null is NaN

    first = numbers("n_votes_first")
    return JudgedPairs(
        model_a=table["model_a"].to_pylist(),
        model_b=table["model_b"].to_pylist(),
        cluster=table["cluster_id"].to_pylist(),
        score=numbers("score_a"),
        score_first=numbers("score_a_first"),
        score_second=numbers("score_a_second"),
        n_first=first,
        n_second=numbers("n_votes") - first,
        category=table["category"].to_pylist(),
    )


@dataclass(frozen=True)
class PairTally:
    """Counts of each model's pairs; arrays of shape (models,), models sorted.

    n_clusters: clusters with a used pair. n_missing: pairs left out.
    """

    n_battles: Ints
    n_ties: Ints
    n_missing: Ints
    n_clusters: Ints


def battles_of_pairs(pairs: JudgedPairs, *, by_order: bool, by_vote: bool = False) -> Battles:
    """The pairs as battles: by_order one row an order with its seats, else one row a pair.

    An order weighs half a battle, so that a pair judged in both weighs as much either way; a
    forfeit has no order and weighs one. A pair judged in one order only is half a battle by
    order, and left out otherwise: its score holds the seat. by_vote: an order weighs as much as
    it has votes, and one order alone counts too. All models are listed.
    """
    has_first, has_second = ~np.isnan(pairs.score_first), ~np.isnan(pairs.score_second)
    split = (has_first | has_second) & (by_order | by_vote)
    if not by_vote:
        split &= ~pairs.in_one_order
    first, second = np.flatnonzero(split & has_first), np.flatnonzero(split & has_second)
    whole = np.flatnonzero(~split & ~np.isnan(pairs.score))
    half = np.full(len(pairs.score), 0.5)
    loads = (pairs.n_first, pairs.n_second) if by_vote else (half, half)
    blocks = [
        (first, False, pairs.score_first[first], loads[0][first], by_order),
        (second, True, 1.0 - pairs.score_second[second], loads[1][second], by_order),
        (whole, False, pairs.score[whole], np.ones(len(whole)), False),
    ]
    one: list[str] = []
    two: list[str] = []
    for rows, turned, *_ in blocks:
        chosen = rows.tolist()
        a, b = [pairs.model_a[i] for i in chosen], [pairs.model_b[i] for i in chosen]
        one += b if turned else a
        two += a if turned else b
    return encode_battles(
        one,
        two,
        np.concatenate([score for _, _, score, _, _ in blocks]),
        cluster=[pairs.cluster[i] for rows, *_ in blocks for i in rows.tolist()],
        weight=np.concatenate([weight for _, _, _, weight, _ in blocks]),
        seated=np.concatenate([np.full(len(rows), s) for rows, _, _, _, s in blocks]),
        models=pairs.models,
    )


def tally(pairs: JudgedPairs, *, by_order: bool, by_vote: bool = False) -> PairTally:
    """What `battles_of_pairs` makes of the pairs: used, ties among them, and left out.

    A tie is a pair, or a pair's only order, that scored one half.
    """
    models = pairs.models
    place = {m: i for i, m in enumerate(models)}
    a = np.array([place[m] for m in pairs.model_a], dtype=np.int64)
    b = np.array([place[m] for m in pairs.model_b], dtype=np.int64)
    units, unit = np.unique(np.asarray(pairs.cluster, dtype=np.str_), return_inverse=True)
    score = pairs.score
    if by_order or by_vote:
        only = np.where(np.isnan(pairs.score_first), pairs.score_second, pairs.score_first)
        score = np.where(np.isnan(score), only, score)
    scored = ~np.isnan(score)

    def counted(rows: Bools) -> Ints:
        both = np.concatenate([a[rows], b[rows]])
        return np.bincount(both, minlength=len(models)).astype(np.int64)

    seen = np.zeros((len(models), len(units)), dtype=bool)
    for side in (a, b):
        seen[side[scored], unit[scored]] = True
    return PairTally(
        n_battles=counted(scored),
        n_ties=counted(score == 0.5),
        n_missing=counted(~scored),
        n_clusters=seen.sum(axis=1, dtype=np.int64),
    )
