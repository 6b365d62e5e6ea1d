"""Right values, held against our public functions.

`python -m eval_pipeline_tests.golden FILE.json` takes a list of cases or an object of worked
examples, and prints a line for each case that fails, then the
instruments that no room answers yet, then the counts; it exits 1 where a case fails, and 2 with one
line where the file holds no cases of the form of `read_cases`. Each room
has a module in `answers/` with a dict `INSTRUMENTS`: instrument -> function of the case's inputs;
this module gathers them.
"""

import importlib
import inspect
import json
import math
import pkgutil
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eval_pipeline_tests.golden import answers

ENTRY_TOLERANCE = 1e-8
KEYS = ("id", "instrument", "inputs", "expected")
Answer = Callable[..., Any]
Case = Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """What came of one case; `complaint` is None where it passed."""

    id: str
    instrument: str
    complaint: str | None


def instruments() -> dict[str, Answer]:
    """All instruments that the rooms answer; ValueError where two rooms answer the same.

    Those of worked examples stand beside them, as `entry <name>`.
    """
    from eval_pipeline_tests.golden.worked_examples import ENTRIES

    found: dict[str, Answer] = {f"entry {name}": answer for name, answer in ENTRIES.items()}
    for module in sorted(m.name for m in pkgutil.iter_modules(answers.__path__)):
        theirs = importlib.import_module(f"{answers.__name__}.{module}").INSTRUMENTS
        if twice := sorted(theirs.keys() & found.keys()):
            raise ValueError(f"{module} answers {', '.join(twice)}, which another room answers too")
        found |= theirs
    return found


def read_cases(path: Path) -> list[Case]:
    """The cases of a file: a list of objects with id, instrument, inputs, expected, tolerance.

    An object of worked examples becomes a case for each right value of each.
    Raises ValueError that names the file, the first case that is none, and what it lacks.
    """
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    if isinstance(cases, dict) and any(map(_entry_for, cases)):
        return _cases_of_entries(cases)
    if not isinstance(cases, list):
        kind = type(cases).__name__
        raise ValueError(f"{path} holds no list of cases but a {kind}: this runner reads lists")
    if not cases:
        raise ValueError(f"{path} holds no cases: its list is empty")
    for i, case in enumerate(cases):
        if fault := _fault_of(case):
            named = f" ({case['id']})" if isinstance(case, dict) and "id" in case else ""
            raise ValueError(f"{path}: case {i}{named} {fault}")
    return cases


def _cases_of_entries(entries: Mapping[str, Any]) -> list[Case]:
    """A case for each field of an entry that its function does not take, or whose rows hold both.

    `_meta` may name tolerances, by entry or by how a field begins.
    """
    from eval_pipeline_tests.golden.worked_examples import ENTRIES, NOT_ASKED

    tolerances = entries.get("_meta", {}).get("tolerance_suggested", {})
    cases: list[Case] = []
    for name, entry in entries.items():
        if name.startswith("_"):
            continue
        known = _entry_for(name)
        takes = inspect.signature(ENTRIES[known]).parameters if known else {}
        for field, value in entry.items():
            both = isinstance(value, list) and any(isinstance(row, dict) for row in value)
            if field in NOT_ASKED or (field in takes and not both):
                continue
            near = [t for key, t in tolerances.items() if key == name or field.startswith(key)]
            cases.append(
                {
                    "id": f"{name}.{field}",
                    "instrument": f"entry {known or name}",
                    "inputs": {key: entry[key] for key in takes if key in entry},
                    "expected": {field: _without(value, NOT_ASKED)},
                    "tolerance": near[0] if near else ENTRY_TOLERANCE,
                }
            )
    return cases


def _entry_for(name: str) -> str | None:
    """The worked example that a name is of: its own, or the longest that it begins with."""
    from eval_pipeline_tests.golden.worked_examples import ENTRIES

    known = [one for one in ENTRIES if name == one or name.startswith(f"{one}_")]
    return max(known, key=len, default=None)


def _without(value: Any, names: Collection[str]) -> Any:
    """A value without fields of those names, however deep."""
    if isinstance(value, dict):
        return {k: _without(inner, names) for k, inner in value.items() if k not in names}
    return [_without(one, names) for one in value] if isinstance(value, list) else value


def _fault_of(case: Any) -> str | None:
    """What keeps a case from being one; None where nothing does."""
    if not isinstance(case, dict):
        return f"is no object but {case!r:.40}"
    if lacking := [key for key in KEYS if key not in case]:
        return f"lacks {', '.join(lacking)}"
    if not isinstance(case["id"], str) or not isinstance(case["instrument"], str):
        return "needs texts as id and instrument"
    if not isinstance(case["inputs"], dict):
        return "needs an object of keyword arguments as inputs"
    tolerance = case.get("tolerance")
    if tolerance is not None and not (_is_number(tolerance) and tolerance >= 0):
        return f"has tolerance {tolerance!r}: a number of at least 0, or null for exact"
    return None


def run(case: Case, answer: Answer) -> Result:
    """Whether the function gives what the case expects, within its absolute tolerance.

    Whatever is raised inside, by the function or by what it returns, fails this case only.
    """
    try:
        return Result(case["id"], case["instrument"], _complaint(case, answer))
    except Exception as error:  # an answer of a strange type
        said = f"its answer cannot be compared: {type(error).__name__}: {error}"
        return Result(case["id"], case["instrument"], said)


def _complaint(case: Case, answer: Answer) -> str | None:
    """What is wrong with the answer to a case; None where it is right."""
    expected = case["expected"]
    raises = isinstance(expected, Mapping) and expected.get("raises")
    try:
        got = asked(answer, case["inputs"])
    except Exception as error:  # any error is an answer here, and is told by its name
        right = raises in {kind.__name__ for kind in type(error).__mro__}
        return None if right else f"raised {type(error).__name__}: {error}"
    if raises:
        return f"must raise {raises}, but gave {got!r}"
    return difference(expected, got, case.get("tolerance") or 0.0)


def asked(answer: Answer, inputs: Mapping[str, Any]) -> Any:
    """What a function answers to a case's inputs; ValueError where these are not its arguments."""
    given = {name: undefined_as_nan(value) for name, value in inputs.items()}
    try:
        inspect.signature(answer).bind(**given)
    except TypeError as error:
        raise ValueError(f"the inputs {', '.join(given) or 'none'}: {error}") from None
    return answer(**given)


def undefined_as_nan(value: Any) -> Any:
    """A null inside a list of numbers is NaN; elsewhere it stays None."""
    if isinstance(value, Mapping):
        return {key: undefined_as_nan(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    present = [v for v in value if v is not None]
    if len(present) < len(value) and present and all(_is_number(v) for v in present):
        return [math.nan if v is None else v for v in value]
    return [undefined_as_nan(v) for v in value]


def difference(expected: Any, got: Any, tolerance: float, where: str = "") -> str | None:
    """Where the two differ, or None. Keys that are not expected are not looked at."""
    place = where or "the answer"
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            return f"{place} must have {', '.join(expected)}, but is {got!r}"
        for key, value in expected.items():
            if key not in got:
                return f"{place} lacks {key!r}"
            if found := difference(value, got[key], tolerance, f"{where}[{key!r}]"):
                return found
        return None
    if isinstance(expected, list):
        if not isinstance(got, Sequence | np.ndarray) or isinstance(got, str):
            return f"{place} must be a list, but is {got!r}"
        if len(got) != len(expected):
            return f"{place} must have {len(expected)} entries, but has {len(got)}"
        pairs = enumerate(zip(expected, got, strict=True))
        unlike = (difference(e, g, tolerance, f"{where}[{i}]") for i, (e, g) in pairs)
        return next(filter(None, unlike), None)
    if expected is None:
        undefined = got is None or (_is_number(got) and math.isnan(got))
        return None if undefined else f"{place} must be undefined, but is {got!r}"
    if _is_number(expected):
        near = _is_number(got) and abs(got - expected) <= tolerance
        return None if near else f"{place} must be {expected!r} +/- {tolerance:g}, but is {got!r}"
    return None if got == expected else f"{place} must be {expected!r}, but is {got!r}"


def listed(value: Any) -> Any:
    """A list as it is, and one value as a list of it: cases give one sample either way."""
    return value if isinstance(value, list) else [value]


def sequence(value: Any, name: str) -> Sequence[Any]:
    """The value, if it is a list with something in it. Raises ValueError."""
    if not isinstance(value, list | tuple | np.ndarray) or not len(value):
        raise ValueError(f"{name} must be a list with entries, got {value!r:.80}")
    return list(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)


def main(arguments: Sequence[str]) -> int:
    """Exit code 1 where a case fails, 2 where there is nothing that can be read."""
    if len(arguments) != 1:
        print("usage: python -m eval_pipeline_tests.golden FILE.json", file=sys.stderr)
        return 2
    try:
        cases = read_cases(Path(arguments[0]))
    except ValueError as error:
        print(error, file=sys.stderr)
        print("0 passed, 0 failed")
        return 2
    answers = instruments()
    results = [
        run(case, answers[case["instrument"]]) for case in cases if case["instrument"] in answers
    ]
    failed = [result for result in results if result.complaint]
    for result in failed:
        said = " ".join(str(result.complaint).split())
        print(f"{result.id} ({result.instrument}): {said}")
    if unmapped := sorted({case["instrument"] for case in cases} - answers.keys()):
        print(f"not yet answered: {', '.join(unmapped)}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
