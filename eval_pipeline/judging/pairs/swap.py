"""What the two seating orders of a judged pair say together.

A judge sees each pair of replies in both orders, perhaps several times in each. Here the votes on
one pair become counts, and everything else (category, scores, flips) is read from the counts.
Scores are model_a's: win 1, tie 1/2, loss 0. A vote that could not be used is missing; it is never
a tie, and a pair with one usable order has no score, since its seat bias cannot cancel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.rows import (
    Bools,
    Floats,
    Ints,
    Strings,
    WordColumn,
    grouped,
    places,
    ratio,
    words_of,
)

Orders = Literal["both", "one", "unrecorded"]  # in which the contract has pairs shown
ORDERS = ("a_first", "b_first")
UNRECORDED = "unrecorded"  # such a vote stands in the first order's place, and tells of none
VERDICTS = ("model_a", "model_b", "tie")
KEY = ("judge", "item_id", "model_a", "model_b")
A, B, TIE = range(3)


@dataclass(frozen=True)
class JudgedPairs:
    """One row a pair of replies judged by one judge, sorted by judge, item, model_a, model_b."""

    judge: Strings
    item_id: Strings
    cluster_id: Strings | Ints  # names, or their numbers
    model_a: Strings
    model_b: Strings
    counts: Ints  # usable votes, shape (pairs, 2 orders, 3 verdicts)
    asked: Ints  # votes that are due: recorded, usable or not, or known to lack; (pairs, 2 orders)
    soft: Floats | None = None  # mean chance of model_a, where probabilities are the score
    orders: Orders = "both"  # those that are due; where it is one, the other is not

    @property
    def one_order(self) -> bool:
        """Whether one order is due by design, known or not."""
        return self.orders != "both"

    def __len__(self) -> int:
        return len(self.judge)

    def where(self, mask: Bools | Ints) -> "JudgedPairs":
        """The rows that the mask keeps, or those of the given places in that order."""
        columns = [f.name for f in fields(self) if f.name not in ("soft", "orders")]
        kept = {name: getattr(self, name)[mask] for name in columns}
        soft = None if self.soft is None else self.soft[mask]
        return JudgedPairs(**kept, soft=soft, orders=self.orders)

    @cached_property
    def usable(self) -> Ints:
        """Usable votes an order, shape (pairs, 2)."""
        return np.asarray(self.counts.sum(axis=2))

    @property
    def both_orders(self) -> Bools:
        """Whether each order has a usable vote."""
        return np.asarray((self.usable > 0).all(axis=1))

    @cached_property
    def order_scores(self) -> Floats:
        """model_a's mean score shown first and shown second, shape (pairs, 2); NaN if no vote."""
        if self.soft is not None:
            return self.soft
        wins = self.counts[:, :, A] + 0.5 * self.counts[:, :, TIE]
        return ratio(wins, self.usable)

    @property
    def score(self) -> Floats:
        """Mean of the two order scores, NaN unless both orders have a vote: (P1 + P2) / 2."""
        return np.asarray(self.order_scores.mean(axis=1))

    @property
    def heard(self) -> Bools:
        """Whether each order that is due has a usable vote: both, or one where one is by design."""
        votes = self.usable > 0
        return np.asarray(votes.any(axis=1) if self.one_order else votes.all(axis=1))

    @property
    def heard_score(self) -> Floats:
        """`score`; where one order is due by design, the mean of the orders that have a vote."""
        if not self.one_order:
            return self.score
        scores = self.order_scores
        there = ~np.isnan(scores)
        return ratio(np.where(there, scores, 0.0).sum(axis=1), there.sum(axis=1))

    @property
    def seat(self) -> Floats:
        """+1 where only votes with model_a first are heard, -1 where only others, 0 where both.

        0 throughout where the orders are not recorded.
        """
        if self.orders == "unrecorded":
            return np.zeros(len(self))
        return np.sign(self.usable[:, 0]) - np.sign(self.usable[:, 1]).astype(np.float64)

    @property
    def position(self) -> Floats:
        """What being shown first adds to model_a's score: (P1 - P2) / 2; NaN as `score`."""
        first, second = self.order_scores.T
        return np.asarray((first - second) / 2)

    @property
    def swap_flip(self) -> Floats:
        """Share of vote pairs, one an order, that name different models; NaN as `score`."""
        first, second = self.counts[:, 0], self.counts[:, 1]
        flips = first[:, A] * second[:, B] + first[:, B] * second[:, A]
        return ratio(flips, self.usable.prod(axis=1))

    @property
    def repeat_flip(self) -> Floats:
        """The same share within an order, mean of both; NaN unless both orders were repeated."""
        n = self.usable
        flips = self.counts[:, :, A] * self.counts[:, :, B]
        return np.asarray(ratio(2 * flips, n * (n - 1)).mean(axis=1))

    @cached_property
    def category(self) -> Strings:
        """consistent_a, consistent_b or tie where every vote says so; flipped where each order is
        unanimous for another model; mixed otherwise; single_order or missing where votes lack.
        """
        n = self.usable
        only = (self.counts == n[:, :, None]) & (n[:, :, None] > 0)  # pairs x orders x verdicts
        both = only.all(axis=1)
        flipped = (only[:, 0, A] & only[:, 1, B]) | (only[:, 0, B] & only[:, 1, A])
        orders = (n > 0).sum(axis=1)
        conditions = [orders == 0, orders == 1, both[:, A], both[:, B], both[:, TIE], flipped]
        names = ["missing", "single_order", "consistent_a", "consistent_b", "tie", "flipped"]
        return np.select(conditions, names, "mixed").astype(object)

    @property
    def flips_to_seat(self) -> Ints:
        """+1 where a flipped pair follows the first seat, -1 where the second, else 0."""
        flipped = self.category == "flipped"
        return np.where(flipped, np.where(self.counts[:, 0, A] > 0, 1, -1), 0).astype(np.int64)

    @property
    def n_missing(self) -> Ints:
        """Votes that are not there: recorded without a verdict, or an order never recorded."""
        return np.asarray((self.asked - self.usable).sum(axis=1) + self._absent)

    @property
    def n_expected(self) -> Ints:
        """Recorded votes and orders never recorded."""
        return np.asarray(self.asked.sum(axis=1) + self._absent)

    @property
    def _absent(self) -> Ints:
        """Orders that were never recorded, and are due."""
        none = np.asarray((self.asked == 0).sum(axis=1))
        return np.maximum(none - 1, 0) if self.one_order else none


def with_planned(
    pairs: JudgedPairs,
    judges: Sequence[str],
    planned: Mapping[tuple[str, str, str], str],
    repeats: int = 1,
    *,
    orders: Orders = "both",
) -> JudgedPairs:
    """The judged pairs, and each planned pair that a judge has no vote on.

    planned: (item, model_a, model_b) -> the item's cluster. What nobody recorded is missing like
    what has no verdict: an order without any vote lacks `repeats` of them. orders: unless both,
    each pair is due in one order only, whichever it is.
    """
    there = set(zip(*(getattr(pairs, name) for name in KEY), strict=True))
    lacking = [
        (judge, *pair, planned[pair])
        for judge in judges
        for pair in planned
        if (judge, *pair) not in there
    ]
    added = np.array(lacking, dtype=object).reshape(-1, 5)
    names = ("judge", "item_id", "model_a", "model_b", "cluster_id")
    columns = {
        name: np.concatenate([getattr(pairs, name), added[:, i]]) for i, name in enumerate(names)
    }
    counts = np.concatenate([pairs.counts, np.zeros((len(added), 2, 3), dtype=np.int64)])
    asked = np.concatenate([pairs.asked, np.zeros((len(added), 2), dtype=np.int64)])
    soft = pairs.soft
    if soft is not None:
        soft = np.concatenate([soft, np.full((len(added), 2), np.nan)])
    due = asked == 0
    if orders != "both":
        due[:, 1] = False
        due[:, 0] &= asked[:, 1] == 0
    asked[due] = repeats
    both = JudgedPairs(**columns, counts=counts, asked=asked, soft=soft, orders=orders)
    return both.where(grouped([columns[name] for name in KEY])[0])


def combine_votes(votes: pa.Table, *, by_probability: bool = False) -> JudgedPairs:
    """The votes of a `judge_votes` table, one row a judged pair.

    by_probability: a vote scores the chance that the judge gave, in place of its verdict.
    Raises ValueError for a usable vote without a verdict (or, by probability, without a chance),
    or an item in two clusters.
    """
    named = {name: words_of(votes, name) for name in (*KEY, "cluster_id")}
    order = places(votes["slot_order"], (*ORDERS, UNRECORDED), "slot order", named)
    order = np.where(order == len(ORDERS), 0, order)
    usable = pc.equal(votes["status"], "ok").to_numpy()
    verdict = np.zeros(len(usable), dtype=np.int64)
    kept = np.flatnonzero(usable)
    judged = {name: WordColumn(column.codes[kept], column.words) for name, column in named.items()}
    verdict[kept] = places(votes["verdict"].take(kept), VERDICTS, "verdict", judged)

    firsts, group = grouped([named[name].codes for name in KEY])
    cluster = named["cluster_id"].codes
    if (bad := np.flatnonzero(cluster != cluster[firsts][group])).size:
        i = int(bad[0])
        one, other = named["cluster_id"][int(firsts[group[i]])], named["cluster_id"][i]
        raise ValueError(
            f"item {named['item_id'][i]!r} lies in clusters {one!r} and {other!r}: an item has one "
            "cluster"
        )
    n = len(firsts)
    cell = (group * 2 + order) * 3 + verdict
    first = {name: column.of(firsts) for name, column in named.items()}
    return JudgedPairs(
        first["judge"],
        first["item_id"],
        first["cluster_id"],
        first["model_a"],
        first["model_b"],
        counts=np.bincount(cell[usable], minlength=n * 6).reshape(n, 2, 3).astype(np.int64),
        asked=np.bincount(group * 2 + order, minlength=n * 2).reshape(n, 2).astype(np.int64),
        soft=_mean_chance(votes, group * 2 + order, usable, n) if by_probability else None,
    )


def _mean_chance(votes: pa.Table, place: Ints, usable: Bools, n: int) -> Floats:
    """Mean chance of model_a by the usable votes, shape (pairs, 2 orders); NaN if no vote."""
    chance = np.array(votes["prob_a"].to_pylist(), dtype=np.float64)  # null is NaN
    if (bad := np.flatnonzero(usable & np.isnan(chance))).size:
        row = votes.slice(int(bad[0]), 1).to_pylist()[0]
        raise ValueError(
            f"judge {row['judge']!r} gives no chance for {row['model_a']} and {row['model_b']} on "
            f"item {row['item_id']!r} ({bad.size} such votes): record prob_first, or leave "
            "judging.score out of the contract"
        )
    heard = np.bincount(place[usable], minlength=2 * n)
    total = np.bincount(place[usable], chance[usable], minlength=2 * n)
    return ratio(total, heard).reshape(n, 2)
