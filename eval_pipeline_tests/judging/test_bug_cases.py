"""Failing inputs from public issue threads, and what we do with them instead."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from eval_pipeline.judging.audits.swap_report import swap_findings
from eval_pipeline.judging.pairs.swap import combine_votes
from eval_pipeline.judging.verdicts import (
    BRACKETS,
    GRADED_BRACKETS,
    choice_form,
    json_form,
    parse_score,
    parse_verdict,
)
from eval_pipeline_tests.judging.votes import TIE, UNKNOWN, A, B, vote_rows, vote_table


@pytest.fixture(scope="module")
def case(golden_vectors: Callable[[str], Any]) -> Callable[[str], Any]:
    cases = {one["id"]: one for one in golden_vectors("bug_cases.jsonl")}
    return lambda name: (cases[name]["minimal_input"], cases[name]["right_behaviour"])


def test_of_two_markers_the_one_on_the_last_line_counts(case: Callable[[str], Any]) -> None:
    given, right = case("PB065")
    assert parse_verdict(given["text"], BRACKETS).label == right["verdict"]


def test_labels_that_were_not_asked_for_are_unknown(case: Callable[[str], Any]) -> None:
    given, right = case("PB067")
    found = [parse_verdict(text, GRADED_BRACKETS) for text in given["texts"]]
    assert [one.status for one in found] == right["verdict"]
    assert [one.detail for one in found] == right["detail"]


def test_incorrect_does_not_hold_correct(case: Callable[[str], Any]) -> None:
    given, right = case("PB069")
    verdict = parse_verdict(given["text"], choice_form("correct", "incorrect"))
    assert verdict.label == right["verdict"]


def test_a_quoted_score_is_not_the_score(case: Callable[[str], Any]) -> None:
    given, right = case("PB071")
    verdict = parse_score(given["text"], 0, 10, shown=["<score>10</score>"])
    assert float(verdict.label or "nan") == right["score"]
    assert "marker_in_candidate" in verdict.flags


def test_what_cannot_be_read_is_not_the_lowest_score(case: Callable[[str], Any]) -> None:
    given, right = case("PB072")
    verdict = parse_verdict(given["text"], choice_form(*given["choices"]))
    assert verdict.status == right["status"]
    assert verdict.label is right["score"] is None


def test_a_verdict_in_cut_json_is_kept_and_flagged(case: Callable[[str], Any]) -> None:
    given, right = case("PB075")
    verdict = parse_verdict(given["text"], json_form("preferred", "A", "B"))
    assert (verdict.label, verdict.flags) == (right["verdict"], (right["flag"],))


def test_half_a_pair_has_no_score(case: Callable[[str], Any]) -> None:
    given, right = case("PB078")
    first = [A] if given["p_ab"] == 1.0 else [B]
    second = [UNKNOWN] if given["p_ba"] is None else [A]
    pairs = combine_votes(vote_table([vote_rows("stern", "i1", first, second)]))
    assert right["value"] is None
    assert np.isnan(pairs.score[0])
    assert pairs.category[0] == "single_order"


def test_disagreement_is_counted_apart_from_ties_and_errors(case: Callable[[str], Any]) -> None:
    given, _ = case("PB080")
    label = {"A": A, "B": B, "tie": TIE, "error": UNKNOWN}
    rows = [
        vote_rows("stern", f"i{i}", [label[first]], [label[second]])
        for i, (first, second) in enumerate(given["pairs"])
    ]
    category = combine_votes(vote_table(rows)).category.tolist()
    assert category == ["mixed", "flipped", "single_order"]


def test_samples_without_a_verdict_stay_in_the_count_and_in_the_bounds(
    case: Callable[[str], Any],
) -> None:
    given, right = case("PB077")
    label = {"right": A, "wrong": B, "error": UNKNOWN}
    rows = [
        vote_rows("stern", f"i{i}", [label[word]], [label[word]])
        for i, word in enumerate(given["outcomes"])
    ]
    pairs = combine_votes(vote_table(rows))
    score = pairs.score
    scored = ~np.isnan(score)
    expected = right["report"]
    assert (len(pairs), int(scored.sum())) == (expected["n"], expected["scored"])
    assert score[scored].mean() == pytest.approx(expected["accuracy_scored"], abs=1e-4)
    bounds = [np.where(scored, score, missing).mean() for missing in (0.0, 1.0)]
    assert bounds == pytest.approx(expected["bounds"])
    found = {one.audit: one.estimate.value for one in swap_findings(pairs, 0.95)}
    assert found["rate_missing"] == pytest.approx(0.25)
