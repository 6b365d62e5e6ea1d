"""Votes of judges: slot and model kept apart, every row a vote or a reject."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.ingest.rejects import REASONS
from eval_pipeline.ingest.votes import read_votes
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.ingest.conftest import lines_of

CLUSTERS = {"i1": "c1", "i2": "c2"}
PLANNED = {("i1", "heron", "tern"), ("i2", "heron", "tern")}


def row(**more):
    said = {"item_id": "i1", "model_a": "heron", "model_b": "tern", "shown_first": "model_a"}
    return said | {"verdict": "model_a"} | more


@pytest.fixture
def votes(tmp_path):
    def read(*rows):
        path = tmp_path / "k.jsonl"
        path.write_bytes(lines_of(rows))
        return read_votes(path, "judgments/stern/b/k.jsonl", "stern", CLUSTERS, PLANNED)

    return read


def test_a_vote_has_every_column(votes):
    read = votes(row(repeat=1, prob_first=0.75, raw="[[A]]"))
    assert read.judge_votes.schema == TABLES["judge_votes"].schema
    assert read.judge_votes.to_pylist() == [
        {
            "judge": "stern",
            "item_id": "i1",
            "cluster_id": "c1",
            "model_a": "heron",
            "model_b": "tern",
            "slot_order": "a_first",
            "repeat": 1,
            "status": "ok",
            "verdict": "model_a",
            "prob_a": 0.75,
            "file": "judgments/stern/b/k.jsonl",
            "line": 1,
            "detail": None,
        }
    ]
    assert read.file.path == "judgments/stern/b/k.jsonl"


def facts(read):
    (vote,) = read.judge_votes.to_pylist()
    return vote["slot_order"], vote["verdict"], vote["prob_a"]


def test_a_row_that_names_the_models_the_other_way_round_says_the_same(votes):
    for first in ("model_a", "model_b"):
        for verdict in ("model_a", "model_b", "tie"):
            said = row(shown_first=first, verdict=verdict, prob_first=0.75)
            other = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
            turned = row(
                model_a="tern",
                model_b="heron",
                shown_first=other[first],
                verdict=other[verdict],
                prob_first=0.75,
            )
            assert facts(votes(said)) == facts(votes(turned))


def test_the_probability_follows_the_model_and_not_the_slot(votes):
    assert facts(votes(row(shown_first="model_b", prob_first=0.75)))[2] == 0.25
    assert facts(votes(row(shown_first="model_a", prob_first=1)))[2] == 1.0


def test_models_may_be_meant_by_name(votes):
    read = votes(row(shown_first="tern", verdict="heron"))
    assert facts(read)[:2] == ("b_first", "model_a")


@pytest.mark.parametrize("verdict", [None, "A", "first", "[[A]]", "draw", "", "crow"])
def test_an_unusable_verdict_is_judge_unknown_and_never_a_tie(votes, verdict):
    (vote,) = votes(row(verdict=verdict)).judge_votes.to_pylist()
    assert (vote["status"], vote["verdict"]) == ("judge_unknown", None)


def test_a_failed_call_is_judge_error(votes):
    said = row(error={"code": 500})
    del said["verdict"]
    for one in (said, said | {"verdict": None}):
        (vote,) = votes(one).judge_votes.to_pylist()
        assert (vote["status"], vote["verdict"]) == ("judge_error", None)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"item_id": "i9"}, "unknown_item"),
        ({"item_id": 1}, "wrong_type"),
        ({"model_b": "crow"}, "not_planned"),
        ({"model_b": "heron"}, "same_model"),
        ({"shown_first": "A"}, "unknown_slot"),
        ({"shown_first": None}, "missing_key"),
        ({"repeat": -1}, "out_of_range"),
        ({"repeat": "0"}, "wrong_type"),
        ({"verdict": 1}, "wrong_type"),
        ({"prob_first": 1.5}, "out_of_range"),
        ({"error": "timeout"}, "contradictory"),
    ],
)
def test_a_row_that_is_no_vote_is_rejected_with_its_reason(votes, change, reason):
    read = votes(row(**change))
    assert read.rejected_votes.schema == TABLES["rejected_votes"].schema
    assert read.rejected_votes["reason"].to_pylist() == [reason]
    assert read.judge_votes.num_rows == 0


def test_a_row_without_a_verdict_key_is_rejected(votes):
    said = row()
    del said["verdict"]
    assert votes(said).rejected_votes["reason"].to_pylist() == ["missing_key"]


def test_the_same_vote_twice_counts_once(votes):
    read = votes(row(), row(verdict="tie"), row(repeat=0), row(repeat=1), row(shown_first="tern"))
    assert read.judge_votes.num_rows == 3
    assert read.rejected_votes["reason"].to_pylist() == ["duplicate", "duplicate"]
    turned = row(model_a="tern", model_b="heron", shown_first="heron", verdict="heron")
    assert votes(row(), turned).rejected_votes["reason"].to_pylist() == ["duplicate"]


def test_broken_lines_are_rejected_where_they_stand(votes):
    read = votes(row(), b"{", b'{"item_id":"i1","item_id":"i2"}', row(repeat=1))
    assert read.rejected_votes["reason"].to_pylist() == ["invalid_json", "duplicate_key"]
    assert read.rejected_votes["line"].to_pylist() == [2, 3]
    assert read.judge_votes["line"].to_pylist() == [1, 4]


words = st.sampled_from(
    [None, "model_a", "model_b", "tie", "A", "heron", "tern", "crow", 1, "\ud800"]
)


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(sorted(row(error=1))), words, max_size=7)))
def test_votes_and_rejects_are_the_lines_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("votes") / "k.jsonl"
    path.write_bytes(b"".join(json.dumps(row() | said).encode() + b"\n" for said in rows))
    read = read_votes(path, "k.jsonl", "stern", CLUSTERS, PLANNED)
    assert read.judge_votes.num_rows + read.rejected_votes.num_rows == len(rows)
    assert set(read.rejected_votes["reason"].to_pylist()) <= REASONS.keys()


def test_a_vote_without_an_order_is_taken_only_where_the_contract_says_so(tmp_path):
    path = tmp_path / "k.jsonl"
    rows = [
        row(shown_first=None, prob_a=0.75),
        row(shown_first=None, item_id="i2", model_a="tern", model_b="heron", prob_a=0.75),
        row(shown_first=None, repeat=1, verdict="tie"),
        row(shown_first=None, repeat=2, prob_first=0.75),
        row(shown_first=None, repeat=3, logprob_first=-1.0, logprob_second=-2.0, verdict=None),
    ]
    del rows[-1]["verdict"]
    path.write_bytes(lines_of(rows))
    read = read_votes(path, "k.jsonl", "stern", CLUSTERS, PLANNED, orders_lack=True)
    told = [(v["slot_order"], v["verdict"], v["prob_a"]) for v in read.judge_votes.to_pylist()]
    assert told == [
        ("unrecorded", "model_a", 0.75),
        ("unrecorded", "model_b", 0.25),
        ("unrecorded", "tie", None),
    ]
    assert read.rejected_votes["reason"].to_pylist() == ["unknown_slot"] * 2
    refused = read_votes(path, "k.jsonl", "stern", CLUSTERS, PLANNED).rejected_votes
    assert refused["reason"].to_pylist() == ["missing_key"] * 5
    assert "orders: unrecorded" in refused["detail"][0].as_py()
