import json
import math

import pytest

from eval_pipeline.decision.decide import DecisionEvidence, DecisionTerms, decision_row
from eval_pipeline.decision.evidence import gather
from eval_pipeline.decision.gate import EXIT_CODES, gate
from eval_pipeline.decision.guardrails import Bar
from eval_pipeline.decision.lineup import Against, lineup, pairings
from eval_pipeline.decision.reasons import REASONS
from eval_pipeline.decision.rule import Estimated
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.schemas.vocabulary import DECISION_OUTCOMES

BETTER = Estimated(0.03, 0.01, 0.05, 400, 0.95)
UNSURE = Estimated(0.01, -0.03, 0.05, 400, 0.95)
WORSE = Estimated(-0.1, -0.15, -0.05, 400, 0.95)
LOW, MIDDLING, HIGH = (Estimated(v, v - 0.01, v + 0.01, 400, 0.95) for v in (0.02, 0.05, 0.2))
RAIL = Bar("refusal_rate", at_most=0.05)


def decided(
    difference=BETTER, *, refusals=LOW, reference="old", quarantine=None, pending=None, **terms
):
    stated = {
        "metric": "pass@1",
        "higher_is_better": True,
        "rule": "non_inferior",
        "margin": 0.02,
        "confidence": 0.95,
        "bars": (RAIL,),
        "draft": False,
        **terms,
    }
    estimates = {"refusal_rate": refusals} if refusals else {}
    evidence = DecisionEvidence(
        "new", reference, difference, 0.01, "cr1_t", estimates, quarantine, pending
    )
    row = decision_row(evidence, DecisionTerms(**stated))
    TABLES["decisions"].from_rows([row])
    return row


@pytest.mark.parametrize(
    ("given", "reason_code"),
    [
        ({}, "non_inferior"),
        ({"difference": WORSE}, "inferior"),
        ({"difference": UNSURE}, "undecided"),
        ({"refusals": HIGH}, "guardrail_violated"),
        ({"refusals": HIGH, "difference": UNSURE}, "guardrail_violated"),
        ({"refusals": MIDDLING}, "guardrail_undecided"),
        ({"refusals": MIDDLING, "difference": WORSE}, "inferior"),
        ({"refusals": MIDDLING, "difference": UNSURE}, "undecided"),
        ({"refusals": None}, "guardrail_undecided"),
        ({"draft": True}, "draft"),
        ({"draft": True, "refusals": HIGH}, "draft"),
        ({"quarantine": "none licensed"}, "quarantine"),
        ({"pending": "3 of 9 votes"}, "votes_pending"),
        ({"pending": "3 of 9 votes", "quarantine": "none licensed"}, "votes_pending"),
        ({"quarantine": "none licensed", "refusals": HIGH}, "quarantine"),
        ({"rule": None}, "no_rule"),
        ({"difference": None}, "no_comparison"),
        ({"reference": None, "difference": None}, "is_reference"),
    ],
)
def test_the_first_thing_that_settles_the_matter_decides(given, reason_code):
    row = decided(**given)
    assert row["reason_code"] == reason_code
    assert row["outcome"] == REASONS[reason_code][0]
    assert row["reason"]


def test_a_row_shows_what_it_rests_on():
    row = decided()
    assert (row["difference"], row["ci_low"], row["ci_high"]) == (0.03, 0.01, 0.05)
    assert (row["n_shared"], row["rule"], row["margin"]) == (400, "non_inferior", 0.02)
    (rail,) = json.loads(row["guardrails"])
    assert rail["metric"] == "refusal_rate"
    assert (rail["at_most"], rail["at_least"], rail["value"]) == (0.05, None, 0.02)
    assert rail["verdict"] == "satisfied"


def test_guardrails_without_an_interval_are_valid_json():
    bare = Estimated(0.02, math.nan, math.nan, 3, 0.95, "no interval: 3 clusters are too few")
    (rail,) = json.loads(decided(refusals=bare)["guardrails"])
    assert (rail["ci_low"], rail["verdict"]) == (None, "undecided")
    assert "no interval" in rail["reason"]


def test_the_items_needed_settle_every_open_question():
    alone = decided(UNSURE)["n_needed"]
    unsure_rail = Estimated(0.049, 0.029, 0.069, 400, 0.95)
    together = decided(UNSURE, refusals=unsure_rail)["n_needed"]
    assert together > alone
    assert decided(UNSURE, refusals=None)["n_needed"] is None


def comparison(checkpoint, role="reference", part="all", baseline="old", **values):
    row = {
        "difference": 0.03,
        "se": 0.01,
        "ci_low": 0.01,
        "ci_high": 0.05,
        "ci_method": "cr1_t",
        "confidence": 0.95,
        "n_shared": 400,
        "n_unshared": 0,
        "bound_low": None,
        "bound_high": None,
        "reason": None,
    }
    return {
        "checkpoint": checkpoint,
        "baseline": baseline,
        "role": role,
        "slice": part,
        **row,
        **values,
    }


def test_the_evidence_is_the_comparison_with_the_reference_on_all_items():
    rows = [
        comparison("new", "parent", difference=0.5),
        comparison("new", part="topic=x", difference=0.6),
        comparison("other", difference=0.7),
        comparison("new"),
    ]
    found = gather("new", "pass@1", rows, [], [], quarantine=None)
    assert (found.reference, found.difference.value) == ("old", 0.03)


def test_a_checkpoint_that_is_held_against_nothing_is_the_reference():
    assert gather("old", "pass@1", [comparison("new")], [], [], quarantine=None).reference is None


def test_null_ends_are_no_interval():
    rows = [comparison("new", ci_low=None, ci_high=None, ci_method=None, reason="one cluster")]
    found = gather("new", "pass@1", rows, [], [], quarantine=None)
    assert not found.difference.has_interval
    assert found.difference.reason == "one cluster"


def test_only_primary_rows_over_all_items_are_held_against_guardrails():
    def row(policy, part, value):
        return {
            "checkpoint": "new",
            "metric": "refusal_rate",
            "slice": part,
            "policy": policy,
            "value": value,
            "ci_low": 0.0,
            "ci_high": 0.1,
            "confidence": 0.95,
            "n_items": 9,
            "reason": None,
        }

    rows = [
        row("all_wrong", "all", 0.9),
        row("primary", "topic=x", 0.8),
        row("primary", "all", 0.02),
    ]
    found = gather("new", "pass@1", [comparison("new")], rows, [], quarantine=None)
    assert found.estimates["refusal_rate"].value == 0.02


def length_controlled(model="new", baseline="old", judge="panel"):
    return {
        "judge": judge,
        "model": model,
        "baseline": baseline,
        "n_items": 300,
        "length_controlled": 0.56,
        "se": 0.02,
        "ci_low": 0.52,
        "ci_high": 0.6,
        "ci_method": "delta",
        "confidence": 0.95,
        "reason": None,
    }


def test_a_rate_at_equal_length_is_held_against_one_half():
    rows = [length_controlled(judge="one"), length_controlled()]
    found = gather(
        "new", "length_controlled_win_rate", [comparison("new")], [], rows, quarantine=None
    )
    assert found.difference.value == pytest.approx(0.06)
    assert (found.difference.low, found.difference.high) == pytest.approx((0.02, 0.1))
    assert (found.difference.n_items, found.method) == (300, "delta")


def test_a_rate_against_another_baseline_compares_nothing():
    rows = [length_controlled(baseline="elder")]
    found = gather(
        "new", "length_controlled_win_rate", [comparison("new")], [], rows, quarantine=None
    )
    assert found.difference is None
    assert found.missing == "no panel win rate at equal length of new against old"


def manifest(**checkpoints):
    return [
        {"checkpoint": name, "field": field, "value": value}
        for name, facts in checkpoints.items()
        for field, value in facts.items()
    ]


def test_checkpoints_stand_by_date_and_name_and_undated_ones_last():
    rows = manifest(
        c={"date": "2026-01-01", "parent": "b"},
        b={"date": "2026-01-01", "parent": None},
        a={"date": None},
        d={"date": "2025-12-31"},
    )
    assert [entry.checkpoint for entry in lineup(rows)] == ["d", "b", "c", "a"]


def test_each_is_compared_with_its_reference_and_its_parent_where_present():
    rows = manifest(
        a={"date": "1"}, b={"date": "2", "parent": "a"}, c={"date": "3", "parent": "gone"}
    )
    found = pairings(lineup(rows), {"a": None, "b": "a", "c": "a"})
    assert found == [
        Against("b", "a", "reference"),
        Against("b", "a", "parent"),
        Against("c", "a", "reference"),
    ]


@pytest.mark.parametrize(
    ("given", "exit_code"),
    [
        ({}, 0),
        ({"difference": WORSE}, 10),
        ({"difference": UNSURE}, 11),
        ({"draft": True}, 12),
        ({"quarantine": "none licensed"}, 12),
        ({"reference": None}, 12),
    ],
)
def test_the_gate_turns_a_decision_into_an_exit_code(given, exit_code):
    row = decided(**given)
    found = gate(row)
    assert found.exit_code == exit_code
    assert found.reason_code == row["reason_code"]


def test_a_stale_decision_never_ships():
    found = gate(decided(), stale="verifier_scores of new changed")
    assert (found.exit_code, found.reason_code) == (12, "stale")
    assert found.reason == "verifier_scores of new changed"


def test_no_decision_is_blocked_and_not_shipped():
    assert gate(None).exit_code == 12
    assert gate(None).reason_code == "not_run"


@pytest.mark.parametrize("flag", ["draft", "quarantined"])
def test_a_flagged_row_is_blocked_whatever_its_outcome_says(flag):
    assert gate({**decided(), flag: True}).exit_code == 12


def test_a_row_whose_outcome_and_reason_disagree_is_refused():
    with pytest.raises(ValueError, match="does not go with reason 'inferior'"):
        gate({**decided(), "reason_code": "inferior"})


def test_every_outcome_has_an_exit_code():
    assert set(EXIT_CODES) == set(DECISION_OUTCOMES)
    assert [o for o, code in EXIT_CODES.items() if code == 0] == ["ship"]
