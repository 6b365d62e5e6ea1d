"""What one run may use, and how a process is held to it."""

import os
import resource
import time
from dataclasses import dataclass

FILE_MB = 32  # the largest file
SCRATCH_MB = 64
OPEN_FILES = 64
PROCESSES = 32
BACKSTOP_MB = 1024  # of address space beyond the memory: stacks of threads take it and use none
OUTPUT_BYTES = 2**20  # on standard output
MESSAGE_BYTES = 8 * 2**20  # in one returned value


class TooLongError(Exception):
    """More than a message or the output may hold."""


@dataclass(frozen=True)
class Limits:
    """`cpu_seconds` decides; `wall_seconds` is for code that waits; `memory_mb` is in use."""

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

    def __str__(self) -> str:
        return (
            f"{self.cpu_seconds} s of CPU, {self.wall_seconds} s in all, {self.memory_mb} MiB, "
            f"{PROCESSES} processes, {OUTPUT_BYTES >> 20} MiB of output, {SCRATCH_MB} MiB of files"
        )


def hold_candidate(limits: Limits, processes: int = PROCESSES) -> None:
    """Limits of each process that runs the model's code; `processes` counts all of its user.

    Memory in use is watched (`watch`). The limit on address space is wide: it stops what asks for
    much at once, and bounds what is taken between two looks.
    """
    # no soft limit below the hard one: a signal that the code may catch would be its to ignore;
    # what this process used before is not the code's
    _set(resource.RLIMIT_CPU, limits.cpu_seconds + int(time.process_time()))
    _set(resource.RLIMIT_AS, (limits.memory_mb + BACKSTOP_MB) * 2**20)
    _set(resource.RLIMIT_FSIZE, FILE_MB * 2**20)
    _set(resource.RLIMIT_NOFILE, OPEN_FILES)
    _set(resource.RLIMIT_NPROC, processes)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_MSGQUEUE, 0)
    _set(resource.RLIMIT_MEMLOCK, 0)


def hold_driver(limits: Limits) -> None:
    """Limits of the process that holds the tests: a returned value may be made to be costly."""
    _set(resource.RLIMIT_AS, 2 * max(limits.memory_mb, 512) * 2**20)
    _set(resource.RLIMIT_FSIZE, 0)
    _set(resource.RLIMIT_CORE, 0)


def keep_descriptors(*kept: int) -> list[int]:
    """Moves the kept descriptors to 3, 4, ... and closes all others but 0, 1 and 2."""
    # first out of the way: a target may be one of the sources
    high = [os.dup2(fd, 100 + i) for i, fd in enumerate(kept)]
    os.closerange(3, 100)
    os.closerange(100 + len(kept), 2**20)
    for i, fd in enumerate(high):
        os.dup2(fd, 3 + i, inheritable=False)
    os.closerange(100, 100 + len(kept))
    return [3 + i for i in range(len(kept))]


def _set(limit: int, value: int) -> None:
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))
