"""Compilation to machine code, kept between processes where there is a place for it."""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])
PLACE_VARIABLE = "NUMBA_CACHE_DIR"


def compiled(function: F) -> F:
    """The function as machine code that runs without the interpreter's lock.

    What was compiled is kept in the user's cache, never in an installed package; where that cannot
    be written it is compiled again in each process.
    """
    settings: Any = numba.config
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(kept_in())
    try:
        return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # no place to keep it
        return cast(F, numba.njit(nogil=True, error_model="numpy")(function))
    finally:
        settings.CACHE_DIR = before


def inlined(function: F) -> F:
    """As `compiled`, written into each caller: a call would copy all arrays it is given."""
    return cast(F, numba.njit(inline="always", nogil=True, error_model="numpy")(function))


def kept_in() -> Path:
    """The folder of what was compiled from these very sources.

    One of its own for each state of the room: the compiler looks for changes in a function's own
    file only, and a kernel must not keep the old form of what it calls.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    base = os.environ.get(PLACE_VARIABLE) or Path(home) / "eval-pipeline"
    return Path(base) / f"kernels-{state_of_sources()}"


@cache
def state_of_sources() -> str:
    """A digest of the sources of this room: what kernels made of them goes with it."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
