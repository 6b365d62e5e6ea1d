"""Labels of people on pairs: every row a label or a reject."""

import pytest

from eval_pipeline.ingest.annotations import read_annotations
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.ingest.conftest import lines_of

CLUSTERS = {"i1": "c1"}


def row(**more):
    said = {"item_id": "i1", "model_a": "heron", "model_b": "tern", "rater": "r1", "label": "tie"}
    return said | more


@pytest.fixture
def labels(tmp_path):
    def read(*rows):
        path = tmp_path / "s.jsonl"
        path.write_bytes(lines_of(rows))
        return read_annotations(path, "annotations/s.jsonl", "s", CLUSTERS)

    return read


def test_a_label_has_every_column(labels):
    told = row(model_a="tern", model_b="heron", label="model_a", honeypot=True)
    read = labels(told | {"expected": "tern"})
    assert read.annotations.schema == TABLES["annotations"].schema
    assert read.annotations.to_pylist() == [
        {
            "annotation_set": "s",
            "item_id": "i1",
            "cluster_id": "c1",
            "model_a": "heron",
            "model_b": "tern",
            "rater": "r1",
            "label": "model_b",
            "honeypot": True,
            "file": "annotations/s.jsonl",
            "line": 1,
            "expected": "model_b",
        }
    ]


def test_a_right_answer_belongs_to_a_honeypot_and_is_a_label(labels):
    plain = labels(row(expected="tern"))
    odd = labels(row(honeypot=True, expected="left"))
    reasons = [one.rejected_annotations["reason"].to_pylist() for one in (plain, odd)]
    assert reasons == [["contradictory"], ["unknown_label"]]


def test_labels_may_name_the_model(labels):
    assert labels(row(label="tern")).annotations["label"].to_pylist() == ["model_b"]
    assert labels(row(label="tern")).annotations["honeypot"].to_pylist() == [False]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"item_id": "i9"}, "unknown_item"),
        ({"label": "A"}, "unknown_label"),
        ({"label": None}, "missing_key"),
        ({"rater": 7}, "wrong_type"),
        ({"rater": None}, "missing_key"),
        ({"honeypot": "no"}, "wrong_type"),
        ({"model_a": "tern"}, "same_model"),
    ],
)
def test_a_row_that_is_no_label_is_rejected_with_its_reason(labels, change, reason):
    read = labels(row(**change), row(rater="r2"))
    assert read.rejected_annotations.schema == TABLES["rejected_annotations"].schema
    assert read.rejected_annotations["reason"].to_pylist() == [reason]
    assert read.annotations.num_rows == 1


def test_a_label_on_a_single_reply_is_rejected_as_such(labels):
    single = {"item_id": "i1", "checkpoint": "tern", "rater": "r", "label": "4", "scale": "ordinal"}
    assert labels(single).rejected_annotations["reason"].to_pylist() == ["not_pairwise"]


def test_a_second_label_of_a_rater_on_a_pair_is_rejected(labels):
    turned = row(model_a="tern", model_b="heron", label="model_b")
    read = labels(row(), turned, row(rater="r2"))
    assert read.rejected_annotations["reason"].to_pylist() == ["duplicate"]
    assert read.annotations["rater"].to_pylist() == ["r1", "r2"]
