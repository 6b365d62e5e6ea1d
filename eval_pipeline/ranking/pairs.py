"""Judged pairs, one row an item and pair, as battles; and what each model's pairs came to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.ranking.encode import Battles, encode_battles

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LENGTH = "length"
"""The covariate that is the replies' lengths in characters; all others are styles."""


@dataclass(frozen=True)
class PairColumns:
    """Pairs of replies to one item each, as one judge saw them; arrays of shape (pairs,).

    score: what model_a took over both orders, 0 to 1; NaN where an order lacks a vote. A score
    with one order is of a pair that was to be shown in one order only: no seat was seen.
    score_first, score_second: the same when model_a was shown first, or second; NaN without.
    n_first, n_second: votes in each order. category: what the orders say together.
    A score with no order is a forfeit: one side gave no reply, which decides the pair without a
    judge. covariates: what model_a's reply has more of than model_b's, by name; NaN where unknown.
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
    covariates: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(sorted({*self.model_a, *self.model_b}))

    @property
    def in_one_order(self) -> Bools:
        """Pairs with a score although only one order was shown."""
        alone = np.isnan(self.score_first) != np.isnan(self.score_second)
        return np.asarray(alone & ~np.isnan(self.score))


def pairs_of_table(outcomes: pa.Table, covariates: Sequence[str] = ()) -> PairColumns:
    """Pairs from a table with the columns of `pair_outcomes`, in any order of rows.

    covariates: `length`, or names that the column `style` holds. Forfeits, which no reply
    decided, have a difference of 0.
    """
    table = outcomes.sort_by([(name, "ascending") for name in ("model_a", "model_b", "item_id")])

    def numbers(name: str) -> Floats:
        column = pc.cast(table[name], pa.float64())
        return np.asarray(column.to_numpy(), dtype=np.float64)  # null is NaN

    first = numbers("n_votes_first")
    category = table["category"].to_pylist()
    forfeit = np.array([one.startswith("forfeit") for one in category], dtype=bool)
    known: dict[str, Floats] = {}
    for name in sorted(covariates):
        if name == LENGTH:
            difference = numbers("n_chars_a") - numbers("n_chars_b")
        else:
            difference = style_differences(table, name)
        known[name] = np.where(forfeit, 0.0, difference)
    return PairColumns(
        model_a=table["model_a"].to_pylist(),
        model_b=table["model_b"].to_pylist(),
        cluster=table["cluster_id"].to_pylist(),
        score=numbers("score_a"),
        score_first=numbers("score_a_first"),
        score_second=numbers("score_a_second"),
        n_first=first,
        n_second=numbers("n_votes") - first,
        category=category,
        covariates=known,
    )


def style_differences(outcomes: pa.Table, name: str) -> Floats:
    """What model_a's replies have more of than model_b's; NaN where that was not counted."""
    entries = (dict(style or ()) for style in outcomes["style"].to_pylist())
    return np.array([entry.get(name, np.nan) for entry in entries], dtype=np.float64)


@dataclass(frozen=True)
class PairTally:
    """Counts of each model's pairs; arrays of shape (models,), models sorted.

    n_clusters: clusters with a used pair. n_missing: pairs left out.
    """

    n_battles: Ints
    n_ties: Ints
    n_missing: Ints
    n_clusters: Ints


def battles_of_pairs(pairs: PairColumns, *, by_order: bool, by_vote: bool = False) -> Battles:
    """The pairs as battles: by_order one row an order with its seats, else one row a pair.

    An order weighs half a battle, so that a pair judged in both weighs as much either way; a
    forfeit has no order and weighs one. A pair judged in one order only is half a battle by
    order, and left out otherwise: its score holds the seat. by_vote: an order weighs as much as
    it has votes, and one order alone counts too. All models are listed; covariates go along.
    """
    return _encoded(pairs, [_rows(pairs, by_order, by_vote)])


def battles_by_judge(
    panel: PairColumns,
    members: Mapping[str, PairColumns],
    *,
    by_order: bool,
    by_vote: bool = False,
) -> Battles:
    """The panel's battles told apart by who judged: each member has its equal share of each.

    members: each judge's scores of the panel's pairs, row by row. The panel's score is its
    members' mean, so both have one and the same fit, and this one tells what moves with a judge.
    Raises ValueError where a member lacks a score that the panel has.
    """
    blocks, judges = [], []
    for judge, own in sorted(members.items()):
        part = replace(own, n_first=panel.n_first, n_second=panel.n_second)
        rows = _rows(panel, by_order, by_vote, part)
        if (lacking := np.isnan(rows.score)).any():
            i = rows.pair[int(np.flatnonzero(lacking)[0])]
            raise ValueError(
                f"judge {judge!r} has no score of {panel.model_a[i]} and {panel.model_b[i]} on "
                f"cluster {panel.cluster[i]!r}, and the panel has one"
            )
        blocks.append(replace(rows, weight=rows.weight / len(members)))
        judges += [judge] * len(rows.pair)
    return _encoded(panel, blocks, judges)


@dataclass(frozen=True)
class _Rows:
    """Battles before their names: which pair, turned round or not, and what the row holds."""

    pair: Ints
    turned: Bools
    score: Floats
    weight: Floats
    seated: Bools


def _rows(
    pairs: PairColumns, by_order: bool, by_vote: bool, scores: PairColumns | None = None
) -> _Rows:
    """scores: whose scores to take for the pairs; their own by default."""
    said = scores or pairs
    has_first, has_second = ~np.isnan(pairs.score_first), ~np.isnan(pairs.score_second)
    split = (has_first | has_second) & (by_order | by_vote)
    if not by_vote:
        split &= ~pairs.in_one_order
    first, second = np.flatnonzero(split & has_first), np.flatnonzero(split & has_second)
    whole = np.flatnonzero(~split & ~np.isnan(pairs.score))
    only = np.where(has_first, said.score_first, said.score_second)
    settled = np.where(pairs.in_one_order, only, said.score)
    half = np.full(len(pairs.score), 0.5)
    loads = (pairs.n_first, pairs.n_second) if by_vote else (half, half)
    sizes = [len(first), len(second), len(whole)]
    return _Rows(
        pair=np.concatenate([first, second, whole]),
        turned=np.repeat([False, True, False], sizes),
        score=np.concatenate(
            [said.score_first[first], 1.0 - said.score_second[second], settled[whole]]
        ),
        weight=np.concatenate([loads[0][first], loads[1][second], np.ones(len(whole))]),
        seated=np.repeat([by_order, by_order, False], sizes),
    )


def _encoded(
    pairs: PairColumns, blocks: Sequence[_Rows], judges: Sequence[str] | None = None
) -> Battles:
    def joined(column: str) -> NDArray[np.generic]:
        return np.concatenate([getattr(block, column) for block in blocks])

    pair, turned = joined("pair").astype(np.int64), joined("turned").astype(bool)
    names = np.array([pairs.model_a, pairs.model_b], dtype=object).reshape(2, -1)
    sign = np.where(turned, -1.0, 1.0)
    side = turned.astype(np.int64)
    return encode_battles(
        names[side, pair].tolist(),
        names[1 - side, pair].tolist(),
        joined("score").astype(np.float64),
        cluster=np.asarray(pairs.cluster, dtype=object)[pair].tolist(),
        weight=joined("weight").astype(np.float64),
        seated=joined("seated").astype(bool),
        judge=judges,
        covariates={name: sign * values[pair] for name, values in pairs.covariates.items()},
        models=pairs.models,
    )


def tally(pairs: PairColumns, *, by_order: bool, by_vote: bool = False) -> PairTally:
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
