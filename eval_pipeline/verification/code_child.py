"""The two processes of one run: one holds the tests, the other the model's code.

Run as a script, with the standard library only. The tests never enter the process of the
candidate, and a returned value crosses the pipe as plain data: an object that equals everything,
a patched builtin or a printed verdict cannot pass. Everything that the candidate sends is
distrusted.
"""

import builtins
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import IO, Any

MAX_MESSAGE = 8 * 2**20  # bytes that the candidate may return at once
MAX_FILE = 2**20  # bytes that it may write to a file
LENGTH = 8  # bytes of a frame's length


class Outcome(BaseException):
    """Ends a run from inside a test; no `except Exception` of a test holds it up."""

    def __init__(self, outcome: str, message: str) -> None:
        super().__init__(message)
        self.outcome, self.message = outcome, message


class CandidateError(Exception):
    """What the candidate raised, raised again in the test."""


def run_tests(job: dict[str, Any], candidate: "Candidate") -> tuple[str, str]:
    """Runs the item's tests against the candidate; the outcome and a sentence."""
    names: dict[str, Any] = {"__name__": "tests"}
    try:
        exec(compile(job["helpers"], "<prompt>", "exec"), names)
        tests = compile(job["test"], "<test>", "exec")
    except Exception as error:
        return "infra_error", f"broken test: {_said(error)}"

    def proxy(*args: Any, **kwargs: Any) -> Any:
        return candidate.call(args, kwargs)

    names[job["entry_point"]] = proxy
    try:
        candidate.load(job["code"], job["entry_point"])
        exec(tests, names)
        if callable(names.get("check")):
            names["check"](proxy)
    except Outcome as ended:
        return ended.outcome, ended.message
    except CandidateError as error:
        return "exception", _said(error)
    except BaseException as error:
        if not candidate.calls:
            return "infra_error", f"broken test: {_said(error)}"
        return "wrong", _said(error)
    if not candidate.calls:
        return "infra_error", "no_tests: the tests never call the entry point"
    return "pass", f"{candidate.calls} calls"


class Candidate:
    """The process that holds the model's code, seen from the tests."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.calls = 0
        self._deadline = time.monotonic() + job["wall_seconds"]
        self._cpu_seconds = job["cpu_seconds"]
        limits = [str(job["cpu_seconds"]), str(job["memory_mb"])]
        command = [sys.executable, *job["flags"], __file__, "candidate", *limits]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def load(self, code: str, entry_point: str) -> None:
        answer = self._ask({"code": code, "entry_point": entry_point})
        if answer.get("loaded") is not True:
            self._raise(answer)

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.calls += 1
        try:
            question = {"args": encode(args), "kwargs": encode(kwargs)}
        except TypeError as error:
            raise Outcome("infra_error", f"broken test: it passes {error}") from error
        answer = self._ask(question)
        if "value" not in answer:
            self._raise(answer)
        try:
            return decode(answer["value"])
        except TypeError as error:
            raise Outcome("wrong", f"returned {error}, no plain value") from error
        except (ValueError, KeyError, AttributeError) as error:
            raise Outcome("tampering", f"sent a malformed value: {_said(error)}") from error

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _raise(self, answer: dict[str, Any]) -> None:
        outcome, name = str(answer.get("outcome")), str(answer.get("name"))
        message = str(answer.get("message"))[:500]
        if outcome == "raised":
            raise _raised(name, message)
        if outcome in ("syntax", "exception", "missing_entry_point", "memory"):
            raise Outcome(outcome, message)
        raise Outcome("tampering", f"sent an unknown answer {outcome!r}")

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise Outcome("infra_error", "no pipe to the candidate")
        try:
            send(stdin, question)
        except BrokenPipeError:
            raise self._ended() from None
        size = int.from_bytes(self._read(stdout.fileno(), LENGTH), "big")
        if size > MAX_MESSAGE:
            raise Outcome("output_limit", f"returned more than {MAX_MESSAGE} bytes")
        try:
            answer = json.loads(self._read(stdout.fileno(), size))
        except (ValueError, RecursionError) as error:
            raise Outcome("tampering", f"sent no JSON: {_said(error)}") from error
        if not isinstance(answer, dict):
            raise Outcome("tampering", "sent no object")
        return answer

    def _read(self, source: int, size: int) -> bytes:
        parts, missing = [], size
        while missing:
            if time.monotonic() > self._deadline:
                raise Outcome("timeout_wall", "no answer within the wall limit")
            # a grandchild may hold the pipe open, so the end of the file is not waited for
            ended = self._process.poll() is not None
            ready, _, _ = select.select([source], [], [], 0.0 if ended else 0.05)
            part = os.read(source, min(missing, 2**16)) if ready else b""
            if part:
                parts.append(part)
                missing -= len(part)
            elif ended or ready:
                raise self._ended()
        return b"".join(parts)

    def _ended(self) -> Outcome:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return Outcome("no_verdict", "the candidate closed its pipe")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        if code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu >= self._cpu_seconds):
            return Outcome("timeout_cpu", f"used {self._cpu_seconds} s of CPU")
        return Outcome("no_verdict", f"the candidate's process ended with {code}")


def serve_candidate(cpu_seconds: int, memory_mb: int) -> None:
    """Holds the model's code: loads it, then answers one call after the other."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    limits = [
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_AS, memory_mb * 2**20, memory_mb * 2**20),
        (resource.RLIMIT_FSIZE, MAX_FILE, MAX_FILE),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, 0, 0),  # no effect for root
    ]
    for limit, soft, hard in limits:
        resource.setrlimit(limit, (soft, hard))
    job = receive(source)
    function, answer = load(job["code"], job["entry_point"])
    send(sink, answer)
    while function is not None:
        question = receive(source)
        send(sink, call(function, question))


def load(code: str, entry_point: str) -> tuple[Any, dict[str, Any]]:
    """The candidate's function, or None and why there is none."""
    names: dict[str, Any] = {"__name__": "candidate"}
    try:
        compiled = compile(code, "<candidate>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, {"outcome": "syntax", "message": _said(error)}
    try:
        exec(compiled, names)
    except MemoryError:
        return None, {"outcome": "memory", "message": "MemoryError while loading"}
    except BaseException as error:
        return None, {"outcome": "exception", "message": f"while loading: {_said(error)}"}
    function = names.get(entry_point)
    if not callable(function):
        return None, {"outcome": "missing_entry_point", "message": f"no function {entry_point}"}
    return function, {"loaded": True}


def call(function: Any, question: dict[str, Any]) -> dict[str, Any]:
    """The value of one call, or what it raised, as a message."""
    try:
        value = function(*decode(question["args"]), **decode(question["kwargs"]))
        return {"value": encode(value, plain_only=False)}
    except MemoryError:
        return {"outcome": "memory", "message": "MemoryError"}
    except BaseException as error:
        return {"outcome": "raised", "name": type(error).__name__, "message": _said(error)}


def encode(value: Any, plain_only: bool = True) -> Any:
    """A value of exact builtin types as JSON; else TypeError, or a mark that names the type."""
    kind = type(value)
    if value is None or kind in (bool, str, int, float):
        return value
    if kind in (list, tuple, set, frozenset):
        return {kind.__name__: [encode(v, plain_only) for v in value]}
    if kind is dict:
        return {"dict": [[encode(k, plain_only), encode(v, plain_only)] for k, v in value.items()]}
    if kind is bytes:
        return {"bytes": value.hex()}
    if kind is complex:
        return {"complex": [value.real, value.imag]}
    if plain_only:
        raise TypeError(f"a {kind.__name__}")
    return {"object": kind.__name__}


def decode(value: Any) -> Any:
    """The value of a message; TypeError where it stands for an object that is not plain."""
    if not isinstance(value, dict):
        if isinstance(value, list):
            raise ValueError("a bare list")
        return value
    ((kind, inside),) = value.items()
    if kind == "dict":
        return {decode(k): decode(v) for k, v in inside}
    if kind == "bytes":
        return bytes.fromhex(inside)
    if kind == "complex":
        return complex(*inside)
    if kind in ("list", "tuple", "set", "frozenset"):
        return getattr(builtins, kind)(decode(v) for v in inside)
    raise TypeError(f"a {inside}" if kind == "object" else f"a {kind}")


def send(sink: IO[bytes], message: dict[str, Any]) -> None:
    """Writes one frame: its length, then JSON."""
    body = json.dumps(message).encode()
    sink.write(len(body).to_bytes(LENGTH, "big") + body)
    sink.flush()


def receive(source: IO[bytes]) -> dict[str, Any]:
    """Reads one frame; ends the process where there is none."""
    head = source.read(LENGTH)
    if len(head) < LENGTH:
        raise SystemExit(0)
    message: dict[str, Any] = json.loads(source.read(int.from_bytes(head, "big")))
    return message


def _raised(name: str, message: str) -> CandidateError:
    """The candidate's exception for the test to see, of the builtin kind that it had."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            mixed: CandidateError = type(name, (CandidateError, kind), {})(message)
        except TypeError:  # a kind that needs more than a message
            return CandidateError(f"{name}: {message}")
        return mixed
    return CandidateError(f"{name}: {message}")


def _said(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:500]
    except Exception:  # a model's exception may fail to print itself
        return type(error).__name__


def _serve_tests(verdicts: int) -> None:
    job = json.loads(sys.stdin.buffer.read())
    candidate = Candidate(job)
    try:
        outcome, message = run_tests(job, candidate)
    finally:
        candidate.kill()
    answer = {"nonce": job["nonce"], "outcome": outcome, "message": message}
    with os.fdopen(verdicts, "wb") as sink:
        sink.write(json.dumps(answer).encode())


if __name__ == "__main__":
    if sys.argv[1] == "candidate":
        serve_candidate(int(sys.argv[2]), int(sys.argv[3]))
    else:
        _serve_tests(int(sys.argv[2]))
