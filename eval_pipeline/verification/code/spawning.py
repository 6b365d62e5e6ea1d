"""Three ways to hold a candidate: namespaces of its own, bubblewrap, or limits alone."""

import os
import signal
import socket
import tempfile
from collections.abc import Sequence
from typing import NoReturn

from eval_pipeline.verification.code import bubblewrap, kernel, mounts, namespaces
from eval_pipeline.verification.code.limits import SCRATCH_MB, Limits
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.server import SETUP_FAILED, Spawn, confined

MODES = ("namespaces", "bubblewrap", "limits")


def entered(mode: str, folders: Sequence[str], packages: Sequence[str]) -> Spawn:
    """Takes this process where the mode wants it; returns how it makes candidates.

    `folders` are read beside the standard library. Raises OSError where this machine does
    not allow the mode.
    """
    if mode == "namespaces":
        namespaces.enter(folders)
        _become_first_process()
        return in_namespaces
    if mode == "bubblewrap":
        return bubblewrap.prepared(folders, packages)
    if mode == "limits":
        return in_limits
    raise ValueError(f"no sandbox mode {mode!r}: there are {', '.join(MODES)}")


def in_namespaces(limit: Limits, channel: socket.socket, output: int, calls: Filter) -> int:
    """A candidate as the first process of its PID space, with a scratch folder of its own."""
    pid = kernel.clone(namespaces.PER_RUN)
    if pid == 0:
        try:
            os.setsid()  # a signal to the group would reach the server, across PID spaces
            mounts.mount_scratch(SCRATCH_MB)
        except BaseException:
            os._exit(SETUP_FAILED)
        confined(limit, channel.detach(), output, calls)
    return pid


def in_limits(limit: Limits, channel: socket.socket, output: int, calls: Filter) -> int:
    """A candidate with the rights of the caller: for a person who allowed it.

    It stands in a new folder below the server's, which its starter removes.
    """
    folder = tempfile.mkdtemp(dir=".")
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(folder)
        confined(limit, channel.detach(), output, calls)
    return pid


def _become_first_process() -> None:
    """Goes on as the first process of the new PID space; the caller's child waits for it."""
    pid = os.fork()
    if pid:
        _wait(pid)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()


def _wait(pid: int) -> NoReturn:
    os.closerange(3, 2**10)
    _, status = os.waitpid(pid, 0)
    os._exit(abs(os.waitstatus_to_exitcode(status)))
