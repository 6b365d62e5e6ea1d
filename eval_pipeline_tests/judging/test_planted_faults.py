"""Faults that were planted by hand and once passed unseen: each fails a test here."""

from eval_pipeline.judging.pairs.swap import combine_votes, with_planned
from eval_pipeline_tests.judging.votes import A, B, vote_rows, vote_table


def test_a_plan_of_one_order_misses_no_vote_of_the_other() -> None:
    """Each pair is due in one order, whichever it is; only what nobody cast is missing."""
    rows = [vote_rows("owl", "i0", [A], []), vote_rows("owl", "i1", [], [B])]
    cast = combine_votes(vote_table(rows))
    planned = {(item, "heron@1", "tern@1"): item for item in ("i0", "i1", "i2")}
    pairs = with_planned(cast, ["owl"], planned, orders="one")
    assert dict(zip(pairs.item_id, pairs.n_missing.tolist(), strict=True)) == {
        "i0": 0,
        "i1": 0,
        "i2": 1,
    }
    assert pairs.n_expected.tolist() == [1, 1, 1]
