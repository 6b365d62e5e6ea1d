"""The forked server: stands in the sandbox, and makes two processes for each run.

It never sees a job: the driver takes it from a descriptor that the server only hands on. So the
candidate, which is a copy of the server, holds no test and no answer. As the first process of its
PID space the server takes everything along when it ends.
"""

import gc
import importlib
import json
import os
import random
import select
import signal
import site
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from eval_pipeline.verification.code import candidate, driver, kernel, limits, packages
from eval_pipeline.verification.code.channel import Channel, Output
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.seccomp import Filter

# imported before the first fork, so that no run pays for it
PRELOADED = (
    "abc", "bisect", "calendar", "cmath", "collections", "collections.abc", "contextlib",
    "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "hashlib",
    "heapq", "inspect", "itertools", "json", "math", "numbers", "operator", "queue", "random",
    "re", "statistics", "string", "struct", "textwrap", "threading", "time", "traceback",
    "typing", "unicodedata", "warnings",
)  # fmt: skip
SETUP_FAILED = 97
LOST = 98
GRACE_SECONDS = 0.5  # for a candidate whose channel ended to end itself, before it is killed
DRIVER_SECONDS = 5.0  # for the driver to say its verdict after the candidate was killed

# (limits, its end of the channel, its standard output, filter) -> process id of the candidate
Spawn = Callable[[Limits, socket.socket, int, Filter], int]


@dataclass
class Ended:
    """How a process ended: exit code (negative: by a signal), CPU seconds, and by whose hand."""

    code: int = 0
    cpu_seconds: float = 0.0
    killed: bool = False


def serve(control: socket.socket, limit: Limits, spawn: Spawn) -> NoReturn:
    """Runs what the control socket asks for until it is closed, then ends the whole sandbox."""
    gc.collect()
    gc.freeze()  # the pages of what was imported stay shared by all forks
    system_calls = Filter()
    answers = Channel(control)
    answers.send({"ready": True})
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            os._exit(0)
        answers.send(_run(control, descriptors[0], limit, spawn, system_calls))


def preload(folders: Sequence[str], names: Sequence[str]) -> None:
    """Imports what candidates may use; what else lies in those folders was not allowed."""
    sys.path += folders
    for name in (*PRELOADED, *names):
        importlib.import_module(name)
    site.setquit()  # programs that read and write end by exit()
    # what is loaded finds its own parts without the path
    sys.path[:] = [path for path in sys.path if path not in folders]
    packages.forget_environment()


def confined(limit: Limits, channel: int, output: int, system_calls: Filter) -> NoReturn:
    """The rest of the candidate's life: held to its limits, it serves its calls."""
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(output, 1)
        os.dup2(0, 2)
        (channel,) = limits.keep_descriptors(channel)
        limits.hold_candidate(limit)
        kernel.drop_capabilities()
        system_calls.install()
        random.seed(0)  # a program that rolls dice gets the same verdict again
        end = Channel(socket.socket(fileno=channel))
    except BaseException:
        os._exit(SETUP_FAILED)
    candidate.serve(end)
    os._exit(0)


def _run(
    control: socket.socket, link: int, limit: Limits, spawn: Spawn, system_calls: Filter
) -> dict[str, Any]:
    """One run from fork to burial; how both processes ended."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    pid = spawn(limit, theirs, writing, system_calls)
    theirs.close()
    os.close(writing)
    judge = os.fork()
    if judge == 0:
        _drive(limit, link, ours, reading, system_calls)
    ours.close()
    os.close(link)
    os.close(reading)
    return _watched(control, limit, pid, judge)


def _drive(
    limit: Limits, link: int, ours: socket.socket, output: int, system_calls: Filter
) -> NoReturn:
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        link, channel, output = limits.keep_descriptors(link, ours.detach(), output)
        limits.hold_driver(limit)
        kernel.drop_capabilities()
        system_calls.install()
        random.seed(0)
        printed = Output(output)
        lost = driver.serve(
            Channel(socket.socket(fileno=link)),
            Channel(socket.socket(fileno=channel), printed),
            printed,
        )
    except BaseException:
        os._exit(SETUP_FAILED)
    os._exit(LOST if lost else 0)


def _watched(control: socket.socket, limit: Limits, pid: int, judge: int) -> dict[str, Any]:
    """Waits for the driver, up to the wall limit; then nothing of the run is left."""
    deadline = time.monotonic() + limit.wall_seconds
    candidate_end, judge_end = os.pidfd_open(pid), os.pidfd_open(judge)
    spoken = _waits(control, judge_end, deadline)
    expired = not spoken
    if spoken:
        code = os.waitid(os.P_PIDFD, judge_end, os.WEXITED | os.WNOWAIT)
        if code is not None and code.si_status == LOST:
            _waits(control, candidate_end, time.monotonic() + GRACE_SECONDS)
    alive = not _waits(control, candidate_end, 0)
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):  # without namespaces its children are a group at best
        os.killpg(pid, signal.SIGKILL)
    if not spoken:
        spoken = _waits(control, judge_end, time.monotonic() + DRIVER_SECONDS)
    os.kill(judge, signal.SIGKILL)
    seconds = time.monotonic() + limit.wall_seconds - deadline
    ended = _buried(pid, alive), _buried(judge, not spoken)
    os.close(candidate_end)
    os.close(judge_end)
    both = {"candidate": vars(ended[0]), "driver": vars(ended[1])}
    return {**both, "expired": expired, "seconds": seconds}


def _waits(control: socket.socket, process: int, deadline: float) -> bool:
    """Whether the process ended before the deadline; ends all where nobody asks any more."""
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(control, 0)
    left = max(0.0, deadline - time.monotonic())
    ready = dict(poll.poll(1000 * left))
    if control.fileno() in ready:
        os._exit(0)
    return process in ready


def _buried(pid: int, killed: bool) -> Ended:
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code > 128:  # bubblewrap's way to say that its program ended by a signal
        code = 128 - code
    return Ended(code, used.ru_utime + used.ru_stime, killed)


def main(arguments: list[str]) -> NoReturn:
    """Enters the sandbox that the arguments ask for, and serves."""
    from eval_pipeline.verification.code import spawning

    control = socket.socket(fileno=int(arguments[0]))
    settings = json.loads(arguments[1])
    sys.argv[:] = [""]
    try:
        preload([], [])
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
        folders, names = settings["folders"], settings["packages"]
        spawn = spawning.entered(settings["mode"], folders, names)
        # not before: some packages start threads, with which no user namespace can be entered
        preload(folders, names)
        asked = Limits(**settings["limits"])
        # what is mapped already is not the program's: with numpy it may be more than it may use
        limit = replace(asked, memory_mb=asked.memory_mb + packages.address_space_mb(proc))
        os.close(proc)
        serve(control, limit, spawn)
    except BaseException as error:
        Channel(control).send({"ready": False, "message": f"{type(error).__name__}: {error}"})
        os._exit(SETUP_FAILED)
