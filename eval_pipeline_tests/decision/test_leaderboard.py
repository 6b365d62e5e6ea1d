"""The leaderboard: what its rows are put together from, and what they say."""

from dataclasses import replace

import pytest

from eval_pipeline.decision.headline import BoardEndpoint
from eval_pipeline.decision.leaderboard import BoardTables, BoardTerms, Judged, board_rows
from eval_pipeline.decision.twins import twins
from eval_pipeline.warehouse.schemas import TABLES

VERIFIED = BoardTerms(BoardEndpoint("pass@1", "verifier", True), "item_id", 0.95, 10, draft=False)
JUDGED = replace(VERIFIED, endpoint=BoardEndpoint("win_rate", "judge", True))
EVEN = replace(VERIFIED, endpoint=BoardEndpoint("length_controlled_win_rate", "judge", True))
SCORED = replace(VERIFIED, endpoint=BoardEndpoint("judge_score", "scores", True))
FIELDS = {
    "run_manifest": "manifest",
    "metric_estimates": "estimates",
    "judge_score_estimates": "scores",
    "length_controlled_win_rates": "rates",
    "paired_comparisons": "comparisons",
    "contamination_delta": "deltas",
    "decisions": "decisions",
}
LICENSED = Judged("the licensed judges", ("stern", "wren"))


def manifest(*names, **weights):
    dates = {name: f"2026-01-0{i}" for i, name in enumerate(names, 1)}
    rows = [{"checkpoint": n, "field": "date", "value": d} for n, d in dates.items()]
    return rows + [
        {"checkpoint": n, "field": "weights_digest", "value": d} for n, d in weights.items()
    ]


def estimate(checkpoint, value, **changes):
    return {
        "checkpoint": checkpoint,
        "metric": "pass@1",
        "slice": "all",
        "policy": "primary",
        "value": value,
        "se": 0.1,
        "ci_low": None if value is None else value - 0.2,
        "ci_high": None if value is None else value + 0.2,
        "ci_method": "t",
        "confidence": 0.95,
        "unit": "item_id",
        "n_units": 9,
        "n_items": 10,
        "n_samples": 20,
        "n_excluded": 1,
        "bound_low": 0.1,
        "bound_high": 0.9,
        "aggregation": "plainly",
        "instrument": "pass_at_k@1",
        "status": "ok" if value is not None else "undefined",
        "reason": None if value is not None else "nothing was scored",
        "measured_in": "share",
        "higher_is_better": True,
    } | changes


def difference(checkpoint, value, **changes):
    return {
        "checkpoint": checkpoint,
        "baseline": "a",
        "role": "reference",
        "metric": "win_rate",
        "slice": "all",
        "difference": value,
        "se": 0.1,
        "ci_low": value - 0.1,
        "ci_high": value + 0.1,
        "ci_method": "t",
        "confidence": 0.95,
        "n_shared": 8,
        "n_unshared": 2,
        "n_clusters": 7,
        "bound_low": None,
        "bound_high": None,
        "status": "ok",
        "reason": None,
    } | changes


def decision(checkpoint, outcome="ship", code="superior", reference="a"):
    return {
        "checkpoint": checkpoint,
        "outcome": outcome,
        "reason_code": code,
        "reason": f"it is {code}",
        "reference": reference,
    }


def rows(terms, tables, judged=None, replies=None, gone=()):
    given = BoardTables(**{FIELDS[name]: found for name, found in tables.items()})
    made = board_rows(terms, given, judged or Judged(), replies or {}, gone)
    table = TABLES["leaderboard"].from_rows(made)  # every column has its type, none is unknown
    assert table.num_rows == len(made)
    return {row["checkpoint"]: row for row in table.to_pylist()}


def test_every_checkpoint_has_a_row_and_the_best_value_comes_first() -> None:
    tables = {
        "run_manifest": manifest("a", "b", "c", "d"),
        "metric_estimates": [
            estimate("a", 0.4),
            estimate("b", 0.6),
            estimate("c", None),
            estimate("b", 0.9, policy="valid_only"),
            estimate("b", 0.9, metric="pass@8"),
        ],
        "decisions": [decision("b")],
    }
    board = rows(VERIFIED, tables)
    assert [row["checkpoint"] for row in board.values()] == ["b", "a", "c", "d"]
    assert [row["place"] for row in board.values()] == [1, 2, 3, 4]
    assert (board["b"]["value"], board["b"]["n_items"], board["b"]["n_total"]) == (0.6, 10, 10)
    assert (board["b"]["outcome"], board["b"]["decision_reason"]) == ("ship", "it is superior")
    assert board["b"]["terms"] == "averaged plainly; 95% intervals, clustered by item_id; " + (
        "pass_at_k@1"
    )
    assert board["c"]["reason"] == "nothing was scored"
    assert (board["d"]["value"], board["d"]["reason"]) == (None, "there is no number of it")
    assert board["b"]["jury"] is board["b"]["votes_pending"] is None


def test_where_less_is_better_the_least_comes_first_and_the_most_is_the_worst_slice() -> None:
    terms = replace(VERIFIED, endpoint=BoardEndpoint("pass@1", "columns", False))
    estimates = [
        estimate("a", 0.4),
        estimate("b", 0.6),
        estimate("a", 0.3, slice="topic=x"),
        estimate("a", 0.7, slice="topic=y"),
        estimate("a", None, slice="topic=z"),
    ]
    board = rows(terms, {"run_manifest": manifest("a", "b"), "metric_estimates": estimates})
    assert list(board) == ["a", "b"]
    assert (board["a"]["worst_slice"], board["a"]["worst_value"]) == ("topic=y", 0.7)
    assert board["b"]["worst_slice"] is None
    undirected = replace(VERIFIED, endpoint=BoardEndpoint("pass@1", "columns", None))
    board = rows(undirected, {"run_manifest": manifest("a", "b"), "metric_estimates": estimates})
    assert board["a"]["worst_slice"] is None


def test_a_judged_board_says_against_whom_and_by_which_jury() -> None:
    tables = {
        "run_manifest": manifest("a", "b"),
        "paired_comparisons": [
            difference("b", 0.2),
            difference("b", 0.1, slice="topic=x"),
            difference("b", 0.5, role="parent"),
        ],
        "decisions": [decision("a", "reference", "is_reference", None), decision("b")],
    }
    board = rows(
        JUDGED, tables, replace(LICENSED, pending={"b": "3 of 6 votes of stern are not cast yet"})
    )
    b, a = board["b"], board["a"]
    assert b["quantity"] == "win_rate minus one half, against a"
    assert (b["value"], b["reference"], b["n_samples"], b["n_excluded"]) == (0.2, "a", None, 2)
    assert (b["worst_slice"], b["votes_pending"]) == (
        "topic=x",
        "3 of 6 votes of stern are not cast yet",
    )
    assert b["jury"] == "the licensed judges: stern, wren"
    assert b["terms"].startswith("mean of the licensed judges, both seating orders; 95% intervals")
    assert (a["value"], a["reason"]) == (None, "the others are held against it")
    one = rows(replace(JUDGED, orders="one"), tables, LICENSED)["b"]
    assert "one seating order of each pair" in one["terms"]


def test_rates_at_equal_length_are_those_of_the_panel() -> None:
    row = {
        **difference("b", 0.0),
        "judge": "panel",
        "model": "b",
        "length_controlled": 0.7,
        "n_items": 8,
        "n_missing": 1,
    }
    tables = {
        "run_manifest": manifest("a", "b"),
        "length_controlled_win_rates": [
            row,
            {**row, "judge": "wren", "length_controlled": 0.9},
            {**row, "model": "a", "length_controlled": 0.5},
        ],
    }
    board = rows(EVEN, tables, LICENSED)
    assert board["b"]["value"] == 0.7
    assert board["a"]["value"] is None
    assert board["b"]["quantity"] == "length_controlled_win_rate against a"


def test_scores_are_those_of_the_panel_and_in_their_unit() -> None:
    scored = estimate("a", 3.5, metric="judge_score", measured_in="points, 1 to 5", judge="panel")
    tables = {
        "run_manifest": manifest("a"),
        "judge_score_estimates": [scored, {**scored, "judge": "wren", "value": 1.0}],
    }
    board = rows(SCORED, tables, LICENSED)
    assert board["a"]["value"] == 3.5
    assert board["a"]["terms"].endswith("pass_at_k@1, points, 1 to 5")


def test_a_quarantine_stands_in_every_row_with_its_scope_and_reason() -> None:
    tables = {"run_manifest": manifest("a"), "metric_estimates": [estimate("a", 0.4)]}
    reason = "no judge of single replies holds a licence: a guardrail rests on it"
    row = rows(VERIFIED, tables, Judged(quarantined={"decision": reason}))["a"]
    assert (row["quarantined"], row["quarantine_scope"]) == (True, "decision")
    assert row["quarantine_reason"] == reason
    both = {"decision": "why not", "board": "why"}
    row = rows(VERIFIED, tables, Judged(quarantined=both))["a"]
    assert (row["quarantine_scope"], row["quarantine_reason"]) == ("board", "why")
    assert not rows(VERIFIED, tables)["a"]["quarantined"]


def test_shares_that_nobody_judged_stand_in_the_row() -> None:
    tables = {
        "run_manifest": manifest("a"),
        "metric_estimates": [
            estimate("a", 0.4),
            estimate("a", 0.03, metric="parser_failure_rate"),
            estimate("a", 0.9, metric="parser_failure_rate", slice="topic=x"),
        ],
    }
    row = rows(VERIFIED, tables)["a"]
    assert (row["parser_failure"], row["undecided"]) == (0.03, None)


def test_what_is_gone_keeps_its_number_and_is_marked() -> None:
    tables = {
        "run_manifest": manifest("a", "b"),
        "metric_estimates": [estimate("a", 0.4), estimate("b", 0.6)],
        "decisions": [decision("a")],
    }
    board = rows(VERIFIED, tables, gone=["b"])
    assert (board["b"]["gone"], board["b"]["value"], board["b"]["outcome"]) == (True, 0.6, None)
    assert not board["a"]["gone"]
    judged = {"run_manifest": manifest("a", "b"), "paired_comparisons": []}
    lost = rows(JUDGED, judged, LICENSED, gone=["b"])["b"]
    assert lost["reason"].startswith("gone from disk")


def test_a_reference_that_is_gone_is_said() -> None:
    tables = {"run_manifest": manifest("a", "b", "c"), "decisions": [decision("c")]}
    said = rows(VERIFIED, tables, gone=["a"])["c"]["remarks"]
    assert said == ["its reference a is gone from disk"]
    tables["decisions"] = [decision("c", reference="never@seen")]
    assert rows(VERIFIED, tables)["c"]["remarks"] == ["its reference never@seen is gone from disk"]


def test_an_older_one_that_is_gone_may_have_been_the_reference() -> None:
    tables = {"run_manifest": manifest("a", "b", "c"), "decisions": [decision("c", reference="b")]}
    (said,) = rows(VERIFIED, tables, gone=["a"])["c"]["remarks"]
    assert said == (
        "a, older than its reference b and gone from disk, may have been the reference before"
    )
    assert rows(replace(VERIFIED, follows=False), tables, gone=["a"])["c"]["remarks"] == []
    assert rows(VERIFIED, tables)["c"]["remarks"] == []
    tables["decisions"] = [decision("b", "reference", "is_reference", None)]
    (said,) = rows(VERIFIED, tables, gone=["a"])["b"]["remarks"]
    assert said == "a, older than it and gone from disk, may have been the reference before"


def test_twins_are_remarked_in_both_rows() -> None:
    tables = {"run_manifest": manifest("a", "b", "c", a="sha256:1", b="sha256:1", c="sha256:2")}
    board = rows(VERIFIED, tables, replies={"b": "x", "c": "x"})
    assert board["a"]["twins"] == ["b"]
    assert board["b"]["twins"] == ["a", "c"]
    assert board["b"]["remarks"] == [
        "the same weights as a",
        "the same reply to every item as c",
    ]


@pytest.mark.parametrize(
    ("weights", "replies", "found"),
    [
        ({}, {}, {}),
        ({"a": "1", "b": "2"}, {"a": "x", "b": "y"}, {}),
        ({"a": "1"}, {"b": "1"}, {}),  # the one says nothing of the other
    ],
)
def test_what_is_not_shared_makes_no_twins(weights, replies, found) -> None:
    assert twins(weights, replies) == found


def test_twins_share_what_is_said_of_them() -> None:
    found = twins({"a": "1", "b": "1"}, {"a": "x", "b": "x"})
    words = ["the same weights as", "the same reply to every item as"]
    assert found == {"a": {"b": words}, "b": {"a": words}}
