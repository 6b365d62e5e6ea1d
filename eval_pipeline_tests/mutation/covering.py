"""Which functions of the product each test enters: `-p eval_pipeline_tests.mutation.covering`.

`--covering-out FILE` writes JSON: test -> {seconds, functions}, a function as file:line.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = f"{PROJECT / 'eval_pipeline'}/"


class Covering:
    """Records code that is entered; what a shared fixture enters counts for all that ask for it."""

    def __init__(self) -> None:
        self.entered: set[CodeType] = set()
        self.of_fixture: dict[str, set[CodeType]] = {}
        self.tests: dict[str, dict[str, object]] = {}

    def trace(self, frame: FrameType, event: str, argument: object) -> None:
        self.entered.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Iterator[None]:
        before, self.entered = self.entered, set()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.of_fixture.setdefault(fixturedef.argname, set()).update(self.entered)
            before |= self.entered
            self.entered = before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.entered = set()
        began = time.process_time()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]  # None ends it, as sys.settrace
            entered = set(self.entered)
            for name in getattr(item, "fixturenames", ()):
                entered |= self.of_fixture.get(name, set())
            self.tests[item.nodeid] = {
                "seconds": round(time.process_time() - began, 3),
                "functions": sorted(
                    f"{code.co_filename.removeprefix(f'{PROJECT}/')}:{code.co_firstlineno}"
                    for code in entered
                    if code.co_filename.startswith(PACKAGE)
                ),
            }

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        out = session.config.getoption("--covering-out")
        Path(out).write_text(json.dumps(self.tests), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--covering-out", default="covering.json", help="where the map is written")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Covering(), "covering")
