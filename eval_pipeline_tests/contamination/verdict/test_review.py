"""People's decisions: what they stand on, when they are void, and when people disagree."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.near_duplicates.rows import compared_fields, rows_within
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.verdict.items import item_rows
from eval_pipeline.contamination.verdict.review import ReviewDecision, read_decisions

TEXT = "one two three four five six seven eight nine ten eleven twelve"
HIT = {
    "corpus": "web@1", "shard": "s.jsonl", "document": 3, "item_id": "a", "field": "question",
    "match_type": "ngram", "hits": 5, "ratio": 0.2, "window_ratio": 0.2, "longest_span": 9,
    "excerpt_document": "… one two three …",
}  # fmt: skip
NEAR = {
    "relation": "corpus", "item_id": "a", "field": "question", "source": "web@1", "other": "s:9",
    "jaccard": 0.6, "excerpt_other": TEXT,
}  # fmt: skip


def verdicts(hits=(HIT,), near=(), decisions=(), text=TEXT):
    rows = item_rows(entries_of([Field("a", "question", text)]), hits, 1, near, decisions)
    return {row["field"]: row for row in rows}


def said(label: str, by: str = "ann", at: str = "2026-01-01T00:00:00+00:00") -> ReviewDecision:
    return ReviewDecision("a", "question", verdicts()["question"]["evidence"], label, by, at)


def test_a_decision_takes_the_place_of_the_rule() -> None:
    row = verdicts(decisions=[said("clean")])["question"]
    assert (row["status"], row["rule_status"], row["review"]) == ("clean", "review", "decided")
    assert (row["reviewer"], row["reviewed_at"]) == ("ann", "2026-01-01T00:00:00+00:00")
    assert "ann looked at it and says clean; the rule said review" in row["reason"]


def test_the_last_word_of_a_person_counts() -> None:
    later = said("contaminated", at="2026-02-01T00:00:00+00:00")
    assert verdicts(decisions=[said("clean"), later])["question"]["status"] == "contaminated"


@pytest.mark.parametrize(
    "changed",
    [
        {"text": TEXT + " thirteen"},
        {"hits": [HIT, {**HIT, "excerpt_document": "another page"}]},
        {"hits": [{**HIT, "excerpt_document": "another text"}]},
        {"near": [NEAR]},
    ],
)
def test_other_evidence_makes_a_decision_void(changed) -> None:
    row = verdicts(decisions=[said("clean")], **changed)["question"]
    assert (row["review"], row["status"]) == ("void", row["rule_status"])
    assert "ann said clean of other evidence" in row["reason"]


def test_a_trifle_or_another_place_voids_nothing() -> None:
    trifle = {**HIT, "document": 4, "hits": 1, "ratio": 0.1, "window_ratio": 0.1}
    moved = {**HIT, "shard": "t.jsonl", "document": 0}
    row = verdicts(hits=[moved, trifle], decisions=[said("clean")])["question"]
    assert row["review"] == "decided"


def test_people_who_disagree_leave_it_to_others() -> None:
    row = verdicts(decisions=[said("clean"), said("contaminated", by="bob")])["question"]
    assert (row["status"], row["review"]) == ("review", "disputed")
    assert "ann: clean, bob: contaminated" in row["reason"]


def test_a_document_that_nearly_is_the_item_is_evidence() -> None:
    assert verdicts(hits=(), near=[NEAR])["question"]["status"] == "review"
    row = verdicts(near=[{**NEAR, "jaccard": 0.85, "other": "s.jsonl:3"}])["question"]
    assert (row["status"], row["n_documents"]) == ("contaminated", 1)
    whole = verdicts(hits=(), near=[{**NEAR, "field": "item", "jaccard": 0.9}])
    assert whole["item"]["status"] == "contaminated"
    assert whole["question"]["status"] == "clean"
    assert (
        verdicts(hits=(), near=[{**NEAR, "relation": "version"}])["question"]["status"] == "clean"
    )


def test_items_of_two_clusters_that_nearly_are_one_are_said() -> None:
    fields = [Field(i, "question", TEXT + end) for i, end in (("a", ""), ("b", " x"), ("c", " y"))]
    rows, left_out = rows_within(fields, "sums@1", {"a": "1", "b": "1", "c": "2"})
    found = {(r["item_id"], r["other"]): r for r in rows}
    assert set(found) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert left_out == 0
    assert "reason" not in found["a", "b"]
    assert "clusters differ" in found["a", "c"]["reason"]
    assert {r["cluster"] for r in rows if r["status"] == "duplicate"} == {"a"}


def test_the_whole_item_is_compared_where_it_has_several_parts() -> None:
    fields = [Field("a", "answer", "7"), Field("a", "question", TEXT), Field("b", "answer", "8")]
    made = compared_fields(fields)
    assert [f.text for f in made["item"]] == [f"{TEXT}\n7"]
    assert set(made) == {"question", "item"}
    assert set(compared_fields(fields[1:2])) == {"question"}


def test_decisions_are_read_and_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "v1.jsonl"
    assert read_decisions(path) == []
    line = json.dumps({**asdict(said("clean")), "rule": "F@2"})
    path.write_text(f"{line}\n\n{line}\n")
    assert read_decisions(path) == [said("clean")] * 2
    path.write_text(f"{line}\n{json.dumps(asdict(replace(said('clean'), label='maybe')))}\n")
    with pytest.raises(ValueError, match=r"v1\.jsonl, line 2 is no decision"):
        read_decisions(path)
