"""The three outcomes of a licence."""

import math
from datetime import date
from typing import Any

import pytest

from eval_pipeline.judging.licences.licence import flip_rate_passes, licence_rows, point_notes

BARS = {
    "flip_excess": 0.15,
    "position_effect": 0.05,
    "verbosity_per_100_tokens": 0.03,
    "self_preference": 0.05,
    "human_ratio": 0.9,
    "missing_rate": 0.02,
}


def audits(**changed: dict[str, Any]) -> list[dict[str, Any]]:
    """Audits of one judge, all within their bars but for what is changed."""
    rows = []
    for name in (*BARS, "judge_human_kappa", "human_human_kappa"):
        barred = name in BARS
        row = {
            "judge": "stern",
            "slice": "all",
            "audit": name,
            "estimate": 0.6 if "kappa" in name else 0.01,
            "ci_low": -0.01,
            "ci_high": 0.02,
            "ci_method": "cr1_t",
            "bar": BARS.get(name),
            "outcome": "within" if barred else "descriptive",
            "n_votes": 390,
            "n_needed": None,
            "status": "ok",
            "reason": None,
        }
        rows.append(row | changed.get(name, {}))
    return rows


def licence(rows: list[dict[str, Any]], until: date | None = None) -> dict[str, Any]:
    (one,) = licence_rows(rows, until)
    return one


def test_a_judge_with_every_bias_shown_to_be_small_is_licensed() -> None:
    one = licence(audits(), date(2027, 1, 1))
    assert one["outcome"] == "licensed"
    assert one["failed_audits"] == ""
    assert (one["n_labels"], one["n_needed"], one["reaudit_by"]) == (390, None, "2027-01-01")
    assert "at least as well as they do with each other" in one["reason"]


def test_one_bias_outside_its_bar_refuses_whatever_else_is_open() -> None:
    rows = audits(
        position_effect={"outcome": "outside", "estimate": 0.12, "ci_low": 0.1, "ci_high": 0.14},
        verbosity_per_100_tokens={"outcome": "undecided", "n_needed": 900},
    )
    one = licence(rows)
    assert one["outcome"] == "refused"
    assert one["failed_audits"] == "position_effect,verbosity_per_100_tokens"
    assert one["n_needed"] is None
    expected = "position_effect 0.120 (0.100 to 0.140) is outside for a bar of 0.05"
    assert one["reason"].startswith(expected)


def test_an_open_question_asks_for_as_many_units_as_would_decide_all() -> None:
    rows = audits(
        verbosity_per_100_tokens={"outcome": "undecided", "n_needed": 900},
        human_ratio={"outcome": "undecided", "n_needed": 400},
    )
    one = licence(rows)
    assert (one["outcome"], one["n_needed"]) == ("not_enough_labels", 900)


def test_an_audit_that_was_asked_for_and_not_run_keeps_the_licence_back() -> None:
    injection = {
        "audit": "injection_success",
        "bar": 0.02,
        "outcome": "not_audited",
        "estimate": None,
        "ci_method": None,
        "status": "undefined",
        "reason": "recorded votes hold no injection trials",
    }
    one = licence([*audits(), audits()[0] | injection])
    assert (one["outcome"], one["n_needed"]) == ("not_enough_labels", None)
    assert one["reason"].startswith(
        "injection_success is not audited: recorded votes hold no injection trials"
    )


def test_too_many_missing_votes_refuse() -> None:
    rows = audits(missing_rate={"outcome": "outside", "estimate": 0.03, "ci_method": None})
    one = licence(rows)
    assert one["outcome"] == "refused"
    assert one["reason"].startswith("missing_rate 0.030 is outside for a bar of 0.02")


def test_a_contract_that_bars_no_bias_licenses_nobody() -> None:
    free = {"bar": None, "outcome": "descriptive"}
    one = licence(audits(**{name: free for name in BARS if name != "missing_rate"}))
    assert one["outcome"] == "not_enough_labels"
    assert one["reason"].startswith("the contract sets no bar on any bias")


def test_what_has_no_bar_is_named() -> None:
    one = licence(audits(self_preference={"bar": None, "outcome": "descriptive"}))
    assert one["outcome"] == "licensed"
    assert "without a bar: self_preference" in one["reason"]


def test_a_slice_has_a_licence_of_its_own_and_does_not_decide_the_whole() -> None:
    rows = [*audits(), audits()[0] | {"slice": "topic=law", "outcome": "outside"}]
    whole, slice_of_law = licence_rows(rows)
    assert (whole["slice"], whole["outcome"]) == ("all", "licensed")
    assert (slice_of_law["slice"], slice_of_law["outcome"]) == ("topic=law", "refused")


def test_point_notes_do_not_replace_the_bound() -> None:
    notes = point_notes(0.42, 0.45)
    assert notes.ratio == pytest.approx(0.42 / 0.45)
    assert notes.point_ratio_ok
    assert not notes.at_least_human_human
    assert math.isnan(point_notes(0.4, 0.0).ratio)


def test_a_flip_rate_on_the_limit_does_not_pass() -> None:
    assert not flip_rate_passes(0.15, 0.15)
    assert flip_rate_passes(0.149, 0.15)


def test_a_judge_whose_seats_nobody_recorded_is_not_licensed() -> None:
    (one,) = licence_rows(audits(), withheld="no order is recorded")
    assert one["outcome"] == "not_enough_labels"
    assert one["reason"].startswith("no order is recorded; within their bars")


def test_accuracy_against_labels_is_enough_for_a_licence() -> None:
    rows = [one for one in audits() if one["audit"] in ("human_ratio", "missing_rate")]
    rows = [one | ({"bar": None} if one["audit"] == "human_ratio" else {}) for one in rows]
    right = audits()[0] | {"audit": "label_accuracy", "estimate": 0.9, "bar": 0.8, "n_votes": 70}
    rows[0] |= {"status": "undefined"}
    (one,) = licence_rows([*rows, right])
    assert (one["outcome"], one["n_labels"]) == ("licensed", 70)
    (one,) = licence_rows([*rows, right | {"outcome": "outside"}])
    assert one["outcome"] == "refused"
