"""Runs that die one after the other: `python -m ...integration.killed_runs POINT`.

Each is killed in the first stage in which none was killed before (`killed_run` says where), until
one comes to its end; the names of the stages are printed. Each run is a process of its own, forked
from this one, which has loaded the code and does nothing else: so it starts at once.
"""

import importlib
import os
import signal
import sys

from eval_pipeline_tests.integration.killed_run import run_and_die

# What a run loads only when it comes to it: half of the time of one that dies early.
LATE = (
    "eval_pipeline.orchestration.running.in_process",
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
            with os.fdopen(writer, "w", encoding="utf-8") as told:
                run_and_die(point, spared, told)
            sys.exit(0)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as told:
            stage = told.read().strip()
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != -signal.SIGKILL:
            return code
        print(stage, flush=True)
        spared.append(stage)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
