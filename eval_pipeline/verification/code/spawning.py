"""Four ways to hold a candidate: namespaces, bubblewrap, Landlock, or limits alone."""

import os
import signal
import socket
from collections.abc import Sequence
from typing import NoReturn

from eval_pipeline.verification.code import bubblewrap, kernel, mounts, namespaces, on_host
from eval_pipeline.verification.code.confinement import Confinement
from eval_pipeline.verification.code.limits import SCRATCH_MB, Limits
from eval_pipeline.verification.code.preparation import SETUP_FAILED, confined
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.watch import Watch

MODES = ("namespaces", "bubblewrap", "landlock", "limits")


def entered(mode: str, folders: Sequence[str], packages: Sequence[str]) -> Confinement:
    """Takes this process where the mode wants it; returns how it holds candidates.

    `folders` are read beside the standard library. Raises OSError where this machine does
    not allow the mode.
    """
    if mode == "namespaces":
        namespaces.enter(folders)
        _become_first_process()
        return Confinement(_in_namespaces)
    if mode == "bubblewrap":
        return bubblewrap.prepared(folders, packages)
    if mode in ("landlock", "limits"):
        return on_host.prepared(folders, needs_landlock=mode == "landlock")
    raise ValueError(f"no sandbox mode {mode!r}: there are {', '.join(MODES)}")


def _in_namespaces(
    limit: Limits, channel: socket.socket, output: int, calls: Filter, watch: Watch
) -> int:
    """A candidate as the first process of its PID space, with a scratch folder of its own."""
    pid = kernel.clone(namespaces.PER_RUN)
    if pid == 0:
        try:
            os.setsid()  # a signal to the group would reach the server, across PID spaces
            watch.give_up_first()
            mounts.mount_scratch(SCRATCH_MB)
        except BaseException:
            os._exit(SETUP_FAILED)
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
