"""Every help ends with an example, and every example runs on the bundled data."""

import csv
import io
import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from eval_pipeline.cli.command import VERBS, group
from eval_pipeline.cli.showing.examples import NAME
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import Called, called, refused, succeeded
from eval_pipeline_tests.cli.peer_files import lm_eval
from eval_pipeline_tests.cli.project import lines, put

OLD = {
    ("plan", "--detect", "0.02"): "plan size --detect",
    ("plan", "--power", "0.9"): "plan size --power",
    ("plan", "--cost"): "plan cost",
    ("plan", "--cost", "--detect", "0.02"): "plan cost",
    ("plan", "--licence"): "plan licence",
    ("plan", "--raters", "4"): "plan licence --raters",
    ("lab",): "lab write",
    ("lab", "--out", "mine"): "lab write --out",
    ("lab", "--contract", "sums"): "lab curve --contract",
    ("lab", "--acts"): "lab acts",
    ("lab", "--figure", "x.svg"): "lab acts --figure",
}


def commands() -> Iterator[tuple[str, click.Command]]:
    """The command, each verb, and each verb of a verb, by what one types."""
    context = click.Context(group)
    yield "", group
    for verb in VERBS:
        command = group.get_command(context, verb)
        assert command is not None
        yield verb, command
        if isinstance(command, click.Group):
            yield from ((f"{verb} {name}", one) for name, one in command.commands.items())


COMMANDS = dict(commands())


def calls_of(command: click.Command) -> list[list[str]]:
    """The calls under `Example:` at the end of a help, as a shell would split them."""
    text = (command.epilog or "").rpartition("Example")[2].replace("\\\n", " ")
    started = [line.strip() for line in text.splitlines()[1:]]
    return [shlex.split(line)[1:] for line in started if line.startswith(f"{NAME} ")]


CALLS = sorted({tuple(call) for command in COMMANDS.values() for call in calls_of(command)})


@pytest.mark.parametrize("typed", COMMANDS)
def test_a_help_ends_with_an_example_of_its_own(tmp_path: Path, typed: str) -> None:
    shown = succeeded(tmp_path, *typed.split(), "--help").stdout
    assert max(map(len, shown.splitlines())) <= 80
    calls = calls_of(COMMANDS[typed])
    assert calls
    assert all(" ".join(call).startswith(typed) for call in calls)
    last = shown.rstrip().splitlines()[-1].strip()
    assert " ".join(shlex.split(last)).endswith(calls[-1][-1])


def sheet(desk: Path, name: str, exported: Called, column: str, value: str) -> None:
    """What a verb exported as CSV, with one column filled in on every row."""
    rows = list(csv.DictReader(io.StringIO(exported.stdout)))
    with (desk / name).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, column: value} for row in rows)


def answers(desk: Path) -> None:
    asked = [{"question": f"{i} + 2 = ?", "answer": str(i + 2), "reply": "4"} for i in range(5)]
    put(desk / "answers.jsonl", lines(asked))


def drafted(desk: Path) -> None:
    answers(desk)
    succeeded(desk / "data", *shlex.split("init --from answers.jsonl --contract first"))


def audited(desk: Path) -> None:
    export = "audit export arithmetic_words --checkpoint heron@step2000 --n 5"
    sheet(desk, "audit.csv", succeeded(desk / "data", *export.split()), "verifier_is", "right")


def reviewed(desk: Path) -> None:
    export = "review export arithmetic_words --status clean --status contaminated"
    sheet(desk, "review.csv", succeeded(desk / "data", *export.split()), "decision", "clean")


def labelled(desk: Path) -> None:
    export = "label export helpful_replies --rater ada --n 5"
    sheet(desk, "labels.csv", succeeded(desk / "data", *export.split()), "answer", "1")


def judged(models: tuple[str, str], questions: Sequence[str]) -> list[dict[str, Any]]:
    """Rows in the form of an arena."""

    def turns(question: str, reply: str) -> list[dict[str, str]]:
        return [{"role": "user", "content": question}, {"role": "assistant", "content": reply}]

    return [
        {"model_a": models[0], "model_b": models[1], "winner": "model_a"}
        | {"conversation_a": turns(text, "Like so."), "conversation_b": turns(text, "Somehow.")}
        for text in questions
    ]


def pairs(desk: Path) -> None:
    put(desk / "pairs.jsonl", lines(judged(("owl", "wren"), ["Why does it rain?", "And snow?"])))


def published(desk: Path) -> None:
    items = DataRoot(desk / "data").items("helpful_replies@1").read_text("utf-8").splitlines()
    questions = [json.loads(line)["prompt"] for line in items[:3]]
    models = ("heron@step1000", "tern@step1000")
    put(desk / "v.jsonl", lines(judged(models, questions)))


def runs(desk: Path) -> None:
    """The files of a run of lm-evaluation-harness, as it names them."""
    samples, results = (Path(name) for name in lm_eval(desk))
    (desk / "runs").mkdir()
    samples.rename(desk / "runs" / "samples_sums_2026.jsonl")
    results.rename(desk / "runs" / "results_2026.json")


# What lies there before a call that writes; such a call has a copy to itself.
PREPARED: dict[str, Callable[[Path], None] | None] = {
    "run": None,
    "land": None,
    "init": answers,
    "import": runs,
    "freeze": drafted,
    "audit import": audited,
    "review import": reviewed,
    "label import": labelled,
    "probe write": None,
    "votes draft": pairs,
    "votes import": published,
    "lab write": None,
}
ELSEWHERE = {"ui": "test_dev_server opens it", "lab acts": "test_acts plays them"}
ANSWERS = {"gate": {0, 10, 11, 12}}  # exit codes that answer the question


@pytest.fixture
def desk(request: pytest.FixtureRequest, finished_bundle: Path, tmp_path: Path) -> Path:
    """A folder with the bundled data and their warehouse in `data`, as a reader's clone has."""
    call = " ".join(request.getfixturevalue("call"))
    writes = [verb for verb in PREPARED if call.startswith(verb)]
    if not writes:
        (tmp_path / "data").symlink_to(finished_bundle)
        return tmp_path
    shutil.copytree(finished_bundle, tmp_path / "data")
    return tmp_path


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_an_example_runs(
    desk: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[str, ...]
) -> None:
    monkeypatch.chdir(desk)
    if verb := next((verb for verb in ELSEWHERE if " ".join(call).startswith(verb)), None):
        COMMANDS[verb].make_context(verb, list(call[len(verb.split()) :]))
        return
    for verb, prepare in PREPARED.items():
        if prepare is not None and " ".join(call).startswith(verb):
            prepare(desk)
    done = called((desk / "data").resolve(), *call)
    assert done.code in ANSWERS.get(call[0], {0}), done.stderr
    assert done.stdout or done.stderr


@pytest.mark.parametrize("call", OLD, ids=" ".join)
def test_an_old_spelling_is_refused_with_the_new_one(tmp_path: Path, call: tuple[str, ...]) -> None:
    line = refused(tmp_path, *call, code=2)
    assert OLD[call] in line
    assert " now" in line


def test_options_of_a_verb_stand_after_it(finished: Path) -> None:
    line = refused(finished, "plan", "--contract", "sums", "size", "--detect", "0.1", code=2)
    assert "options of `plan size` stand after it" in line
