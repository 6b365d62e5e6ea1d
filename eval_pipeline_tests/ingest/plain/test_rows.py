"""How the rows of a plain file are read: its forms, keys, ids and draws, and what is rejected."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.cli.drafting.first_draft import first_draft
from eval_pipeline.ingest.plain.rows import read_plain
from eval_pipeline_tests.cli.calling import refused
from eval_pipeline_tests.cli.plain_files import ROW, begun, draft_of
from eval_pipeline_tests.cli.project import lines, put


def test_replies_to_one_item_are_draws_in_order(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "a.jsonl", [{**ROW, "reply": str(i)} for i in range(3)])
    assert [(draw, row.reply) for _, draw, row in draft.samples["mine"]] == [
        (0, "0"),
        (1, "1"),
        (2, "2"),
    ]
    assert draft.draws == 3


def test_ids_in_the_file_are_the_items_even_where_questions_repeat(tmp_path: Path) -> None:
    rows = [{**ROW, "id": i, "answer": str(i), "reply": str(i)} for i in (4, 5)]
    draft = draft_of(tmp_path / "a.jsonl", rows)
    assert [item.item_id for item in draft.items] == ["4", "5"]
    assert any(guess.startswith("2 items have 1 questions: id names") for guess in draft.guesses)


def test_an_id_that_numbers_the_rows_can_be_left_out(tmp_path: Path) -> None:
    rows = [{**ROW, "id": i, "model": model} for i, model in enumerate(("wren", "robin"))]
    put(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    draft = first_draft(read_plain(tmp_path / "a.jsonl", {"item_id": ""}), "mine", {})
    assert len(draft.items) == 1
    with pytest.raises(ValueError, match="a reply is needed"):
        read_plain(tmp_path / "a.jsonl", {"reply": ""})


def test_a_row_without_a_draw_is_draw_0_where_it_is_alone(tmp_path: Path) -> None:
    rows = [
        {**ROW, "id": "a", "model": "wren"},
        {**ROW, "id": "a", "model": "robin", "sample": 0},
        {**ROW, "id": "a", "model": "robin", "sample": 1},
        {**ROW, "id": "a", "model": "robin"},
    ]
    draft = draft_of(tmp_path / "a.jsonl", rows)
    assert {name: [draw for _, draw, _ in those] for name, those in draft.samples.items()} == {
        "wren": [0],
        "robin": [0, 1],
    }
    assert [(one.line, one.reason) for one in draft.rejected] == [(4, "no_draw")]


def test_replies_in_a_list_are_draws(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "a.jsonl", [{**ROW, "reply": ["4", "5", 4]}])
    assert [(draw, row.reply) for _, draw, row in draft.samples["mine"]] == [
        (0, "4"),
        (1, "5"),
        (2, "4"),
    ]
    both = draft_of(tmp_path / "b.jsonl", [{**ROW, "draw": 0}, {**ROW, "reply": ["4"], "draw": 1}])
    assert [one.reason for one in both.rejected] == ["draws_in_a_draw"]


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({"doc": {"q": "2 + 2?"}}, "doc.q"),
        ({"doc": [{"q": "2 + 2?"}]}, "doc.0.q"),
        ({"doc.q": "2 + 2?", "doc": {"q": "another"}}, "doc.q"),
    ],
)
def test_a_key_leads_into_nested_values(tmp_path: Path, row: dict[str, Any], key: str) -> None:
    put(tmp_path / "a.jsonl", json.dumps({**row, "answer": "4", "reply": "4"}))
    (read,) = read_plain(tmp_path / "a.jsonl", {"question": key}).rows
    assert read.question == "2 + 2?"
    with pytest.raises(ValueError, match=r"no row has the key 'doc\.1\.q'"):
        read_plain(tmp_path / "a.jsonl", {"question": "doc.1.q"})


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.jsonl"])
def test_a_json_array_is_read_as_rows(tmp_path: Path, name: str) -> None:
    text = json.dumps([ROW, 3, {**ROW, "reply": "5"}]).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    file = read_plain(path)
    assert [(row.line, row.reply) for row in file.rows] == [(1, ROW["reply"]), (3, "5")]
    assert [(one.line, one.reason) for one in file.rejected] == [(2, "not_an_object")]
    path.write_bytes(gzip.compress(text[:-1]) if name.endswith(".gz") else text[:-1])
    with pytest.raises(ValueError, match="begins as a JSON array and is none"):
        read_plain(path)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_of_a_csv_is_found(tmp_path: Path, separator: str) -> None:
    heading = separator.join(("id", "question", "answer", "reply"))
    rows = [
        separator.join(("1", "How long?", "3", '"3, or so; | perhaps"')),
        separator.join(("2", "Wide?", "2", "2")),
    ]
    put(tmp_path / "a.csv", "\n".join([heading, *rows]))
    file = read_plain(tmp_path / "a.csv")
    assert [(row.answer, row.reply) for row in file.rows] == [
        ("3", "3, or so; | perhaps"),
        ("2", "2"),
    ]


def test_draws_that_begin_at_one_begin_at_zero_here(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "a.jsonl", [{**ROW, "draw": draw} for draw in (1, 2, 2)])
    assert [draw for _, draw, _ in draft.samples["mine"]] == [0, 1]
    assert [(one.line, one.reason) for one in draft.rejected] == [(3, "duplicate")]


def test_bad_rows_are_counted_with_reasons_and_kept(tmp_path: Path) -> None:
    source, root = tmp_path / "a.jsonl", tmp_path / "data"
    good = json.dumps(ROW)
    bad = {
        "no_question": {**ROW, "question": " "},
        "no_answer": {**ROW, "answer": None},
        "no_reply": {**ROW, "reply": {"text": "4"}},
        "other_answer": {**ROW, "answer": "5"},
        "lone_surrogate": {**ROW, "question": "half \ud800"},
    }
    broken = ['{"question": "2 +', "[1, 2]", '{"a": NaN}', '{"a": 1, "a": 2}']
    put(source, "\n".join([good, *map(json.dumps, bad.values()), "", *broken, good]))
    told = begun(root, source)
    assert told["rows read"] == 1 + len(bad) + len(broken) + 1
    assert told["rows taken"] == 2
    assert sum(told["rows rejected"].values()) == len(bad) + len(broken)
    assert set(bad) <= set(told["rows rejected"])
    kept = (root / "benchmarks" / "a" / "v1" / "rejected_rows.jsonl").read_text().splitlines()
    assert [json.loads(line)["line"] for line in kept] == [2, 3, 4, 5, 6, 8, 9, 10, 11]


def test_csv_with_quotes_and_line_ends_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        b"\xef\xbb\xbfid,question,answer,output\r\n"
        b'q1,"two\nlines, and ""quotes""",Paris,paris\r\n'
        b"q2,what?,Rome\r\n"
        b"q3,caf\xff?,Rome,Rome\r\n"
        b"q4,where?,Oslo,\r\n"
    )
    file = read_plain(path)
    assert [(row.line, row.item_id, row.reply) for row in file.rows] == [
        (2, "q1", "paris"),
        (6, "q4", ""),
    ]
    assert file.rows[0].question == 'two\nlines, and "quotes"'
    assert [(one.line, one.reason) for one in file.rejected] == [
        (4, "other_length"),
        (5, "invalid_utf8"),
    ]


def test_an_open_quote_in_csv_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    put(path, 'question,answer,reply\na,b,c\nd,"e,f\ng,h,i\n')
    with pytest.raises(ValueError, match=r"a\.csv, line 3: .*close the quote"):
        read_plain(path)


def test_a_file_without_a_part_says_which_keys_it_has(tmp_path: Path) -> None:
    source, root = tmp_path / "a.jsonl", tmp_path / "data"
    put(source, lines([{"Frage": "2 + 2?", "answer": "4", "reply": "4"}]))
    line = refused(root, "init", "--from", str(source))
    assert "no row has a question" in line
    assert "Frage" in line
    assert "--key question=" in line
    assert begun(root, source, "--key", "question=Frage")["items"] == 1


@pytest.mark.parametrize("content", ["", "\n\n", "no JSON\n", "[1]\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: str) -> None:
    source = tmp_path / "a.jsonl"
    put(source, content)
    line = refused(tmp_path / "data", "init", "--from", str(source))
    assert "holds no row that can be read" in line
    assert not (tmp_path / "data").exists()
