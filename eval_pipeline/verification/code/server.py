"""The forked server: stands in the sandbox, and makes the processes of the runs.

A driver serves one run after the other, as long as no test leaves anything behind (`state`); each
run has a candidate of its own. The server never sees a job: the driver takes it from a descriptor
that the server only hands on. So the candidate, which is a copy of the server, holds no test and no
answer. While a run lasts the server looks at what its processes take together (`watch`), and
the kernel may hold what they take of memory (`cgroup`). As the first process of its PID space it
takes everything along when it ends.
"""

import gc
import json
import mmap
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import NoReturn

from eval_pipeline.verification.code import cgroup, driver, kernel, limits, packages, spawning
from eval_pipeline.verification.code.channel import Channel
from eval_pipeline.verification.code.confinement import Confinement
from eval_pipeline.verification.code.desk import DONE, LOST, RENEW, REPORT, WANTED, Desk
from eval_pipeline.verification.code.limits import SCRATCH_MB, Limits
from eval_pipeline.verification.code.messages import Report
from eval_pipeline.verification.code.preparation import SETUP_FAILED, preload
from eval_pipeline.verification.code.seccomp import Filter
from eval_pipeline.verification.code.watch import SECONDS as WATCH_SECONDS
from eval_pipeline.verification.code.watch import Watch

GRACE_SECONDS = 0.5  # for a candidate whose channel ended to end itself, before it is killed
GRANTS = 10  # times its wall limit a run may wait for a processor
DRIVER_SECONDS = 5.0  # for the driver to say its verdict after the candidate was killed


def serve(
    control: socket.socket,
    limit: Limits,
    confinement: Confinement,
    watch: Watch,
    door: int | None = None,
) -> NoReturn:
    """Does what its starter and the driver ask for, until the starter is gone."""
    gc.collect()
    gc.freeze()  # the pages of what was imported stay shared by all forks
    Channel(control).send({"ready": True})
    server = _Server(control, limit, confinement, watch, door)
    while True:
        server.step()


class _Server:
    """At most one driver, and at most one candidate."""

    def __init__(
        self,
        control: socket.socket,
        limit: Limits,
        confinement: Confinement,
        watch: Watch,
        door: int | None,
    ) -> None:
        self._control, self._limit, self._door = control, limit, door
        self._confinement, self._watch = confinement, watch
        self._system_calls = Filter()
        self._driver: int | None = None
        self._report: Report = {}  # how the last driver ended
        self._heard = mmap.mmap(-1, 1)  # whether the driver has looked at a value of the run
        self._line: socket.socket | None = None  # to the driver
        self._candidate: int | None = None
        self._began = self._deadline = self._granted = 0.0
        self._waited_before: float | None = None  # by the driver, in the runs before
        self._expired = False
        self._excess: tuple[str, str] | None = None

    def step(self) -> None:
        """Waits for one request, or for the next look at the present run."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if self._line is not None:
            poll.register(self._line, select.POLLIN)
        left = None
        if self._candidate is not None:
            left = 1000 * min(WATCH_SECONDS, max(0.0, self._deadline - time.monotonic()))
        ready = dict(poll.poll(left))
        if self._control.fileno() in ready:
            self._serve_starter()
        elif self._line is not None and self._line.fileno() in ready:
            self._serve_driver(self._line)
        elif not ready and time.monotonic() >= self._deadline:
            self._end_what_is_late()
        elif not ready and self._candidate is not None and self._excess is None:
            self._look_at(self._candidate)

    def _look_at(self, candidate: int) -> None:
        if self._waited_before is None:
            self._waited_before = self._watch.waited(self._driver) if self._driver else 0.0
        self._excess = self._passed(candidate)
        if self._excess:
            _kill(candidate)

    def _passed(self, candidate: int) -> tuple[str, str] | None:
        """The limit that the processes of the run have passed together."""
        if self._confinement.overfull():
            return "output_limit", f"wrote more than {SCRATCH_MB} MiB of files"
        return self._watch.excess(candidate)

    def _serve_starter(self) -> None:
        word, links, _, _ = socket.recv_fds(self._control, 1, 1)
        # asked for a report, the driver has ended or is about to; else nobody waits for it
        self._bury_driver(killed=word != REPORT)
        if word == REPORT:
            Channel(self._control).send(self._report)
        elif word == RENEW:
            self._renew_driver(links[0])
        else:
            os._exit(0)  # nobody asks any more

    def _renew_driver(self, link: int) -> None:
        self._line, theirs = socket.socketpair()
        self._heard = mmap.mmap(-1, 1)
        self._driver = os.fork()
        if self._driver == 0:
            kept = self._confinement.capabilities
            cgroup.leave(self._door)  # a returned value is no memory of the run
            _drive(self._limit, link, theirs, self._system_calls, kept, self._heard)
        self._heard.madvise(mmap.MADV_DONTFORK)  # no candidate has it
        self._watch.driver = self._driver
        theirs.close()
        os.close(link)

    def _serve_driver(self, line: socket.socket) -> None:
        word, ends, _, _ = socket.recv_fds(line, 1, 2)
        if word == WANTED:
            self._began, self._expired, self._excess = time.monotonic(), False, None
            self._deadline, self._granted = self._began + self._limit.wall_seconds, 0.0
            self._waited_before = None
            channel = socket.socket(fileno=ends[0])
            self._candidate = self._confinement.start(
                self._limit, channel, ends[1], self._system_calls, self._watch
            )
            channel.close()
            os.close(ends[1])
        elif word == DONE:
            self._bury_candidate(patient=False)
        elif word == LOST:
            Channel(line).send(self._bury_candidate(patient=True))
        else:
            self._bury_driver(killed=False)

    def _end_what_is_late(self) -> None:
        """Ends the candidate first, so that the driver can say so; then the driver.

        What both waited for a processor is granted on top: a busy machine changes no outcome.
        """
        if self._expired:
            self._bury_driver(killed=True)
        elif self._candidate is not None:
            waited = min(self._waited(self._candidate), GRANTS * self._limit.wall_seconds)
            if waited > self._granted + WATCH_SECONDS:
                self._deadline += waited - self._granted
                self._granted = waited
                return
            self._expired = True
            self._deadline = time.monotonic() + DRIVER_SECONDS
            _kill(self._candidate)

    def _waited(self, candidate: int) -> float:
        """Seconds that this run, which has its driver to itself, waited for a processor."""
        waited = self._watch.waited(candidate)
        if self._driver is not None and self._waited_before is not None:
            waited += self._watch.waited(self._driver) - self._waited_before
        # threads wait side by side, and for each other: only a time in which none runs is lost
        lost = time.monotonic() - self._began - self._watch.used(candidate)
        return max(0.0, min(waited, lost))

    def _ends_by_itself(self, candidate: int) -> bool:
        """Within the time that it is given, which a busy machine makes no shorter."""
        process = os.pidfd_open(candidate)
        poll = select.poll()
        poll.register(process, select.POLLIN)
        waited, ready, grants = 0.0, True, GRANTS
        while not (ended := bool(poll.poll(1000 * GRACE_SECONDS))) and ready and grants:
            before, waited = waited, self._watch.waited(candidate)
            ready = waited - before > GRACE_SECONDS / 2 or self._watch.is_ending(candidate)
            grants -= 1
        os.close(process)
        return ended

    def _bury_driver(self, killed: bool) -> None:
        expired = self._expired
        self._bury_candidate(patient=False)
        if self._driver is not None and self._line is not None:
            if killed:
                os.kill(self._driver, signal.SIGKILL)
            ended = _buried(self._driver, killed)
            self._report = {**ended, "expired": expired, "heard": bool(self._heard[0])}
            self._line.close()
        self._driver = self._line = None

    def _bury_candidate(self, patient: bool) -> Report:
        """How the candidate ended; one that does not end, in time if `patient`, is killed."""
        if self._candidate is None:
            return {}
        pid, self._candidate = self._candidate, None
        alive = not self._expired
        if patient:
            alive = not self._ends_by_itself(pid)
        _kill(pid)
        ended = _buried(pid, alive)
        self._confinement.clear(self._watch, self._driver)
        return {
            **ended,
            "expired": self._expired,
            "excess": self._excess,
            "seconds": time.monotonic() - self._began,
        }


def _drive(
    limit: Limits,
    link: int,
    line: socket.socket,
    system_calls: Filter,
    capabilities: int,
    heard: mmap.mmap,
) -> NoReturn:
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        link, desk = limits.keep_descriptors(link, line.detach())
        limits.hold_driver(limit)
        kernel.drop_capabilities(all_but=capabilities)
        system_calls.install()
        jobs, candidates = Channel(socket.socket(fileno=link)), Desk(socket.socket(fileno=desk))
        driver.serve(jobs, candidates, limit.cpu_seconds, heard)
    except BaseException:
        os._exit(SETUP_FAILED)
    os._exit(0)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):  # without namespaces its children are a group at best
        os.killpg(pid, signal.SIGKILL)


def _buried(pid: int, killed: bool) -> Report:
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code > 128:  # bubblewrap's way to say that its program ended by a signal
        code = 128 - code
    return {
        "code": code,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_mb": used.ru_maxrss >> 10,
        "killed": killed,
    }


def main(arguments: list[str]) -> NoReturn:
    """Enters the sandbox that the arguments ask for, and serves."""
    control = socket.socket(fileno=int(arguments[0]))
    settings = json.loads(arguments[1])
    sys.argv[:] = [""]
    try:
        door = cgroup.enter(settings["doors"])
        preload([], [])
        proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        folders, names = settings["folders"], settings["packages"]
        confinement = spawning.entered(settings["mode"], folders, names)
        # not before: some packages start threads, with which no user namespace can be entered
        preload(folders, names)
        asked = Limits(**settings["limits"])
        # what is mapped already is not the program's: with numpy it may be more than it may use
        limit = replace(asked, memory_mb=asked.memory_mb + packages.address_space_mb(proc))
        serve(control, limit, confinement, Watch(proc, asked), door)
    except BaseException as error:
        Channel(control).send({"ready": False, "message": f"{type(error).__name__}: {error}"})
        os._exit(SETUP_FAILED)
