"""No attack passes, hangs or leaves anything behind, and each is called what it is."""

import os
import select
import signal
from pathlib import Path
from time import monotonic

import pytest

from eval_pipeline.verification.code.level import absent
from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.server import GRANTS
from eval_pipeline.verification.code.worker import Outcome, Worker
from eval_pipeline_tests.verification.code.attacks import ATTACKS
from eval_pipeline_tests.verification.code.sandboxed import enter_private_mounts

LIMITS = Limits(cpu_seconds=1, wall_seconds=20, memory_mb=512)  # the wall is for a busy machine
FOR_SLEEPERS = Limits(cpu_seconds=1, wall_seconds=3, memory_mb=512)
SLACK = 30  # seconds beyond the limit and what a run may wait for: the driver's own grace
TEST = "assert add(1, 2) == 3\nassert add(0, 0) == 0"


@pytest.fixture(scope="module")
def worker():
    enter_private_mounts()
    if reason := absent():
        pytest.skip(f"no sandbox here: {reason}")
    with Worker("namespaces", LIMITS) as worker:
        yield worker


def test_an_address_is_not_in_the_explanation(worker: Worker):
    said = run(worker, "def add(a, b): raise ValueError(object())").message
    assert said == "ValueError: <object object at 0x>"


@pytest.fixture(scope="module")
def impatient_worker(worker: Worker):
    with Worker("namespaces", FOR_SLEEPERS) as impatient:
        yield impatient


def run(worker: Worker, code: str) -> Outcome:
    job = {"kind": "tests", "code": code, "helpers": "", "test": TEST, "entry_point": "add"}
    return worker.run(job)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_its_status_in_time(worker: Worker, impatient_worker: Worker, name: str):
    code, right = ATTACKS[name]
    sleeps = right == {"timeout_wall"}
    start = monotonic()
    outcome = run(impatient_worker if sleeps else worker, code)
    assert outcome.status in right, outcome.message
    limits = FOR_SLEEPERS if sleeps else LIMITS
    assert monotonic() - start < (1 + GRANTS) * limits.wall_seconds + SLACK
    assert "pass" not in right


def test_the_next_program_finds_a_clean_sandbox(worker: Worker):
    spoil = (
        "import os\nopen('left', 'w').close()\nos.environ['left'] = '1'\n"
        "import math\nmath.left = 1\ndef add(a, b): return None"
    )
    look = (
        "import math, os\ndef add(a, b):\n"
        "    clean = not os.listdir('.') and not os.environ and not hasattr(math, 'left')\n"
        "    return a + b if clean and os.getpid() == 1 else None"
    )
    assert run(worker, spoil).status == "wrong"
    assert run(worker, look).status == "pass"


def test_no_process_file_or_mount_is_left():
    enter_private_mounts()
    before = seen()
    with Worker("namespaces", LIMITS) as worker:
        for name in ("leaves_a_grandchild_behind", "leaves_threads_behind", "fills_a_file"):
            run(worker, ATTACKS[name][0])
    assert seen() == before


def test_a_caller_that_is_killed_takes_its_sandbox_along():
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        worker = Worker("namespaces", LIMITS)
        run(worker, "def add(a, b): return a + b")
        os.write(writing, " ".join(servers_of(os.getpid())).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    servers = os.read(reading, 1000).decode().split()
    os.close(reading)
    os.close(writing)
    deadline = monotonic() + 60  # of a busy machine
    while (left := [s for s in servers if Path(f"/proc/{s}").exists()]) and monotonic() < deadline:
        select.select([], [], [], 0.05)
    assert servers
    assert not left


def seen() -> tuple[set[str], set[str], str]:
    """The sandbox's processes of this process, the files of the shared folders, the mounts."""
    files = {str(p) for folder in ("/tmp", "/mnt", "/dev/shm") for p in Path(folder).glob("*")}
    mine = {f for f in files if "planted" in f or "probe" in f}
    return servers_of(os.getpid()), mine, Path("/proc/self/mounts").read_text()


def servers_of(starter: int) -> set[str]:
    """Ids of the processes that serve a sandbox and were started by that process."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:  # it ended meanwhile
            continue
        if b"server.main" in words and int(parent) == starter:
            found.add(folder.name)
    return found
