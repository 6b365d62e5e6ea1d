"""Attacks on one kind of sandbox, in namespaces of the test's own.

`python -m eval_pipeline_tests.verification.code.attacked USER MODE [NAME ...]`, started by root,
prints one JSON object: the outcome of each attack, and what was left: processes, files, mounts.
USER is who starts the sandbox: nobody or root. Nothing of the host can be written from here.
"""

import json
import os
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from eval_pipeline.verification.code import kernel, mounts, namespaces
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.worker import Outcome, Worker
from eval_pipeline_tests.verification.code.attacks import ATTACKS
from eval_pipeline_tests.verification.code.sandboxed import enter_private_mounts

LIMITS = Limits(cpu_seconds=1, wall_seconds=4, memory_mb=512)
TEST = "assert add(1, 2) == 3\nassert add(0, 0) == 0"
SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # where anybody may write: empty ones of our own


def main(user: str, mode: str, names: list[str]) -> None:
    """Attacks, and looks at what is left."""
    _leave_the_host()
    if user == "nobody":
        namespaces.become_nobody()
    before = _traces()
    found: dict[str, Any] = {}
    with Worker(mode, LIMITS) as worker:
        for name in names or ATTACKS:
            start = monotonic()
            outcome = attacked(worker, ATTACKS[name][0])
            found[name] = [outcome.status, outcome.message, monotonic() - start]
        honest = attacked(worker, "def add(a, b): return a + b")
    after = _traces()
    left = [sorted(now - then) for now, then in zip(after, before, strict=True)]
    print(json.dumps({"outcomes": found, "left": left, "honest": honest.status}))


def attacked(worker: Worker, code: str) -> Outcome:
    """The outcome of a program that is to add two numbers."""
    job = {"kind": "tests", "code": code, "helpers": "", "test": TEST, "entry_point": "add"}
    return worker.run(job)


def _leave_the_host() -> None:
    """Into a PID space, a network and mounts that end with this process; no file is writable."""
    enter_private_mounts()
    kernel.unshare(kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC)
    if pid := os.fork():
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    # a root that a mode leaves root could harm the host by these alone
    mounts.restrict("/", ("rdonly",))
    kernel.mount("proc", "/proc", "proc", mounts.MS_NOSUID | mounts.MS_NODEV)
    for folder in SHARED:
        if Path(folder).is_dir():
            kernel.mount("tmpfs", folder, "tmpfs", mounts.MS_NOSUID, "mode=1777")


def _traces() -> tuple[set[str], set[str], set[str]]:
    while True:  # what ended is waited for, as the first process of a PID space must
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            break
    processes = {p.name for p in Path("/proc").glob("[0-9]*")}
    files = {str(p) for folder in SHARED for p in Path(folder).rglob("*")}
    return processes, files, set(Path("/proc/self/mounts").read_text().splitlines())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
