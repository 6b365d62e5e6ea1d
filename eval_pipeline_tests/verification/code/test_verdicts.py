"""code@2: what passes passes, and nothing else does."""

import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from eval_pipeline.verification.code.program import preamble, program
from eval_pipeline.verification.code.state import leaves_nothing
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.verdict import Item, Verdict

ADD = Item("add", entry_point="add", test="assert add(1, 2) == 3\nassert add(0, 0) == 0")
QUICK = Code(cpu_seconds=1, wall_seconds=3, memory_mb=256)


def run(code: str, item: Item = ADD, verifier: Code = QUICK) -> Verdict:
    (verdict,) = verifier.verify_all([(item, code)], workers=1)
    return verdict


def test_a_right_function_passes():
    verdict = run("def add(a, b):\n    return a + b")
    assert (verdict.status, verdict.score, verdict.explanation) == ("ok", 1.0, "passed: 2 calls")


@pytest.mark.parametrize(
    ("code", "status", "detail"),
    [
        ("def add(a, b): return a - b", "ok", "wrong"),
        ("def add(a, b): return None", "ok", "wrong"),
        ("def add(a, b): return 1 / 0", "ok", "exception"),
        ("raise ValueError('no')\ndef add(a, b): return a + b", "ok", "exception"),
        ("def add(a, b) return a + b", "ok", "syntax"),
        ("def plus(a, b): return a + b", "parser_failure", "missing_entry_point"),
        ("class Solution:\n def add(self, a, b): return a + b", "parser_failure",
         "missing_entry_point"),
        ("def add(a, b): return 'x' * 2**40", "ok", "memory"),
        ("def add(a, b): return 'x' * 2**23", "ok", "output_limit"),
        ("import os\ndef add(a, b): os._exit(0)", "ok", "no_verdict"),
        ("print('PASS')\nimport os; os._exit(0)", "ok", "no_verdict"),
        ("def add(a, b): return add(a, b)", "ok", "exception"),
        ("def add(a, b): raise SystemExit(0)", "ok", "exception"),
        ("def add(a, b):\n raise AssertionError", "ok", "exception"),
        ("import os\nfor f in range(3, 20):\n try: os.write(f, b'\\0' * 7 + b'\\2{}')\n"
         " except OSError: pass\ndef add(a, b): return 3", "ok", "tampering"),
    ],
)  # fmt: skip
def test_what_else_it_did_is_the_detail(code: str, status: str, detail: str):
    verdict = run(code)
    assert (verdict.status, verdict.detail) == (status, detail), verdict.explanation
    assert verdict.score == (0.0 if status == "ok" else None)


def test_an_object_that_equals_everything_does_not_pass():
    code = (
        "class E(int):\n"
        "    def __eq__(s, o): return True\n"
        "    def __bool__(s): return True\n"
        "def add(a, b): return E()"
    )
    verdict = run(code)
    assert (verdict.score, verdict.detail) == (0.0, "wrong")
    assert "returned a E" in verdict.explanation


def test_a_patched_builtin_reaches_no_test():
    code = "import builtins\nbuiltins.AssertionError = Exception\ndef add(a, b): return 4"
    assert run(code).score == 0.0


def test_an_endless_loop_is_a_timeout_of_cpu():
    patient = Code(cpu_seconds=1, wall_seconds=60)  # on a busy machine the wall comes first
    verdict = run("def add(a, b):\n    while True: pass", verifier=patient)
    assert (verdict.status, verdict.detail, verdict.score) == ("timeout", "timeout_cpu", None)


@pytest.mark.slow
def test_on_a_busy_machine_a_loop_is_a_timeout_of_cpu_too():
    spinning = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spinning) for _ in range(6 * (os.cpu_count() or 1))]
    try:
        verdict = run("def add(a, b):\n    while True: pass")  # 1 s of CPU takes more than 3 s
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert verdict.detail == "timeout_cpu"


def test_a_sleep_is_a_timeout_of_the_wall():
    verdict = run("import time\ndef add(a, b): time.sleep(60)")
    # run twice, as every time-out
    assert (verdict.status, verdict.detail) == ("timeout", "timeout_wall")


def test_a_grandchild_that_holds_the_pipe_is_not_waited_for():
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(99)\nos._exit(0)"
    verdict = run(code)  # which would be a time-out
    assert (verdict.score, verdict.detail) == (0.0, "no_verdict")


def test_what_it_leaves_in_its_folder_harms_no_one():
    code = (
        "import os\n"
        "os.mkdir('d'); open('d/f', 'w').close(); os.chmod('d', 0)\n"
        "def add(a, b): return a + b if os.listdir('.') == ['d'] and len(os.environ) < 3 else 0"
    )
    assert run(code).score == 1.0


def test_an_item_without_tests_is_an_error_of_the_benchmark():
    for test in ("", "# nothing\n", "def check(candidate):\n    pass"):
        verdict = run("def add(a, b): return a + b", Item("i", entry_point="add", test=test))
        assert (verdict.status, verdict.detail) == ("infra_error", "no_tests")
    broken = Item("i", entry_point="add", test="assert unknown_name")
    assert run("def add(a, b): return 3", broken).detail == "broken_test"
    with pytest.raises(ValueError, match="'i': entry_point"):
        QUICK.check(Item("i", test="assert True"))


def test_a_test_may_expect_an_exception():
    item = Item(
        "i",
        entry_point="f",
        test="try:\n    f()\nexcept KeyError:\n    pass\nelse:\n    raise AssertionError",
    )
    assert run("def f(): raise KeyError('x')", item).score == 1.0
    assert run("def f(): raise ValueError('x')", item).detail == "exception"


def test_the_end_of_an_iteration_ends_no_loop_of_the_tests():
    test = "assert all(map(lambda x: add(x, 0) == x, [1, 2]))"
    verdict = run("def add(a, b): raise StopIteration", Item("i", entry_point="add", test=test))
    assert (verdict.score, verdict.detail) == (0.0, "exception")


def test_arguments_are_changed_in_place_at_any_depth():
    test = (
        "x, y, z = [1], {'k': [1]}, bytearray(b'a')\n"
        "assert add(([x], y), b=z) is None\nassert (x, y, z) == ([1, 2], {'k': [1, 3]}, b'ab')"
    )
    code = "def add(a, b):\n    a[0][0].append(2)\n    a[1]['k'].append(3)\n    b.extend(b'b')"
    assert run(code, Item("i", entry_point="add", test=test)).score == 1.0


def test_half_a_character_can_be_stored():
    verdict = run("def add(a, b): raise ValueError('\\ud800')")
    assert verdict.explanation == "exception: ValueError: \ufffd"


def test_the_order_of_a_set_is_the_same_in_every_run():
    item = Item("i", entry_point="f", test="assert f() == 0, f()")
    code = "def f(): return list({'a', 'b', 'c', 'd', 'e'})"
    assert run(code, item).explanation == run(code, item).explanation


def test_what_a_test_leaves_behind_reaches_no_other_run():
    adds, right = "def add(a, b): return a + b", "assert add(1, 2) == 3"
    leaves = f"import math\nassert not hasattr(math, 'left')\nmath.left = 1\n{right}"
    jobs = [(Item("i", entry_point="add", test=leaves), f"{adds}  # {n}") for n in range(4)]
    jobs.append((Item("j", entry_point="add", test=f"import math\n{right}"), adds))
    rolls = "import random\nassert add(random.random(), 0) == 0.8444218515250481"
    jobs += [(Item("k", entry_point="add", test=rolls), f"{adds}  # {n}") for n in range(2)]
    assert [v.score for v in QUICK.verify_all(jobs, workers=1)] == [1.0] * 7


@pytest.mark.parametrize(
    ("test", "nothing"),
    [
        ("def check(f):\n    x = {}\n    x['a'] = f(1)\n    x['a'] += 1\n    assert x", True),
        ("from typing import List\nimport math, copy\nassert math.pi > f(copy.copy([1]))", True),
        ("import math as m\nm.left = 1", False),
        ("import os\nassert f()", False),
        ("from decimal import *\ngetcontext().prec = 3", False),
        ("import copy\ncopy.dispatch_table[int] = f", False),
        ("from . import x", False),
        ("f.__globals__['x'] = 1", False),
        ("setattr(f, 'x', 1)", False),
        ("exec('import os')", False),
        ("del f.x", False),
        ("assert f(", False),
    ],
)
def test_only_what_is_seen_to_leave_nothing_is_trusted_to(test: str, nothing: bool):
    assert leaves_nothing(test) is nothing


def test_the_prompts_imports_and_helpers_are_there():
    prompt = (
        "from typing import List\n\ndef helper(x):\n    return 2 * x\n\n"
        'def f(x: List[int]) -> int:\n    """Doubles the sum."""\n'
    )
    item = Item(
        "i", prompt, entry_point="f", test="def check(f):\n    assert f([1, 2]) == helper(3)"
    )
    whole = "def f(x: List[int]) -> int:\n    return helper(sum(x))"
    body = "    return helper(sum(x))"
    assert run(whole, item).score == 1.0
    assert run(body, item).score == 1.0
    assert "def f" not in preamble(item)
    assert program(item, "def g(): pass").count("def f") == 0
    assert preamble(Item("i", "Write a function that adds.", entry_point="f")) == ""


def test_equal_programs_run_once_and_order_is_kept():
    right, wrong = "def add(a, b): return a + b", "def add(a, b): return 0"
    verdicts = QUICK.verify_all([(ADD, right), (ADD, wrong), (ADD, right)], workers=2)
    assert [v.score for v in verdicts] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "options", [{"cpu_seconds": "5"}, {"cpu_seconds": 0}, {"cpu_seconds": 20}, {"memory_mb": True}]
)
def test_limits_are_checked_before_any_run(options):
    with pytest.raises(ValueError, match="must be"):
        Code(**options)


@pytest.mark.slow
def test_canonical_solutions_pass(reference_data):
    rows = pq.read_table(reference_data / "code/humaneval_problems.parquet").to_pylist()
    jobs = [
        (Item(r["task_id"], r["prompt"], entry_point=r["entry_point"], test=r["test"]),
         r["canonical_solution"])
        for r in rows
    ]  # fmt: skip
    verdicts = Code().verify_all(jobs, workers=2)
    failed = {
        item.item_id: (v.detail, v.explanation)
        for (item, _), v in zip(jobs, verdicts, strict=True)
        if v.score != 1.0
    }
    assert failed == {}
