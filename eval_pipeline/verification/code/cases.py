"""Tests that are data: calls with their values, or programs with their input and output.

An item's `test` is Python source, or a JSON object:
`{"cases": [{"args": [1, 2], "kwargs": {}, "returns": 3}], "rel_tol": 1e-6, "abs_tol": 0}` or
`{"cases": [{"stdin": "1 2", "stdout": "3"}]}`. Without a tolerance everything must be equal: values
as Python says it, outputs letter by letter (but for spaces at the ends of lines and empty lines at
the end).

A tolerance is for floats. An integer that is expected is met by that integer alone, also where it
is written as a float (3.0 for 3, never 2000001.0 for 2000000); a fraction beside an expected
integer, and any number beside an expected float, are held to the tolerance. Words of an output are
numbers only with a tolerance, where both are spelled as numbers and one of them as a float.

Where many answers are right, `"checker"` is Python source that defines `check(given, answer)`:
`{"cases": [{"stdin": "3"}], "checker": "def check(given, printed): return ..."}`. `given` is the
text on standard input, or the list of arguments (with the dict of keywords last, where there are
any); `answer` is the output or the returned value. It says True, False, or a text: why the answer
is wrong. A case may keep `returns` or `stdout` as an example of a right answer: a checker that
fails on it is broken. It runs beside the tests, never in the program's process.
"""

import ast
import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from eval_pipeline.verification.code.messages import Case, Names

CALL, PROGRAM = {"args", "kwargs", "returns"}, {"stdin", "stdout"}
CHECKER = "check"
Tolerance = tuple[float, float]  # relative, absolute; (0, 0) is equality
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]++(?P<part>\.[0-9]*+)?|(?P<only>\.[0-9]++))(?P<e>[eE][+-]?[0-9]++)?"
)
_LONG = 4000  # digits that Python converts whatever its limit


@dataclass(frozen=True)
class Tests:
    """`kind` is tests (Python source), calls or program."""

    kind: str
    source: str = ""
    cases: tuple[Case, ...] = ()
    tolerance: Tolerance = (0.0, 0.0)
    checker: str | None = None


def read(test: str) -> Tests:
    """The tests of an item; ValueError where they are data of another shape."""
    if not test.lstrip().startswith("{"):
        return Tests("tests", test)
    try:
        data = json.loads(test, parse_int=_whole)
    except (ValueError, RecursionError):
        return Tests("tests", test)
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        raise ValueError('tests that are data are an object with a list of "cases"')
    if unknown := sorted(data.keys() - {"cases", "rel_tol", "abs_tol", "checker"}):
        raise ValueError(f"tests that are data have no {unknown}")
    tolerance = _tolerance(data, "rel_tol"), _tolerance(data, "abs_tol")
    checker = _checker(data["checker"]) if "checker" in data else None
    found = [_case(number, case, checker) for number, case in enumerate(data["cases"], 1)]
    if len({"stdin" in case for case in found}) > 1:
        raise ValueError("cases are all calls or all programs")
    kind = "program" if found and "stdin" in found[0] else "calls"
    return Tests(kind, test, tuple(found), tolerance, checker)


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
    """What is wrong with a program's output, or None."""
    ours, theirs = _lines(printed), _lines(expected)
    for number, (line, right) in enumerate(zip(ours, theirs, strict=False), 1):
        if line != right and not _close_words(line.split(), right.split(), tolerance):
            return f"line {number} is {line[:100]!r}, not {right[:100]!r}"
    if len(ours) != len(theirs):
        return f"{len(ours)} lines, not {len(theirs)}"
    return None


def given(case: Case) -> Any:
    """What a checker is given of a case."""
    if "stdin" in case:
        return case["stdin"]
    return [*case["args"], case["kwargs"]] if case["kwargs"] else case["args"]


def _key(key: Any) -> Any:
    """A key of a dict as JSON spells it."""
    plain = key is None or isinstance(key, bool | int | float)
    return json.dumps(key) if plain else key


def _lines(text: str) -> list[str]:
    lines = [line.rstrip(" \t\r\f\v") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _close_words(words: list[str], right: list[str], tolerance: Tolerance) -> bool:
    if not any(tolerance) or len(words) != len(right):
        return False
    return all(a == b or _close_texts(a, b, tolerance) for a, b in zip(words, right, strict=True))


def _close_texts(word: str, right: str, tolerance: Tolerance) -> bool:
    numbers = _number(word), _number(right)
    if None in numbers or not any(isinstance(number, float) for number in numbers):
        return False
    return agrees(*numbers, tolerance)


def _number(word: str) -> int | float | None:
    spelled = _NUMBER.fullmatch(word)
    if spelled is None:
        return None
    return float(word) if any(spelled.group("part", "only", "e")) else _whole(word)


def _whole(digits: str) -> int:
    """An integer of any length, which Python's limit on digits does not hold."""
    return int(digits) if len(digits) < _LONG else int(Decimal(digits))


def _close(value: float, expected: float, tolerance: Tolerance) -> bool:
    relative, absolute = tolerance
    if isinstance(expected, int) and (isinstance(value, int) or value.is_integer()):
        return False
    try:
        if not any(tolerance) or not (math.isfinite(value) and math.isfinite(expected)):
            return False
        # relative to what is expected: a huge answer must not widen its own tolerance
        return abs(value - expected) <= max(relative * abs(expected), absolute)
    except OverflowError:
        return False


def _tolerance(data: Names, name: str) -> float:
    value = data.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a number, got {value!r}")
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{name} must be a number from 0, got {value!r}")
    return float(value)


def _checker(source: Any) -> str:
    """The source of a checker; ValueError where it defines no function of two arguments."""
    if not isinstance(source, str):
        raise ValueError(f"checker must be Python source, got {source!r:.100}")
    try:
        defined = [
            statement
            for statement in ast.parse(source).body
            if isinstance(statement, ast.FunctionDef) and statement.name == CHECKER
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise ValueError(f"checker is no Python: {fault}") from fault
    if not defined:
        raise ValueError(f"checker defines no function {CHECKER}(given, answer)")
    asked = defined[-1].args
    taken = len(asked.posonlyargs) + len(asked.args)
    if not (taken - len(asked.defaults) <= 2 and (taken >= 2 or asked.vararg)):
        raise ValueError(f"checker: {CHECKER} takes what is given and the answer, no other number")
    if not any(isinstance(node, ast.Return) and node.value for node in ast.walk(defined[-1])):
        raise ValueError(f"checker: {CHECKER} returns nothing: True, False or a reason is due")
    return source


def _case(number: int, case: Any, checker: str | None) -> Case:
    if isinstance(case, dict):
        if case.keys() <= PROGRAM and "stdin" in case and ("stdout" in case or checker):
            if all(isinstance(text, str) for text in case.values()):
                return cast(Case, case)
        elif case.keys() <= CALL and ("returns" in case or checker):
            made = {"args": [], "kwargs": {}, **case}
            if isinstance(made["args"], list) and isinstance(made["kwargs"], dict):
                return cast(Case, made)
    raise ValueError(
        f"case {number} is neither a call (args, kwargs, returns) nor a program (stdin, stdout)"
    )
