"""Tests in the forms of unittest and pytest, run where plain assertions are run.

A source may hold several forms: what stands at its top, classes of unittest, functions and classes
of pytest, and `check(candidate)` as HumanEval has it; all that is there is run.
"""

import ast
import contextlib
import importlib.util
import inspect
import io
import sys
import unittest
from collections.abc import Callable, Coroutine, Iterator
from functools import lru_cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from eval_pipeline.verification.code import pytest_forms
from eval_pipeline.verification.code.blame import TEST
from eval_pipeline.verification.code.messages import Names
from eval_pipeline.verification.code.pytest_forms import (
    Skipped,
    UnsupportedError,
    argument_sets,
    is_skipped,
)

Proxy = Callable[..., Any]
Calls = Callable[[], int]
CANDIDATE = "candidate"  # the argument by which tests may ask for the function


def prepare() -> None:
    """In the process that holds the tests: a runner of their own would end it."""
    unittest.main = lambda *args, **options: None  # type: ignore[assignment]  # see above
    # the difference of two long lists takes minutes to show, and nobody sees it
    nothing = SimpleNamespace(ndiff=lambda *a: [], unified_diff=lambda *a, **k: [])
    unittest.case.difflib = nothing  # type: ignore[attr-defined]  # see above
    unittest.TestCase.maxDiff = 0


@contextlib.contextmanager
def in_place(module: ModuleType, source: str, proxy: Proxy) -> Iterator[None]:
    """The modules that tests expect: themselves, pytest, and those that hold the function."""
    made = {module.__name__: module, "pytest": pytest_forms.module()}
    for name in _modules_of_the_program(source, proxy.__name__):
        made[name] = ModuleType(name)
        setattr(made[name], proxy.__name__, proxy)
    made = {name: each for name, each in made.items() if name not in sys.modules}
    sys.modules.update(made)
    output = sys.stdout
    try:
        yield
    finally:
        sys.stdout = output
        for name in made:
            sys.modules.pop(name, None)


def run_all(module: ModuleType, source: str, proxy: Proxy, calls: Calls) -> None:
    """Runs what is defined; raises what the first test fails with."""
    names = vars(module)
    own = [
        each
        for each in dict.fromkeys(value for value in names.values() if _is_definition(value))
        if each.__module__ == module.__name__
    ]
    used, before = _used(source), calls()
    _optional(module, "setup_module", module)
    for each in own:
        if isinstance(each, type):
            if issubclass(each, unittest.TestCase):
                _run_unittest(each, calls)
            elif each.__name__.startswith("Test"):
                _run_class(each, names, proxy, calls)
        elif each.__name__.startswith("test") and not hasattr(each, "is_fixture"):
            _optional(module, "setup_function", each)
            _run_function(each, names, proxy, calls, used)
    check = names.get("check")
    has_run = calls() > before or (calls() and "check" in used)
    if (
        callable(check)
        and check is not proxy
        and not (has_run and "check" in used)
        and _takes_one(check)
    ):
        check(proxy)


def _run_unittest(case: type[unittest.TestCase], calls: Calls) -> None:
    result = _FirstFault(calls)
    unittest.TestSuite([unittest.defaultTestLoader.loadTestsFromTestCase(case)]).run(result)
    if result.fault is not None:
        raise result.fault


class _FirstFault(unittest.TestResult):
    """Keeps what the first test failed with, and stops there."""

    def __init__(self, calls: Calls) -> None:
        super().__init__()
        self.failfast = True
        self.fault: BaseException | None = None
        self._calls, self._before = calls, 0

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - unittest's name
        self._before = self._calls()
        super().startTest(test)

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        self.fault = self.fault or err[1]
        self.stop()

    addFailure = addError  # noqa: N815 - unittest's name

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802 - unittest's name
        if err is not None:
            self.addError(test, err)

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802 - unittest's name
        self.addError(test, (None, AssertionError("a test that should fail did not"), None))

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802 - unittest's name
        if self._calls() > self._before:
            self.addError(test, (None, _skipped(reason), None))


def _run_class(case: type, names: Names, proxy: Proxy, calls: Calls) -> None:
    """A class of pytest: each of its tests has an instance of its own."""
    if is_skipped(getattr(case, "marks", ())):
        return
    _optional(case, "setup_class", case)
    every = dict.fromkeys(name for base in reversed(case.__mro__) for name in vars(base))
    for name in [name for name in every if name.startswith("test")]:
        instance = case()
        test = getattr(instance, name)
        _optional(instance, "setup_method", test)
        try:
            _run_function(test, {**names, **_methods(instance)}, proxy, calls, set())
        finally:
            _optional(instance, "teardown_method", test)


def _run_function(test: Any, names: Names, proxy: Proxy, calls: Calls, used: set[str]) -> None:
    """A function of pytest, with the fixtures that it asks for, once for each set of arguments."""
    if is_skipped(getattr(test, "marks", ())):
        return
    sets = argument_sets(test)
    asked = _asked(test)
    known = {CANDIDATE, proxy.__name__, *pytest_forms.FIXTURES, *(sets[0] if sets else asked)}
    known |= {name for name, each in names.items() if hasattr(each, "is_fixture")}
    if missing := [name for name in asked if name not in known]:
        if test.__name__ in used:
            return  # a function that other tests call
        raise UnsupportedError(f"{test.__name__} asks for {missing[0]!r}, which no fixture here is")
    always = [
        name
        for name, each in names.items()
        if getattr(each, "fixture_options", {}).get("autouse") and name not in asked
    ]
    for given in sets:
        before = calls()
        with contextlib.ExitStack() as stack:
            made = {CANDIDATE: proxy, proxy.__name__: proxy, **given}
            for name in (*always, *asked):
                _make(name, made, names, stack)
            try:
                done = test(**{name: made[name] for name in asked})
                if inspect.iscoroutine(done):
                    _finished(done)
            except (Skipped, unittest.SkipTest) as reason:
                if calls() > before:
                    raise _skipped(str(reason)) from reason


def _finished(work: Coroutine[Any, Any, Any]) -> None:
    import asyncio  # many modules, that hardly any tests need

    asyncio.run(work)


def _make(name: str, made: Names, names: Names, stack: contextlib.ExitStack) -> None:
    """The value of a fixture, after those that it asks for itself."""
    if name in made:
        return
    if name in pytest_forms.FIXTURES:
        made[name] = stack.enter_context(_captured())
        return
    function = names[name]
    for other in _asked(function):
        if other not in names and other not in pytest_forms.FIXTURES and other not in made:
            raise UnsupportedError(f"fixture {name} asks for {other!r}, which no fixture here is")
        _make(other, made, names, stack)
    value = function(**{other: made[other] for other in _asked(function)})
    made[name] = value
    if inspect.isgenerator(value):
        made[name] = next(value)
        stack.callback(next, value, None)


@contextlib.contextmanager
def _captured() -> Iterator[Any]:
    """pytest's `capsys`: `readouterr` gives what was printed since it was last asked."""
    kept = sys.stdout, sys.stderr
    texts = [io.StringIO(), io.StringIO()]
    sys.stdout, sys.stderr = texts

    def read() -> _Captured:
        found = _Captured(*(text.getvalue() for text in texts))
        for text in texts:
            text.seek(0)
            text.truncate()
        return found

    try:
        yield SimpleNamespace(readouterr=read)
    finally:
        sys.stdout, sys.stderr = kept


class _Captured(tuple[str, str]):
    """A pair of texts, out and err."""

    def __new__(cls, *texts: str) -> "_Captured":
        return super().__new__(cls, texts)

    out = property(lambda self: self[0])
    err = property(lambda self: self[1])


@lru_cache(8)
def _used(source: str) -> set[str]:
    """The names that the tests use."""
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


@lru_cache(8)
def _modules_of_the_program(source: str, entry_point: str) -> set[str]:
    """Modules that are not there, from which the tests take the function."""
    imported, taken = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if {entry_point, "*"} & {alias.name for alias in node.names}:
                taken.add(node.module)
        elif isinstance(node, ast.Import):
            imported |= {(alias.asname or alias.name, alias.name) for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken |= {node.value.id} if node.attr == entry_point else set()
    names = taken | {name for said, name in imported if said in taken}
    return {name for name in names if "." not in name and _is_absent(name)}


def _is_absent(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is None
    except (ImportError, ValueError):
        return False


def _is_definition(value: object) -> bool:
    return isinstance(value, type) or (
        isinstance(value, FunctionType) and value.__code__.co_filename == TEST
    )


def _asked(function: Any) -> list[str]:
    """The names of arguments that a test or a fixture cannot do without."""
    given = inspect.signature(function).parameters.values()
    return [
        one.name
        for one in given
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]


def _methods(instance: object) -> Names:
    """The fixtures that a class of pytest holds."""
    kind = type(instance)
    names = [name for name in dir(kind) if hasattr(getattr(kind, name, None), "is_fixture")]
    return {name: getattr(instance, name) for name in names}


def _optional(instance: object, name: str, test: Any) -> None:
    method = getattr(instance, name, None)
    if method is not None:
        method(*([test] if _takes_one(method) else []))


def _takes_one(function: Any) -> bool:
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


def _skipped(reason: str) -> AssertionError:
    """Else a program could have its tests skipped by what it returns."""
    return AssertionError(f"skipped after a call: {reason}")
