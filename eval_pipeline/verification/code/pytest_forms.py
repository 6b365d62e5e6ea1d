"""What tests in the form of pytest take from it: a stand-in, for pytest is not in the sandbox.

`SUPPORTED` names all of it. A mark that is none of parametrize, skip, skipif and xfail means
nothing here. Sources: pytest's reference of its API, for the meaning of each.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from eval_pipeline.verification.code.messages import Names

SUPPORTED = frozenset(["approx", "fail", "fixture", "main", "mark", "param", "raises", "skip"])
FIXTURES = frozenset(["capsys"])
RELATIVE, ABSOLUTE = 1e-6, 1e-12  # of approx, where neither is given


class UnsupportedError(Exception):
    """A form of tests that is not run here, by name."""


class FailedError(AssertionError):
    """What `fail`, and a `raises` that nothing raised in, end a test with."""


class Skipped(Exception):  # noqa: N818 - pytest's own name for it
    """What `skip` ends a test with."""


class Caught:
    """What `raises` caught: `value`, `type`, and `match` on its text."""

    def __init__(self) -> None:
        self.value: BaseException | None = None
        self.type: type[BaseException] | None = None

    def match(self, pattern: str) -> bool:
        if not re.search(pattern, str(self.value)):
            raise FailedError(f"{str(self.value)!r:.200} does not match {pattern!r:.200}")
        return True


def raises(kind: Any, function: Any = None, /, *args: Any, **kwargs: Any) -> Any:
    """A context in which an exception of that kind must come up, or a call that must raise it."""
    if function is None:
        return _raising(kind, kwargs.get("match"))
    with _raising(kind, None) as caught:
        function(*args, **kwargs)
    return caught


@contextmanager
def _raising(kind: Any, match: Any) -> Iterator[Caught]:
    caught = Caught()
    try:
        yield caught
    except kind as error:
        caught.value, caught.type = error, type(error)
    else:
        raise FailedError(f"did not raise {kind}")
    if match is not None:
        caught.match(match)


class Approx:
    """Equal to numbers, or to sequences and dicts of numbers, that are near the expected ones."""

    __hash__ = None  # type: ignore[assignment]  # as the real one: it equals many numbers

    def __init__(
        self, expected: Any, rel: Any = None, abs: Any = None, nan_ok: bool = False
    ) -> None:
        self.expected = expected
        self._options = (rel, abs, nan_ok)

    def __eq__(self, other: object) -> bool:
        expected = self.expected
        if isinstance(expected, Mapping):
            return (
                isinstance(other, Mapping)
                and expected.keys() == other.keys()
                and all(self._one(expected[key]) == other[key] for key in expected)
            )
        if isinstance(expected, Sequence) and not isinstance(expected, str | bytes):
            return (
                isinstance(other, Sequence)
                and len(expected) == len(other)
                and all(self._one(e) == o for e, o in zip(expected, other, strict=True))
            )
        return self._near(other)

    def _one(self, expected: Any) -> "Approx":
        return Approx(expected, *self._options)

    def _near(self, other: Any) -> bool:
        relative, absolute, nan_ok = self._options
        if self.expected == other:
            return True
        try:
            if math.isnan(self.expected) or math.isnan(other):
                return bool(nan_ok and math.isnan(self.expected) and math.isnan(other))
            if math.isinf(self.expected) or math.isinf(other):
                return False
            bound = ABSOLUTE if absolute is None else absolute
            if relative is not None or absolute is None:
                share = RELATIVE if relative is None else relative
                bound = max(bound, share * abs(self.expected))
            return bool(abs(self.expected - other) <= bound)
        except (TypeError, OverflowError):
            return False

    def __repr__(self) -> str:
        return f"approx({self.expected!r})"


class _Mark:
    """One mark: it notes itself, with its arguments, on what it decorates."""

    def __init__(self, name: str, args: tuple[Any, ...] = (), **options: Any) -> None:
        self.name, self.args, self.options = name, args, options

    def __call__(self, *args: Any, **options: Any) -> Any:
        if len(args) == 1 and not options and callable(args[0]):
            args[0].marks = [*getattr(args[0], "marks", ()), self]
            return args[0]
        return _Mark(self.name, args, **options)


class _Marks:
    def __getattr__(self, name: str) -> _Mark:
        return _Mark(name)


class _Param:
    """One set of arguments of `parametrize`, with marks of its own."""

    def __init__(self, *values: Any, marks: Any = (), id: Any = None) -> None:
        self.values = values
        self.marks = list(marks) if isinstance(marks, list | tuple) else [marks]


def fixture(function: Any = None, **options: Any) -> Any:
    """A function whose value tests ask for by its name; it is made anew for each test."""
    if function is None:
        if "params" in options:
            raise UnsupportedError("fixture(params=...) is not supported")
        return lambda decorated: fixture(decorated, **options)
    function.is_fixture, function.fixture_options = True, options
    return function


def fail(reason: str = "", pytrace: bool = True) -> None:
    raise FailedError(reason)


def skip(reason: str = "", **options: Any) -> None:
    raise Skipped(reason)


def main(*args: Any, **options: Any) -> int:
    """Nothing: the tests are run by who holds them."""
    return 0


def module() -> ModuleType:
    """The module that `import pytest` finds."""
    made = ModuleType("pytest")
    offered: Names = {
        "approx": Approx, "fail": fail, "fixture": fixture, "main": main, "mark": _Marks(),
        "param": _Param, "raises": raises, "skip": skip,
    }  # fmt: skip
    vars(made).update(offered)
    return made


def is_skipped(marks: Sequence[_Mark]) -> bool:
    """Whether marks leave a test out; one that is expected to fail says nothing of a program."""
    return any(
        mark.name in ("skip", "xfail") or (mark.name == "skipif" and any(mark.args))
        for mark in marks
    )


def argument_sets(test: Callable[..., Any]) -> list[Names]:
    """The arguments of each run of a test, by its parametrize marks; those not skipped."""
    sets: list[Names] = [{}]
    for mark in getattr(test, "marks", ()):
        if mark.name == "parametrize":
            sets = [{**new, **old} for new in _sets_of(mark) for old in sets]
    return sets


def _sets_of(mark: _Mark) -> list[Names]:
    if mark.options.get("indirect"):
        raise UnsupportedError("parametrize(indirect=...) is not supported")
    names, rows = [*mark.args, mark.options.get("argnames"), mark.options.get("argvalues")][:2]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    found = []
    for row in rows:
        if isinstance(row, _Param):
            if is_skipped(row.marks):
                continue
            values = row.values
        else:
            values = row if len(names) > 1 else (row,)
        found.append(dict(zip(names, values, strict=True)))
    return found
