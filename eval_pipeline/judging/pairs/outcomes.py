"""What each judge, and the panel of licensed judges, says of each planned pair of replies.

A side whose generation failed has no reply to judge. Where the contract counts that failure as
wrong, the side forfeits: it loses, whatever votes there are; two such sides are counted and left
out. Where the contract leaves the failure out, so is the pair. A judge's own failure is a missing
vote, never a tie and never a loss.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from eval_pipeline.judging.pairs.replies import JudgedReply, Replies
from eval_pipeline.judging.pairs.swap import KEY, JudgedPairs, Orders
from eval_pipeline.judging.rows import Floats
from eval_pipeline.judging.standing import Panel
from eval_pipeline.layout import PANEL

PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class Ballot:
    """One judge's votes on one pair, by order: model_a's score, and how many votes say so."""

    category: str
    scores: tuple[float, float]  # shown first, shown second; NaN without a vote
    n_votes: int
    n_votes_first: int

    @property
    def has_order(self) -> tuple[bool, bool]:
        first, second = self.scores
        return not math.isnan(first), not math.isnan(second)


NO_VOTES = Ballot("missing", (math.nan, math.nan), 0, 0)
AWAITED = Ballot("pending", (math.nan, math.nan), 0, 0)  # no voice until all is cast


def ballots(pairs: JudgedPairs) -> dict[str, dict[PairKey, Ballot]]:
    """The ballot of each judge on each pair."""
    found: dict[str, dict[PairKey, Ballot]] = {}
    columns = (pairs.judge, pairs.item_id, pairs.model_a, pairs.model_b, pairs.category)
    scores: Floats = pairs.order_scores
    votes = pairs.usable
    for i, (judge, item, a, b, category) in enumerate(zip(*columns, strict=True)):
        both = float(scores[i, 0]), float(scores[i, 1])
        ballot = Ballot(str(category), both, int(votes[i].sum()), int(votes[i, 0]))
        found.setdefault(judge, {})[(item, a, b)] = ballot
    return found


def panel_ballot(members: Sequence[Ballot]) -> Ballot:
    """The mean vote of several judges, each with the same weight.

    An order counts only where every member voted in it, so that no pair's score depends on who
    happened to answer. The category is the members' where they all agree on it, else mixed.
    """
    counted = [all(one.has_order[order] for one in members) for order in (0, 1)]
    first, second = (
        math.fsum(one.scores[order] for one in members) / len(members)
        if counted[order]
        else math.nan
        for order in (0, 1)
    )
    categories = {one.category for one in members}
    if not all(counted):
        category = "single_order" if any(counted) else "missing"
    else:
        category = categories.pop() if len(categories) == 1 else "mixed"
    heard, heard_first = (
        sum(getattr(one, name) for one in members) for name in ("n_votes", "n_votes_first")
    )
    return Ballot(category, (first, second), heard, heard_first)


def planned_pairs(
    plan: pa.Table, items: pa.Table, pairs: JudgedPairs, asked: bool
) -> dict[PairKey, str]:
    """The pairs that count, each with its item's cluster.

    asked: whether the contract says which pairs are judged. Then those of the plan, and votes on
    others are not heard, since who adds votes could choose them; else all that have a vote.
    """
    cluster = dict(zip(items["item_id"].to_pylist(), items["cluster_id"].to_pylist(), strict=True))
    columns = (
        [plan[name].to_pylist() for name in KEY[1:]]
        if asked
        else [pairs.item_id, pairs.model_a, pairs.model_b]
    )
    return {key: cluster[key[0]] for key in zip(*columns, strict=True)}


def outcome_rows(
    planned: Mapping[PairKey, str],
    votes: Mapping[str, Mapping[PairKey, Ballot]],
    judges: Collection[str],
    panel: Panel,
    replies: Replies,
    waits: Mapping[PairKey, frozenset[str]] | None = None,
    *,
    orders: Orders = "both",
) -> list[dict[str, object]]:
    """Rows of `pair_outcomes`: each planned pair for each judge and for the panel, sorted.

    orders: where pairs are shown in one order by design, its score is the pair's; where nobody
    recorded the order, no score is one of an order.

    planned: pair -> its item's cluster; votes: of `ballots`; panel: of `standing`; replies:
    (model, item) -> reply. waits: pair -> the judges whose votes on its checkpoint are pending.
    """
    if PANEL in judges:
        raise ValueError(f"a judge may not be called {PANEL!r}: that is all of them; rename it")
    good = () if panel.quarantined else panel.members
    rows = []
    for judge, quarantined in [
        *((judge, judge not in good) for judge in sorted(judges)),
        (PANEL, panel.quarantined),
    ]:
        heard = panel.members if judge == PANEL else (judge,)
        for key in sorted(planned):
            ballot = panel_ballot([votes.get(one, {}).get(key, NO_VOTES) for one in heard])
            if waits and not waits.get(key, frozenset()).isdisjoint(heard):
                ballot = AWAITED
            rows.append(_row(judge, key, planned[key], ballot, replies, quarantined, orders))
    return sorted(rows, key=lambda row: tuple(row[name] for name in KEY))


def _row(
    judge: str,
    key: PairKey,
    cluster_id: str,
    ballot: Ballot,
    replies: Replies,
    quarantined: bool,
    orders: Orders,
) -> dict[str, object]:
    item, a, b = key
    reply_a, reply_b = replies.get((a, item)), replies.get((b, item))
    category, score = _settled(ballot, reply_a, reply_b, orders != "both")
    judged = category == ballot.category
    told = judged and orders != "unrecorded"
    first, second = ballot.scores if told else (math.nan, math.nan)
    n_orders = sum(ballot.has_order) if judged else 0
    return {
        "judge": judge,
        "item_id": item,
        "cluster_id": cluster_id,
        "model_a": a,
        "model_b": b,
        "category": category,
        "score_a": score,
        "score_a_first": first,
        "score_a_second": second,
        "half_counts": _half_counts(score, n_orders),
        "n_orders": n_orders,
        "n_votes": ballot.n_votes if judged else 0,
        "n_votes_first": _voted_first(ballot, judged, orders),
        "n_chars_a": reply_a.n_chars if reply_a else None,
        "n_chars_b": reply_b.n_chars if reply_b else None,
        "style": _more_marks(reply_a, reply_b),
        "quarantined": quarantined,
    }


def _voted_first(ballot: Ballot, judged: bool, orders: Orders) -> int | None:
    if orders == "unrecorded":
        return None
    return ballot.n_votes_first if judged else 0


def _settled(
    ballot: Ballot, reply_a: JudgedReply | None, reply_b: JudgedReply | None, one_order: bool
) -> tuple[str, float]:
    """Category and model_a's score, after the failures of either side."""
    if ballot is AWAITED:
        return ballot.category, math.nan
    failures = [reply.failure if reply else None for reply in (reply_a, reply_b)]
    if "left_out" in failures:
        return "missing", math.nan
    if failures == ["forfeits", "forfeits"]:
        return "both_failed", math.nan
    if failures[0] == "forfeits":
        return "forfeit_a", 0.0
    if failures[1] == "forfeits":
        return "forfeit_b", 1.0
    first, second = ballot.scores
    if one_order and sum(ballot.has_order) == 1:
        return ballot.category, second if math.isnan(first) else first
    return ballot.category, (first + second) / 2  # NaN where an order lacks votes


def _more_marks(one: JudgedReply | None, two: JudgedReply | None) -> dict[str, float] | None:
    """Marks in the first reply beyond those in the second, by kind; None where not counted."""
    if one is None or two is None or one.marks is None or two.marks is None:
        return None
    return {name: float(n - two.marks[name]) for name, n in sorted(one.marks.items())}


def _half_counts(score: float, n_orders: int) -> int | None:
    """The score in half wins of both orders, where it is a whole number of them."""
    halves = score * 2 * n_orders
    return int(halves) if n_orders == 2 and halves == int(halves) else None
