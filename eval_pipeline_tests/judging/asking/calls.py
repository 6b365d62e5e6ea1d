"""Prompts, judges and calls for tests of live judging."""

import asyncio
from pathlib import Path
from typing import Any

from eval_pipeline.contracts.reading import read_yaml_file
from eval_pipeline.judging.asking.asks import Ask, LiveJudge, pair_asks, single_asks
from eval_pipeline.judging.asking.prompt_lint import checked_prompt
from eval_pipeline.judging.asking.services import Endpoint, Secret, Service
from eval_pipeline.judging.prompts.templates import JudgePrompt
from eval_pipeline_tests.conftest import PROJECT

KEY = "sk-0123-secret-4567"
DECODING: dict[str, int | float] = {"temperature": 0.0, "max_tokens": 200}


def prompt(name: str) -> JudgePrompt:
    """A template that comes with the project."""
    path = PROJECT / "data" / "prompts" / "judges" / name / "v1.yaml"
    document = read_yaml_file(path, name)
    return checked_prompt(f"{name}@1", document.data, document.sha256)


PAIRWISE, POINTWISE = prompt("better_reply"), prompt("reply_rubric")
JUDGE = LiveJudge("owl", "owl-1", PAIRWISE, DECODING)


def asks(n_pairs: int, judge: LiveJudge = JUDGE, repeats: int = 1) -> list[Ask]:
    """Calls on so many pairs, 2 x repeats each; heron's reply is the longer one."""
    items = [f"i{i:04d}" for i in range(n_pairs)]
    questions = {item: f"What of {item}?" for item in items}
    texts = {("heron@1", item): f"Much about {item}, at length." for item in items}
    texts |= {("tern@1", item): f"Of {item}." for item in items}
    planned = [(item, "heron@1", "tern@1") for item in items]
    return pair_asks(judge, planned, questions, texts, repeats)


def score_asks(n_items: int) -> list[Ask]:
    items = [f"i{i:04d}" for i in range(n_items)]
    judge = LiveJudge("owl", "owl-1", POINTWISE, DECODING)
    texts = {("heron@1", item): f"About {item}." for item in items}
    return single_asks(judge, "heron@1", items, dict.fromkeys(items, "What?"), texts, 1)


def service(*urls: str, **more: Any) -> Service:
    endpoints = tuple(Endpoint(url, Secret(KEY)) for url in urls)
    return Service(endpoints, **{"concurrency": 4, "timeout_seconds": 5.0, "attempts": 3, **more})


class QuickClock:
    """Time passes at once when somebody waits for it; pauses are remembered."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.time

    async def pause(self, seconds: float, over: asyncio.Event) -> None:
        self.pauses.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


def files_with(folder: Path, text: str) -> list[Path]:
    """The files below a folder whose bytes hold the text."""
    return [
        path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()
    ]
