"""Verdicts that a publisher recorded: what a row says is read, and nothing else is made of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ingest.samples import json_text
from eval_pipeline.verification.recorded import RecordedVerdicts, by_itself
from eval_pipeline.verification.registry import instruments
from eval_pipeline.verification.scoring import Grader, Sample, score_samples
from eval_pipeline.verification.verdict import Item, Verdict

WHO = "the authors' script"
LABELS = {"C": 1, "I": 0, "P": 0.5}
FAILURES = {"parser_failure": "wrong", "undecided": "wrong", "timeout": "wrong"}


def verdict(row: dict[str, Any], field: str = "passed", **options: Any) -> Verdict:
    reader = RecordedVerdicts(field, WHO, **options)
    return reader.verdict_of(json_text(row) if row else None, "4")


@pytest.mark.parametrize(
    ("row", "field", "score"),
    [
        ({"passed": True}, "passed", 1.0),
        ({"passed": False}, "passed", 0.0),
        ({"exact_match": 1.0}, "exact_match", 1.0),
        ({"exact_match": 0}, "exact_match", 0.0),
        ({"f1": 0.25}, "f1", 0.25),
        ({"f1": 1e-7}, "f1", 1e-7),
        ({"passed": "True"}, "passed", 1.0),
        ({"passed": " 0.0 "}, "passed", 0.0),
        ({"published": {"acc": 1}}, "acc", 1.0),
        ({"published": {"acc": 1}}, "published.acc", 1.0),
        ({"published": {"exact_match,strict-match": 1.0}}, "exact_match,strict-match", 1.0),
        ({"published": {"a.b": True, "a": {"b": False}}}, "a.b", 1.0),
        ({"scores": {"includes": {"value": 0}}}, "scores.includes.value", 0.0),
        ({"graded_list": [True, False]}, "graded_list.1", 0.0),
        ({"published": {"acc": 1}, "acc": 1.0}, "acc", 1.0),
    ],
)
def test_a_flag_or_a_score_is_the_verdict(row: dict[str, Any], field: str, score: float) -> None:
    found = verdict(row, field)
    assert (found.status, found.score, found.extracted) == ("ok", score, "4")
    assert WHO in found.explanation
    assert found.detail == ("wrong" if score == 0 else None)


@pytest.mark.parametrize(
    ("row", "detail", "said"),
    [
        ({}, "no_recorded_verdict", "holds no passed"),
        ({"passed": None}, "no_recorded_verdict", "holds no passed"),
        ({"published": {"acc": 1}}, "no_recorded_verdict", "holds no passed"),
        ({"published": {"passed": True}, "passed": False}, "recorded_twice", "true and false"),
        ({"passed": "C"}, "unknown_verdict", "'C'"),
        ({"passed": "not correct"}, "unknown_verdict", "'not correct'"),
        ({"passed": 2}, "unknown_verdict", "2"),
        ({"passed": -1}, "unknown_verdict", "-1"),
        ({"passed": 1.0000001}, "unknown_verdict", "1.0000001"),
        ({"passed": "1,0"}, "unknown_verdict", "'1,0'"),
        ({"passed": "50 %"}, "unknown_verdict", "'50 %'"),
        ({"passed": []}, "unknown_verdict", "[]"),
        ({"passed": {"value": True}}, "unknown_verdict", "value"),
        ({"passed": ""}, "unknown_verdict", "''"),
        ({"passed": "9" * 200_000}, "unknown_verdict", "999"),
    ],
)
def test_what_is_no_score_is_undecided_and_named(
    row: dict[str, Any], detail: str, said: str
) -> None:
    found = verdict(row)
    assert (found.status, found.score, found.detail) == ("undecided", None, detail)
    assert said in found.explanation
    assert len(found.explanation) < 300


def test_a_number_too_long_to_be_read_is_no_score() -> None:
    found = RecordedVerdicts("passed", WHO).verdict_of('{"passed":1' + "0" * 5000 + "}", None)
    assert (found.status, found.detail) == ("undecided", "unknown_verdict")


@pytest.mark.parametrize(
    ("value", "values", "score"),
    [
        ("C", LABELS, 1.0),
        ("I", LABELS, 0.0),
        ("P", LABELS, 0.5),
        ("c", LABELS, None),
        ("N", LABELS, None),
        (True, LABELS, 1.0),
        (0.75, LABELS, 0.75),
        ("incorrect", {"correct": 1}, None),
        # where a number is named, numbers mean what is named and nothing else
        (2, {"2": 1, "1": 0}, 1.0),
        (1, {"2": 1, "1": 0}, 0.0),
        (1.0, {"2": 1, "1": 0}, 0.0),
        (0, {"2": 1, "1": 0}, None),
        (True, {"2": 1, "1": 0}, None),
        (False, {"false": 1, "true": 0}, 1.0),
        (True, {"false": 1}, None),
    ],
)
def test_labels_mean_what_the_contract_says(
    value: Any, values: dict[str, float], score: float | None
) -> None:
    assert verdict({"passed": value}, values=values).score == score


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_a_verdict_is_a_share_or_undecided(value: Any) -> None:
    text = json.dumps({"passed": value})
    found = RecordedVerdicts("passed", WHO).verdict_of(text, None)
    if found.status == "ok":
        assert found.score is not None
        assert 0 <= found.score <= 1
        assert by_itself(value) == found.score
    else:
        assert (found.status, found.score) == ("undecided", None)
        assert found.detail in ("no_recorded_verdict", "unknown_verdict")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "options.field"),
        ({"field": "passed"}, "who graded"),
        ({"field": "passed", "grader": " "}, "who graded"),
        ({"field": "passed", "grader": WHO, "values": {"C": 2}}, r"'C': 2"),
        ({"field": "passed", "grader": WHO, "values": {"C": True}}, "in \\[0, 1\\]"),
        ({"field": "passed", "grader": WHO, "values": ["C"]}, "map labels"),
        ({"field": "passed", "grader": WHO, "may_decide": "yes"}, "may_decide"),
        ({"field": "passed", "grader": WHO, "metric": 1}, "metric"),
        ({"field": "passed", "grader": WHO, "label": "C"}, "not \\['label'\\]"),
    ],
)
def test_what_is_not_declared_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        instruments("recorded@1", "whole_text@2", options)


def test_it_judges_samples_by_their_rows_and_replies_not_at_all() -> None:
    grader = Grader.of("recorded@1", "whole_text@2", {"field": "passed", "grader": WHO})
    items = {"a": Item("a")}  # without a reference: nobody needs one
    samples = [
        Sample("a", 0, "right, I swear", "ok", extra='{"passed":false}'),
        Sample("a", 1, "", "ok", extra='{"passed":true}'),  # scored by likelihood: no reply
        Sample("a", 2, "5", "ok"),
        Sample("a", 3, "", "timeout", extra='{"passed":true}'),
    ]
    rows = score_samples(samples, items, grader, FAILURES)
    assert [row["status"] for row in rows] == ["ok", "ok", "undecided", "timeout"]
    assert [row["verdict"] for row in rows] == [0.0, 1.0, None, None]
    assert [row["score"] for row in rows] == [0.0, 1.0, 0.0, 0.0]
    assert [row["extracted"] for row in rows] == ["right, I swear", None, "5", None]
    assert grader.notes() == {"verdicts recorded by": WHO, "recorded as": "passed"}
    (alone,) = grader.verdicts([(Item("a"), "5")])
    assert (alone.status, alone.detail) == ("undecided", "no_recorded_verdict")
