"""Answers that stand in dialogues, and predictions that name the model in a key."""

from pathlib import Path

import pytest

from eval_pipeline.ingest.peers.glance import Glance
from eval_pipeline.ingest.peers.recognition import claimed
from eval_pipeline_tests.ingest.peers.made import put_lines, rejects, replies


def said(role: str, content: object) -> dict[str, object]:
    return {"role": role, "content": content}


def test_the_last_turn_of_the_model_is_its_reply(tmp_path: Path) -> None:
    turns = [said("user", "Hello?"), said("assistant", "Hi."), said("user", "2 + 2?")]
    rows = [
        {"uid": "a", "model": "o3", "messages": [*turns, said("assistant", {"answer": "4"})]},
        {"uid": "b", "model": "o3", "messages": [turns[0], said("assistant", "Hi.")]},
        {"uid": "c", "model": "o3", "messages": [turns[0]]},
    ]
    path = put_lines(tmp_path / "model_answer.jsonl", rows)
    first, second = replies(path)
    assert (first.item_id, first.question, first.text) == ("a", "2 + 2?", "4")
    assert first.item_columns["history"] == turns[:2]
    assert (second.item_id, second.text, second.item_columns) == ("b", "Hi.", {})
    assert [one.place for one in rejects(path)] == ["model_answer.jsonl:3"]


def test_a_key_names_the_model_of_predictions(tmp_path: Path) -> None:
    rows = [
        {"query": "Who?", "prompt": "A long text.", "gt": "Ada", "wren_pred": "Ada Byron"},
        {"query": "When?", "gt": "1843"},
    ]
    path = put_lines(tmp_path / "meetings.pred.jsonl", rows)
    (reply,) = replies(path)
    assert (reply.task, reply.model, reply.item_id) == ("meetings", "wren", "1")
    assert (reply.question, reply.references, reply.text) == ("Who?", ("Ada",), "Ada Byron")
    assert [one.reason for one in rejects(path)] == ["missing_key"]


def test_scores_of_a_judge_without_the_replies_are_refused_by_name(tmp_path: Path) -> None:
    row = {"question_id": 1, "model": "a", "judge": ["b", "c"], "judgment": "[[7]]", "score": 7}
    path = put_lines(tmp_path / "single.jsonl", [row])
    with pytest.raises(ValueError, match=r"single\.jsonl is a file of a judge's scores"):
        claimed([Glance(path)])
