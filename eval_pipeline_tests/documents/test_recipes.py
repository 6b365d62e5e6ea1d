"""Each recipe runs as it is written, in at most five commands."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from eval_pipeline_tests.cli.calling import called
from eval_pipeline_tests.cli.peer_files import lm_eval
from eval_pipeline_tests.documents.generated import DOCS
from eval_pipeline_tests.ingest.peers.made import put_lines

PAGE = (DOCS / "RECIPES.md").read_text(encoding="utf-8")
RECIPES = {
    title: [
        shlex.split(line)[1:]
        for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL)
        for line in block.splitlines()
    ]
    for title, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}
N = 24


def harness(folder: Path) -> None:
    lm_eval(folder)


def inspect_log(folder: Path) -> None:
    samples = [
        {
            "id": i,
            "epoch": 1,
            "input": f"What is {i} + 2?",
            "target": str(i + 2),
            "output": {
                "choices": [{"message": {"role": "assistant", "content": f"It is {i + 2}."}}]
            },
            "scores": {"match": {"value": "C"}},
        }
        for i in range(N)
    ]
    log = {
        "version": 2,
        "status": "success",
        "eval": {"task": "arith", "model": "nest/wren", "dataset": {"name": "arith"}},
        "plan": {},
        "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 1.0}}}]},
        "samples": samples,
    }
    (folder / "arith.eval").write_text(json.dumps(log), encoding="utf-8")


def arena(folder: Path) -> None:
    def turns(asked: str, reply: str) -> list[dict[str, str]]:
        return [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]

    models = ("owl", "wren", "tern")
    rows = []
    for i in range(60):
        a, b = models[i % 3], models[(i + 1) % 3]
        asked = f"Tell me of the weather on day {i}."
        rows.append(
            {
                "question_id": f"q{i}",
                "model_a": a,
                "model_b": b,
                "winner": ("model_a", "model_b", "tie")[i % 5 % 3],
                "conversation_a": turns(asked, f"{a} says: rain on day {i}."),
                "conversation_b": turns(asked, f"{b} says: sun on day {i}."),
            }
        )
    put_lines(folder / "battles.jsonl", rows)


def spreadsheet(folder: Path) -> None:
    rows = [f"Was ist {i} + 2?;{i + 2};Es ist {i + 2}." for i in range(N)]
    text = "\n".join(["Frage;Loesung;Antwort", *rows])
    (folder / "answers.csv").write_text(text + "\n", encoding="utf-8")


FILES: dict[str, Callable[[Path], None]] = {
    "From lm-evaluation-harness": harness,
    "From Inspect": inspect_log,
    "From an arena": arena,
    "From a spreadsheet": spreadsheet,
}


def test_every_recipe_is_tried() -> None:
    assert RECIPES.keys() == FILES.keys()


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    monkeypatch.chdir(tmp_path)
    FILES[title](tmp_path)
    calls = RECIPES[title]
    assert 1 < len(calls) <= 5
    for call in calls:
        done = called(tmp_path / "data", *call)
        assert done.code == 0, (call, done.stdout, done.stderr)
