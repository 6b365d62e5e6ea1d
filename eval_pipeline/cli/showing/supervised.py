"""Services that end with this process, however it ends."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

GRACE_SECONDS = 20.0  # to end in good order; what is left after that is killed
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1


class _ToldToStop(BaseException):
    """A signal came that asks this process to end."""


def supervise(command: Sequence[str]) -> int | None:
    """Runs a command, in a process group of its own, until it ends or this process is told to.

    Returns its exit code; None where SIGINT, SIGTERM or SIGHUP came first: the command is then
    interrupted, and what is left of its group after GRACE_SECONDS, or at the next signal, is
    killed. A shell that starts this process in the background has it ignore SIGINT; it is heard
    here all the same. A SIGHUP that is ignored (nohup) is not. Where this process is killed, the
    command is interrupted by the kernel (Linux only).
    """
    with _stops_raised():
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=_bound_to_parent())
        try:
            return process.wait()
        except _ToldToStop:
            with suppress(subprocess.TimeoutExpired, _ToldToStop):
                process.send_signal(signal.SIGINT)
                process.wait(GRACE_SECONDS)
            return None
        finally:
            _end_group(process)


@contextmanager
def _stops_raised() -> Iterator[None]:
    """Each signal that asks to end raises, whatever the starter of this process made of it."""

    def told(number: int, frame: FrameType | None) -> None:
        raise _ToldToStop

    heard = [one for one in ENDING if one != signal.SIGHUP or signal.getsignal(one) is not _IGNORED]
    before = {one: signal.signal(one, told) for one in heard}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


_IGNORED = signal.SIG_IGN


def _bound_to_parent() -> Callable[[], None]:
    """What the child does before it becomes the command."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None  # before the fork: it allocates
    parent = os.getpid()

    def bind() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored, it would stay so in all children
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:  # it died before it could be bound to
                os._exit(1)

    return bind


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):  # nothing is left of it
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
