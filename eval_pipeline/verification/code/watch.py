"""What all processes of a run take together: the kernel's limits hold for each of them alone.

Read from a /proc that was opened before the sandbox was entered, so ids of processes are those of
that mount. Memory is what is in use, not what was asked for; the time of children that have ended
is in the count of the process that waited for them, as each must (`seccomp`).
"""

import os
import resource
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from eval_pipeline.verification.code.limits import PROCESSES, Limits

SECONDS = 0.05  # between two looks; most runs end before the first
ENDING_SECONDS = 60.0  # for processes that were killed to be gone, on a machine that is busy
_PAGE = resource.getpagesize()
_TICK = os.sysconf("SC_CLK_TCK")
_COUNTED = ("Pss_Anon:", "Pss_Shmem:")  # a page that several share is counted once
_EXITING = 0x4  # the kernel's mark of a process that ends
_STARTING_SECONDS = 0.25  # of CPU, for an interpreter that starts in the run
_GONE = (FileNotFoundError, ProcessLookupError)


class Watch:
    """Looks at the descendants of the process that made it; `proc` is an open /proc."""

    def __init__(self, proc: int, limit: Limits) -> None:
        self._proc, self._limit = proc, limit
        self.driver: int | None = None  # the child that is no part of a run
        self._own = os.readlink("self", dir_fd=proc)
        self._depth = len(self._field(self._own, "status", "NSpid:")) - 1
        self._before = self._memory(self._own)  # of the interpreter and what was imported

    def excess(self, of: int) -> tuple[str, str] | None:
        """The limit that a child and all below it have passed together: status and message.

        `of` is the child's id as this process knows it.
        """
        run = self._run(of)
        if len(run) > PROCESSES:
            return "pids", f"ran {len(run)} processes at once, more than {PROCESSES}"
        seconds = sum(map(self._cpu_seconds, run))
        if seconds > self._limit.cpu_seconds + _STARTING_SECONDS:
            return "timeout_cpu", f"its processes used {self._limit.cpu_seconds} s of CPU together"
        most = (self._limit.memory_mb << 20) + self._before
        if sum(map(self._resident, run)) > most:
            taken = sum(map(self._memory, run))
            if taken > most:
                over = (taken - self._before) >> 20
                return "memory", f"took {over} MiB, more than {self._limit.memory_mb}"
        return None

    def waited(self, of: int) -> float:
        """Seconds that threads of a child and of all below it were ready and had no processor.

        Of those that live still; 0 where the kernel does not count.
        """
        return sum(map(self._delay, self._run(of)))

    def used(self, of: int) -> float:
        """Seconds of CPU that a child and all below it have used."""
        return sum(map(self._cpu_seconds, self._run(of)))

    def give_up_first(self) -> None:
        """Where the system lacks memory, it ends this process before all others."""
        with suppress(OSError):  # a /proc that cannot be written to
            descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=self._proc)
            os.write(descriptor, b"1000")
            os.close(descriptor)

    def is_ending(self, of: int) -> bool:
        """Whether a child, or one below it, has begun to end and is not gone yet."""
        flags = [self._read(f"{pid}/stat").rpartition(")")[2].split()[6:7] for pid in self._run(of)]
        return any(int(flag[0]) & _EXITING for flag in flags if flag)

    def end_all(self, spared: int | None) -> None:
        """Ends all descendants but one child; raises OSError where one will not end.

        First all are stopped, so that none makes another meanwhile.
        """
        stopped: set[int] = set()
        while new := set(self._left(spared)) - stopped:
            _signal(new, signal.SIGSTOP)
            stopped |= new
        deadline = time.monotonic() + ENDING_SECONDS
        while left := self._left(spared):
            _signal(left, signal.SIGKILL)
            for pid in left:
                with suppress(ChildProcessError):  # the child of another that ends now too
                    os.waitpid(pid, os.WNOHANG)
            if time.monotonic() > deadline:
                raise OSError(f"{len(left)} processes of a run do not end")

    def _left(self, spared: int | None) -> list[int]:
        """All descendants but one child, where /proc has the ids by which they are known here."""
        if self._own != str(os.getpid()):
            return []
        top = [pid for pid in self._children(self._own) if int(pid) != spared]
        return [int(pid) for pid in (*top, *self._below(top))]

    def tasks(self, user: int) -> int:
        """Threads of all processes of a user, which is what the kernel counts as processes."""
        total = 0
        for name in os.listdir(self._proc):
            if name.isdigit():
                try:
                    if os.stat(name, dir_fd=self._proc).st_uid == user:
                        total += os.stat(f"{name}/task", dir_fd=self._proc).st_nlink - 2
                except _GONE:
                    continue
        return total

    def _run(self, of: int) -> list[str]:
        """The driver; or all else, for what lost its parent is a child of this process."""
        ids = {pid: self._id_here(pid) for pid in self._children(self._own)}
        top = [pid for pid, known in ids.items() if (known == self.driver) == (of == self.driver)]
        return [*top, *self._below(top)]

    def _below(self, pids: list[str]) -> Iterator[str]:
        waiting = list(pids)
        while waiting:
            children = self._children(waiting.pop())
            waiting += children
            yield from children

    def _children(self, pid: str) -> list[str]:
        found: list[str] = []
        for thread in self._threads(pid):
            found += self._read(f"{pid}/task/{thread}/children").split()
        return found

    def _threads(self, pid: str) -> list[str]:
        try:
            folder = os.open(f"{pid}/task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._proc)
            try:
                return os.listdir(folder)
            finally:
                os.close(folder)
        except _GONE:
            return []

    def _id_here(self, pid: str) -> int | None:
        ids = self._field(pid, "status", "NSpid:")
        return int(ids[self._depth]) if len(ids) > self._depth else None

    def _delay(self, pid: str) -> float:
        counts = [self._read(f"{pid}/task/{t}/schedstat").split() for t in self._threads(pid)]
        return sum(int(count[1]) for count in counts if len(count) > 1) / 1e9

    def _cpu_seconds(self, pid: str) -> float:
        """Of the process, and of those of its children that it has waited for."""
        times = self._read(f"{pid}/stat").rpartition(")")[2].split()[11:15]
        return sum(map(int, times)) / _TICK

    def _resident(self, pid: str) -> int:
        sizes = self._read(f"{pid}/statm").split()
        return int(sizes[1]) * _PAGE if sizes else 0

    def _memory(self, pid: str) -> int:
        try:
            text = self._read(f"{pid}/smaps_rollup")
        except PermissionError:
            sizes = self._read(f"{pid}/statm").split()
            return (int(sizes[1]) - int(sizes[2])) * _PAGE if sizes else 0
        lines = (line.split() for line in text.splitlines())
        return sum(int(words[1]) << 10 for words in lines if words[0] in _COUNTED)

    def _field(self, pid: str, file: str, name: str) -> list[str]:
        for line in self._read(f"{pid}/{file}").splitlines():
            if line.startswith(name):
                return line.split()[1:]
        return []

    def _read(self, path: str) -> str:
        """The text of a file below /proc; empty where its process has ended."""
        try:
            descriptor = os.open(path, os.O_RDONLY, dir_fd=self._proc)
            with open(descriptor) as file:
                return file.read()
        except _GONE:
            return ""


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
