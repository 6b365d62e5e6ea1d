"""`check`: what a verifier makes of one reply, told without a data folder."""

import io
from pathlib import Path

import pytest

from eval_pipeline.verification.code.level import absent
from eval_pipeline_tests.cli.calling import refused, succeeded

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
