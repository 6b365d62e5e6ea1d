"""`check`: what a verifier makes of one reply, told without a data folder."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.ingest.generations import read_generations
from eval_pipeline.verification.code.level import absent
from eval_pipeline.verification.registry import EXTRACTIONS, VERIFIERS
from eval_pipeline.verification.scoring import Grader, score_samples
from eval_pipeline.verification.tables import samples_of
from eval_pipeline.verification.verdict import Item
from eval_pipeline_tests.cli.calling import called, refused, succeeded

NUMERIC = ("check", "--verifier", "numeric@1", "--extraction", "last_number@1")


def test_extraction_verdict_and_reason_are_told(tmp_path: Path) -> None:
    options = ("--options", '{"thousands": ","}', "--answer", "70000")
    call = (*NUMERIC, *options, "--reply", "so the profit is $70,000.")
    told = succeeded(tmp_path / "nowhere", *call, "--json").json
    assert (told["extracted"], told["read_as"], told["verdict"]) == ("$70,000", "70000", 1.0)
    assert (told["status"], told["detail"]) == ("ok", None)
    shown = succeeded(tmp_path / "nowhere", *call).stdout
    assert "the reference is 70000: equal" in shown
    assert "last_number@1 + numeric@1" in shown


def test_a_reply_may_come_from_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("no idea"))
    told = succeeded(tmp_path, *NUMERIC, "--answer", "5", "--reply", "-", "--json").json
    assert (told["status"], told["verdict"], told["detail"]) == (
        "parser_failure", None, "no_number"
    )  # fmt: skip


def test_a_choice_item_has_its_options(tmp_path: Path) -> None:
    call = ("check", "--verifier", "choice@1", "--extraction", "choice_letter@1")
    choices = ("--choice", "red", "--choice", "blue", "--answer", "blue")
    assert (
        succeeded(tmp_path, *call, *choices, "--reply", "Answer: (B)", "--json").json["verdict"]
        == 1.0
    )


CODE = ("check", "--verifier", "code@1", "--extraction", "code_block@1", "--entry-point", "add")
TEST = ("--test", "assert add(1, 2) == 3")


@pytest.mark.skipif(absent() is not None, reason="no sandbox here")
def test_a_program_is_run_against_tests_in_the_sandbox(tmp_path: Path) -> None:
    reply = "Here:\n```python\ndef add(a, b):\n    return a + b\n```\n"
    told = succeeded(tmp_path, *CODE, *TEST, "--reply", reply, "--json").json
    assert (told["verdict"], told["reason"]) == (1.0, "passed: 1 calls")
    assert told["extracted"] == "def add(a, b):\n    return a + b"
    assert told["sandbox_level"] in ("full", "partial")
    assert told["limits_of_a_run"].startswith("5 s of CPU, 30 s in all, 512 MiB, 32 processes")
    shown = succeeded(tmp_path, *CODE, *TEST, "--reply", reply.replace("+", "-")).stdout
    assert "wrong" in shown
    assert "extracted program:\n  def add(a, b):\n      return a - b\n" in shown
    cases = ("--test", '{"cases": [{"stdin": "2", "stdout": "4"}]}')
    reads = succeeded(
        tmp_path, *CODE[:5], *cases, "--reply", "print(2 * int(input()))", "--json"
    ).json
    assert reads["verdict"] == 1.0


def test_a_program_without_tests_or_sandbox_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = ("--reply", "def add(a, b): return a + b")
    assert "leave it out" in refused(tmp_path, *CODE, *TEST, *program, "--answer", "3", code=2)
    line = refused(tmp_path, *CODE[:5], *TEST, *program, code=2)
    assert "--entry-point must name the function" in line
    shape = ("--test", '{"case": []}')
    assert "--test: tests that are data" in refused(tmp_path, *CODE, *shape, *program, code=2)
    assert "Choose from answer_line@1, " in refused(tmp_path, *CODE[:3], *program, code=2)
    monkeypatch.setattr("eval_pipeline.verification.code.level.tested", lambda mode: f"no {mode}")
    said = refused(tmp_path, *CODE, *TEST, *program, code=1)
    assert "no sandbox here: no namespaces; no bubblewrap" in said


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        (
            ("--verifier", "numeric@9"),
            "there is no verifier 'numeric@9': did you mean numeric@2 or numeric@1",
            2,
        ),
        (("--extraction", "xyz"), "there is no extraction 'xyz': use one of answer_line@1, ", 2),
        (("--options", "{"), "--options is no JSON", 2),
        (("--options", "[1]"), "must be a JSON object", 2),
        (("--options", '{"thousand": ","}'), "not ['thousand']", 1),
        (("--answer", "five"), "--answer 'five' is no single number; mend it, or declare", 1),
        (("--extraction", "answer_line@1"), 'needs --options, such as {"pattern"', 1),
        (("--verifier", "code@1"), "give them with --test", 2),
        (("--test", "assert f()"), "are for code, not numeric@1", 2),
    ],
)
def test_a_wrong_call_is_one_line(
    tmp_path: Path, change: tuple[str, str], line: str, code: int
) -> None:
    call = dict(zip(NUMERIC[1::2], NUMERIC[2::2], strict=True)) | {"--answer": "5", "--reply": "5"}
    call[change[0]] = change[1]
    flat = [word for pair in call.items() for word in pair]
    assert line in refused(tmp_path, "check", *flat, code=code)


CHAIN = {
    "steps": [{"boxed@2": {}}, {"answer_line@2": {"pattern": "final_answer"}}, "last_number@2"],
    "strict": 1,
}


def test_the_whole_way_is_told(tmp_path: Path) -> None:
    reply = "<think>\\boxed{3}</think>\n3 * 6 = 18. **Answer:** 18 apples (check: 3 + 15)"
    call = ("check", "--verifier", "numeric", "--extraction", "chain", "--answer", "18.0")
    call = (*call, "--options", json.dumps(CHAIN), "--reply", reply)
    told = succeeded(tmp_path, *call, "--json")
    assert told.stderr == (
        "note: numeric is taken as numeric@2, the newest\n"
        "note: chain is taken as chain@1, the newest\n"
    )
    way = told.json
    assert (way["reply"], way["reasoning"], way["reasoning_closed"]) == (reply, "\\boxed{3}", True)
    assert (way["step"], way["extracted"]) == ("answer_line; lenient", "18 apples")
    assert way["around"] == "3 * 6 = 18. **Answer:** >>18 apples<< (check: 3 + 15)"
    assert (way["read_as"], way["reference"], way["reference_read_as"]) == ("18", "18.0", "18")
    assert (way["status"], way["verdict"], way["detail"]) == ("ok", 1.0, "answer_line; lenient")
    shown = succeeded(tmp_path, *call).stdout
    for line in ("reasoning          cut: \\boxed{3}", "step               answer_line; lenient"):
        assert line in shown


def test_a_reply_that_never_ends_its_reasoning_holds_no_answer(tmp_path: Path) -> None:
    call = ("check", "--verifier", "math@1", "--extraction", "boxed@1", "--answer", "43")
    call = (*call, "--reply", "<think>maybe \\boxed{43}")
    told = succeeded(tmp_path, *call, "--json").json
    assert (told["status"], told["extracted"], told["reasoning_closed"]) == (
        "parser_failure", None, False
    )  # fmt: skip
    assert "never ends, so that no answer came" in succeeded(tmp_path, *call).stdout


def cases_of(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


FIVE = {"reply": "so 5", "answer": "5"}


def test_cases_of_a_file_are_tried_and_those_that_are_off_are_named(tmp_path: Path) -> None:
    file = cases_of(
        tmp_path,
        {**FIVE, "score": 1, "id": "right"},
        {**FIVE, "answer": "6", "score": 1, "id": "off"},
        {**FIVE, "reply": "none", "score": "undecided"},
        {**FIVE, "reply": "\\boxed{5}", "extraction": "boxed", "score": [1, "undecided"]},
        {**FIVE, "answer": "five", "id": "no reference"},
        {"verifier": "choice", "extraction": "choice_letter", "choices": ["x", "y"], "answer": "B"}
        | {"reply": "Answer: B", "note": "not read"},
    )
    found = called(tmp_path, *NUMERIC, "--cases", str(file))
    assert found.code == 1
    assert found.stderr == "note: not read in cases.jsonl: note\n"
    assert "6 cases: 3 as expected, 2 off, 1 without an expectation" in found.stdout
    assert "(1 error, 4 ok, 1 parser_failure)" in found.stdout
    assert "right" not in found.stdout.split("cases:")[0]
    rows = called(tmp_path, *NUMERIC, "--cases", str(file), "--json")
    told = [json.loads(line) for line in rows.stdout.splitlines()]
    assert [row["met"] for row in told] == [True, False, True, True, False, None]
    assert [row["case"] for row in told] == ["right", "off", "3", "4", "no reference", "6"]
    assert told[4]["reason"].startswith("--answer 'five' is no single number")
    assert told[5]["verdict"] == 1.0
    assert "6 cases: " in rows.stderr


def test_cases_without_an_expectation_are_all_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([json.dumps(FIVE)] * 2)))
    shown = succeeded(tmp_path, *NUMERIC, "--cases", "-").stdout
    assert "2 cases: 0 as expected, 0 off, 2 without an expectation (2 ok)" in shown
    assert shown.count("equal") == 2


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("{", "cases.jsonl:1: no JSON: "),
        ("[1]", "cases.jsonl:1: a case is a JSON object"),
        ('{"answer": "5"}', "cases.jsonl:1: no reply"),
        ('{"reply": 5}', "cases.jsonl:1: reply must be text in quotes, got 5"),
        ('{"reply": "5", "score": 2}', "cases.jsonl:1: score must be from 0 to 1"),
        ('{"reply": "5", "score": "right"}', "cases.jsonl:1: score must be from 0 to 1"),
        ('{"reply": "5", "choices": "ab"}', "cases.jsonl:1: choices must be a list"),
        ('{"reply": "5", "options": []}', "cases.jsonl:1: options must be an object"),
        ('{"reply": "5", "verifier": "sums"}', "cases.jsonl:1: there is no verifier 'sums'"),
        ("[" * 100_000, "cases.jsonl:1: nested too deeply"),
        ("", "cases.jsonl holds no case"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: str, line: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(row, encoding="utf-8")
    assert line in refused(tmp_path, *NUMERIC, "--cases", str(file))


def test_a_file_that_is_not_there_or_no_text_is_one_line(tmp_path: Path) -> None:
    assert "nowhere.jsonl" in refused(
        tmp_path, *NUMERIC, "--cases", str(tmp_path / "nowhere.jsonl")
    )
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b"\xff")
    assert "cases.jsonl is no UTF-8" in refused(tmp_path, *NUMERIC, "--cases", str(file))
    bare = cases_of(tmp_path, FIVE)
    assert "cases.jsonl:1: no verifier" in refused(tmp_path, "check", "--cases", str(bare))


def test_every_instrument_and_option_is_listed_with_its_meaning(tmp_path: Path) -> None:
    rows = succeeded(tmp_path, "check", "--list", "--json").json
    assert [row["name"] for row in rows] == [*VERIFIERS, *EXTRACTIONS]
    assert all(row["meaning"] for row in rows)
    unsaid = [
        f"{row['name']} {option['name']}"
        for row in rows
        for option in row["options"]
        if not option["meaning"]
    ]
    assert not unsaid, "write their lines in verification/option_meanings.py"
    shown = succeeded(tmp_path, "check", "--list", "--extraction", "last_number").stdout
    assert "extractions\n  last_number@2  " in shown
    assert "      decimal = '.': the sign before decimals" in shown
    assert "numeric@2" not in shown


def test_the_list_fits_a_terminal(tmp_path: Path) -> None:
    shown = succeeded(tmp_path, "check", "--list").stdout
    assert max(map(len, shown.split("\n"))) <= 100


REPLIES = [
    "5", "<think>6</think>5", "7</think>\n5", "[THINK]5", "so 6", "I cannot help with that.", "",
    "The tag <think> opens. 5", "<thinking>\n6\n</thinking>\n\n-5", "half \ud83d 5", "4 or 5",
]  # fmt: skip


def test_check_says_what_a_run_says(tmp_path: Path) -> None:
    rows = [{"item_id": f"i{n}", "draw": 0, "text": text} for n, text in enumerate(REPLIES)]
    landed = tmp_path / "landed.jsonl"
    landed.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    generations = read_generations([landed], [row["item_id"] for row in rows], None).generations
    items = {str(row["item_id"]): Item(str(row["item_id"]), answer="5") for row in rows}
    grader = Grader.of("numeric@2", "chain@1", CHAIN)
    failures = dict.fromkeys(("parser_failure", "model_refusal", "undecided"), "wrong")
    wanted = score_samples(samples_of(generations), items, grader, failures)
    file = cases_of(tmp_path, *({"reply": text, "answer": "5"} for text in REPLIES))
    call = ("check", "--verifier", "numeric@2", "--extraction", "chain@1", "--json")
    found = succeeded(tmp_path, *call, "--options", json.dumps(CHAIN), "--cases", str(file)).stdout
    told = [json.loads(line) for line in found.splitlines()]
    wanted.sort(key=lambda row: int(row["item_id"][1:]))
    for mine, row in zip(told, wanted, strict=True):
        assert [mine["status"], mine["verdict"], mine["detail"]] == [
            row["status"], row["verdict"], row["detail"]
        ]  # fmt: skip
        assert (mine["read_as"], mine["reason"]) == (row["extracted"], row["explanation"])
