"""Memory of a run held by the kernel, where this process may make memory groups (cgroups).

Each server has a group of its own, which its candidates are born into; the process with the tests
leaves it. The kernel ends a candidate as it takes too much, however fast: `watch` looks only now
and then, but says how much was taken. What a sandbox holds cannot write to a group: its files are
not there, or are root's, or Landlock refuses them; both doors are closed before code is loaded.

Source: the kernel's documentation, admin-guide/cgroup-v1/memory and admin-guide/cgroup-v2.
"""

import os
import re
import select
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from eval_pipeline.verification.code.limits import SCRATCH_MB

SLACK_MB = 32  # for what the kernel itself keeps for a run, such as tables of pages
NEAR = 4 << 20  # bytes: each processor has a little in hand
REMOVAL_SECONDS = 10.0  # for the last process to be gone, on a machine that is busy
_LOOK_SECONDS = 0.01
_NUMBERS = count()
_NAME = re.compile(r"eval-pipeline-(\d+)-(\d+)-(\d+)-\d+")  # PID space, process, its start, number


@dataclass(frozen=True)
class _Version:
    """How files of a group are named; the second of a pair is of swap, and may be missing."""

    name: str
    limits: tuple[str, str]
    usage: str
    peaks: tuple[str, str]
    events: str  # has a line `oom_kill N`; where there is no peak, `max N` counts met limits


_V1 = _Version(
    "cgroup v1",
    ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
    "memory.usage_in_bytes",
    ("memory.max_usage_in_bytes", "memory.memsw.max_usage_in_bytes"),  # failcnt stays 0 of late
    "memory.oom_control",
)
_V2 = _Version(
    "cgroup v2", ("memory.max", "memory.swap.max"), "memory.current", ("", ""), "memory.events"
)


class Group:
    """One memory group, owned by the process that starts a server.

    kind: "cgroup v1" or "cgroup v2". doors: descriptors by which a process enters, and leaves.
    """

    def __init__(self, version: _Version, folder: Path, outside: Path) -> None:
        """Makes the folder; raises OSError where this process may not, or the kernel is too old."""
        self.kind, self._version, self._folder = version.name, version, folder
        self._open: list[int] = []
        folder.mkdir()
        try:
            self._events = self._opened(folder / version.events, os.O_RDONLY)
            self._count("oom_kill")  # which an old kernel does not
            procs = "cgroup.procs"
            self.doors = [self._opened(p / procs, os.O_WRONLY) for p in (folder, outside)]
            os.close(os.open(folder / version.limits[0], os.O_WRONLY))
        except OSError:
            self.remove()
            raise
        self._most = self._ended = self._met = 0

    def hold(self, memory_mb: int) -> bool:
        """Limits the group, once all is loaded that runs share; False where nobody is in it.

        What is there counts twice: a run may make a copy of all of it by writing to it.
        """
        version = self._version
        try:
            if not (self._folder / "cgroup.procs").read_text():
                return False
            there = int((self._folder / version.usage).read_text())
            self._most = ((memory_mb + SCRATCH_MB + SLACK_MB) << 20) + 2 * there
            limit, swap = (self._folder / name for name in version.limits)
            if version is _V1 and swap.exists():
                swap.write_text("-1")  # of both together, which is never less than of memory
            limit.write_text(str(self._most))
            if swap.exists():
                swap.write_text(str(self._most if version is _V1 else 0))
            self._was_met()
        except OSError:
            return False
        self._ended = self._count("oom_kill")
        return True

    def starved(self) -> bool:
        """Whether the system ended a process since the last question, because the limit was met.

        It may end one for its own lack of memory too, which is not the run's.
        """
        before, self._ended = self._ended, self._count("oom_kill")
        return self._ended > before and self._was_met()

    def remove(self) -> None:
        """Takes the group away once it is empty; one that stays is taken away by a later start."""
        while self._open:
            os.close(self._open.pop())
        deadline = time.monotonic() + REMOVAL_SECONDS
        while True:
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() > deadline:
                    return
                select.select([], [], [], _LOOK_SECONDS)

    def _opened(self, path: Path, mode: int) -> int:
        descriptor = os.open(path, mode)
        self._open.append(descriptor)
        return descriptor

    def _count(self, name: str) -> int:
        text = os.pread(self._events, 4096, 0).decode()
        counts = dict(line.split() for line in text.splitlines())
        if name not in counts:
            raise OSError(f"{self._folder} has no count {name}")
        return int(counts[name])

    def _was_met(self) -> bool:
        """Whether the limit was met since the last question."""
        if self._version is not _V1:
            before, self._met = self._met, self._count("max")
            return self._met > before
        peaks = [self._folder / n for n in self._version.peaks if (self._folder / n).exists()]
        most = max(int(peak.read_text()) for peak in peaks)
        for peak in peaks:
            peak.write_text("0")  # it begins anew from what is in use
        return most > self._most - NEAR


def made(proc: Path = Path("/proc")) -> Group | None:
    """A new group at the first place where this process may make one; None where it may not.

    Groups that a process of this product left there, and that no longer lives, are removed.
    """
    for version, parent, outside in _places(proc):
        with suppress(OSError):
            _clear(parent, proc)
            return Group(version, parent / _name(proc), outside)
    return None


def enter(doors: list[int] | None) -> int | None:
    """Takes this process into the group; returns the door by which its children may leave.

    The starter looks whether anybody came: where the kernel refuses, there is no group.
    """
    if doors is None:
        return None
    inwards, outwards = doors
    with suppress(OSError):
        os.write(inwards, b"0")
    os.close(inwards)
    os.set_inheritable(outwards, False)
    return outwards


def leave(door: int | None) -> None:
    """Takes this process out of the group; where the kernel refuses, it shares the limit."""
    if door is not None:
        with suppress(OSError):
            os.write(door, b"0")


def _places(proc: Path) -> Iterator[tuple[_Version, Path, Path]]:
    """Where memory groups may be made, and the own group beside or above it.

    In version 2 a group that holds processes has no groups with limits below it, unless it is the
    top: so a group is made beside the own one, where the parent hands the control of memory down.
    """
    own = [line.split(":", 2)[1:] for line in _lines(proc / "self/cgroup")]
    paths = {controller: path for names, path in own for controller in names.split(",")}
    for line in _lines(proc / "self/mountinfo"):
        before, _, after = line.partition(" - ")
        root, mounted = (_plain(word) for word in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup" and "memory" in options.split(","):
            folder = _below(mounted, root, paths.get("memory"))
            if folder is not None:
                yield _V1, folder, folder
        elif kind == "cgroup2":
            folder = _below(mounted, root, paths.get(""))
            if folder is not None:
                handed = [p for p in (folder, folder.parent) if "memory" in _handed_down(p)]
                yield from ((_V2, parent, folder) for parent in handed)


def _below(mounted: str, root: str, path: str | None) -> Path | None:
    """The folder of a group; None where there is none, or it lies outside of what is mounted."""
    inner = ".." if path is None else os.path.relpath(path, root)
    return None if inner.startswith("..") else Path(mounted, inner)


def _name(proc: Path) -> str:
    """A name that no other has: by the PID space, the process, when it began, and a number."""
    mine = os.getpid()
    return f"eval-pipeline-{_space(proc)}-{mine}-{_began(proc, mine)}-{next(_NUMBERS)}"


def _clear(parent: Path, proc: Path) -> None:
    for name in os.listdir(parent):
        made_by = _NAME.fullmatch(name)
        if made_by is None or made_by[1] != _space(proc):  # other PID spaces have other processes
            continue
        if _began(proc, int(made_by[2])) != made_by[3]:
            with suppress(OSError):  # what its maker started is ending still
                os.rmdir(parent / name)


def _space(proc: Path) -> str:
    return re.sub(r"\D", "", os.readlink(proc / "self/ns/pid"))


def _began(proc: Path, process: int) -> str | None:
    """When a process began, in ticks since the machine did; None for one that is no more."""
    try:
        return (proc / str(process) / "stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _handed_down(group: Path) -> list[str]:
    """The controllers of the groups below a group of version 2."""
    return " ".join(_lines(group / "cgroup.subtree_control")).split()


def _plain(word: str) -> str:
    """A path as it is: the kernel writes blanks in it as numbers."""
    return re.sub(r"\\([0-7]{3})", lambda number: chr(int(number[1], 8)), word)
