"""Runs that kill themselves: `python -m ...integration.killed_run POINT`.

POINT is where in a stage: `computed` (nothing is published yet) or `recorded` (the lineage
record is written, the pointer is not moved). A run dies in the first stage in which none has died
before, by SIGKILL, as it would by hand, and says that stage's name; then the next begins, until one
comes to its end. Each is a process of its own, forked from one that has loaded the code: it starts
at once, and shares nothing else with the others.
"""

import importlib
import os
import signal
import sys
from collections.abc import Collection
from typing import Any

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.observer import Silent
from eval_pipeline.orchestration.session import bring_up_to_date
from eval_pipeline.warehouse import store

# What a run loads only when it comes to it: half of the time of one that dies early.
LATE = (
    "eval_pipeline.orchestration.in_process",
    "dagster._core.storage.sqlite_storage",
    "sqlalchemy.dialects.sqlite",
    "matplotlib.backends.backend_svg",
    "numba",
    "scipy.stats",
)


def main(point: str) -> int:
    """The exit code of the run that was not killed."""
    for name in LATE:
        importlib.import_module(name)
    spared: list[str] = []
    while True:
        reader, writer = os.pipe()
        if (child := os.fork()) == 0:
            os.close(reader)
            run_and_die(point, spared, writer)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as said:
            stage = said.read()
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != -signal.SIGKILL:
            return code
        print(stage, flush=True)
        spared.append(stage)


def run_and_die(point: str, spared: Collection[str], writer: int) -> None:
    """One run, that dies in the first stage that is not spared."""
    publish = Evaluation.publish
    write_pointer = store.write_pointer
    current = ""

    def die() -> None:
        os.write(writer, current.encode())
        os.kill(os.getpid(), signal.SIGKILL)

    def publish_or_die(self: Evaluation, made: Any, table: str) -> Any:
        nonlocal current
        current = made.cell.stage if made.computed is not None else ""
        if point == "computed" and current and current not in spared:
            die()
        return publish(self, made, table)

    def write_pointer_or_die(*arguments: Any) -> None:
        if point == "recorded" and current and current not in spared:
            die()
        write_pointer(*arguments)

    Evaluation.publish = publish_or_die  # type: ignore[method-assign] # only this process has it
    store.write_pointer = write_pointer_or_die
    bring_up_to_date(DataRoot.from_environment(), Silent())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
