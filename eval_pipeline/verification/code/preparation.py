"""What every process of the sandbox is before it holds code: modules imported, limits held."""

import importlib
import os
import random
import signal
import site
import socket
import sys
from collections.abc import Sequence
from typing import NoReturn

from eval_pipeline.verification.code import candidate, kernel, limits, packages
from eval_pipeline.verification.code.channel import Channel
from eval_pipeline.verification.code.limits import PROCESSES, Limits
from eval_pipeline.verification.code.seccomp import Filter

# imported before the first fork, so that no run pays for it
PRELOADED = (
    "abc", "bisect", "calendar", "cmath", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "hashlib",
    "heapq", "inspect", "itertools", "json", "math", "numbers", "operator", "queue", "random",
    "re", "statistics", "string", "struct", "textwrap", "threading", "time", "traceback",
    "typing", "unicodedata", "unittest", "warnings",
)  # fmt: skip
SETUP_FAILED = 97


def preload(folders: Sequence[str], names: Sequence[str]) -> None:
    """Imports what candidates may use; what else lies in those folders was not allowed."""
    sys.set_int_max_str_digits(0)  # the limits of a run hold what long numbers cost
    sys.path += folders
    for name in (*PRELOADED, *names):
        importlib.import_module(name)
    site.setquit()  # programs that read and write end by exit()
    # what is loaded finds its own parts without the path
    sys.path[:] = [path for path in sys.path if path not in folders]
    packages.forget_environment()


def confined(
    limit: Limits,
    channel: int,
    output: int,
    system_calls: Filter,
    processes: int = PROCESSES,
    capabilities: int = 0,
) -> NoReturn:
    """The rest of the candidate's life: held to its limits, it serves its calls."""
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(output, 1)
        os.dup2(0, 2)
        (channel,) = limits.keep_descriptors(channel)
        limits.hold_candidate(limit, processes)
        kernel.drop_capabilities(all_but=capabilities)
        system_calls.install()
        random.seed(0)  # a program that rolls dice gets the same verdict again
        end = Channel(socket.socket(fileno=channel))
    except BaseException:
        os._exit(SETUP_FAILED)
    candidate.serve(end)
    os._exit(0)
