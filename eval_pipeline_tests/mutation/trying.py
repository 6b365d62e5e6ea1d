"""Runs tests on one fault after the other, in a copy of the project; a fork each.

`python -m eval_pipeline_tests.mutation.trying`, in the copy, reads a request a line and answers
with one: the libraries are imported once, the product and its tests anew in each fork.
"""

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval_pipeline_tests.mutation.operators import Mutant

Fate = Literal["died", "timed out", "survived", "no test"]
LIBRARIES = (
    *("pytest", "hypothesis", "numpy", "scipy.stats", "pyarrow.parquet", "pyarrow.compute"),
    *("duckdb", "pydantic", "click", "rich.table", "statsmodels.api", "dagster"),
)
COPIED = ("eval_pipeline", "eval_pipeline_tests", "data", "pyproject.toml", "README.md")
PASSED, NONE_COLLECTED = 0, 5  # exit codes of pytest
CHECKED_OFTEN = 0.02  # seconds between two looks at a child


@dataclass(frozen=True)
class Tried:
    """What became of a fault."""

    mutant: Mutant
    fate: Fate
    seconds: float


class Bench:
    """A copy of the project with a process that tries faults in it."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.project, self.folder = project, folder
        folder.mkdir()
        for name in COPIED:
            source = project / name
            if source.is_dir():
                left_out = shutil.ignore_patterns("warehouse" if name == "data" else "*.log")
                shutil.copytree(source, folder / name, ignore=left_out)
            elif source.exists():
                shutil.copy2(source, folder / name)
        self.process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tried(self, mutant: Mutant, tests: Sequence[str], limit: float) -> Tried:
        """Runs the tests on the fault, until one fails or the limit in seconds is over."""
        if not tests:
            return Tried(mutant, "no test", 0.0)
        place = self.folder / mutant.path
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the bench has no pipes")
        place.write_text(mutant.source, encoding="utf-8")
        try:
            stdin.write(json.dumps({"tests": list(tests), "limit": limit}) + "\n")
            stdin.flush()
            answer = json.loads(stdout.readline())
        finally:
            shutil.copy2(self.project / mutant.path, place)
        return Tried(mutant, answer["fate"], answer["seconds"])

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def serve() -> None:
    """Answers requests until their end."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):  # what is not installed is not tested either
            importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        fate, seconds = _fate(request["tests"], request["limit"])
        print(json.dumps({"fate": fate, "seconds": round(seconds, 2)}), flush=True)


def _fate(tests: Sequence[str], limit: float) -> tuple[Fate, float]:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setsid()
        _run(tests)
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        spent = time.monotonic() - began
        if done:
            break
        if spent > limit:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timed out", spent
        time.sleep(CHECKED_OFTEN)
    code = os.waitstatus_to_exitcode(status)
    if code == NONE_COLLECTED:
        return "no test", spent
    return "survived" if code == PASSED else "died", spent


def _run(tests: Sequence[str]) -> None:
    """The tests in this process, which ends with their exit code."""
    import pytest

    code = 3
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        plain = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1"]
        code = int(pytest.main([*plain, *tests]))
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve()
