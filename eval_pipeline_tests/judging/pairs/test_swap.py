"""Votes in both orders as one row a pair, against a slow twin written from the definitions."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.judging.pairs.swap import JudgedPairs, combine_votes, with_planned
from eval_pipeline_tests.judging.votes import TIE, UNKNOWN, A, B, vote_rows, vote_table

SCORE = {A: 1.0, TIE: 0.5, B: 0.0}
verdicts = st.sampled_from([A, B, TIE, UNKNOWN])
orders = st.lists(verdicts, max_size=3)
judged = st.dictionaries(
    st.tuples(st.sampled_from(["kindly", "stern"]), st.sampled_from(["i1", "i2", "i3"])),
    st.tuples(orders, orders).filter(lambda both: bool(both[0] or both[1])),
    min_size=1,
)


def naive(first: list[Any], second: list[Any]) -> dict[str, Any]:
    """What two lists of votes say together, vote by vote."""
    both = [[v for v in votes if v is not None] for votes in (first, second)]
    means = [np.mean([SCORE[v] for v in votes]) if votes else np.nan for votes in both]
    flips = [{one, other} == {A, B} for one, other in product(*both)]
    repeats = [
        np.mean([{one, other} == {A, B} for one, other in combinations(votes, 2)])
        if len(votes) > 1
        else np.nan
        for votes in both
    ]
    kinds = [set(votes) for votes in both]
    if not both[0] and not both[1]:
        category = "missing"
    elif not both[0] or not both[1]:
        category = "single_order"
    elif kinds[0] == kinds[1] and len(kinds[0]) == 1:
        category = {A: "consistent_a", B: "consistent_b", TIE: "tie"}[kinds[0].copy().pop()]
    elif kinds in ([{A}, {B}], [{B}, {A}]):
        category = "flipped"
    else:
        category = "mixed"
    return {
        "category": category,
        "score": (means[0] + means[1]) / 2,
        "position": (means[0] - means[1]) / 2,
        "swap_flip": np.mean(flips) if flips else np.nan,
        "repeat_flip": (repeats[0] + repeats[1]) / 2,
        "n_missing": sum(
            max(len(all_), 1) - len(ok) for all_, ok in zip((first, second), both, strict=True)
        ),
        "n_expected": max(len(first), 1) + max(len(second), 1),
    }


@given(judged)
def test_every_reading_agrees_with_the_definitions(votes: dict[Any, Any]) -> None:
    pairs = combine_votes(vote_table(vote_rows(*key, *both) for key, both in votes.items()))
    assert list(zip(pairs.judge, pairs.item_id, strict=True)) == sorted(votes)
    for i, key in enumerate(sorted(votes)):
        for name, expected in naive(*votes[key]).items():
            mine = getattr(pairs, name)[i]
            if isinstance(expected, str):
                assert mine == expected
            else:
                assert mine == pytest.approx(expected, nan_ok=True), name


def of(first: list[Any], second: list[Any]) -> JudgedPairs:
    return combine_votes(vote_table([vote_rows("stern", "i1", first, second)]))


def test_a_missing_order_leaves_the_score_undefined_and_never_half() -> None:
    pairs = of([A], [UNKNOWN])
    assert pairs.category == ["single_order"]
    assert np.isnan(pairs.score[0])
    np.testing.assert_array_equal(pairs.order_scores, [[1.0, np.nan]])


def test_disagreeing_orders_are_no_tie_though_they_score_the_same() -> None:
    flipped, tie = of([A], [B]), of([TIE], [TIE])
    assert flipped.score[0] == tie.score[0] == 0.5
    assert (flipped.category[0], tie.category[0]) == ("flipped", "tie")


def test_consistent_inconsistent_and_missing_are_counted_apart() -> None:
    said = [of([A], [TIE]), of([A], [B]), of([A], [UNKNOWN])]
    assert [one.category[0] for one in said] == ["mixed", "flipped", "single_order"]


def test_an_order_that_was_never_recorded_is_a_missing_vote() -> None:
    pairs = of([A, A], [])
    assert (pairs.n_missing[0], pairs.n_expected[0]) == (1, 3)


def test_order_of_rows_changes_nothing() -> None:
    rows = [vote_rows("stern", f"i{i}", [A, B], [B]) for i in range(5)]
    one = combine_votes(vote_table(rows))
    other = combine_votes(vote_table(reversed([list(reversed(some)) for some in rows])))
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.item_id, other.item_id)


def test_no_votes_make_no_pairs() -> None:
    assert len(combine_votes(vote_table([]))) == 0


def test_a_usable_vote_without_verdict_is_refused_by_name() -> None:
    rows = [dict(row, status="ok") for row in vote_rows("stern", "i1", [UNKNOWN], [A])]
    with pytest.raises(ValueError, match=r"judge 'stern', item_id 'i1'.*verdict None"):
        combine_votes(vote_table([rows]))


def test_an_item_in_two_clusters_is_refused_by_name() -> None:
    rows = vote_rows("stern", "i1", [A], [], cluster="x") + vote_rows(
        "stern", "i1", [], [B], cluster="y"
    )
    with pytest.raises(ValueError, match=r"item 'i1' lies in clusters 'x' and 'y'"):
        combine_votes(vote_table([rows]))


def test_excess_flips_are_the_squared_position_effect_of_a_judge_without_ties() -> None:
    rng = np.random.default_rng(5)
    n, chances = 40_000, (0.7, 0.4)
    counts = np.zeros((n, 2, 3), dtype=np.int64)
    for order, p in enumerate(chances):
        wins = rng.binomial(2, p, size=n)
        counts[:, order, 0], counts[:, order, 1] = wins, 2 - wins
    names = np.array(["x"] * n, dtype=object)
    pairs = JudgedPairs(names, names, names, names, names, counts, counts.sum(axis=2))
    excess = pairs.swap_flip - pairs.repeat_flip
    assert excess.mean() == pytest.approx(0.3**2, abs=4 * excess.std() / np.sqrt(n))


def test_where_one_order_is_shown_by_design_the_other_is_not_missing() -> None:
    voted = combine_votes(vote_table([vote_rows("stern", "i1", [A], [])]))
    planned = {(item, "heron@1", "tern@1"): item for item in ("i1", "i2")}
    for one_order, missing, expected in ((True, [0, 1], [1, 1]), (False, [1, 2], [2, 2])):
        pairs = with_planned(voted, ["stern"], planned, orders="one" if one_order else "both")
        assert pairs.item_id.tolist() == ["i1", "i2"]
        assert pairs.n_missing.tolist() == missing
        assert pairs.n_expected.tolist() == expected
