"""A sandbox from outside: starts a server, hands it jobs, reads the verdicts."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from eval_pipeline.verification.code import cgroup
from eval_pipeline.verification.code.channel import Channel, ClosedError, MalformedError
from eval_pipeline.verification.code.desk import RENEW, REPORT
from eval_pipeline.verification.code.limits import MESSAGE_BYTES, Limits, TooLongError
from eval_pipeline.verification.code.messages import Judgement, Message, Report
from eval_pipeline.verification.code.packages import THREADS, folders

# no site packages, no import from the working folder; the rest of -I is an empty environment, of
# which one variable is kept: a fixed hash seed, so that sets have one order
# (the server forgets its environment before it holds any code)
FLAGS = ("-s", "-P", "-S", "-B")
ENVIRONMENT = {"PYTHONHASHSEED": "0", **THREADS}
SERVER = "eval_pipeline.verification.code.server"
BOOT = (
    f"import sys; sys.path.insert(0, sys.argv.pop(1)); import {SERVER} as server; "
    "del sys.path[0]; server.main(sys.argv[1:])"
)
PACKAGE_ROOT = str(Path(__file__).parents[3])
# the kernel counts towards the limit by ticks, and tells the exact time afterwards: on a busy
# machine a program was ended at its limit of 1 s after .85 s
TICKS = 0.5
STARVED = 0.5  # of its memory a process had taken, where lack of it is why the system ended it
CLOSING_SECONDS = 60.0  # for a server to end what it started, on a machine that is busy
ORDINARY = ("pass", "wrong", "exception")  # after which the process with the tests is as before
ON_HOST = ("landlock", "limits")  # modes without a root of their own
_FAULTS = (ClosedError, MalformedError, TooLongError, OSError)


@dataclass(frozen=True)
class Outcome:
    """What a run came to, as one of STATUSES, and a sentence on it."""

    status: str
    message: str


class SandboxError(RuntimeError):
    """The sandbox cannot be entered on this machine."""


class Worker:
    """One server, used by one thread at a time; a context manager that leaves no process."""

    def __init__(self, mode: str, limits: Limits, packages: Sequence[str] = ()) -> None:
        """Raises SandboxError where the mode cannot be entered, ValueError for no package."""
        self._limits, self._mode = limits, mode
        self._settings = {
            "mode": mode,
            "limits": asdict(limits),
            "packages": list(packages),
            "folders": folders(packages),
        }
        self._link: socket.socket | None = None  # to the driver
        self._group: cgroup.Group | None = None
        # without a root of its own, code writes here
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True) if mode in ON_HOST else None
        self._start()

    @property
    def memory_of_a_run(self) -> str:
        """What bounds it: "cgroup v1" or "cgroup v2" (beside watching), or "watch" alone."""
        return self._group.kind if self._group else "watch"

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server, and with it all that it started."""
        self._stop()
        if self._folder is not None:
            self._folder.cleanup()

    def _stop(self) -> None:
        self._drop_driver()
        self._control.close()
        try:
            self._process.wait(timeout=CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._drop_group()

    def _drop_group(self) -> None:
        if self._group is not None:
            self._group.remove()
        self._group = None

    def run(self, job: Message) -> Outcome:
        """The outcome of one job; a sandbox that broke is an `infra_error`, and is replaced.

        What the system ended for its memory is `memory`, whatever else was seen of it. Jobs share
        the process that holds the tests, one after the other, and nothing else; not even that
        where a job is to be `alone`, or was ended by a limit.
        """
        outcome, is_broken = self._ran(job)
        if self._group is not None and self._group.starved():
            self._drop_driver()
            outcome = Outcome("memory", f"took more than {self._limits.memory_mb} MiB at once")
        if is_broken:
            self._stop()
            self._start()
        return outcome

    def _ran(self, job: Message) -> tuple[Outcome, bool]:
        """What the server makes of a job, and whether it must be replaced."""
        try:
            if self._link is None or job.get("alone"):
                self._renew_driver()
            judgement = _exchanged(Channel(self._link), job) if self._link else None
            if judgement is None:
                self._drop_driver()
                return _without_verdict(self._driver_report(), self._limits), False
            if job.get("alone") or judgement["status"] not in ORDINARY:
                self._drop_driver()
            return _merged(judgement, self._limits, self._mode), False
        except TooLongError:
            return _too_long(job), False
        except _FAULTS as error:
            return Outcome("infra_error", f"the sandbox broke: {error}"), True

    def _renew_driver(self) -> None:
        self._drop_driver()
        self._link, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [RENEW], [theirs.fileno()])

    def _drop_driver(self) -> None:
        if self._link is not None:
            self._link.close()
        self._link = None

    def _driver_report(self) -> Report:
        """How the present driver ended."""
        self._control.sendall(REPORT)
        report = self._reports.receive()
        if "code" not in report:  # the server's last word
            raise MalformedError(str(report.get("message")))
        return cast(Report, report)

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        self._reports = Channel(self._control)
        self._link = None
        self._group = cgroup.made()
        doors = self._group.doors if self._group else None
        settings = json.dumps({**self._settings, "doors": doors})
        if self._folder is not None:  # without Landlock a program may have removed it
            os.makedirs(self._folder.name, exist_ok=True)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *FLAGS, "-c", BOOT, PACKAGE_ROOT, str(theirs.fileno()), settings],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder.name if self._folder else "/",
                env=ENVIRONMENT,
                pass_fds=(theirs.fileno(), *(doors or ())),
            )
        try:
            greeting = self._reports.receive()
        except _FAULTS as error:
            greeting = {"message": f"its process ended: {error}"}
        if greeting.get("ready") is not True:
            self.close()
            raise SandboxError(f"no sandbox by {self._mode}: {greeting.get('message')}")
        if self._group is not None and not self._group.hold(self._limits.memory_mb):
            self._drop_group()


def _too_long(job: Message) -> Outcome:
    """What a job comes to that is longer than a message: by its program, or by its tests alone."""
    without = len(json.dumps({**job, "code": ""}, separators=(",", ":")))
    if without > MESSAGE_BYTES:
        return Outcome("infra_error", f"broken_test: the tests take {without} bytes")
    return Outcome("output_limit", f"the program has {len(str(job['code']))} characters")


def _exchanged(link: Channel, job: Message) -> Judgement | None:
    """The driver's answer, or None where it ended without one."""
    try:
        link.send(job)
        return cast(Judgement, link.receive())
    except (ClosedError, MalformedError):
        return None


def _without_verdict(driver: Report, limits: Limits) -> Outcome:
    """The outcome where the driver ended, which a returned value may have been made for."""
    if driver["code"] == -signal.SIGPROF:
        return Outcome("timeout_cpu", f"judging its value took {limits.cpu_seconds} s of CPU")
    if driver["expired"]:
        return Outcome("timeout_wall", f"judging it took {limits.wall_seconds} s")
    ending = f"the tests ended with {driver['code']}"
    if driver["heard"]:  # a program cannot take itself out of the score
        return Outcome("no_verdict", f"{ending}, by a value of the program or by themselves")
    return Outcome("infra_error", f"broken_test: {ending}")


def _merged(judgement: Judgement, limits: Limits, mode: str) -> Outcome:
    """The driver's verdict, or what the end of the candidate says where it was lost."""
    ended = judgement["ended"]
    left_well = bool(ended) and ended["code"] == 0 and not ended["killed"]
    if not ended or (left_well and judgement["status"] != "no_verdict"):
        return Outcome(str(judgement["status"]), str(judgement["message"]))
    if ended["excess"]:
        return Outcome(*ended["excess"])
    by_system = ended["code"] == -signal.SIGKILL and not ended["killed"] and not ended["expired"]
    # bubblewrap does not tell the CPU time of its program, so there its life has to do
    used = ended["seconds" if mode == "bubblewrap" else "cpu_seconds"]
    if by_system and used >= TICKS * limits.cpu_seconds:
        return Outcome("timeout_cpu", f"used {limits.cpu_seconds} s of CPU")
    if ended["expired"]:
        return Outcome("timeout_wall", f"no answer within {limits.wall_seconds} s")
    if ended["killed"]:
        return Outcome("no_verdict", "the candidate closed its channel")
    if by_system and ended["peak_mb"] >= STARVED * limits.memory_mb:
        return Outcome("memory", "the system ended the candidate, as it does for lack of memory")
    return Outcome("no_verdict", f"the candidate's process ended with {ended['code']}")
