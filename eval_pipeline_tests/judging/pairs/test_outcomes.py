"""Outcomes of planned pairs: failures of either side, missing votes, the panel."""

from typing import Any

import numpy as np
import pytest

from eval_pipeline.judging.audits.swap_report import position_effect
from eval_pipeline.judging.pairs.outcomes import ballots, outcome_rows
from eval_pipeline.judging.pairs.replies import JudgedReply
from eval_pipeline.judging.pairs.swap import combine_votes, with_planned
from eval_pipeline.judging.standing import Panel, panel_of
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.judging.votes import TIE, UNKNOWN, A, B, vote_rows, vote_table

ONE, OTHER = "heron@1", "tern@1"
FINE = {(ONE, "i1"): JudgedReply(120), (OTHER, "i1"): JudgedReply(80)}
PLANNED = {("i1", ONE, OTHER): "c1"}


def jury(judges: tuple[str, ...], licensed: tuple[str, ...]) -> Panel:
    row = {"slice": "all", "outcome": "licensed", "reason": ""}
    until = {"reaudit_by": None, "suspended_on": None}
    return panel_of(judges, [{"judge": one, **row, **until} for one in licensed])


def outcomes(
    votes: dict[str, tuple[list[Any], list[Any]]],
    licensed: tuple[str, ...] = ("stern",),
    replies: dict[tuple[str, str], JudgedReply] = FINE,
    judges: tuple[str, ...] = ("kindly", "stern"),
) -> dict[str, dict[str, Any]]:
    rows = [vote_rows(judge, "i1", *both, cluster="c1") for judge, both in votes.items()]
    found = ballots(combine_votes(vote_table(rows)))
    made = outcome_rows(PLANNED, found, judges, jury(judges, licensed), replies)
    TABLES["pair_outcomes"].from_rows(made)
    return {row["judge"]: row for row in made}


def test_each_order_keeps_its_score() -> None:
    row = outcomes({"stern": ([A, A], [A, B])})["stern"]
    assert (row["category"], row["score_a"]) == ("mixed", 0.75)
    assert (row["score_a_first"], row["score_a_second"]) == (1.0, 0.5)
    assert (row["half_counts"], row["n_orders"], row["n_votes"]) == (3, 2, 4)
    assert (row["n_chars_a"], row["n_chars_b"]) == (120, 80)
    assert row["quarantined"] is False


def test_half_wins_are_whole_numbers_or_absent() -> None:
    assert outcomes({"stern": ([A], [TIE])})["stern"]["half_counts"] == 3
    assert outcomes({"stern": ([A, A, B], [A])})["stern"]["half_counts"] is None


def test_one_order_gives_no_score() -> None:
    row = outcomes({"stern": ([A], [UNKNOWN])})["stern"]
    assert row["category"] == "single_order"
    assert np.isnan(row["score_a"])
    assert (row["score_a_first"], row["n_orders"]) == (1.0, 1)


def test_a_planned_pair_without_votes_is_missing() -> None:
    row = outcomes({"stern": ([A], [A])})["kindly"]
    assert (row["category"], row["n_votes"], row["cluster_id"]) == ("missing", 0, "c1")
    assert row["quarantined"] is True


@pytest.mark.parametrize(
    ("failure_a", "failure_b", "category", "score"),
    [
        ("forfeits", None, "forfeit_a", 0.0),
        (None, "forfeits", "forfeit_b", 1.0),
        ("forfeits", "forfeits", "both_failed", np.nan),
        ("left_out", None, "missing", np.nan),
        ("left_out", "forfeits", "missing", np.nan),
    ],
)
def test_a_failed_reply_settles_the_pair_whatever_the_votes(
    failure_a: Any, failure_b: Any, category: str, score: float
) -> None:
    replies = {(ONE, "i1"): JudgedReply(0, failure_a), (OTHER, "i1"): JudgedReply(80, failure_b)}
    row = outcomes({"stern": ([A], [A])}, replies=replies)["stern"]
    assert row["category"] == category
    assert row["score_a"] == pytest.approx(score, nan_ok=True)
    assert np.isnan([row["score_a_first"], row["score_a_second"]]).all()
    assert (row["n_orders"], row["n_votes"], row["half_counts"]) == (0, 0, None)


def test_the_panel_is_the_mean_of_the_licensed() -> None:
    votes = {"kindly": ([B], [B]), "stern": ([A], [A]), "third": ([A], [B])}
    judges = ("kindly", "stern", "third")
    row = outcomes(votes, licensed=("stern", "third"), judges=judges)["panel"]
    assert (row["score_a"], row["score_a_first"], row["score_a_second"]) == (0.75, 1.0, 0.5)
    assert (row["category"], row["quarantined"], row["n_votes"]) == ("mixed", False, 4)


def test_members_who_all_say_the_same_give_the_panel_their_category() -> None:
    votes = {"kindly": ([A], [B]), "stern": ([A], [B])}
    row = outcomes(votes, licensed=("kindly", "stern"))["panel"]
    assert row["category"] == "flipped"


def test_without_a_licence_the_panel_is_everyone_and_quarantined() -> None:
    row = outcomes({"kindly": ([B], [B]), "stern": ([A], [A])}, licensed=())["panel"]
    assert (row["score_a"], row["quarantined"]) == (0.5, True)


def test_the_panel_has_no_score_where_a_member_is_silent() -> None:
    votes: dict[str, tuple[list[Any], list[Any]]]
    votes = {"kindly": ([B], [UNKNOWN]), "stern": ([A], [A])}
    row = outcomes(votes, licensed=("kindly", "stern"))["panel"]
    assert row["category"] == "single_order"
    assert np.isnan(row["score_a"])
    assert row["score_a_first"] == 0.5


def test_a_judge_called_panel_is_refused() -> None:
    with pytest.raises(ValueError, match="may not be called 'panel'"):
        outcomes({}, judges=("panel",))


def test_one_order_by_design_gives_the_pair_its_score() -> None:
    rows = [vote_rows("stern", "i1", [A, A, B], [], cluster="c1")]
    found = ballots(combine_votes(vote_table(rows)))
    panel = jury(("stern",), ())
    (row, _) = outcome_rows(PLANNED, found, ("stern",), panel, FINE, orders="one")[::-1]
    assert row["score_a"] == pytest.approx(2 / 3)
    assert (row["category"], row["n_orders"]) == ("single_order", 1)
    assert (row["n_votes"], row["n_votes_first"], row["half_counts"]) == (3, 3, None)


def test_a_score_in_no_known_order_is_one_of_no_order() -> None:
    rows = [vote_rows("stern", "i1", [A, TIE], [], cluster="c1")]
    votes = vote_table(rows)
    place = votes.schema.get_field_index("slot_order")
    votes = votes.set_column(place, "slot_order", [["unrecorded"] * 2])
    found = ballots(combine_votes(votes))
    panel = jury(("stern",), ())
    (row, _) = outcome_rows(PLANNED, found, ("stern",), panel, FINE, orders="unrecorded")[::-1]
    assert (row["score_a"], row["category"], row["n_votes"]) == (0.75, "single_order", 2)
    assert np.isnan([row["score_a_first"], row["score_a_second"]]).all()
    assert row["n_votes_first"] is None
    pairs = with_planned(combine_votes(votes), ["stern"], {}, orders="unrecorded")
    assert pairs.seat.tolist() == [0]
    effect = position_effect(pairs, 0.95)
    assert (effect.could_run, effect.n_votes) == (False, 0)
    assert "nobody recorded" in str(effect.estimate.reason)


def test_chances_take_the_place_of_verdicts_where_the_contract_says_so() -> None:
    rows = [vote_rows("stern", "i1", [A, B], [A], cluster="c1")]
    made = vote_table(rows)
    place = made.schema.get_field_index("prob_a")
    chances = made.set_column(place, "prob_a", [[0.9, 0.4, 0.7]])
    pairs = combine_votes(chances, by_probability=True)
    np.testing.assert_allclose(pairs.order_scores, [[0.65, 0.7]])
    assert pairs.category.tolist() == ["mixed"]
    assert len(pairs.where(np.array([False])).order_scores) == 0
    lost = made.set_column(place, "prob_a", [[0.9, None, 0.7]])
    with pytest.raises(ValueError, match=r"judge 'stern' gives no chance for .* on item 'i1'"):
        combine_votes(lost, by_probability=True)
