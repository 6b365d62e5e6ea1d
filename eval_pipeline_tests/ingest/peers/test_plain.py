"""Rows of question, answer and reply without the form of a tool."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.ingest.peers.entries import PeerGuess, PeerReject, PeerReply
from eval_pipeline.ingest.peers.glance import Glance, glances_of
from eval_pipeline.ingest.peers.recognition import claimed
from eval_pipeline_tests.ingest.peers.made import entries, put_json, put_lines, rejects, replies

ROW = {"id": "n1", "question": "2 + 2?", "answer": "4", "reply": "It is 4"}


def said(path: Path, keys: dict[str, str]) -> list[PeerReply]:
    read = claimed([Glance(path)], None, keys)
    found = [entry for form, parts in read for entry in form.read(parts)]
    return [entry for entry in found if isinstance(entry, PeerReply)]


def test_the_kind_of_file_is_told_by_how_it_begins(tmp_path: Path) -> None:
    heading, cells = ";".join(ROW), ";".join(ROW.values())
    pq.write_table(pa.Table.from_pylist([ROW]), tmp_path / "p")
    table = f"{heading}\n{cells}\n"
    contents = {
        "a": json.dumps(ROW).encode(),
        "b": json.dumps([ROW], indent=1).encode(),
        "c": table.encode(),
        "d": table.replace(";", "\t").encode("utf-16"),
        "e": gzip.compress(table.encode()),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    for name in (*contents, "p"):
        (one,) = replies(tmp_path / name)
        assert (one.item_id, one.question, one.text) == ("n1", "2 + 2?", "It is 4")
        assert (one.references, one.model, one.task) == (("4",), name, name)


def test_keys_lead_into_nested_values_said_or_not(tmp_path: Path) -> None:
    row = {"doc": {"question": "2 + 2?"}, "target": ["4", "four"], "out": [{"text": "4"}]}
    path = put_lines(tmp_path / "a.jsonl", [row])
    (one,) = said(path, {"reply": "out[0].text"})
    assert (one.question, one.text, one.references) == ("2 + 2?", "4", ("4", "four"))
    with pytest.raises(ValueError, match=r"a\.jsonl: no row has the key 'out\.1\.text' \(reply\)"):
        said(path, {"reply": "out.1.text"})


def test_several_files_are_one_benchmark_of_several_models(tmp_path: Path) -> None:
    first = put_lines(tmp_path / "sums_wren_v1.jsonl", [ROW])
    second = put_lines(tmp_path / "sums_robin_v1.jsonl", [ROW, {**ROW, "model": None}])
    found = replies(first, second)
    assert [(one.task, one.model, one.draw) for one in found] == [
        ("sums", "wren", 0),
        ("sums", "robin", 0),
        ("sums", "robin", 1),
    ]


def test_items_and_replies_of_two_files_are_joined_by_id(tmp_path: Path) -> None:
    items = put_lines(tmp_path / "items.jsonl", [{**ROW, "reply": None, "subject": "sums"}])
    answers = put_lines(
        tmp_path / "wren.jsonl", [{"id": "n1", "reply": ["4", "5"]}, {"id": "n9", "reply": "1"}]
    )
    found = entries(items, answers)
    told = [one for one in found if isinstance(one, PeerReply)]
    assert [(one.model, one.draw, one.text, one.references) for one in told] == [
        ("wren", 0, "4", ("4",)),
        ("wren", 1, "5", ("4",)),
    ]
    assert told[0].item_columns == {"subject": "sums"}
    lost = [one for one in found if isinstance(one, PeerReject)]
    assert [(one.place, one.reason) for one in lost] == [("wren.jsonl:2", "unknown_item")]
    strange = put_lines(tmp_path / "other.jsonl", [{"id": "x1", "reply": "4"}])
    with pytest.raises(ValueError, match=r"the items are n1 \.\.\., the replies are to x1"):
        entries(items, strange)


def test_columns_that_are_constant_within_items_are_theirs(tmp_path: Path) -> None:
    rows = [
        {**ROW, "id": f"n{i}", "question": f"{i}?", "model": model, "kind": f"k{i}", "ms": n + i}
        for n, model in ((10, "wren"), (20, "robin"))
        for i in (1, 2)
    ]
    for one in replies(put_lines(tmp_path / "a.jsonl", rows)):
        assert one.item_columns.keys() == {"kind"}
        assert one.columns.keys() == {"ms"}


@pytest.mark.parametrize(
    ("more", "verdicts"),
    [
        ({"correct": [True, False]}, {"correct": [1.0, 0.0]}),
        ({"passed": ["true", "false"]}, {"passed": [1.0, 0.0]}),
        ({"correct": [True, None]}, {}),
        ({"acc": [93.5, 12.0]}, {}),
        ({"score": [1, 0]}, {}),
    ],
)
def test_a_flag_is_the_publishers_verdict(
    tmp_path: Path, more: dict[str, list[Any]], verdicts: dict[str, list[float]]
) -> None:
    rows = [{**ROW, "id": f"n{i}", **{k: v[i] for k, v in more.items()}} for i in (0, 1)]
    found = replies(put_lines(tmp_path / "a.jsonl", rows))
    assert [dict(one.said) for one in found] == [
        {key: values[i] for key, values in verdicts.items()} for i in (0, 1)
    ]


def test_a_column_of_scores_is_a_verdict_where_a_person_says_so(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "a.jsonl", [{**ROW, "score": 0.5}])
    assert said(path, {"published": "score"})[0].said == {"score": 0.5}


def test_every_row_is_taken_or_rejected_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    bad = [{**ROW, "reply": None}, {**ROW, "reply": {"a": 1}}, {**ROW, "answer": {}}]
    path.write_text("\n".join([json.dumps(ROW), "{", "[1]", *map(json.dumps, bad)]))
    assert len(replies(path)) == 1
    assert [(one.place, one.reason) for one in rejects(path)] == [
        ("a.jsonl:2", "invalid_json"),
        ("a.jsonl:3", "not_an_object"),
        ("a.jsonl:4", "no_reply"),
        ("a.jsonl:5", "no_reply"),
        ("a.jsonl:6", "no_answer"),
    ]


def test_what_was_guessed_is_said(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "a.jsonl", [{"query": "2 + 2?", "gt": 4, "pred": "4"}])
    found = [one for one in entries(path) if isinstance(one, PeerGuess)]
    assert found[0].text == "a.jsonl: question is query, answer is gt, reply is pred"
    assert found[0].keys == {"question": "query", "answer": "gt", "reply": "pred"}
    assert any("names no model" in one.text for one in found)
    assert any("names no items" in one.text for one in found)


def test_an_archive_holds_files_of_any_form(tmp_path: Path) -> None:
    path = tmp_path / "runs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../runs/wren.jsonl", json.dumps(ROW))
        archive.writestr("runs/robin.jsonl", json.dumps(ROW))
        archive.writestr("__MACOSX/._robin.jsonl", "x")
    read = claimed([*glances_of(path)])
    found = [entry for form, parts in read for entry in form.read(parts)]
    told = {one.model: one.place for one in found if isinstance(one, PeerReply)}
    assert told == {
        "wren": "runs.zip:../runs/wren.jsonl:1",
        "robin": "runs.zip:runs/robin.jsonl:1",
    }


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xd0\xcf\x11\xe0" + bytes(600), "save the sheet as CSV"),
        ((",".join(f"c{i}" for i in range(10_000)) + "\n1\n").encode(), "10,000 columns"),
        (b"PAR1" + bytes(40) + b"PAR1", "damaged Parquet"),
        (b"question,question,reply\n1,2,3\n", "two columns are called 'question'"),
    ],
)
def test_what_is_no_table_of_rows_is_refused_in_one_line(
    tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "strange.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"strange\.csv") as refused:
        entries(path)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    with pytest.raises(ValueError, match=r"book\.xlsx is an Excel workbook: save the sheet as CSV"):
        glances_of(path)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"score": 0.4, "score:std": 0.49, "chars": 812.5}', "simple-evals"),
        ('{"results": {"arc": {"acc": 0.2, "acc_stderr": 0.01}}}', "lm-evaluation-harness"),
        ('{"model-index": [{"name": "m", "results": []}]}', "model-index"),
        ("---\nlicense: mit\nmodel-index:\n- name: m\n---\n# A card\n", "model-index"),
        ("- dataset:\n    id: cais/hle\n  value: 20.90\n", "Hugging Face evaluation results"),
    ],
)
def test_numbers_alone_are_refused_by_name(tmp_path: Path, content: str, what: str) -> None:
    path = tmp_path / "numbers"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"numbers is .* holds numbers and no replies") as refused:
        entries(path)
    assert what in str(refused.value)


def test_a_list_in_an_object_is_read_as_rows(tmp_path: Path) -> None:
    path = put_json(tmp_path / "a.json", {"made": "today", "rows": [ROW]})
    assert len(replies(path)) == 1
