"""Scores of single replies, by judges and by people: each line gives scores or a reject."""

from functools import partial

import pytest

from eval_pipeline.ingest.annotations import read_annotations
from eval_pipeline.ingest.scores import read_scores
from eval_pipeline.judging.prompts.rubric import Rubric, given_scores
from eval_pipeline.judging.reading.recorded_scores import recorded_scores
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.ingest.conftest import lines_of

CLUSTERS = {"i1": "c1", "i2": "c2"}
RUBRIC = Rubric((("right", 0.75), ("clear", 0.25)), 1, 5)
FULL = {"right": 4, "clear": 2}
BY_RUBRIC = partial(given_scores, rubric=RUBRIC)


@pytest.fixture
def scores(tmp_path):
    def read(*rows):
        path = tmp_path / "s.jsonl"
        path.write_bytes(lines_of(rows))
        said = partial(recorded_scores, rubric=RUBRIC)
        return read_scores(path, "judgments/s.jsonl", "owl", CLUSTERS, {"i1"}, said)

    return read


@pytest.fixture
def people(tmp_path):
    def read(*rows, scored=BY_RUBRIC):
        path = tmp_path / "p.jsonl"
        named = {"item_id": "i1", "checkpoint": "tern", "rater": "r1"}
        path.write_bytes(lines_of([named | row for row in rows]))
        return read_annotations(path, "annotations/p.jsonl", "p", CLUSTERS, scored)

    return read


def told(table, *names):
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def test_a_score_has_a_row_a_criterion_and_one_for_the_whole(scores):
    read = scores({"item_id": "i1", "scores": FULL}).judge_scores
    assert read.schema == TABLES["judge_scores"].schema
    assert told(read, "criterion", "score", "status") == [
        ("right", 4.0, "ok"),
        ("clear", 2.0, "ok"),
        ("all", 3.5, "ok"),
    ]


@pytest.mark.parametrize(
    ("row", "status", "detail"),
    [
        ({"scores": None}, "judge_unknown", "empty"),
        ({"scores": {"right": 4}}, "judge_unknown", "missing_criterion"),
        ({"scores": {"right": 4, "clear": 6}}, "judge_unknown", "out_of_scale"),
        ({"scores": {"right": 4, "clear": True}}, "judge_unknown", "out_of_scale"),
        ({"scores": {"right": 4.0, "clear": 2}}, "judge_unknown", "out_of_scale"),
        ({"reply": "Good."}, "judge_unknown", "no_marker"),
        ({"error": "HTTP 500"}, "judge_error", "error"),
    ],
)
def test_half_a_rubric_is_no_score_and_never_a_low_one(scores, row, status, detail):
    read = scores({"item_id": "i1", **row}).judge_scores
    assert told(read, "status", "detail", "score") == [(status, detail, None)] * 3


def test_the_judges_own_words_are_read_as_a_live_reply_is(scores):
    reply = 'It is good.\n{"reasoning": "r", "scores": {"right": 5, "clear": 1}}'
    read = scores({"item_id": "i1", "reply": reply}).judge_scores
    assert told(read, "criterion", "score") == [("right", 5.0), ("clear", 1.0), ("all", 4.0)]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"item_id": "i9", "scores": FULL}, "unknown_item"),
        ({"item_id": "i2", "scores": FULL}, "not_planned"),
        ({"item_id": "i1"}, "missing_key"),
        ({"item_id": "i1", "scores": [4, 2]}, "wrong_type"),
        ({"item_id": "i1", "scores": FULL, "reply": "4"}, "ambiguous_form"),
        ({"item_id": "i1", "scores": FULL, "error": "x"}, "contradictory"),
        ({"item_id": "i1", "scores": FULL, "repeat": -1}, "out_of_range"),
    ],
)
def test_a_row_that_cannot_be_a_score_is_rejected(scores, row, reason):
    read = scores(row)
    assert read.judge_scores.num_rows == 0
    assert read.rejected_scores["reason"].to_pylist() == [reason]


def test_the_same_repeat_twice_is_a_duplicate(scores):
    row = {"item_id": "i1", "scores": FULL}
    read = scores(row, row, row | {"repeat": 1})
    assert read.rejected_scores["reason"].to_pylist() == ["duplicate"]
    assert read.judge_scores.num_rows == 6


def test_people_score_by_criterion_or_the_whole_and_between_points(people):
    read = people({"scores": {"clear": 2, "right": 4.5}}, {"rater": "r2", "score": 3})
    assert told(read.annotation_scores, "rater", "criterion", "score") == [
        ("r1", "right", 4.5),
        ("r1", "clear", 2.0),
        ("r1", "all", 3.875),
        ("r2", "all", 3.0),
    ]
    assert read.annotations.num_rows == 0


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"score": 9}, "out_of_range"),
        ({"score": True}, "out_of_range"),
        ({"scores": {"right": 4}}, "unknown_criterion"),
        ({"scores": FULL | {"tone": 3}}, "unknown_criterion"),
        ({"scores": [4]}, "wrong_type"),
        ({}, "missing_key"),
        ({"score": 3, "scores": FULL}, "missing_key"),
    ],
)
def test_what_is_no_score_of_a_person_is_rejected(people, row, reason):
    read = people(row)
    assert read.rejected_annotations["reason"].to_pylist() == [reason]
    assert read.annotation_scores.num_rows == 0


def test_without_a_rubric_scores_of_people_are_rejected(people):
    read = people({"score": 3}, scored=None)
    assert read.rejected_annotations["reason"].to_pylist() == ["not_pairwise"]
