"""Numbers as they are given to a public function: what is no number is refused in words.

Left to numpy, a null or a list in a wrong place is an error of types far inside, and `True` a one.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST = 1e150


def vector(values: Any, name: str) -> Floats:
    """The values as a vector of floats, NaN and infinity as they are. Raises ValueError."""
    x = table(values, name)
    if x.ndim != 1:
        raise ValueError(f"{name} must be a vector, got shape {x.shape}")
    return x


def table(values: Any, name: str) -> Floats:
    """The values as an array of floats of whatever shape. Raises ValueError.

    Finite numbers beyond `LARGEST` are refused: their squares are not.
    """
    x = _floats(values, name)
    ends = (np.fmax.reduce(x, axis=None), -np.fmin.reduce(x, axis=None)) if x.size else ()
    if any(end > LARGEST for end in ends):  # no copy of what is in order
        far = x[np.isfinite(x) & (np.abs(x) > LARGEST)]
        if far.size:
            raise ValueError(f"{name} holds {far[0]:g}, too large to reckon with")
    return x


def _floats(values: Any, name: str) -> Floats:
    try:
        x = np.asarray(values)
        if isinstance(values, np.ndarray) and x.dtype.kind in "biuf":  # an array of outcomes
            return np.asarray(x, dtype=np.float64)
        if x.dtype.kind in "US" or _holds_flag(values):
            raise TypeError
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be numbers in rows of one length: {values!r:.80}") from None


def scalar(value: Any, name: str) -> float:
    """The value, if it is one finite number. Raises ValueError."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not number:
        raise ValueError(f"{name} must be a number, got {value!r:.80}")
    try:
        x = float(value)
    except OverflowError:
        x = math.inf
    if not math.isfinite(x):
        raise ValueError(f"{name} must be a finite number, got {value!r:.80}")
    return x


def whole(value: Any, name: str, least: int) -> int:
    """The value, if it is a whole number of at least `least`. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r:.80}")
    return int(value)


def _holds_flag(values: Any) -> bool:
    if not isinstance(values, list | tuple):
        return False
    kinds = set(map(type, values))
    if kinds & {list, tuple}:
        return any(map(_holds_flag, values))
    return bool(kinds & {bool, np.bool_})
