"""The process that holds the model's code: loads it, then answers one call after the other.

Nothing in this process is trusted once the code is loaded; it holds no test and no answer.
"""

import atexit
import contextlib
import errno
import os
import sys
import threading
from types import ModuleType
from typing import Any, cast

from eval_pipeline.verification.code.channel import Channel, ClosedError
from eval_pipeline.verification.code.limits import TooLongError
from eval_pipeline.verification.code.messages import Answer, Names, Order
from eval_pipeline.verification.code.values import UNSENT, NotPlain, decode, encode

MESSAGE_CHARACTERS = 300
SOLUTION = "Solution"  # the class whose methods a contract may allow as entry points


def serve(channel: Channel) -> None:
    """Says that it is ready, and answers until nobody asks any more."""
    try:
        channel.send({"ready": True})
        order = cast(Order, channel.receive())
        if "stdin" in order:
            _answer(channel, order, _run_program(order))
            return
        function, said = _load(order)
        _answer(channel, order, said)
        while function is not None:
            order = cast(Order, channel.receive())
            _answer(channel, order, _call(function, order))
    except ClosedError:
        return


def _load(order: Order) -> tuple[Any, Answer]:
    """The candidate's function, or None and why there is none."""
    names = _module("candidate")
    code, failed = _compiled(order["code"])
    if code is None:
        return None, failed
    try:
        exec(code, names)
    except BaseException as error:
        said = _failed(error)
        return None, {"outcome": said["outcome"], "message": f"while loading: {said['message']}"}
    try:
        function = names.get(order["entry_point"])
        if function is None and order.get("solution_methods"):
            function = getattr(names.get(SOLUTION, object)(), order["entry_point"], None)
    except BaseException as error:
        return None, _failed(error)
    if not callable(function):
        message = f"it defines no function {order['entry_point']}"
        return None, {"outcome": "missing_entry_point", "message": message}
    return function, {"loaded": True}


def _compiled(code: str) -> tuple[Any, Answer]:
    try:
        return compile(code, "<candidate>", "exec", dont_inherit=True), {}
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return None, {"outcome": "syntax", "message": _said(error)}


def _call(function: Any, order: Order) -> Answer:
    """The value of one call and the arguments that it changed, or what it raised."""
    try:
        args, kwargs = decode(order["args"]), decode(order["kwargs"])
        value = function(*args, **kwargs)
        _flush()
    except BaseException as error:
        return _failed(error)
    try:
        answer: Answer = {"value": encode(value)}
    except NotPlain as error:
        return {"object": str(error)}
    except RecursionError:
        return {"object": "a value that holds itself, or is nested too deep"}
    except TooLongError as error:
        return {"outcome": "output_limit", "message": f"returned {error}"}
    except MemoryError as error:
        return _failed(error)
    try:
        changed = encode([args, kwargs])
    except (NotPlain, RecursionError, TooLongError, MemoryError):
        names = [[name, _as_far_as_plain(value)] for name, value in kwargs.items()]
        changed = [list(map(_as_far_as_plain, args)), {"dict": names}]
        return {**answer, "changed": changed, "unsent": True}
    if changed == [order["args"], order["kwargs"]]:
        return answer
    return {**answer, "changed": changed}


def _as_far_as_plain(value: Any) -> Any:
    """An argument that the function changed, or a mark in its place where it cannot be sent."""
    try:
        return encode(value)
    except (NotPlain, RecursionError, TooLongError, MemoryError):
        return UNSENT


def _run_program(order: Order) -> Answer:
    """Runs a program on its standard input, to its end."""
    code, failed = _compiled(order["code"])
    if code is None:
        return failed
    with open("stdin", "w+b") as file:
        file.write(order["stdin"].encode())
        file.seek(0)
        os.unlink("stdin")
        os.dup2(file.fileno(), 0)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    try:
        exec(code, _module("__main__"))
    except SystemExit as ended:
        if ended.code not in (None, 0):
            return _failed(ended)
    except BaseException as error:
        return _failed(error)
    try:
        _end_as_programs_do()
    except BaseException as error:
        return _failed(error)
    return {"ended": True}


def _end_as_programs_do() -> None:
    """What the interpreter does at the end of a program: threads, exit handlers, open output."""
    main = threading.main_thread()
    while others := [t for t in threading.enumerate() if t is not main and not t.daemon]:
        others[0].join()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None and not stream.closed:
            stream.flush()


def _flush() -> None:
    """What was printed is there before the answer is, for tests that look at it."""
    with contextlib.suppress(Exception):  # what cannot be printed is no fault of the value
        sys.stdout.flush()


def _module(name: str) -> Names:
    """The names of a new module, which the code finds under its own name as any module does."""
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = f"{name.strip('_')}.py"
    return vars(module)


def _failed(error: BaseException) -> Answer:
    """What was raised, as a status where a limit raised it."""
    message = _said(error)
    if isinstance(error, MemoryError):
        return {"outcome": "memory", "message": message}
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EAGAIN or "can't start new thread" in message:
        return {"outcome": "pids", "message": message}
    if number in (errno.EFBIG, errno.ENOSPC):
        return {"outcome": "output_limit", "message": message}
    names = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
    return {"outcome": "exception", "kind": names[0], "message": message}


def _answer(channel: Channel, order: Order, answer: Answer) -> None:
    try:
        channel.send({"n": order["n"], **answer})
    except TooLongError as error:
        message = f"returned {error}"
        channel.send({"n": order["n"], "outcome": "output_limit", "message": message})


def _said(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS]
    except BaseException:  # a model's exception may fail to print itself
        return type(error).__name__
