"""The process that holds the tests, and decides: it sees of the candidate only plain values."""

import mmap
import random
import re
import signal
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any, cast

from eval_pipeline.verification.code import blame, cases, first_cases, forms
from eval_pipeline.verification.code.channel import Channel, ClosedError
from eval_pipeline.verification.code.checker import checker, hold_to_its_examples
from eval_pipeline.verification.code.desk import Desk
from eval_pipeline.verification.code.messages import Case, Job
from eval_pipeline.verification.code.remote import (
    MESSAGE_CHARACTERS,
    Candidate,
    CandidateError,
    RunEnded,
    said,
)
from eval_pipeline.verification.code.values import decode

LINE_CHARACTERS = 120
TEST = blame.TEST
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
_EITHER = "; a value of the program made the tests fail, or they are at fault themselves"


def serve(link: Channel, desk: Desk, cpu_seconds: int, heard: mmap.mmap) -> None:
    """Takes jobs from the link, runs their tests, answers with the outcome and how it ended.

    A value may be made so that looking at it takes for ever: a timer of CPU ends this process. So
    `heard` says, outside of it, whether a value of the present program has been looked at.
    """
    forms.prepare()

    def mark() -> None:
        heard[0] = 1

    while True:
        try:
            job = cast(Job, link.receive())
        except ClosedError:
            return
        random.seed(0)
        heard[0] = 0
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        try:
            outcome = judged(job, Candidate(*desk.candidate(), mark))
        except MemoryError:
            outcome = RunEnded("memory", "the returned value is too large to be judged")
        signal.setitimer(signal.ITIMER_PROF, 0)
        # an address in memory would make two runs differ
        message = ADDRESS.sub("0x", outcome.message)[:MESSAGE_CHARACTERS]
        ended = desk.back(outcome.lost)
        link.send({"status": outcome.status, "message": message, "ended": ended})


@lru_cache(8)
def _compiled(source: str, name: str) -> CodeType:
    return compile(source, name, "exec", dont_inherit=True)


def judged(job: Job, candidate: Candidate) -> RunEnded:
    """The outcome of a job: `kind` is tests (of Python), calls or program."""
    candidate.rules = job.get("rules", 2)
    try:
        if job["kind"] == "program":
            return _run_program(job, candidate)
        run = _run_tests if job["kind"] == "tests" else _run_calls
        run(job, candidate)
    except RunEnded as ended:
        return ended
    except CandidateError as error:
        return RunEnded("exception", str(error.args[0]))  # it begins with the name already
    except MemoryError:
        if not candidate.calls:
            return RunEnded("infra_error", "broken_test: it takes more memory than there is")
        raise
    except BaseException as error:
        return _blamed(error, job, candidate)
    if not candidate.calls:
        return RunEnded("infra_error", "no_tests: the tests never call the entry point")
    return RunEnded("pass", f"{candidate.calls} calls")


def _blamed(error: BaseException, job: Job, candidate: Candidate) -> RunEnded:
    """The outcome where the tests failed: on the program, unless it is seen to be by themselves.

    Nothing that a program does may take it out of the score.
    """
    if not candidate.calls:
        return RunEnded("infra_error", f"broken_test: {said(error)}")
    source = str(job.get("test"))
    place = f"{said(error)}{_where(error, source)}"
    if isinstance(error, AssertionError) or candidate.rules < 2:
        return RunEnded("wrong", place)
    if blame.is_of_the_tests(error, source, job["entry_point"]):
        return RunEnded("infra_error", f"broken_test: {place}")
    return RunEnded("wrong", f"{place}{_EITHER}")


def _run_tests(job: Job, candidate: Candidate) -> None:
    module = ModuleType("tests")
    names, entry_point, source = vars(module), job["entry_point"], job["test"]
    try:
        exec(_compiled(job["helpers"], "<prompt>"), names)
        tests = _compiled(source, TEST)
    except Exception as error:
        raise RunEnded("infra_error", f"broken_test: {said(error)}") from error

    def proxy(*args: Any, **kwargs: Any) -> Any:
        return candidate.call(args, kwargs)

    proxy.__name__ = proxy.__qualname__ = entry_point
    names[entry_point] = proxy
    candidate.load(job)
    if candidate.rules > 1:
        with forms.in_place(module, source, proxy):
            exec(tests, names)
            forms.run_all(module, source, proxy, lambda: candidate.calls)
        return
    exec(tests, names)
    if callable(names.get("check")):
        names["check"](proxy)


def _run_program(job: Job, candidate: Candidate) -> RunEnded:
    check = checker(job.get("checker"))
    if check is not None and "stdout" in job:
        hold_to_its_examples(check, [(job, job["stdout"])])
    lost = candidate.run_program(job["code"], job["stdin"])
    printed = candidate.printed(to_the_end=lost)
    if check is not None:
        fault = check(job, printed)
    elif candidate.rules > 1:
        fault = cases.fault_in_output(printed, job["stdout"], _tolerance(job))
    else:
        fault = first_cases.fault_in_output(printed, job["stdout"], job["tolerance"])
    status, message = ("wrong", fault) if fault else ("pass", "the output is right")
    return RunEnded(status, message, lost)


def _run_calls(job: Job, candidate: Candidate) -> None:
    asked, check = job["cases"], checker(job.get("checker"))
    agrees = cases.agrees if candidate.rules > 1 else first_cases.agrees
    if check is not None:
        given = [_decoded(sent) for sent in asked if "returns" in sent]
        hold_to_its_examples(check, [(case, case["returns"]) for case in given])
    candidate.load(job)
    for number, sent in enumerate(asked, 1):
        case = _decoded(sent)
        value = candidate.call(tuple(case["args"]), case["kwargs"])
        if check is not None:  # it is given what the call may have changed as it was
            fault = check(_decoded(sent), value)
        elif agrees(value, case["returns"], _tolerance(job)):
            fault = None
        else:
            fault = f"{_shown(value)} is not {_shown(case['returns'])}"
        if fault:
            raise RunEnded("wrong", f"case {number}: {fault}")


def _tolerance(job: Job) -> cases.Tolerance:
    relative, absolute = job["tolerance"]  # JSON makes it a list
    return relative, absolute


def _decoded(case: Case) -> Case:
    return cast(Case, {name: decode(data) for name, data in case.items()})


def _shown(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > MESSAGE_CHARACTERS:
        return f"a number of {value.bit_length()} bits"
    try:
        return f"{value!r:.100}"
    except RecursionError:
        return "a value nested too deep"


def _where(error: BaseException, test: str) -> str:
    """The line of the tests that failed."""
    numbers = blame.lines(error)
    lines = test.split("\n")
    if not numbers or not 1 <= numbers[-1] <= len(lines):
        return ""
    return f" in line {numbers[-1]}: {lines[numbers[-1] - 1].strip()[:LINE_CHARACTERS]}"
