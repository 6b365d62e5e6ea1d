"""The candidate as the tests see it: a function that is called in another process."""

import builtins
import contextlib
import sys
from collections.abc import Callable
from typing import Any

from eval_pipeline.verification.code.channel import (
    Channel,
    ClosedError,
    MalformedError,
    Output,
)
from eval_pipeline.verification.code.limits import TooLongError
from eval_pipeline.verification.code.messages import Job, Message, Names
from eval_pipeline.verification.code.values import Unsent, decode, encode

STATUSES = ("exception", "syntax", "missing_entry_point", "memory", "output_limit", "pids")
MESSAGE_CHARACTERS = 400
_ENDS = (StopIteration, StopAsyncIteration)
_LEAVING = (SystemExit, KeyboardInterrupt)  # that a test may expect; no other ends a process


class RunEnded(BaseException):
    """Ends a run from inside a test; no `except Exception` of a test holds it up."""

    def __init__(self, status: str, message: str, lost: bool = False) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.lost = lost  # the candidate's process ended before; how, only the server knows


class CandidateError(Exception):
    """What the candidate raised, raised again in the test."""


class UnpassableError(BaseException):
    """The tests pass an argument that cannot be passed; no `except Exception` hides it."""

    def __init__(self, message: str, is_kind: bool) -> None:
        super().__init__(message)
        self.is_kind = is_kind  # by its type, which no value that came back has


def said(error: BaseException) -> str:
    """An exception in words; one may be made, by a value, so that it cannot be printed."""
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:MESSAGE_CHARACTERS]
    except MemoryError:
        raise
    except Exception:
        return type(error).__name__


class Candidate:
    """The process that holds the model's code, seen from the tests.

    `heard` is called as soon as a value came back: from then on the program may be what makes the
    tests fail. `rules` is the version of the instrument.
    """

    def __init__(self, channel: Channel, output: Output, heard: Callable[[], None]) -> None:
        self.calls = 0
        self.rules = 2
        self._asked = 0
        self._shown = 0
        self._channel = channel
        self._output = output
        self._heard = heard

    def load(self, job: Job) -> None:
        asked = {"code", "entry_point", "solution_methods"}
        answer = self._ask({name: part for name, part in job.items() if name in asked})
        if answer.get("loaded") is not True:
            raise self._ended(answer)

    def run_program(self, code: str, stdin: str) -> bool:
        """Whether the process was lost, as where the program left by `os._exit`."""
        self.calls = 1
        try:
            answer = self._ask({"code": code, "stdin": stdin})
        except RunEnded as ended:
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
            raise RunEnded("output_limit", str(error)) from error
        self._heard()
        return self._output.text.decode("utf-8", "replace")

    def call(self, args: tuple[Any, ...], kwargs: Names) -> Any:
        self.calls += 1
        try:
            question = {"args": encode(list(args)), "kwargs": encode(kwargs)}
        except (TypeError, RecursionError, TooLongError) as error:
            raise self._unpassable(error) from error
        answer = self._ask(question)
        self._heard()
        if self.rules > 1 and sys.stdout is not sys.__stdout__:
            self._show()
        if "object" in answer:
            raise RunEnded("wrong", f"returned {str(answer['object'])[:100]}, no plain value")
        if "value" not in answer:
            outcome = self._ended(answer)
            if outcome.status == "exception":
                raise _raised(str(answer.get("kind")), outcome.message, self.rules)
            raise outcome
        try:
            value = decode(answer["value"])
            shown = "changed" in answer and (self.rules > 1 or "unsent" not in answer)
            changed = decode(answer["changed"]) if shown else None
        except (ValueError, RecursionError) as error:
            raise RunEnded("tampering", f"sent a malformed value: {said(error)}") from error
        if changed is not None:
            given = [list(args), kwargs]
            if not _same_places(given, changed):
                raise RunEnded("tampering", "sent other arguments than it was given")
            _changed(given, changed)
        return value

    def _show(self) -> None:
        """What the program printed since, where the tests now collect what is printed."""
        text = self.printed(to_the_end=False)
        sys.stdout.write(text[self._shown :])
        self._shown = len(text)

    def _unpassable(self, error: Exception) -> BaseException:
        """Nothing of the program's is in the arguments of a first call."""
        if self.calls <= 1:
            return RunEnded("infra_error", f"broken_test: it passes {error}")
        return UnpassableError(f"passes {said(error)}", isinstance(error, TypeError))

    def _begin(self) -> None:
        """Waits until the process is confined; before that it holds no code that could fail it."""
        try:
            ready = self._channel.receive()
        except (ClosedError, MalformedError, TooLongError) as error:
            raise RunEnded("infra_error", f"the sandbox could not be entered: {error}") from error
        if ready != {"ready": True}:
            raise RunEnded("infra_error", f"the sandbox could not be entered: {ready}"[:300])

    def _ask(self, question: Message) -> Message:
        self._asked += 1
        with contextlib.suppress(ClosedError):  # what it said before it ended comes first
            try:
                self._channel.send({"n": self._asked, **question})
            except TooLongError as error:
                raise self._unpassable(error) from error
        if self._asked == 1:
            self._begin()
        try:
            answer = self._channel.receive()
        except ClosedError as error:
            raise RunEnded("no_verdict", "the candidate's process ended", lost=True) from error
        except TooLongError as error:
            raise RunEnded("output_limit", str(error)) from error
        except MalformedError as error:
            raise RunEnded("tampering", f"sent {error}") from error
        if answer.get("n") != self._asked:
            raise RunEnded("tampering", "sent an answer to another question")
        return answer

    def _ended(self, answer: Message) -> RunEnded:
        status, message = answer.get("outcome"), str(answer.get("message"))
        if status not in STATUSES:
            return RunEnded("tampering", f"sent an unknown answer {status!r}"[:300])
        return RunEnded(str(status), message)


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
    if type(old) is Unsent or type(new) is Unsent:
        return _spoiled(old)
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


def _spoiled(old: Any) -> Any:
    """An argument that is not what it was, and that cannot be shown as it is."""
    if type(old) is list:
        old[:] = [Unsent()]
    elif type(old) is dict:
        old.clear()
        old[Unsent()] = Unsent()
    elif type(old) is set:
        old.clear()
        old.add(Unsent())
    return old


def _raised(kind: str, message: str, rules: int) -> CandidateError:
    """The candidate's exception for the test to see, of the builtin kind that it had.

    But for those that end an iteration: raised in a `map` of a test, one would end its loop.
    """
    base = getattr(builtins, kind, None)
    kinds = (Exception, *_LEAVING) if rules > 1 else (Exception,)
    if isinstance(base, type) and issubclass(base, kinds) and not issubclass(base, _ENDS):
        with contextlib.suppress(TypeError):  # a kind that needs more than a message
            mixed: CandidateError = type(kind, (CandidateError, base), {})(message)
            return mixed
    return CandidateError(message)
