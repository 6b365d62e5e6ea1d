"""How long a person waits for the verbs that only look, on the bundled data after a run."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval_pipeline.layout import DATA_VARIABLE
from eval_pipeline_tests.benchmarks.figure import Figure

BUNDLED = Path(__file__).resolve().parent.parent.parent / "data"
ROUNDS = 5
COMMAND = "from eval_pipeline.cli import main; main()"
VERBS: dict[str, tuple[Sequence[str], float]] = {
    "--help": (["--help"], 0.5),
    "ls": (["ls"], 1.0),
    "ls of a contract": (["ls", "arithmetic_words"], 1.0),
    "plan": (["plan"], 1.0),
    "query": (["query", "SELECT checkpoint, metric, value FROM metric_estimates"], 1.0),
}


def measure() -> Iterator[Figure]:
    """The best of some rounds for each verb, beside an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        shutil.copytree(BUNDLED, root, ignore=shutil.ignore_patterns("warehouse"))
        environment = {**os.environ, DATA_VARIABLE: str(root)}
        _best(["-c", COMMAND, "run", "--json"], environment, rounds=1)
        floor, _ = _best(["-c", "pass"], environment)
        for verb, (arguments, bar) in VERBS.items():
            wall, cpu = _best(["-c", COMMAND, *arguments], environment)
            yield Figure(
                name=f"eval-pipeline {verb}",
                value=wall,
                unit="s",
                peer="python -c pass",
                peer_value=floor,
                bar=f"<= {bar:g} s",
                held=wall <= bar,
                cpu_seconds=cpu,
                wall_seconds=wall,
            )


def _best(
    arguments: Sequence[str], environment: dict[str, str], rounds: int = ROUNDS
) -> tuple[float, float]:
    """Wall and CPU seconds of the quickest round."""
    times = []
    for _ in range(rounds):
        before, began = os.times(), time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wall, after = time.perf_counter() - began, os.times()
        cpu = after.children_user + after.children_system
        times.append((wall, cpu - before.children_user - before.children_system))
    return min(times)
