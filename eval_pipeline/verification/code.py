"""`code@1`: small functions run against the item's unit tests, in processes of their own.

Limits and clean processes, not a sandbox: the code runs with the rights of the caller, which is
why a contract that uses this verifier runs only where a person allows it.
"""

import ast
import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval_pipeline.verification import code_child
from eval_pipeline.verification.verdict import Item, Verdict

# -s -P -S: no site packages, no import from the working folder; the rest of -I is an empty
# environment, of which one variable is kept: a fixed hash seed, so that sets have one order
FLAGS = ("-s", "-P", "-S", "-B")
ENVIRONMENT = {"PYTHONHASHSEED": "0"}
TIMEOUTS = ("timeout_cpu", "timeout_wall")
SPARE_SECONDS = 10  # beyond the wall limit, before the process of the tests itself is given up


@dataclass(frozen=True)
class Code:
    """1 where the program passes all tests; what it did instead is the detail of a 0.

    Options: `cpu_seconds` (the limit that decides), `wall_seconds` (for code that waits; at
    least three times as long), `memory_mb`. A time-out is run once more, alone, before it counts.
    """

    cpu_seconds: int = 5
    wall_seconds: int = 30
    memory_mb: int = 512

    def __post_init__(self) -> None:
        for name in ("cpu_seconds", "wall_seconds", "memory_mb"):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= 100_000:
                raise ValueError(f"{name} must be a whole number from 1, got {value!r}")
        if self.wall_seconds < 3 * self.cpu_seconds:
            raise ValueError(f"wall_seconds must be at least {3 * self.cpu_seconds} (3 x CPU)")

    def check(self, item: Item) -> None:
        if not item.entry_point or not item.entry_point.isidentifier():
            raise ValueError(
                f"item {item.item_id!r}: entry_point must name the function that the tests call, "
                f"got {item.entry_point!r}; mend items.jsonl"
            )

    def verify_all(self, answers: Sequence[tuple[Item, str]], workers: int) -> list[Verdict]:
        jobs = {(item.item_id, code): (item, code) for item, code in answers}
        with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
            first = pool.map(lambda job: self._run(*job), jobs.values())
            outcomes = dict(zip(jobs, first, strict=True))
        for key, (outcome, _) in outcomes.items():
            if outcome in (*TIMEOUTS, "infra_error"):
                outcomes[key] = self._run(*jobs[key])
        return [_verdict(code, *outcomes[item.item_id, code]) for item, code in answers]

    def _run(self, item: Item, code: str) -> tuple[str, str]:
        if not (item.test or "").strip():
            return "infra_error", "no_tests: the item has none"
        job = {
            "code": program(item, code),
            "entry_point": item.entry_point,
            "helpers": preamble(item),
            "test": item.test,
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "memory_mb": self.memory_mb,
            "flags": FLAGS,
            "nonce": secrets.token_hex(16),
        }
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            return _answer(job, Path(folder))


def preamble(item: Item) -> str:
    """The imports and helper functions of a prompt that is code, the entry point left out."""
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign)
    body = [s for s in _statements(item.question) if isinstance(s, kept)]
    return ast.unparse(ast.Module([s for s in body if not _names(s, item.entry_point)], []))


def program(item: Item, code: str) -> str:
    """The program: the prompt's preamble and the code, or the prompt and the body after it."""
    begun = any(_names(statement, item.entry_point) for statement in _statements(item.question))
    if code[:1].isspace() and begun:
        return f"{item.question.rstrip()}\n{code}"
    return f"{preamble(item)}\n{code}"


def _statements(prompt: str) -> list[ast.stmt]:
    """The statements of a prompt that is code, its last function perhaps without a body."""
    for source in (prompt, f"{prompt.rstrip()}\n    pass"):
        try:
            return ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return []


def _names(statement: ast.stmt, name: str | None) -> bool:
    return getattr(statement, "name", None) == name


def _answer(job: dict[str, Any], folder: Path) -> tuple[str, str]:
    """Runs one job in an empty folder; the outcome and a sentence."""
    reading, writing = os.pipe()
    command = [sys.executable, *FLAGS, str(Path(code_child.__file__)), "tests", str(writing)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=ENVIRONMENT,
        pass_fds=(writing,),
        start_new_session=True,
    )
    os.close(writing)
    try:
        if process.stdin is None:
            return "infra_error", "no pipe to the tests"
        process.stdin.write(json.dumps(job).encode())
        process.stdin.close()
        body = _read_all(reading, time.monotonic() + job["wall_seconds"] + SPARE_SECONDS)
    except BrokenPipeError:
        body = b""
    finally:
        os.close(reading)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if body is None:
        return "infra_error", "the process of the tests did not end"
    try:
        answer = json.loads(body)
    except ValueError:
        return "infra_error", "the process of the tests gave no verdict"
    if answer.get("nonce") != job["nonce"]:
        return "tampering", "the verdict does not carry the run's secret"
    return str(answer["outcome"]), str(answer["message"])


def _read_all(source: int, deadline: float) -> bytes | None:
    """All bytes until the end of the pipe, or None at the deadline."""
    parts: list[bytes] = []
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([source], [], [], left)
        if ready:
            part = os.read(source, 2**16)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return None


def _verdict(code: str, outcome: str, message: str) -> Verdict:
    if outcome == "pass":
        return Verdict("ok", 1.0, code, f"passed: {message}")
    if outcome == "missing_entry_point":
        return Verdict.unreadable(outcome, message, code)
    if outcome in TIMEOUTS:
        return Verdict("timeout", None, code, message, outcome)
    if outcome == "infra_error":
        detail = "no_tests" if message.startswith("no_tests") else "broken_test"
        return Verdict("infra_error", None, code, message, detail)
    return Verdict("ok", 0.0, code, f"{outcome}: {message}", outcome)
