"""How `code@1` held values and outputs against what is expected; frozen contracts run on it.

Words of an output are always compared as floats, and a tolerance touches integers as well: `cases`
has the rules of today.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

Tolerance = Sequence[float]  # relative, absolute


def agrees(value: Any, expected: Any, tolerance: Tolerance) -> bool:
    """Whether a returned value is the expected one, as far as JSON can say it.

    It has no tuples, so one is as good as a list, and only texts as keys, so the number 1 is as
    good as "1"; true is no number, and a NaN that is expected is a NaN.
    """
    if isinstance(value, list | tuple) and isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(
            agrees(v, e, tolerance) for v, e in zip(value, expected, strict=True)
        )
    if isinstance(value, dict) and isinstance(expected, dict):
        if value.keys() != expected.keys():
            named = {_key(key): each for key, each in value.items()}
            if len(named) != len(value) or named.keys() != expected.keys():
                return False
            value = named
        return all(agrees(value[key], expected[key], tolerance) for key in expected)
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    if isinstance(value, int | float) and isinstance(expected, int | float):
        both_undefined = value != value and expected != expected
        return value == expected or both_undefined or _close(value, expected, tolerance)
    return bool(value == expected)


def fault_in_output(printed: str, expected: str, tolerance: Tolerance) -> str | None:
    """What is wrong with a program's output, or None.

    Spaces at the ends of lines and empty lines at the end do not count. With a tolerance, words
    that are both numbers are held against each other as numbers.
    """
    ours, theirs = _lines(printed), _lines(expected)
    for number, (line, right) in enumerate(zip(ours, theirs, strict=False), 1):
        if line != right and not _close_words(line.split(), right.split(), tolerance):
            return f"line {number} is {line[:100]!r}, not {right[:100]!r}"
    if len(ours) != len(theirs):
        return f"{len(ours)} lines, not {len(theirs)}"
    return None


def _key(key: Any) -> Any:
    """A key of a dict as JSON spells it."""
    plain = key is None or isinstance(key, bool | int | float)
    return json.dumps(key) if plain else key


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _close_words(words: list[str], right: list[str], tolerance: Tolerance) -> bool:
    if len(words) != len(right):
        return False
    return all(a == b or _close_texts(a, b, tolerance) for a, b in zip(words, right, strict=True))


def _close_texts(word: str, right: str, tolerance: Tolerance) -> bool:
    try:
        return _close(float(word), float(right), tolerance)
    except ValueError:
        return False


def _close(value: float, expected: float, tolerance: Tolerance) -> bool:
    relative, absolute = tolerance
    try:
        if not (math.isfinite(value) and math.isfinite(expected)):
            return False
        # relative to what is expected: a huge answer must not widen its own tolerance
        return abs(value - expected) <= max(relative * abs(expected), absolute)
    except OverflowError:
        return False
