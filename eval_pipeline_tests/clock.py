"""How long the tests of each room compute: `python -m eval_pipeline_tests.clock [pytest's own]`.

Processor seconds, those of child processes included: they hold on a busy machine. On two cores
that are free, a room's tests take about half as long. Prints the table of rooms, slowest first,
and the slowest tests. As a plugin: `-p eval_pipeline_tests.clock`.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

SPENT = "processor seconds"
SHOWN = 25
CORES = 2


def spent() -> float:
    """Processor seconds of this process and of the children that it has waited for."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


class Clock:
    """Adds up what reports tell, in the process that prints."""

    def __init__(self) -> None:
        self.last = spent()
        self.seconds: Counter[str] = Counter()
        self.tests: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        report: pytest.TestReport = yield  # type: ignore[assignment]  # what the hook gives back
        now = spent()
        report.user_properties.append((SPENT, now - self.last))
        self.last = now
        return report  # type: ignore[return-value]  # as above

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tests.add(report.nodeid)
        own = [value for name, value in report.user_properties if name == SPENT]
        self.seconds[report.nodeid] += own[-1] if own else 0.0

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        rooms: Counter[str] = Counter()
        numbers = Counter(map(room, self.tests))
        for test, seconds in self.seconds.items():
            rooms[room(test)] += seconds
        write = terminalreporter.write_line
        write("| room | tests | processor s | wall s on two cores, about |")
        write("| --- | --- | --- | --- |")
        for name, seconds in rooms.most_common():
            write(f"| {name} | {numbers[name]} | {seconds:.0f} | {seconds / CORES:.0f} |")
        total = rooms.total()
        write(f"| all | {numbers.total()} | {total:.0f} | {total / CORES:.0f} |")
        for test, seconds in self.seconds.most_common(SHOWN):
            write(f"{seconds:7.2f} {test}")


def room(test: str) -> str:
    """The folder below the tests; `house` for those that stand in none."""
    parts = test.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else "house"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Clock(), "clock")


if __name__ == "__main__":
    sys.exit(
        pytest.main(
            [
                "-p",
                "eval_pipeline_tests.clock",
                *(sys.argv[1:] or ["-n", "auto", "--dist", "worksteal"]),
            ]
        )
    )
