"""From a newcomer's plain file to a first number."""

import csv
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.cli.first_draft import FirstDraft, first_draft
from eval_pipeline.cli.plain_rows import read_plain
from eval_pipeline.cli.row_keys import SYNONYMS
from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.ingest.checkpoint import list_checkpoints
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.world import instruments_exist
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.project import lines, put

ROW = {"question": "2 + 2?", "answer": "4", "reply": "It is 4."}


def draft_of(path: Path, rows: Iterable[Mapping[str, Any]]) -> FirstDraft:
    put(path, lines(rows))
    return first_draft(read_plain(path), "mine", {})


def begun(root: Path, source: Path, *more: str) -> Any:
    return succeeded(root, "init", "--from", str(source), "--json", *more).json


def test_a_plain_file_becomes_a_number(tmp_path: Path) -> None:
    source, root = tmp_path / "answers.jsonl", tmp_path / "new" / "data"
    rows = [
        {"prompt": f"{i} + 1?", "target": i + 1, "response": f"So {i + 1 + i % 2}", "model": model}
        for i in range(12)
        for model in ("wren", "robin")
    ]
    put(source, lines(rows))
    shown = succeeded(root, "init", "--from", str(source), "--contract", "sums").stdout
    assert "numeric@2" in shown
    assert "guessed: the file names no items" in shown
    assert succeeded(root, "run").code == 0
    board = succeeded(root, "ls", "sums", "--json").json
    assert [row["value"] for row in board["rows"]] == pytest.approx([0.5, 0.5])
    assert board["draft"]
    assert all(row["ci_low"] < 0.5 < row["ci_high"] for row in board["rows"])
    text = (root / "contracts" / "sums" / "v1.yaml").read_text()
    succeeded(root, "freeze", "sums")
    frozen = (root / "contracts" / "sums" / "v1.yaml").read_text()
    assert frozen == text.replace("status: draft", "status: frozen")
    asked = called(root, "gate", "sums", "robin", "--json")
    assert (asked.code, asked.json["reason_code"]) == (12, "stale")
    assert succeeded(root, "run", "--json").json["failed"] == {}
    assert called(root, "gate", "sums", "robin", "--json").json["reason_code"] == "no_rule"


def test_what_is_written_is_a_valid_draft_with_every_guess_marked(tmp_path: Path) -> None:
    source, root = tmp_path / "mine.jsonl", DataRoot(tmp_path / "data")
    put(source, lines([ROW]))
    told = begun(root.path, source)
    loaded = load_contract(root, root.contract_file("mine", 1), (instruments_exist,))
    assert loaded.contract.status == "draft"
    assert read_items(root, loaded.contract).table.num_rows == 1
    assert list_checkpoints(root).landed == ("mine",)
    text = root.contract_file("mine", 1).read_text()
    for line in ("verifier: numeric@2  # guessed", "failures:  # guessed", "seed: 1"):
        assert line in text
    for section in ("prompt", "decoding", "decision"):
        assert f'{section}: {{unknown: "' in text
    for path in told["written"]:
        assert (root.path / path).is_file()
    assert sorted(path.name for path in root.path.iterdir()) == [
        "benchmarks",
        "checkpoints",
        "contracts",
    ]


@pytest.mark.parametrize("part", SYNONYMS)
def test_each_part_is_found_under_each_of_its_keys(tmp_path: Path, part: str) -> None:
    values = {
        "item_id": "i1",
        "question": "2 + 2?",
        "answer": "B",
        "reply": "B",
        "model": "wren",
        "draw": 3,
        "options": ["3", "4"],
    }
    for key in SYNONYMS[part]:
        named = {key.upper() if name == part else name: value for name, value in values.items()}
        path = tmp_path / f"{part}-{key}.jsonl"
        put(path, lines([named]))
        file = read_plain(path)
        assert file.keys[part] == key.upper()
        (row,) = file.rows
        assert (row.item_id, row.reply, row.model, row.draw) == ("i1", "B", "wren", 3)
        assert (row.question, row.answer, row.options) == ("2 + 2?", "B", ("3", "4"))


@pytest.mark.parametrize(
    ("answers", "options", "verifier", "declared"),
    [
        (["4", "1,200", "-3.5", "3/4", "50%"], None, "numeric@2", {"thousands": ","}),
        (["A", "C", "B"], None, "choice@2", {"labels": "ABCD"}),
        (["A", "F"], None, "choice@2", {"labels": "ABCDEF"}),
        (["B", "A"], ["x", "y"], "choice@2", {}),
        (["y", "x"], ["x", "y"], "choice@2", {}),
        (["y", "z"], ["x", "y"], "exact@1", {"policy": "casefold"}),
        (["Paris", "Rome"], None, "exact@1", {"policy": "casefold"}),
        (["4", "four"], None, "exact@1", {"policy": "casefold"}),
        (["Route 66", "4"], None, "exact@1", {"policy": "casefold"}),
    ],
)
def test_the_verifier_is_guessed_from_the_answers(
    tmp_path: Path,
    answers: list[str],
    options: list[str] | None,
    verifier: str,
    declared: dict[str, str],
) -> None:
    rows = [
        {**ROW, "question": f"q{i}", "answer": answer, **({"options": options} if options else {})}
        for i, answer in enumerate(answers)
    ]
    chosen = draft_of(tmp_path / "a.jsonl", rows).chosen
    assert (chosen.verifier, dict(chosen.options)) == (verifier, declared)
    assert chosen.reason


def test_what_follows_the_mark_of_a_worked_solution_is_the_answer(tmp_path: Path) -> None:
    rows = [
        {**ROW, "answer": "2 and 2 are 4\n#### 4"},
        {**ROW, "question": "?", "answer": "#### 7"},
    ]
    draft = draft_of(tmp_path / "a.jsonl", rows)
    assert [item.answer for item in draft.items] == ["4", "7"]
    assert draft.chosen.verifier == "numeric@2"
    assert any("####" in guess for guess in draft.guesses)


@pytest.mark.parametrize(("places", "letters"), [([0, 1], ["A", "B"]), ([1, 2], ["A", "B"])])
def test_places_in_the_options_become_letters(
    tmp_path: Path, places: list[int], letters: list[str]
) -> None:
    rows = [
        {**ROW, "question": f"q{i}", "answer": place, "choices": ["x", "y"]}
        for i, place in enumerate(places)
    ]
    draft = draft_of(tmp_path / "a.jsonl", rows)
    assert [item.answer for item in draft.items] == letters
    assert any("places in the options" in guess for guess in draft.guesses)


@pytest.mark.parametrize(
    "given",
    [
        {"choices": {"A": "x", "B": "y"}},
        {"choices": {"text": ["x", "y"], "label": ["A", "B"]}},
        {"choices": '["x", "y"]'},
        {"A": "x", "B": "y"},
    ],
)
def test_options_come_in_several_forms(tmp_path: Path, given: dict[str, Any]) -> None:
    draft = draft_of(tmp_path / "a.jsonl", [{**ROW, "answer": "B", **given}])
    assert draft.items[0].options == ("x", "y")


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


def test_keys_that_mean_something_else_in_generations_are_kept_apart(tmp_path: Path) -> None:
    source, root = tmp_path / "a.jsonl", tmp_path / "data"
    extra = {"status": "great", "text": "other", "tokens_out": 7, "topic": "sums"}
    put(source, lines([{**ROW, **extra}]))
    begun(root, source)
    (sample,) = (root / "checkpoints" / "a" / "a.jsonl").read_text().splitlines()
    assert json.loads(sample) == {
        "item_id": "item-0001",
        "draw": 0,
        "text": ROW["reply"],
        "given_status": "great",
        "given_text": "other",
        "tokens_out": 7,
        "topic": "sums",
    }


def test_nothing_is_overwritten_and_nothing_is_left_behind(tmp_path: Path) -> None:
    source, root = tmp_path / "a.jsonl", tmp_path / "data"
    put(source, lines([ROW]))
    begun(root, source)
    before = sorted(path for path in root.rglob("*"))
    line = refused(root, "init", "--from", str(source))
    assert "benchmarks/a, checkpoints/a, contracts/a" in line
    assert "--contract, --benchmark and --rename" in line
    assert sorted(path for path in root.rglob("*")) == before
    begun(root, source, "--contract", "b")
    assert (root / "contracts" / "b" / "v1.yaml").is_file()


def test_names_are_asked_for_and_never_changed(tmp_path: Path) -> None:
    source, root = tmp_path / "my answers.jsonl", tmp_path / "data"
    put(source, lines([{**ROW, "model": "org/wren"}]))
    assert "choose a name with --contract" in refused(root, "init", "--from", str(source))
    line = refused(root, "init", "--from", str(source), "--contract", "mine")
    assert "--rename 'org/wren=name'" in line
    assert not root.exists()
    told = begun(root, source, "--contract", "mine", "--rename", "org/wren=wren")
    assert told["checkpoints"] == ["wren"]


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


def test_odd_names_are_quoted_in_yaml(tmp_path: Path) -> None:
    source, root = tmp_path / "1.jsonl", DataRoot(tmp_path / "data")
    put(source, lines([{**ROW, "model": "no"}]))
    begun(root.path, source, "--contract", "1e5", "--benchmark", "true")
    loaded = load_contract(root, root.contract_file("1e5", 1))
    assert loaded.contract.contract == "1e5"
    assert loaded.contract.task.benchmark == "true@1"
    assert getattr(loaded.contract.targets, "reference", None) == "no"


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ({"passed": [True, False]}, "passed"),
        ({"exact_match": [1.0, 0.0]}, "exact_match"),
        ({"is_correct": ["true", "False"]}, "is_correct"),
        ({"passed": [True, "perhaps"]}, None),
        ({"acc": [93.5, 12.0]}, None),
        ({"score": [1, 0]}, None),
        ({"passed": ["yes", "no"], "acc": [1, 0]}, "acc"),
    ],
)
def test_a_flag_of_the_publisher_is_offered_and_counts_for_nothing(
    tmp_path: Path, flags: dict[str, list[Any]], found: str | None
) -> None:
    source, root = tmp_path / "mine.jsonl", DataRoot(tmp_path / "data")
    rows = [
        {"question": f"{i} + 1?", "answer": str(i + 1), "reply": str(i + 1), "model": "wren"}
        | {key: values[i] for key, values in flags.items()}
        for i in (0, 1)
    ]
    put(source, lines(rows))
    told = begun(root.path, source)
    assert [guess for guess in told["guesses"] if "publisher" in guess] == (
        [] if found is None else [guess for guess in told["guesses"] if guess.startswith(found)]
    )
    path = root.contract_file("mine", 1)
    text = path.read_text()
    assert ("# recorded:" in text) == (found is not None)
    assert load_contract(root, path).contract.verification.recorded is None
    if found is not None:
        put(path, text.replace("  # recorded:", "  recorded:"))
        recorded = load_contract(root, path, (instruments_exist,)).contract.verification.recorded
        assert recorded.field == found


def test_replies_that_nobody_could_judge_are_told_beside_the_score(tmp_path: Path) -> None:
    source, root = tmp_path / "tiny.jsonl", tmp_path / "data"
    rows = [{"question": f"{i} + 1?", "answer": str(i + 1), "reply": "no number"} for i in range(5)]
    put(source, lines(rows))
    begun(root, source)
    succeeded(root, "run")
    board = succeeded(root, "ls", "tiny")
    assert "100.0% not judged" in board.stdout
    assert "tiny: 100.0% (parser_failure 100.0%) of its draws were not judged" in board.stderr
    told = succeeded(root, "ls", "tiny", "--json").json["unjudged"]["tiny"]
    assert told == {"share": 1.0, "parser_failure": 1.0, "undecided": 0.0}
    page = tmp_path / "page.html"
    succeeded(root, "report", "tiny", "--out", str(page))
    text = page.read_text(encoding="utf-8")
    assert "Draws not judged" in text
    assert "100.0% (parser_failure 100.0%)" in text


@pytest.mark.parametrize("keys", [{}, {"item_id": "id"}])
def test_ids_are_items_where_one_question_has_several_answers(
    tmp_path: Path, keys: dict[str, str]
) -> None:
    rows = [{**ROW, "question": "See the map.", "answer": a, "id": f"n{a}"} for a in ("4", "6")]
    put(tmp_path / "a.jsonl", lines(rows))
    draft = first_draft(read_plain(tmp_path / "a.jsonl", keys), "mine", {})
    assert [(item.item_id, item.answer) for item in draft.items] == [("n4", "4"), ("n6", "6")]
    assert not draft.rejected


def test_a_key_that_was_named_names_the_items(tmp_path: Path) -> None:
    rows = [{**ROW, "id": i, "model": model} for i, model in enumerate(("wren", "robin"))]
    put(tmp_path / "a.jsonl", lines(rows))
    draft = first_draft(read_plain(tmp_path / "a.jsonl", {"item_id": "id"}), "mine", {})
    assert [item.item_id for item in draft.items] == ["0", "1"]


def test_the_only_reply_to_an_item_needs_no_number(tmp_path: Path) -> None:
    rows = [
        {**ROW, "id": "a", "model": "wren"},
        *({**ROW, "id": "a", "model": "robin", "sample": n} for n in (1, 2)),
        {**ROW, "id": "b", "question": "?", "model": "robin", "sample": None},
        {**ROW, "id": "b", "question": "?", "model": "robin", "sample": 1},
    ]
    draft = draft_of(tmp_path / "a.jsonl", rows)
    assert [draw for _, draw, _ in draft.samples["wren"]] == [0]
    assert [(item.item_id, draw) for item, draw, _ in draft.samples["robin"]] == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
    ]
    assert [(one.line, one.reason) for one in draft.rejected] == [(4, "no_draw")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_heading_says_what_parts_the_columns(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "a.csv"
    rows = [("id", "question", "answer", "reply"), ("1", "a" + separator + "b?", "3", "It is 3")]
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, delimiter=separator).writerows(rows)
    (row,) = read_plain(path).rows
    assert (row.item_id, row.question, row.answer) == ("1", f"a{separator}b?", "3")
