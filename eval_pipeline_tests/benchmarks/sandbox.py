"""How fast programs run in the sandbox, against a fresh interpreter for each, in the same run."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from eval_pipeline.verification.code.limits import Limits
from eval_pipeline.verification.code.namespaces import NOBODY
from eval_pipeline.verification.code.worker import Worker
from eval_pipeline_tests.benchmarks.figure import Figure

WORKERS = 2
RUNS = 5_000
ROUNDS, PART = 5, 40  # of both in turns, so that a busy moment hits both
PARTS = 10  # of the runs: the rate is that of the one in which others left the most
TIMES, RATE = 5, 200
SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/mnt")
LIMITS = Limits(cpu_seconds=5, wall_seconds=30)
CODE = """
import math
from typing import List

def is_prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))

def primes(n: int) -> List[int]:
    return [i for i in range(n) if is_prime(i)]
"""
TEST = """
def check(candidate):
    assert candidate(0) == []
    assert candidate(3) == [2]
    assert candidate(20) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert len(candidate(200)) == 46
"""
JOB = {"kind": "tests", "code": CODE, "helpers": "", "test": TEST, "entry_point": "primes"}
WHOLE = f"{CODE}\n{TEST}\ncheck(primes)\n"


def measure() -> Sequence[Figure]:
    """The ratio of rates, the rate itself, and what 5,000 runs leave behind."""
    start, cpu = time.perf_counter(), _cpu()
    with Worker("namespaces", LIMITS) as one, Worker("namespaces", LIMITS) as other:
        workers = [one, other]
        ours, peer = [], []
        for _ in range(ROUNDS):
            peer.append(_rate(lambda worker: _fresh(), workers, PART))
            ours.append(_rate(_sandboxed, workers, 10 * PART))
        ratio = max(ours) / max(peer)
    figures = [
        Figure(
            "programs run in the sandbox, ratio",
            ratio,
            "x",
            "fresh interpreter, runs/s",
            max(peer),
            f">= {TIMES} x",
            ratio >= TIMES,
            *_used(cpu, start),
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        usual, tempfile.tempdir = tempfile.tempdir, folder
        before = _traces()
        start, cpu = time.perf_counter(), _cpu()
        workers = [Worker("namespaces", LIMITS) for _ in range(WORKERS)]
        try:
            rate = max(_rate(_sandboxed, workers, RUNS // PARTS) for _ in range(PARTS))
        finally:
            for worker in workers:
                worker.close()
        used = _used(cpu, start)
        left = len(_traces() - before)
        tempfile.tempdir = usual
    name = f"programs run in the sandbox, {WORKERS} workers"
    figures.append(Figure(name, rate, "runs/s", "-", None, f">= {RATE}", rate >= RATE, *used))
    name = f"processes, files, mounts, groups left by {RUNS:,}"
    figures.append(Figure(name, left, "", "-", None, "0", left == 0, *used))
    return figures


def _rate(run: Callable[[Worker], None], workers: Sequence[Worker], runs: int) -> float:
    def several(worker: Worker) -> None:
        for _ in range(runs // len(workers)):
            run(worker)

    start = time.perf_counter()
    with ThreadPoolExecutor(len(workers)) as threads:
        list(threads.map(several, workers))
    return runs / (time.perf_counter() - start)


def _sandboxed(worker: Worker) -> None:
    outcome = worker.run(JOB)
    if outcome.status != "pass":
        raise RuntimeError(f"a right program was called {outcome}")


def _fresh() -> None:
    """What a plain runner does: an isolated interpreter with limits runs program and tests."""
    subprocess.run(
        [sys.executable, "-I", "-c", WHOLE],
        stdin=subprocess.DEVNULL,
        preexec_fn=_hold,
        timeout=LIMITS.wall_seconds,
        check=True,
    )


def _hold() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMITS.cpu_seconds, LIMITS.cpu_seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**25, 2**25))


def _traces() -> set[Any]:
    """Processes of the sandbox, files that its code could have written, mounts, memory groups.

    Others write to the shared folders too: of the files there only those of the user count whom
    root becomes for the code, else those of this user.
    """
    processes = {
        folder.name
        for folder in Path("/proc").glob("[0-9]*")
        if b"server.main" in _bytes(folder / "cmdline") and _parent(folder) in (1, os.getpid())
    }
    owner = NOBODY if os.geteuid() == 0 else os.geteuid()
    files = {path for top in SHARED for path in _below(top) if _owner(path) == owner}
    own = set(_below(tempfile.gettempdir()))
    mounts = set(Path("/proc/self/mounts").read_text().splitlines())
    groups = set(Path("/sys/fs/cgroup").glob(f"**/eval-pipeline-*-{os.getpid()}-*-*"))
    return processes | files | own | mounts | groups


def _parent(process: Path) -> int:
    """Of one that nobody waits for, the first process of the machine; 0 where it has ended."""
    return int((_bytes(process / "stat").rpartition(b")")[2].split() or [b"", b"0"])[1])


def _below(top: str) -> Iterator[str]:
    """All paths below a folder, which others may change meanwhile."""
    for folder, folders, files in os.walk(top):
        yield from (os.path.join(folder, name) for name in (*folders, *files))


def _owner(path: str) -> int | None:
    try:
        return os.lstat(path).st_uid
    except OSError:  # it was removed meanwhile
        return None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process ended meanwhile
        return b""


def _cpu() -> float:
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _used(cpu: float, start: float) -> tuple[float, float]:
    """CPU and wall seconds since."""
    return _cpu() - cpu, time.perf_counter() - start
