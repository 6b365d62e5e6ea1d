"""The forked server: stands in the sandbox, and makes the processes of the runs.

A driver serves the runs of one item, one after the other; each run has a candidate of its own. The
server never sees a job: the driver takes it from a descriptor that the server only hands on. So
the candidate, which is a copy of the server, holds no test and no answer. As the first process of
its PID space the server takes everything along when it ends.
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
from eval_pipeline.verification.code.channel import Channel
from eval_pipeline.verification.code.desk import DONE, LOST, WANTED, Desk
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
    """Does what its starter and the driver ask for, until the starter is gone."""
    gc.collect()
    gc.freeze()  # the pages of what was imported stay shared by all forks
    Channel(control).send({"ready": True})
    server = _Server(control, limit, spawn, Filter())
    while True:
        server.step()


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


class _Server:
    """At most one driver, and at most one candidate."""

    def __init__(
        self, control: socket.socket, limit: Limits, spawn: Spawn, system_calls: Filter
    ) -> None:
        self._control, self._limit, self._spawn = control, limit, spawn
        self._system_calls = system_calls
        self._number = 0  # of drivers so far
        self._driver: int | None = None
        self._line: socket.socket | None = None  # to the driver
        self._candidate: int | None = None
        self._began = self._deadline = 0.0
        self._expired = False

    def step(self) -> None:
        """Waits for one request, or for the deadline of the present run."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if self._line is not None:
            poll.register(self._line, select.POLLIN)
        left = None
        if self._candidate is not None:
            left = 1000 * max(0.0, self._deadline - time.monotonic())
        ready = dict(poll.poll(left))
        if self._control.fileno() in ready:
            self._renew_driver()
        elif self._line is not None and self._line.fileno() in ready:
            self._serve_driver(self._line)
        elif not ready:
            self._end_what_is_late()

    def _renew_driver(self) -> None:
        _, links, _, _ = socket.recv_fds(self._control, 1, 1)
        if not links:
            os._exit(0)  # nobody asks any more
        self._bury_driver(killed=True)
        self._line, theirs = socket.socketpair()
        self._number += 1
        self._driver = os.fork()
        if self._driver == 0:
            _drive(self._limit, links[0], theirs, self._system_calls)
        theirs.close()
        os.close(links[0])

    def _serve_driver(self, line: socket.socket) -> None:
        word, ends, _, _ = socket.recv_fds(line, 1, 2)
        if word == WANTED:
            self._began, self._expired = time.monotonic(), False
            self._deadline = self._began + self._limit.wall_seconds
            channel = socket.socket(fileno=ends[0])
            self._candidate = self._spawn(self._limit, channel, ends[1], self._system_calls)
            channel.close()
            os.close(ends[1])
        elif word == DONE:
            self._bury_candidate(0.0)
        elif word == LOST:
            Channel(line).send(self._bury_candidate(GRACE_SECONDS))
        else:
            self._report_driver(killed=False)

    def _end_what_is_late(self) -> None:
        """Ends the candidate first, so that the driver can say so; then the driver."""
        if self._expired:
            self._report_driver(killed=True)
        elif self._candidate is not None:
            self._expired = True
            self._deadline = time.monotonic() + DRIVER_SECONDS
            _kill(self._candidate)

    def _report_driver(self, killed: bool) -> None:
        expired = self._expired
        driver = self._bury_driver(killed)
        Channel(self._control).send({"number": self._number, "expired": expired, **vars(driver)})

    def _bury_driver(self, killed: bool) -> Ended:
        self._bury_candidate(0.0)
        ended = Ended()
        if self._driver is not None and self._line is not None:
            if killed:
                os.kill(self._driver, signal.SIGKILL)
            ended = _buried(self._driver, killed)
            self._line.close()
        self._driver = self._line = None
        return ended

    def _bury_candidate(self, patience: float) -> dict[str, Any]:
        """How the candidate ended; one that does not end in time is killed."""
        if self._candidate is None:
            return {}
        pid, self._candidate = self._candidate, None
        alive = not self._expired
        if patience:
            alive = not _ends_within(pid, patience)
        _kill(pid)
        ended = _buried(pid, alive)
        seconds = time.monotonic() - self._began
        return {**vars(ended), "expired": self._expired, "seconds": seconds}


def _drive(limit: Limits, link: int, line: socket.socket, system_calls: Filter) -> NoReturn:
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        link, desk = limits.keep_descriptors(link, line.detach())
        limits.hold_driver(limit)
        kernel.drop_capabilities()
        system_calls.install()
        driver.serve(
            Channel(socket.socket(fileno=link)), Desk(socket.socket(fileno=desk)), limit.cpu_seconds
        )
    except BaseException:
        os._exit(SETUP_FAILED)
    os._exit(0)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):  # without namespaces its children are a group at best
        os.killpg(pid, signal.SIGKILL)


def _ends_within(pid: int, seconds: float) -> bool:
    process = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    ended = bool(poll.poll(1000 * seconds))
    os.close(process)
    return ended


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
