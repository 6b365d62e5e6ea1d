"""The process that holds the tests, and decides: it sees of the candidate only plain values."""

import builtins
import contextlib
import random
import re
import signal
from functools import lru_cache
from types import CodeType
from typing import Any

from eval_pipeline.verification.code import cases
from eval_pipeline.verification.code.channel import (
    Channel,
    ClosedError,
    MalformedError,
    Output,
)
from eval_pipeline.verification.code.desk import Desk
from eval_pipeline.verification.code.limits import TooLongError
from eval_pipeline.verification.code.values import decode, encode

STATUSES = ("exception", "syntax", "missing_entry_point", "memory", "output_limit", "pids")
MESSAGE_CHARACTERS = 400
LINE_CHARACTERS = 120
TEST = "<test>"
_ENDS = (StopIteration, StopAsyncIteration)
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")


class Outcome(BaseException):
    """Ends a run from inside a test; no `except Exception` of a test holds it up."""

    def __init__(self, status: str, message: str, lost: bool = False) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.lost = lost  # the candidate's process ended before; how, only the server knows


class CandidateError(Exception):
    """What the candidate raised, raised again in the test."""


def serve(link: Channel, desk: Desk, cpu_seconds: int) -> None:
    """Takes jobs from the link, runs their tests, answers with the outcome and how it ended.

    A value may be made so that looking at it takes for ever: a timer of CPU ends this process.
    """
    while True:
        try:
            job = link.receive()
        except ClosedError:
            return
        random.seed(0)
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        try:
            outcome = judged(job, Candidate(*desk.candidate()))
        except MemoryError:
            outcome = Outcome("memory", "the returned value is too large to be judged")
        signal.setitimer(signal.ITIMER_PROF, 0)
        # an address in memory would make two runs differ
        message = ADDRESS.sub("0x", outcome.message)[:MESSAGE_CHARACTERS]
        ended = desk.back(outcome.lost)
        link.send({"status": outcome.status, "message": message, "ended": ended})


@lru_cache(8)
def _compiled(source: str, name: str) -> CodeType:
    return compile(source, name, "exec", dont_inherit=True)


def judged(job: dict[str, Any], candidate: "Candidate") -> Outcome:
    """The outcome of a job: `kind` is tests (of Python), calls or program."""
    try:
        if job["kind"] == "program":
            return _run_program(job, candidate)
        run = _run_tests if job["kind"] == "tests" else _run_calls
        run(job, candidate)
    except Outcome as ended:
        return ended
    except CandidateError as error:
        return Outcome("exception", str(error.args[0]))  # it begins with the name already
    except MemoryError:
        raise
    except BaseException as error:
        if not candidate.calls:
            return Outcome("infra_error", f"broken_test: {_said(error)}")
        return Outcome("wrong", f"{_said(error)}{_where(error, str(job.get('test')))}")
    if not candidate.calls:
        return Outcome("infra_error", "no_tests: the tests never call the entry point")
    return Outcome("pass", f"{candidate.calls} calls")


def _run_tests(job: dict[str, Any], candidate: "Candidate") -> None:
    names: dict[str, Any] = {"__name__": "tests"}
    try:
        exec(_compiled(job["helpers"], "<prompt>"), names)
        tests = _compiled(job["test"], TEST)
    except Exception as error:
        raise Outcome("infra_error", f"broken_test: {_said(error)}") from error

    def proxy(*args: Any, **kwargs: Any) -> Any:
        return candidate.call(args, kwargs)

    proxy.__name__ = proxy.__qualname__ = job["entry_point"]
    names[job["entry_point"]] = proxy
    candidate.load(job)
    exec(tests, names)
    if callable(names.get("check")):
        names["check"](proxy)


def _run_program(job: dict[str, Any], candidate: "Candidate") -> Outcome:
    lost = candidate.run_program(job["code"], job["stdin"])
    printed = candidate.printed(to_the_end=lost)
    fault = cases.fault_in_output(printed, job["stdout"], job["tolerance"])
    status, message = ("wrong", fault) if fault else ("pass", "the output is right")
    return Outcome(status, message, lost)


def _run_calls(job: dict[str, Any], candidate: "Candidate") -> None:
    candidate.load(job)
    for number, case in enumerate(job["cases"], 1):
        value = candidate.call(tuple(case["args"]), case["kwargs"])
        if not cases.agrees(value, case["returns"], job["tolerance"]):
            shown = f"{value!r:.100} is not {case['returns']!r:.100}"
            raise Outcome("wrong", f"case {number}: {shown}")


class Candidate:
    """The process that holds the model's code, seen from the tests."""

    def __init__(self, channel: Channel, output: Output) -> None:
        self.calls = 0
        self._asked = 0
        self._channel = channel
        self._output = output

    def load(self, job: dict[str, Any]) -> None:
        asked = ("code", "entry_point", "solution_methods")
        answer = self._ask({name: job[name] for name in asked if name in job})
        if answer.get("loaded") is not True:
            raise self._ended(answer)

    def run_program(self, code: str, stdin: str) -> bool:
        """Whether the process was lost, as where the program left by `os._exit`."""
        self.calls = 1
        try:
            answer = self._ask({"code": code, "stdin": stdin})
        except Outcome as ended:
            if ended.lost:
                return True
            raise
        if answer.get("ended") is not True:
            raise self._ended(answer)
        return False

    def printed(self, to_the_end: bool) -> str:
        try:
            self._output.read(to_the_end)
        except TooLongError as error:
            raise Outcome("output_limit", str(error)) from error
        return self._output.text.decode("utf-8", "replace")

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.calls += 1
        try:
            question = {"args": encode(list(args)), "kwargs": encode(kwargs)}
        except (TypeError, RecursionError, TooLongError) as error:
            raise Outcome("infra_error", f"broken_test: it passes {error}") from error
        answer = self._ask(question)
        if "object" in answer:
            raise Outcome("wrong", f"returned {str(answer['object'])[:100]}, no plain value")
        if "value" not in answer:
            outcome = self._ended(answer)
            if outcome.status == "exception":
                raise _raised(str(answer.get("kind")), outcome.message)
            raise outcome
        try:
            value = decode(answer["value"])
            changed = decode(answer["changed"]) if "changed" in answer else None
        except (ValueError, RecursionError) as error:
            raise Outcome("tampering", f"sent a malformed value: {_said(error)}") from error
        if changed is not None:
            given = [list(args), kwargs]
            if not _same_places(given, changed):
                raise Outcome("tampering", "sent other arguments than it was given")
            _changed(given, changed)
        return value

    def _begin(self) -> None:
        """Waits until the process is confined; before that it holds no code that could fail it."""
        try:
            ready = self._channel.receive()
        except (ClosedError, MalformedError, TooLongError) as error:
            raise Outcome("infra_error", f"the sandbox could not be entered: {error}") from error
        if ready != {"ready": True}:
            raise Outcome("infra_error", f"the sandbox could not be entered: {ready}"[:300])

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        with contextlib.suppress(ClosedError):  # what it said before it ended comes first
            try:
                self._channel.send({"n": self._asked, **question})
            except TooLongError as error:
                raise Outcome("infra_error", f"broken_test: it passes {error}") from error
        if self._asked == 1:
            self._begin()
        try:
            answer = self._channel.receive()
        except ClosedError as error:
            raise Outcome("no_verdict", "the candidate's process ended", lost=True) from error
        except TooLongError as error:
            raise Outcome("output_limit", str(error)) from error
        except MalformedError as error:
            raise Outcome("tampering", f"sent {error}") from error
        if answer.get("n") != self._asked:
            raise Outcome("tampering", "sent an answer to another question")
        return answer

    def _ended(self, answer: dict[str, Any]) -> Outcome:
        status, message = answer.get("outcome"), str(answer.get("message"))
        if status not in STATUSES:
            return Outcome("tampering", f"sent an unknown answer {status!r}"[:300])
        return Outcome(str(status), message)


def _same_places(given: list[Any], changed: Any) -> bool:
    """Whether arguments came back for the positions and names that were given, and no others."""
    return (
        type(changed) is list
        and list(map(type, changed)) == [list, dict]
        and len(changed[0]) == len(given[0])
        and changed[1].keys() == given[1].keys()
    )


def _changed(old: Any, new: Any) -> Any:
    """An argument made what the candidate made of its copy, in place as one process would."""
    if type(old) is not type(new):
        return new
    if type(old) is list:
        old[:] = [*map(_changed, old, new), *new[len(old) :]]
    elif type(old) is tuple and len(old) == len(new):
        parts = tuple(map(_changed, old, new))
        return parts if any(a is not b for a, b in zip(old, parts, strict=True)) else old
    elif type(old) is dict:
        made = {
            key: _changed(old[key], value) if key in old else value for key, value in new.items()
        }
        old.clear()
        old.update(made)
    elif type(old) is set:
        old.clear()
        old.update(new)
    elif type(old) is bytearray:
        old[:] = new
    else:
        return new
    return old


def _raised(kind: str, message: str) -> CandidateError:
    """The candidate's exception for the test to see, of the builtin kind that it had.

    But for those that end an iteration: raised in a `map` of a test, one would end its loop.
    """
    base = getattr(builtins, kind, None)
    if isinstance(base, type) and issubclass(base, Exception) and not issubclass(base, _ENDS):
        with contextlib.suppress(TypeError):  # a kind that needs more than a message
            mixed: CandidateError = type(kind, (CandidateError, base), {})(message)
            return mixed
    return CandidateError(message)


def _where(error: BaseException, test: str) -> str:
    """The line of the tests that failed."""
    number, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == TEST:
            number = step.tb_lineno
        step = step.tb_next
    lines = test.split("\n")
    if not 1 <= number <= len(lines):
        return ""
    return f" in line {number}: {lines[number - 1].strip()[:LINE_CHARACTERS]}"


def _said(error: BaseException) -> str:
    said = f"{type(error).__name__}: {error}"
    return said.removesuffix(": ")[:MESSAGE_CHARACTERS]
