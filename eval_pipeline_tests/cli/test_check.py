"""`check`: what a verifier makes of one reply, told without a data folder."""

import io
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        (("--verifier", "numeric@9"), "no verifier 'numeric@9'", 1),
        (("--options", "{"), "--options is no JSON", 2),
        (("--options", "[1]"), "must be a JSON object", 2),
        (("--options", '{"thousand": ","}'), "not ['thousand']", 1),
        (("--answer", "five"), "is no single number", 1),
        (("--verifier", "code@1"), "runs model code", 2),
    ],
)
def test_a_wrong_call_is_one_line(
    tmp_path: Path, change: tuple[str, str], line: str, code: int
) -> None:
    call = dict(zip(NUMERIC[1::2], NUMERIC[2::2], strict=True)) | {"--answer": "5", "--reply": "5"}
    call[change[0]] = change[1]
    flat = [word for pair in call.items() for word in pair]
    assert line in refused(tmp_path, "check", *flat, code=code)
