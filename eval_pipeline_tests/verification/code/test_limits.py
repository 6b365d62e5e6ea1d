"""Limits bind what is used: memory and not address space, threads by their number, all children."""

import pytest

from eval_pipeline.verification.code.level import absent
from eval_pipeline.verification.code.limits import PROCESSES, Limits
from eval_pipeline.verification.code.worker import Outcome, Worker
from eval_pipeline_tests.verification.code.sandboxed import enter_private_mounts

LIMITS = Limits(cpu_seconds=1, wall_seconds=30, memory_mb=128)
SPINS = "    end = time.process_time() + .05\n    while time.process_time() < end: pass\n"
CHURNS = {  # programs whose processes are short, and use more time than one may together
    "waits for its children": (
        "import os\ndef f():\n    while True:\n        for _ in range(28):\n"
        "            if os.fork() == 0: os._exit(0)\n        for _ in range(28): os.wait()"
    ),
    "has busy children": (
        f"import os, time\ndef spin():\n{SPINS}"
        "def f():\n    while True:\n        for _ in range(28):\n"
        "            if os.fork() == 0:\n                spin()\n                os._exit(0)\n"
        "        for _ in range(28): os.wait()"
    ),
    "has grandchildren": (
        f"import os, time\ndef spin():\n{SPINS}"
        "def f():\n    while True:\n        for _ in range(8):\n            if os.fork() == 0:\n"
        "                if os.fork() == 0: spin()\n                os._exit(0)\n"
        "        try:\n            while True: os.wait()\n        except OSError: pass"
    ),
    "would not wait for them": (
        f"import os, signal, time\ndef spin():\n{SPINS}"
        "try: signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nexcept OSError: pass\n"
        "def f():\n    while True:\n        try:\n            if os.fork() == 0:\n"
        "                spin()\n                os._exit(0)\n"
        "        except OSError:\n            try: os.wait()\n            except OSError: pass"
    ),
    "has busy threads": (
        "import threading\ndef spin():\n    while True: pass\n"
        "def f():\n    for _ in range(4): threading.Thread(target=spin).start()\n    spin()"
    ),
}


@pytest.fixture(scope="module")
def worker():
    enter_private_mounts()
    if reason := absent():
        pytest.skip(f"no sandbox here: {reason}")
    with Worker("namespaces", LIMITS) as worker:
        yield worker


def run(worker: Worker, code: str, test: str = "assert f() == 7") -> Outcome:
    job = {"kind": "tests", "code": code, "helpers": "", "test": test, "entry_point": "f"}
    return worker.run(job)


@pytest.mark.parametrize("threads", [2, 8, 20])
def test_threads_that_wait_together_fit(worker: Worker, threads: int):
    code = (
        "import time\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "def g(k):\n    time.sleep(.05)\n    return k\n"
        f"def f():\n    with ThreadPoolExecutor(max_workers={threads}) as pool:\n"
        "        return sum(pool.map(g, range(16)))"
    )
    assert run(worker, code, "assert f() == 120") == Outcome("pass", "1 calls")


def test_a_thread_may_have_a_large_stack(worker: Worker):
    code = (
        "import sys, threading\nsys.setrecursionlimit(10**6)\nthreading.stack_size(512 << 20)\n"
        "def depth(n): return n and 1 + depth(n - 1)\nfound = []\n"
        "def f():\n    t = threading.Thread(target=lambda: found.append(depth(20000)))\n"
        "    t.start()\n    t.join()\n    return found[0]"
    )
    assert run(worker, code, "assert f() == 20000").status == "pass"


@pytest.mark.parametrize(
    "code",
    [
        "def f(): return len(bytearray(2 << 30))",
        "def f(): return len(b'x' * (2 << 30))",
        "def f():\n    held = []\n    while True: held.append(b'y' * (1 << 20))",
        "def f():\n    text = 'x'\n    while True: text += text",
        "import mmap\ndef f():\n    held = []\n    while True:\n"
        "        m = mmap.mmap(-1, 1 << 24)\n        m.write(b'z' * (1 << 24))\n"
        "        held.append(m)",
        "import os, time\ndef f():\n    for _ in range(8):\n        if os.fork() == 0:\n"
        "            held = b'x' * (60 << 20)\n            time.sleep(99)\n    time.sleep(99)",
    ],
)
def test_what_takes_two_gigabytes_is_stopped_for_its_memory(worker: Worker, code: str):
    outcome = run(worker, code)
    assert outcome.status in ("memory", "exception" if "mmap" in code else "memory"), outcome


def test_what_is_asked_for_and_not_used_is_no_memory(worker: Worker):
    code = "import mmap\nroom = mmap.mmap(-1, 600 << 20)\ndef f(): return 7"
    assert run(worker, code).status == "pass"
    assert run(worker, "held = b'x' * (90 << 20)\ndef f(): return 7").status == "pass"


@pytest.mark.parametrize("name", CHURNS)
def test_the_time_of_children_that_ended_counts(worker: Worker, name: str):
    outcome = run(worker, CHURNS[name])
    assert outcome.status == "timeout_cpu", outcome


@pytest.mark.parametrize(
    "code",
    [
        "import os, time\ndef f():\n    while True:\n        if os.fork() == 0: time.sleep(99)",
        "import threading, time\ndef f():\n    while True:\n"
        "        threading.Thread(target=time.sleep, args=(99,)).start()",
        "import os, threading, time\ndef f():\n    while True:\n        if os.fork() == 0:\n"
        "            while True: threading.Thread(target=time.sleep, args=(99,)).start()",
    ],
)
def test_a_bomb_of_processes_or_threads_is_stopped_by_their_number(worker: Worker, code: str):
    outcome = run(worker, code)
    assert outcome.status in ("pids", "timeout_cpu"), outcome
    assert run(worker, "def f(): return 7").status == "pass"
    assert PROCESSES < 64


def test_numbers_have_as_many_digits_as_they_need(worker: Worker):
    assert run(worker, "def f(): return len(str(10**5999))", "assert f() == 6000").status == "pass"
    assert run(worker, f"def f(): return {'7' * 5000}", f"assert f() == {'7' * 5000}")
    assert run(worker, "def f(): return int('7' * 9000) % 7").status == "wrong"
    long = run(worker, "def f(): return len(str(7 ** (10 ** 7)))")
    assert long.status == "timeout_cpu", long
