"""Tests that are data: calls with their values, or programs with their input and output.

An item's `test` is Python source, or a JSON object:
`{"cases": [{"args": [1, 2], "kwargs": {}, "returns": 3}], "rel_tol": 1e-6, "abs_tol": 0}` or
`{"cases": [{"stdin": "1 2", "stdout": "3"}]}`. Without a tolerance numbers must be equal.
"""

import json
import math
from dataclasses import dataclass
from typing import Any

CALL, PROGRAM = {"args", "kwargs", "returns"}, {"stdin", "stdout"}
Tolerance = tuple[float, float]  # relative, absolute; (0, 0) is equality


@dataclass(frozen=True)
class Tests:
    """`kind` is tests (Python source), calls or program."""

    kind: str
    source: str = ""
    cases: tuple[dict[str, Any], ...] = ()
    tolerance: Tolerance = (0.0, 0.0)


def read(test: str) -> Tests:
    """The tests of an item; ValueError where they are data of another shape."""
    if not test.lstrip().startswith("{"):
        return Tests("tests", test)
    try:
        data = json.loads(test)
    except ValueError:
        return Tests("tests", test)
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise ValueError('tests that are data are an object with a list of "cases"')
    if unknown := sorted(data.keys() - {"cases", "rel_tol", "abs_tol"}):
        raise ValueError(f"tests that are data have no {unknown}")
    tolerance = _tolerance(data, "rel_tol"), _tolerance(data, "abs_tol")
    found = [_case(number, case) for number, case in enumerate(data["cases"], 1)]
    if len({"stdin" in case for case in found}) > 1:
        raise ValueError("cases are all calls or all programs")
    kind = "program" if found and "stdin" in found[0] else "calls"
    return Tests(kind, test, tuple(found), tolerance)


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
    if tolerance == (0.0, 0.0) or len(words) != len(right):
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


def _tolerance(data: dict[str, Any], name: str) -> float:
    value = data.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a number, got {value!r}")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} must be a number from 0, got {value!r}")
    return float(value)


def _case(number: int, case: Any) -> dict[str, Any]:
    if isinstance(case, dict) and case.keys() == PROGRAM:
        if all(isinstance(text, str) for text in case.values()):
            return case
    elif isinstance(case, dict) and case.keys() <= CALL and "returns" in case:
        made = {"args": [], "kwargs": {}, **case}
        if isinstance(made["args"], list) and isinstance(made["kwargs"], dict):
            return made
    raise ValueError(
        f"case {number} is neither a call (args, kwargs, returns) nor a program (stdin, stdout)"
    )
