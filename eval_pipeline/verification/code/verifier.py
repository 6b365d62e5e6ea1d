"""`code@2`: programs run against the item's tests, in a sandbox, and judged from outside of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, cast

from eval_pipeline.verification.code import cases, reading
from eval_pipeline.verification.code.level import Sandbox, chosen
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.messages import Case, Job
from eval_pipeline.verification.code.packages import checked
from eval_pipeline.verification.code.pool import TIMEOUTS, outcomes
from eval_pipeline.verification.code.program import preamble, program
from eval_pipeline.verification.code.state import leaves_nothing
from eval_pipeline.verification.code.values import encode
from eval_pipeline.verification.code.worker import Outcome
from eval_pipeline.verification.verdict import Item, Verdict

Asked = tuple[Item, str]


@dataclass(frozen=True)
class Code:
    """1 where the program passes all tests; what it did instead is the detail of a 0.

    Options: `cpu_seconds` (the limit that decides), `wall_seconds` (for code that waits, at least
    three times as long; to wait for a processor does not count), `memory_mb` (in use, beyond what
    the interpreter takes), `packages` (what may be imported beside the standard library, such as
    numpy), `solution_methods` (true: the entry point may be a method of a class Solution, made
    without arguments). A time-out is run once more, alone, before it counts.
    Tests are Python (assertions, `check(candidate)`, unittest, pytest), or cases as `code.cases`
    describes. An `infra_error` is the item's fault or the machine's, never the program's.
    """

    rules: ClassVar[int] = 2

    cpu_seconds: int = 5
    wall_seconds: int = 30
    memory_mb: int = 512
    packages: tuple[str, ...] = ()
    solution_methods: bool = False
    allow_unsafe_code: bool = field(default=False, metadata={"setting": True})

    def __post_init__(self) -> None:
        self._limits()
        checked(self.packages)
        if not isinstance(self.solution_methods, bool):
            raise ValueError(
                f"solution_methods must be true or false, got {self.solution_methods!r}"
            )

    def check(self, item: Item) -> None:
        try:
            tests = cases.read(item.test or "")
        except ValueError as fault:
            raise ValueError(f"item {item.item_id!r}: {fault}; mend items.jsonl") from fault
        if tests.kind != "program" and not (item.entry_point or "").isidentifier():
            raise ValueError(
                f"item {item.item_id!r}: entry_point must name the function that the tests call, "
                f"got {item.entry_point!r}; mend items.jsonl"
            )
        if seen := self._fault(tests):
            raise ValueError(f"item {item.item_id!r}: {seen}; mend items.jsonl")

    def _fault(self, tests: cases.Tests) -> str | None:
        """Why nobody can be judged by these tests, as far as it is seen without a program."""
        if tests.kind == "tests":
            return reading.fault(tests.source)
        return None if tests.cases else "its test has no cases"

    def verify_all(self, answers: Sequence[Asked], workers: int) -> list[Verdict]:
        """Equal programs run once. Raises SandboxError where none holds and none was waived."""
        found: dict[tuple[str, str], Outcome] = {}
        if answers:
            jobs = {(item.item_id, code): self._orders(item, code) for item, code in answers}
            mode, limits = self._sandbox().mode, self._limits()
            ended = outcomes(list(jobs.values()), workers, mode, limits, self.packages)
            found = dict(zip(jobs, ended, strict=True))
        return [_verdict(code, found[item.item_id, code]) for item, code in answers]

    def notes(self) -> Mapping[str, str | int | float]:
        """The sandbox that held the code and the limits of a run, for the lineage."""
        return {**self._sandbox().notes(), "limits_of_a_run": str(self._limits())}

    def _sandbox(self) -> Sandbox:
        return chosen(self.allow_unsafe_code)

    def _limits(self) -> Limits:
        return Limits(self.cpu_seconds, self.wall_seconds, self.memory_mb)

    def _orders(self, item: Item, code: str) -> list[Job]:
        """The runs that an item's tests ask for: one, or one for each input of a program."""
        tests = cases.read(item.test or "")
        whole: Job = {
            "code": program(item, code),
            "kind": tests.kind,
            "tolerance": tests.tolerance,
            "checker": tests.checker,
            "rules": self.rules,
            "entry_point": item.entry_point or "",
            "solution_methods": self.solution_methods,
        }
        alone = not leaves_nothing(tests.checker or "")
        if tests.kind == "program":
            return [{**whole, **case, "alone": alone} for case in tests.cases]
        if tests.kind == "calls":
            sent = [_sent(case) for case in tests.cases]
            return [{**whole, "cases": sent, "alone": alone}] if sent else []
        if not tests.source.strip():
            return []
        helpers = preamble(item)
        alone = not (leaves_nothing(helpers) and leaves_nothing(tests.source))
        return [{**whole, "helpers": helpers, "test": tests.source, "alone": alone}]


def _sent(case: Case) -> Case:
    return cast(Case, {name: encode(value) for name, value in case.items()})


def _verdict(code: str, outcome: Outcome) -> Verdict:
    status, message = outcome.status, outcome.message
    if status == "pass":
        return Verdict("ok", 1.0, code, f"passed: {message}")
    if status == "missing_entry_point":
        return Verdict.unreadable(status, message, code)
    if status in TIMEOUTS:
        return Verdict("timeout", None, code, message, status)
    if status == "infra_error":
        known = [word for word in ("no_tests", "broken_test") if message.startswith(word)]
        return Verdict("infra_error", None, code, message, known[0] if known else "sandbox")
    return Verdict("ok", 0.0, code, f"{status}: {message}", status)
