"""The walks of ARCHITECTURE.md, and small runs in which it is seen whether they are walked."""

import json
import re
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from click.testing import CliRunner

import eval_pipeline
from eval_pipeline.cli.command import group
from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.integration.three_contracts import three_contracts

PACKAGE = Path(eval_pipeline.__path__[0])
_WALK = re.compile(r"^### (.+?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)


def walks(text: str) -> dict[str, tuple[str, ...]]:
    """Title -> the functions of a walk in order; of a page."""
    found = {title: tuple(_STEP.findall(body)) for title, body in _WALK.findall(text)}
    return {title: steps for title, steps in found.items() if steps}


@contextmanager
def seen(names: Collection[str]) -> Iterator[list[str]]:
    """The calls of these functions (room, module, function), in order, while the block runs."""
    calls: list[str] = []
    known: dict[CodeType, str | None] = {}

    def call(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if code not in known:
            name = name_of(code)
            known[code] = name if name in names else None
        if (name := known[code]) is not None:
            calls.append(name)

    before = sys.gettrace()
    threading.settrace(call)
    sys.settrace(call)  # returns None: no lines are traced, so it costs little
    try:
        yield calls
    finally:
        sys.settrace(before)
        threading.settrace(None)


def name_of(code: CodeType) -> str | None:
    """`room.module.function` of code of ours."""
    path = Path(code.co_filename)
    if not path.is_relative_to(PACKAGE):
        return None
    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    return f"{module}.{code.co_qualname}"


def in_small_runs(folder: Path, names: Iterable[str]) -> list[str]:
    """Calls of these functions: contracts are run, one is gated, a corpus edited, a plan made.

    The contract that is searched for leaks stands alone: its numbers wait for no other.
    """
    judged = three_contracts(folder / "judged", "sums", "talks")
    searched = three_contracts(folder / "searched", "leaks", checkpoints=("early",))
    with seen(frozenset(names)) as calls:
        called(judged, "run")
        called(judged, "gate", "sums", "late")
        called(searched, "run")
        with (searched.corpus("web@1") / "shard.jsonl").open("a", encoding="utf-8") as shard:
            shard.write(json.dumps({"text": "A page more."}) + "\n")
        called(searched, "plan")
    return calls


def called(root: DataRoot, *call: str) -> None:
    """Calls the command; what goes wrong is raised, exit codes are not."""
    done = CliRunner(env={"EVAL_PIPELINE_DATA": str(root.path)}).invoke(group, call)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception


def gone_astray(steps: Sequence[str], calls: Sequence[str]) -> str | None:
    """The first step that was not called after the one before it; None where all were."""
    rest = iter(calls)
    for before, step in zip(("the start", *steps), steps, strict=False):
        if step not in rest:
            return f"{step} was not called after {before}"
    return None
