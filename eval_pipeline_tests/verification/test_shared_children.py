"""Children that live as long as the process: safe in threads and forks, and left nowhere."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from eval_pipeline.verification.bounded import Stopped, shared
from eval_pipeline.verification.formulas.terms import function, number, symbol, wired

pytest.importorskip("sympy", reason="the extra `math` is not installed")
ARCTAN = wired(function("arctan", number(1)))
REQUEST = {"task": "terms", "answer": ARCTAN, "reference": ARCTAN}
ENDLESS = {
    "task": "terms",
    "answer": ["power", "", [["number", "9", []], ["power", "", [["number", "9", []]] * 2]]],
    "reference": ["number", "3", []],
}
ENDLESS["answer"][2][1] = ["power", "", [["number", "9", []], ENDLESS["answer"][2][1]]]


def pids(pool) -> set[int]:
    return {child._process.pid for child in pool._all if child._process is not None}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_child_outlives_the_call_that_started_it():
    assert shared(1).ask_all([REQUEST], 5) == [True]
    before = pids(shared(1))
    assert shared(1).ask_all([REQUEST] * 3, 5) == [True] * 3
    assert before
    assert before <= pids(shared(1))


def test_what_costs_too_much_ends_its_child_alone():
    before, after, told = shared(1).ask_all([REQUEST, ENDLESS, REQUEST], 1, workers=1), None, None
    assert before == [True, Stopped("timeout_cpu"), True]
    (after,) = shared(1).ask_all([REQUEST], 1)
    (told,) = shared(2).ask_all([{**REQUEST, "reference": wired(symbol("x"))}], 1)
    assert (after, told) == (True, False)


def test_threads_share_the_children():
    pool = shared(2)
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda _: pool.ask_all([REQUEST] * 3, 5), range(8)))
    assert said == [[True] * 3] * 8
    assert threading.active_count() < 20


def test_a_fork_asks_children_of_its_own():
    shared(1).ask_all([REQUEST], 5)
    before = pids(shared(1))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            said = shared(1).ask_all([REQUEST], 5) == [True]
            status = 0 if said and not pids(shared(1)) & before else 2
            shared(1).close()
        finally:
            os.write(writer, b"x")
            os._exit(status)
    os.read(reader, 1)
    _, ended = os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)
    assert os.waitstatus_to_exitcode(ended) == 0
    assert all(map(is_running, before))
    assert shared(1).ask_all([REQUEST], 5) == [True]


def test_no_child_is_left_when_the_process_ends():
    script = (
        "from eval_pipeline.verification.formulas.mathematics import Mathematics\n"
        "from eval_pipeline.verification.verdict import Item\n"
        "from eval_pipeline.verification.bounded import shared\n"
        r"v = Mathematics().verify_all([(Item('i', answer=r'\frac{\pi}{4}'), r'\arctan 1')], 1)"
        "\nassert v[0].score == 1.0\n"
        "print(*[c._process.pid for c in shared(1)._all if c._process])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    started = [int(pid) for pid in ended.stdout.split()]
    assert started
    deadline = time.monotonic() + 10
    while any(map(is_running, started)) and time.monotonic() < deadline:
        pass
    assert not any(map(is_running, started))
