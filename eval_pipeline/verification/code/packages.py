"""Packages beside the standard library that a contract allows its candidates to import."""

import os
import re
import resource
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

# one thread a process: threads of a library do not survive a fork, and count as processes; and one
# arena: the C library sets 128 MiB of address space aside for each thread that has its own
THREADS = {
    f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB")
} | {"MALLOC_ARENA_MAX": "1"}


def folders(names: Sequence[str]) -> list[str]:
    """The folders that the packages are imported from; ValueError for one that is not there."""
    found = set()
    for name in names:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ValueError(
                f"packages: {name!r} is not installed here: install it or leave it out"
            )
        found.add(str(Path(spec.origin).parents[1]))
    return sorted(found)


def mentioned(code: str, names: Sequence[str]) -> tuple[str, ...]:
    """All names where the code has any of them as a word, else none.

    Two kinds of server are then enough, and a program without packages does not pay for them.
    """
    words = set(re.findall(r"\w+", code))
    return tuple(names) if words & set(names) else ()


def address_space_mb(proc: int) -> int:
    """What this process has mapped already, in MiB; read below an open /proc."""
    descriptor = os.open("self/statm", os.O_RDONLY, dir_fd=proc)
    with open(descriptor) as file:
        return int(file.read().split()[0]) * resource.getpagesize() // 2**20


def checked(names: object) -> tuple[str, ...]:
    """The names of packages; ValueError where one is none."""
    if not isinstance(names, tuple) or not all(isinstance(n, str) for n in names):
        raise ValueError(f"packages must be a list of names, got {names!r}")
    if bad := [name for name in names if not name.isidentifier()]:
        raise ValueError(f"packages: {bad[0]!r} is no name of a package")
    return names


def forget_environment() -> None:
    """Nothing that the launcher was told reaches the code."""
    os.environ.clear()
