"""What a metric takes in: vectors of numbers, counts, truths; each fault told with its place.

A bool is no number and a number is no bool: 1 in a column of truths is a slip more often than it
is meant. NaN is refused, because a mean over it would be a hole, or a lie if left out unsaid.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def number_array(
    values: ArrayLike,
    name: str,
    ndim: int = 1,
    *,
    low: float = -math.inf,
    high: float = math.inf,
) -> Floats:
    """The values as float64 of that many dimensions, at least one, each finite, in [low, high].

    Raises ValueError that names the first index that is not.
    """
    if _holds_bool(values):
        raise ValueError(f"{name} must be numbers, but hold True or False: write 1.0 and 0.0")
    try:
        array = np.asarray(values)
        x = array.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be numbers in {ndim} dimensions, rows of one length, got {values!r:.60}"
        ) from None
    if array.dtype.kind not in "iufO" or x.ndim != ndim or not x.size:
        got = f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"{name} must be numbers in {ndim} dimensions, at least one, got {got}")
    bad = ~((x >= low) & (x <= high) & np.isfinite(x))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        place = ", ".join(map(str, where))
        span = "finite" if (low, high) == (-math.inf, math.inf) else f"in [{low:g}, {high:g}]"
        raise ValueError(
            f"{name}[{place}] is {x[where]:g}, but must be {span} ({int(bad.sum())} such entries)"
        )
    return x


def count_array(values: ArrayLike, name: str, ndim: int = 1) -> Ints:
    """The values as int64 of that many dimensions; whole numbers of at least 0.

    Raises ValueError that names the first index that is not.
    """
    x = number_array(values, name, ndim, low=0.0)
    if (bad := np.argwhere(x != np.floor(x))).size:
        place = ", ".join(map(str, bad[0]))
        raise ValueError(f"{name}[{place}] is {x[tuple(bad[0])]:g}, but must be a whole number")
    return x.astype(np.int64)


def truth_vector(values: ArrayLike | Sequence[Any], name: str) -> Bools:
    """The values as bool, shape (n,), at least one.

    Raises ValueError that names the first index without True or False, such as None or 1.
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "b" and values.ndim == 1:
        truths: Bools = values.astype(np.bool_)
    else:
        entries = list(values) if isinstance(values, Sequence | np.ndarray) else [values]
        for i, value in enumerate(entries):
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name}[{i}] must be True or False, got {value!r:.60}")
        truths = np.array(entries, dtype=np.bool_)
    if not truths.size:
        raise ValueError(f"{name} must hold at least one entry")
    return truths


def one_number(value: Any, name: str, *, low: float = -math.inf, high: float = math.inf) -> float:
    """The value, if it is a finite number in [low, high]; else ValueError that names it."""
    given = np.asarray(value)
    if given.ndim or given.dtype.kind not in "iuf" or isinstance(value, bool):
        raise ValueError(f"{name} must be a number, got {value!r:.60}")
    if not (math.isfinite(float(given)) and low <= float(given) <= high):
        raise ValueError(f"{name} must be a finite number in [{low:g}, {high:g}], got {value!r}")
    return float(given)


def one_count(value: Any, name: str, low: int = 0) -> int:
    """The value, if it is a whole number of at least `low`; True is none."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, got {value!r:.60}")
    if value < low:
        raise ValueError(f"{name} must be at least {low}, got {value}")
    return int(value)


def equal_lengths(**vectors: Sequence[Any] | NDArray[Any]) -> int:
    """The one length of all vectors; ValueError that tells each length where they differ."""
    lengths = {name: len(vector) for name, vector in vectors.items()}
    if len(set(lengths.values())) != 1:
        told = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise ValueError(f"one entry a sample is needed in each, but the lengths are: {told}")
    return next(iter(lengths.values()))


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, NaN where the whole is 0."""
    above, below = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shape = np.broadcast_shapes(above.shape, below.shape)
    out = np.full(shape, math.nan)
    np.divide(above, below, out=out, where=np.broadcast_to(below != 0, shape))
    return out


def _holds_bool(values: Any) -> bool:
    """Whether a bool hides in nested lists; numpy would turn it into a 1 beside numbers."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind != "O":
            return bool(values.dtype.kind == "b")
        values = values.ravel().tolist()
    if isinstance(values, list | tuple):
        kinds = set(map(type, values))
        if kinds <= {int, float}:
            return False
        return any(map(_holds_bool, values))
    return isinstance(values, bool | np.bool_)
