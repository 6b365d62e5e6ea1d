"""Entries of a peer's file as rows of items and generations, beside their place."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.ingest.imports.names import Names
from eval_pipeline.ingest.imports.staging import REJECTED, Staging, row_text
from eval_pipeline.ingest.peers.entries import Entry, PeerReject, PeerReply, PublishedNumber
from eval_pipeline.layout import DataRoot


def reply(item: str = "a", model: str = "nest/finch", draw: int = 0, **more: Any) -> PeerReply:
    given_ = {"task": "sums", "question": f"{item}?", "text": "4", "place": "f.jsonl:1"}
    return PeerReply(item_id=item, model=model, draw=draw, **{**given_, **more})


def staged(folder: Path, *entries: Entry, benchmark: str | None = None) -> Staging:
    staging = Staging(DataRoot(folder), Names({}, {}), benchmark)
    for entry in entries:
        staging.take(entry)
    staging.close()
    return staging


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_items_are_written_once_as_they_come(tmp_path: Path) -> None:
    staging = staged(
        tmp_path,
        reply("a", references=("4",)),
        reply("a", draw=1, references=("4",)),
        reply("b", references=("1", "one")),
        reply("c"),
    )
    assert rows(DataRoot(tmp_path).items("sums@1")) == [
        {"item_id": "a", "question": "a?", "answer": "4"},
        {"item_id": "b", "question": "b?", "answer": "1", "right_answers": ["1", "one"]},
        {"item_id": "c", "question": "c?"},
    ]
    (task,) = staging.tasks.values()
    assert (task.n_items, task.draws, task.unreferenced) == (3, 2, 1)


def test_a_reply_keeps_what_the_file_says_of_it(tmp_path: Path) -> None:
    staged(
        tmp_path,
        reply(said={"acc": 1.0, "f1": None}, tokens_out=7, columns={"text": "own", "seed": 3}),
        reply("b", text=None, status="infra_error", detail="busy", place="f.jsonl:9"),
    )
    first, second = rows(DataRoot(tmp_path).checkpoint("nest--finch") / "sums.jsonl")
    assert first == {
        "item_id": "a",
        "draw": 0,
        "text": "4",
        "tokens_out": 7,
        "published": {"acc": 1.0, "f1": None},
        "imported_from": "f.jsonl:1",
        "given_text": "own",
        "seed": 3,
    }
    assert second == {
        "item_id": "b",
        "draw": 0,
        "status": "infra_error",
        "detail": "busy",
        "imported_from": "f.jsonl:9",
    }


def test_an_item_keeps_its_columns_beside_ours(tmp_path: Path) -> None:
    staged(tmp_path, reply(options=("1", "4"), item_columns={"level": 2, "answer": "own"}))
    assert rows(DataRoot(tmp_path).items("sums@1")) == [
        {"item_id": "a", "question": "a?", "options": ["1", "4"], "level": 2, "given_answer": "own"}
    ]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (reply(place="f.jsonl:2"), "duplicate"),
        (reply(question="else?", model="wren", place="f.jsonl:2"), "other_item"),
        (reply(references=("5",), model="wren", place="f.jsonl:2"), "other_item"),
        (reply(options=("5",), model="wren", place="f.jsonl:2"), "other_item"),
        (PeerReject("f.jsonl:2", "not_json", "cut"), "not_json"),
    ],
)
def test_what_is_not_taken_is_counted_with_its_place(
    tmp_path: Path, second: Entry, reason: str
) -> None:
    staging = staged(tmp_path, reply(), second)
    assert staging.rejected == {reason: 1}
    assert staging.first_rejected[reason].startswith("f.jsonl:2: ")
    (row,) = rows(tmp_path / REJECTED)
    assert (row["place"], row["reason"]) == ("f.jsonl:2", reason)
    assert staging.tasks["sums"].replies == {"nest--finch": 1}


def test_a_name_for_one_task_is_refused_for_two(tmp_path: Path) -> None:
    assert list(staged(tmp_path / "a", reply(), benchmark="mine").tasks) == ["sums"]
    with pytest.raises(ValueError, match=r"several tasks \(sums, names\): --benchmark names"):
        staged(tmp_path / "b", reply(), reply(task="names"), benchmark="mine")


def test_two_tasks_never_become_one_benchmark(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a/b' and 'a--b' would both be a--b"):
        staged(tmp_path, reply(task="a/b"), reply(task="a--b"))


def test_numbers_are_kept_in_order(tmp_path: Path) -> None:
    number = PublishedNumber("sums", "nest/finch", "acc", 0.5, "results.json")
    assert staged(tmp_path, number, reply()).numbers == [number]


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3),
        ),
        max_size=4,
    )
)
def test_any_row_is_one_line_of_utf_8_that_reads_back(row: dict[str, Any]) -> None:
    text = row_text(row)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert json.loads(text.encode("utf-8")) == row


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.integers(0, 2), st.booleans())
    )
)
def test_every_entry_is_taken_or_rejected(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, str, int, bool]]
) -> None:
    entries = [
        reply(item, model, draw, question="?" if same else "another?")
        for item, model, draw, same in drawn
    ]
    folder = tmp_path_factory.mktemp("stage")
    staging = staged(folder, *entries)
    taken = sum((task.replies for task in staging.tasks.values()), Counter[str]())
    assert sum(taken.values()) + sum(staging.rejected.values()) == len(entries)
    written = [len(rows(path)) for path in folder.glob("checkpoints/*/*.jsonl")]
    assert sum(written) == sum(taken.values())
