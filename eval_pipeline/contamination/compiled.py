"""Compilation to machine code, kept between processes where there is a place for it."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """The function as machine code that runs without the interpreter's lock.

    What was compiled is kept beside the source, or in the user's cache where that is read-only;
    where neither can be written it is compiled again in each process.
    """
    options = {"nogil": True, "error_model": "numpy"}
    try:
        made: F = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no place to keep it
        made = numba.njit(**options)(function)
    return made


def inlined(function: F) -> F:
    """As `compiled`, written into each caller: a call would copy all arrays it is given."""
    made: F = numba.njit(inline="always", nogil=True, error_model="numpy")(function)
    return made
