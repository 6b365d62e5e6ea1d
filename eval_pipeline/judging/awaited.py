"""Which votes and scores are due and not yet cast: `awaited_votes`.

What has no row was not cast, and is no failure of the judge. A judge that has cast nearly all that
is due on a checkpoint is done with it, and the few that lack are missing; before that its votes
there are pending: they enter no audit, no licence and no fit, so that a checkpoint which lands
ahead of its votes moves nobody else's numbers.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from eval_pipeline.judging.pairs.replies import Replies
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.rows import Bools
from eval_pipeline.judging.standing import Form
from eval_pipeline.rows.judgments import AwaitedVotesRow

PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class Casting:
    """How much each judge is to cast.

    judges: of one form. orders: seating orders of a pair that are due; 1 for scores. tolerance:
    the largest share that may lack where a judge is done: the contract's missing_rate. A judge
    has seen a pair in an order, or a reply, once it has cast a single vote there; who repeats
    votes may do so on some of them. own: a pair is due of a judge only where it cast a vote on it:
    the plan is what each of them recorded.
    """

    form: Form
    judges: Sequence[str]
    orders: int
    tolerance: float
    own: bool = False


def awaited_pairs(
    plan: pa.Table, votes: pa.Table, replies: Replies, casting: Casting
) -> list[dict[str, object]]:
    """Rows of `awaited_votes` for judges of pairs: each judge and checkpoint.

    plan: `pair_plan` of all checkpoints; a pair is its later checkpoint's. A pair of which a
    reply failed is not due; one of which a reply was not drawn yet is.
    """
    names = ("checkpoint", "item_id", "model_a", "model_b")
    owner: dict[PairKey, str] = {}
    unanswered: Counter[str] = Counter()
    for checkpoint, item, a, b in zip(*(plan[name].to_pylist() for name in names), strict=True):
        sides = [replies.get((model, item)) for model in (a, b)]
        if any(side is not None and side.failure is not None for side in sides):
            continue
        owner[item, a, b] = checkpoint
        unanswered[checkpoint] += None in sides
    columns = ("judge", "item_id", "model_a", "model_b", "slot_order")
    seen = {
        # where one order is due, a vote in either is it
        (judge, (item, a, b), order if casting.orders > 1 else "")
        for judge, item, a, b, order in zip(
            *(votes[name].to_pylist() for name in columns), strict=True
        )
    }
    done = Counter((judge, owner[pair]) for judge, pair, _ in seen if pair in owner)
    due: dict[tuple[str, str], int] = {}
    for judge in casting.judges:
        voted = {pair for one, pair, _ in seen if one == judge} if casting.own else owner.keys()
        pairs = Counter(checkpoint for pair, checkpoint in owner.items() if pair in voted)
        due |= {(judge, checkpoint): n * casting.orders for checkpoint, n in pairs.items()}
    return _rows(plan["checkpoint"].unique().to_pylist(), due, done, unanswered, casting)


def awaited_scores(
    due_replies: Iterable[tuple[str, str]],
    undrawn: Iterable[tuple[str, str]],
    scores: pa.Table,
    casting: Casting,
) -> list[dict[str, object]]:
    """Rows of `awaited_votes` for judges of single replies.

    due_replies: (checkpoint, item) of each reply that did not fail; undrawn: of each that was not
    drawn yet. scores: `judge_scores` of all checkpoints.
    """
    drawn, lacking = set(due_replies), set(undrawn)
    wanted = drawn | lacking
    columns = ("judge", "checkpoint", "item_id")
    seen = set(zip(*(scores[name].to_pylist() for name in columns), strict=True))
    done = Counter((judge, one) for judge, one, item in seen if (one, item) in wanted)
    replies = Counter(checkpoint for checkpoint, _ in wanted)
    due = {(judge, one): n for judge in casting.judges for one, n in replies.items()}
    unanswered = Counter(checkpoint for checkpoint, _ in lacking)
    return _rows(sorted(replies), due, done, unanswered, casting)


def _rows(
    checkpoints: Iterable[str],
    due: Mapping[tuple[str, str], int],
    done: Mapping[tuple[str, str], int],
    unanswered: Mapping[str, int],
    casting: Casting,
) -> list[dict[str, object]]:
    rows = []
    for judge in sorted(casting.judges):
        for checkpoint in sorted(checkpoints):
            n_due, n_cast = (found.get((judge, checkpoint), 0) for found in (due, done))
            rows.append(
                {
                    "judge": judge,
                    "checkpoint": checkpoint,
                    "form": casting.form,
                    "n_due": n_due,
                    "n_cast": n_cast,
                    "n_unanswered": unanswered.get(checkpoint, 0),
                    "pending": n_due - n_cast > casting.tolerance * n_due,
                }
            )
    return rows


def pending(rows: Iterable[AwaitedVotesRow], form: Form) -> frozenset[tuple[str, str]]:
    """(judge, checkpoint) of what is pending, from rows of `awaited_votes`."""
    return frozenset(
        (row["judge"], row["checkpoint"]) for row in rows if row["pending"] and row["form"] == form
    )


def not_pending(pairs: JudgedPairs, plan: pa.Table, waits: Collection[tuple[str, str]]) -> Bools:
    """Whether each judged pair is of a checkpoint that its judge is done with.

    plan: `pair_plan`; a pair outside it belongs to no checkpoint. waits: of `pending`.
    """
    if not waits:
        return np.ones(len(pairs), dtype=bool)
    names = ("item_id", "model_a", "model_b")
    keys = zip(*(plan[name].to_pylist() for name in names), strict=True)
    owner = dict(zip(keys, plan["checkpoint"].to_pylist(), strict=True))
    columns = (pairs.judge, pairs.item_id, pairs.model_a, pairs.model_b)
    return np.array(
        [
            (judge, owner.get((item, a, b))) not in waits
            for judge, item, a, b in zip(*columns, strict=True)
        ],
        dtype=bool,
    )


def waiting_pairs(plan: pa.Table, rows: Iterable[AwaitedVotesRow]) -> dict[PairKey, frozenset[str]]:
    """Pair -> the judges whose votes on its checkpoint are pending; pairs of no such are left out.

    plan: `pair_plan`; rows: of `awaited_votes`.
    """
    judges: dict[str, set[str]] = {}
    for judge, checkpoint in pending(rows, "pairs"):
        judges.setdefault(checkpoint, set()).add(judge)
    if not judges:
        return {}
    names = ("checkpoint", "item_id", "model_a", "model_b")
    return {
        (item, a, b): frozenset(judges[checkpoint])
        for checkpoint, item, a, b in zip(*(plan[name].to_pylist() for name in names), strict=True)
        if checkpoint in judges
    }


def awaited_words(
    rows: Iterable[AwaitedVotesRow],
    checkpoint: str,
    judges: Collection[str] | None = None,
    form: Form | None = None,
) -> str | None:
    """What is awaited on a checkpoint, in a sentence; None where nothing is.

    judges, form: looks only at these.
    """
    said = []
    for row in sorted(rows, key=lambda row: (row["form"], row["judge"])):
        mine = row["checkpoint"] == checkpoint and row["pending"]
        if mine and (judges is None or row["judge"] in judges) and form in (None, row["form"]):
            what = "votes" if row["form"] == "pairs" else "scores"
            lacking = row["n_due"] - row["n_cast"]
            told = f"{lacking:,} of {row['n_due']:,} {what} of {row['judge']} are not cast yet"
            if row["n_unanswered"]:
                told += f" ({row['n_unanswered']:,} replies are not drawn yet)"
            said.append(told)
    return "; ".join(said) or None
