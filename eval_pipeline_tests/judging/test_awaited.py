"""Checkpoints land in any order and their votes with any delay: what is settled stays as it is."""

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.judging.awaited import Casting, awaited_pairs, pending, waiting_pairs
from eval_pipeline.judging.pairs.replies import JudgedReply

NAMES, ITEMS = ("c1", "c2", "c3"), ("i1", "i2", "i3")
CASTING = Casting("pairs", ("owl",), 2, 0.0)
PLAN = [(name, item, "base", name) for name in NAMES for item in ITEMS]
VOTES = [(*pair, order) for pair in PLAN for order in ("a_first", "b_first")]
REPLIES = {(model, item): JudgedReply(100) for model in ("base", *NAMES) for item in ITEMS}
PLAN_COLUMNS = ("checkpoint", "item_id", "model_a", "model_b")


def table(rows, names):
    typed = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)}
    return pa.table(typed)


def state(landed, cast):
    """Rows of `awaited_votes`, and the pairs that wait, once these have landed and are cast."""
    plan = table([pair for pair in PLAN if pair[0] in landed], PLAN_COLUMNS)
    votes = table(
        [("owl", *vote[1:]) for vote in VOTES if vote in cast],
        ("judge", "item_id", "model_a", "model_b", "slot_order"),
    )
    rows = awaited_pairs(plan, votes, REPLIES, CASTING)
    return {row["checkpoint"]: row for row in rows}, waiting_pairs(plan, rows)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.permutations([*NAMES, *VOTES]))
def test_what_is_settled_moves_with_nothing_that_lands_later(events):
    final, _ = state(set(NAMES), set(VOTES))
    landed, cast = set(), set()
    settled = {}
    for event in events:
        (landed if event in NAMES else cast).add(event)
        rows, waits = state(landed, cast)
        for name in landed:
            lacking = {vote for vote in VOTES if vote[0] == name} - cast
            assert (("owl", name) in pending(rows.values(), "pairs")) == bool(lacking)
            assert any(pair[-1] == name for pair in waits) == bool(lacking)
            assert settled.get(name, rows[name]) == rows[name]  # decided before: as it was
            if not lacking:
                settled[name] = rows[name]
    assert rows == final == settled
    assert not waits


def test_a_judge_is_due_what_it_recorded_where_that_is_the_plan():
    plan = table(PLAN, PLAN_COLUMNS)
    voted = [("owl", *VOTES[0][1:]), ("owl", *VOTES[1][1:]), ("yak", *VOTES[2][1:])]
    votes = table(voted, ("judge", "item_id", "model_a", "model_b", "slot_order"))
    casting = Casting("pairs", ("owl", "yak"), 2, 0.0, own=True)
    rows = awaited_pairs(plan, votes, REPLIES, casting)
    found = {(row["judge"], row["checkpoint"]): (row["n_due"], row["n_cast"]) for row in rows}
    assert found["owl", "c1"] == (2, 2)
    assert found["yak", "c1"] == (2, 1)
    assert found["owl", "c2"] == (0, 0)
    assert pending(rows, "pairs") == {("yak", "c1")}
