"""From a newcomer's plain file to a first number."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.contracts.items import read_items
from eval_pipeline.contracts.load import load_contract
from eval_pipeline.ingest.checkpoint import list_checkpoints
from eval_pipeline.ingest.plain.keys import SYNONYMS
from eval_pipeline.ingest.plain.rows import read_plain
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.world import instruments_exist
from eval_pipeline_tests.cli.calling import called, refused, succeeded
from eval_pipeline_tests.cli.plain_files import ROW, begun, draft_of
from eval_pipeline_tests.cli.project import lines, put


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
    asked = called(root, "freeze", "sums")
    listed = asked.stderr
    assert asked.code == 1
    guessed = [n for n, line in enumerate(text.splitlines(), 1) if "# guessed" in line]
    assert all(f"contracts/sums/v1.yaml:{n}: " in listed for n in guessed)
    assert "--accept-guesses" in listed
    assert (root / "contracts" / "sums" / "v1.yaml").read_text() == text
    succeeded(root, "freeze", "sums", "--accept-guesses")
    frozen = (root / "contracts" / "sums" / "v1.yaml").read_text()
    unmarked = re.sub(r" *# guessed.*", "", re.sub(r"  reading: .*\n", "", text))
    assert frozen == unmarked.replace("status: draft", "status: frozen")
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


def test_a_second_benchmark_of_a_known_checkpoint_is_added(tmp_path: Path) -> None:
    root = tmp_path / "data"
    put(tmp_path / "rows.jsonl", lines([{**ROW, "id": "n0", "model": "pine"}]))
    put(tmp_path / "more.jsonl", lines([{**ROW, "id": "b1", "model": "pine", "reply": "5"}]))
    begun(root, tmp_path / "rows.jsonl", "--contract", "tiny")
    succeeded(root, "run")
    told = begun(root, tmp_path / "more.jsonl", "--contract", "other")
    assert "checkpoints/pine/other.jsonl" in told["written"]
    assert "checkpoints/pine/checkpoint.yaml" not in told["written"]
    assert list_checkpoints(DataRoot(root)).landed == ("pine",)
    assert succeeded(root, "run", "--json").json["failed"] == {}
    for contract, value in (("tiny", 1.0), ("other", 0.0)):
        (row,) = succeeded(root, "ls", contract, "--json").json["rows"]
        assert (row["checkpoint"], row["value"]) == ("pine", value)


def test_a_new_checkpoint_of_a_known_benchmark_is_added(tmp_path: Path) -> None:
    root = tmp_path / "data"
    put(tmp_path / "a.jsonl", lines([{**ROW, "id": "n0", "model": "pine"}]))
    put(tmp_path / "b.jsonl", lines([{**ROW, "id": "n0", "model": "oak", "reply": "5"}]))
    put(tmp_path / "c.jsonl", lines([{**ROW, "id": "n0", "model": "yew", "answer": "5"}]))
    begun(root, tmp_path / "a.jsonl", "--contract", "tiny")
    text = (root / "contracts" / "tiny" / "v1.yaml").read_bytes()
    told = begun(root, tmp_path / "b.jsonl", "--contract", "tiny")
    assert all(path.startswith("checkpoints/oak/") for path in told["written"])
    assert (root / "contracts" / "tiny" / "v1.yaml").read_bytes() == text
    before = sorted(root.rglob("*"))
    line = refused(root, "init", "--from", str(tmp_path / "c.jsonl"), "--contract", "tiny")
    assert "item n0 has another question, reference or options there" in line
    assert sorted(root.rglob("*")) == before
    assert succeeded(root, "run", "--json").json["failed"] == {}
    rows = succeeded(root, "ls", "tiny", "--json").json["rows"]
    assert {row["checkpoint"]: row["value"] for row in rows} == {"pine": 1.0, "oak": 0.0}


def test_names_are_asked_for_and_never_changed(tmp_path: Path) -> None:
    source, root = tmp_path / "my answers.jsonl", tmp_path / "data"
    put(source, lines([{**ROW, "model": "org/wren"}]))
    assert "choose a name with --contract" in refused(root, "init", "--from", str(source))
    line = refused(root, "init", "--from", str(source), "--contract", "mine")
    assert "--rename 'org/wren=name'" in line
    assert not root.exists()
    told = begun(root, source, "--contract", "mine", "--rename", "org/wren=wren")
    assert told["checkpoints"] == ["wren"]


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


def test_the_key_that_numbers_the_rows_is_left_out_as_the_guess_says(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "question": "2 + 2?", "answer": "4", "reply": "4"},
        {"id": 2, "question": "2 + 2?", "answer": "4", "reply": "5"},
    ]
    file = tmp_path / "ids.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    told = begun(tmp_path / "data", file)
    assert any("--key item_id=" in guess for guess in told["guesses"])
    again = begun(tmp_path / "other", file, "--key", "item_id=")
    assert (told["items"], again["items"], again["draws"]) == (2, 1, 2)
    assert "--rename 'a='" in refused(
        tmp_path / "third", "init", "--from", str(file), "--rename", "a=", code=2
    )
