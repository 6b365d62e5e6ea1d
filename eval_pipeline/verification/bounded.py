"""Work whose cost nobody can foresee, done in a child process that may be ended.

A pattern can backtrack for ever and a formula can grow without end, and neither can be stopped
inside this process. A child serves many requests, one line of JSON each; a request that takes
too much CPU or memory costs the child its life and gets `Stopped`, and the next starts anew.
CPU time is counted, so that a busy machine changes no outcome; the wall limit is for a child that
waits.
"""

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

CHILD = Path(__file__).with_name("bounded_child.py")
FLAGS = ["-I", "-X", "utf8"]
WALL_FACTOR = 20  # wall seconds for each CPU second: a child that waits that long is stuck
MEMORY_BYTES = 2 << 30
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

Request = dict[str, object]


@dataclass(frozen=True)
class Stopped:
    """Why a request got no answer: `timeout_cpu`, `timeout_wall`, `memory` or `died`."""

    reason: str

    @property
    def is_timeout(self) -> bool:
        return self.reason.startswith("timeout")


class Child:
    """One child process; `ask` starts it when it is needed, `close` ends it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: Request, cpu_seconds: float) -> Any:
        """The child's answer to a request, or `Stopped`.

        Raises ValueError with the child's own words where it refuses the request.
        """
        process = self._started()
        line = json.dumps({**request, "cpu_seconds": cpu_seconds}).encode() + b"\n"
        said = _exchange(process, line, time.monotonic() + 5 + WALL_FACTOR * cpu_seconds)
        if said is None:
            process.kill()
        if not said:
            ended = process.wait()
            self.close()
            if said is None:
                return Stopped("timeout_wall")
            return Stopped("timeout_cpu" if ended == -signal.SIGPROF else "died")
        answer = json.loads(said)
        if "refused" in answer:
            raise ValueError(answer["refused"])
        return Stopped(answer["stopped"]) if "stopped" in answer else answer["answer"]

    def close(self) -> None:
        """Ends the child where there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()

    def abandon(self) -> None:
        """Forgets the child without ending it; its pipes are closed on this side."""
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.returncode = 0  # it is another process's to wait for

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, *FLAGS, str(CHILD), str(MEMORY_BYTES)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
            )
        return self._process


def shared(workers: int) -> "Children":
    """Children that live as long as this process, at least so many; a fork begins without any.

    For work whose start is dear: sympy is imported once for each child.
    """
    with _shared_lock:
        if not _shared:
            _shared.append(Children(0))
            atexit.register(_shared[0].close)
        _shared[0].grow(workers)
        return _shared[0]


_shared: list["Children"] = []
_shared_lock = threading.Lock()


def _forget_shared() -> None:
    """In a fork: the children are the parent's, so they are neither asked nor ended."""
    global _shared_lock
    _shared_lock = threading.Lock()
    for pool in _shared:
        pool.abandon()
    _shared.clear()


os.register_at_fork(after_in_child=_forget_shared)


@contextmanager
def children(workers: int) -> Iterator["Children"]:
    """Some children for as long as the block lasts; none is left behind."""
    made = Children(max(1, workers))
    try:
        yield made
    finally:
        made.close()


class Children:
    """Children that share requests; several threads may ask at once."""

    def __init__(self, workers: int) -> None:
        self._all: list[Child] = []
        self._free: SimpleQueue[Child] = SimpleQueue()
        self.grow(workers)

    def grow(self, workers: int) -> None:
        """At least so many children; one that exists is kept."""
        while len(self._all) < workers:
            child = Child()
            self._all.append(child)
            self._free.put(child)

    def ask_all(
        self, requests: Sequence[Request], cpu_seconds: float, workers: int | None = None
    ) -> list[Any]:
        """The answers in order; the number of children only changes how long it takes."""
        count = min(workers or len(self._all), len(self._all))
        if count == 1 or len(requests) < 2:
            return [self._ask(request, cpu_seconds) for request in requests]
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(lambda request: self._ask(request, cpu_seconds), requests))

    def close(self) -> None:
        """Ends all children; who asks again starts them again."""
        for child in self._all:
            child.close()

    def abandon(self) -> None:
        """Lets go of children that belong to another process."""
        for child in self._all:
            child.abandon()

    def _ask(self, request: Request, cpu_seconds: float) -> Any:
        child = self._free.get()
        try:
            return child.ask(request, cpu_seconds)
        finally:
            self._free.put(child)


def _exchange(process: subprocess.Popen[bytes], line: bytes, deadline: float) -> bytes | None:
    """The line that a child answers; empty where it ended, None at the deadline."""
    if process.stdin is None or process.stdout is None:
        return b""
    unsent = memoryview(line)
    try:
        while unsent:
            unsent = unsent[os.write(process.stdin.fileno(), unsent) :]
    except BrokenPipeError:
        return b""
    source = process.stdout.fileno()
    said = b""
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([source], [], [], left)
        if ready:
            part = os.read(source, 2**16)
            if not part:
                return b""
            said += part
            if part.endswith(b"\n"):
                return said
    return None
