"""Tests that are data: calls, and programs with their input and output."""

import json

import pytest

from eval_pipeline.verification.code import first, first_cases
from eval_pipeline.verification.code.cases import agrees, fault_in_output, read
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.verdict import Item, Verdict

QUICK = Code(cpu_seconds=1, wall_seconds=6, memory_mb=256)


def run(code: str, **test: object) -> Verdict:
    return QUICK.verify_all([(Item("i", entry_point="f", test=json.dumps(test)), code)], 1)[0]


def program(code: str, *pairs: tuple[str, str], **more: float) -> Verdict:
    cases = [{"stdin": stdin, "stdout": stdout} for stdin, stdout in pairs]
    item = Item("i", test=json.dumps({"cases": cases, **more}))
    QUICK.check(item)
    return QUICK.verify_all([(item, code)], 1)[0]


def test_calls_are_compared_with_a_declared_tolerance():
    third = [{"args": [1, 3], "returns": 0.333333}]
    divides = "def f(a, b): return a / b"
    assert run(divides, cases=third).detail == "wrong"
    assert run(divides, cases=third, rel_tol=1e-5).score == 1.0
    pair = [{"kwargs": {"x": 1}, "returns": [1, [1]]}]
    assert run("def f(*, x): return (x, [x])", cases=pair).score == 1.0
    assert run("def f(): return 1", cases=[{"returns": True}]).explanation.startswith(
        "wrong: case 1"
    )


def test_a_program_is_judged_by_its_output():
    double = "n = int(input())\nif n == 0:\n    print(0); exit(0)\nprint(n * 2)"
    assert program(double, ("0", "0"), ("4", "8\n")).score == 1.0
    assert program(double, ("4", "9")).detail == "wrong"
    assert program("import sys\nsys.stdout.buffer.write(b'7\\n')", ("", "7")).score == 1.0
    total = "import sys\nprint(sum(map(int, sys.stdin.read().split())))"
    assert program(total, ("1 2\n3", "6")).score == 1.0
    assert program("print(0.1 + 0.2)", ("", "0.3"), abs_tol=1e-9).score == 1.0
    assert program("print(0.1 + 0.2)", ("", "0.3")).detail == "wrong"
    main = "def main():\n    print(input())\nif __name__ == '__main__':\n    main()"
    assert program(main, ("é\n", "é")).score == 1.0


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("print(1); exit(3)", "exception"),
        ("print(1)\nimport os, sys\nsys.stdout.flush()\nos._exit(3)", "no_verdict"),
        ("print(1) 2", "syntax"),
        ("print(1)\n1 / 0", "exception"),
        ("input(); print(1)", "exception"),
        ("while True: print(1)", "output_limit"),
        ("while True: pass", "timeout_cpu"),
        ("import time; time.sleep(60)", "timeout_wall"),
    ],
)
def test_how_a_program_ends_counts(code: str, detail: str):
    assert program(code, ("", "1")).detail == detail


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time\ndef main():\n    time.sleep(.1)\n    print(1)\n"
        "threading.Thread(target=main).start()",
        "import atexit\natexit.register(lambda: print(1))",
        "import sys\nprint(1)\nsys.stdout.close()",
        "import io, sys\nkept, sys.stdout = sys.stdout, io.StringIO()\nkept.write('1')",
        "import sys\nprint(int(__file__ == sys.modules[__name__].__file__))",
    ],
)
def test_what_a_program_prints_as_it_ends_counts(code: str):
    assert program(code, ("", "1")).score == 1.0


def test_a_program_may_leave_at_once_and_leave_a_child():
    assert program("import os, sys\nprint(1, flush=True)\nos._exit(0)", ("", "1")).score == 1.0
    child = "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(99)\nprint('done')"
    assert program(child, ("", "done")).score == 1.0


def test_each_input_meets_a_new_process():
    code = "import os\nprint(len(os.listdir('.')))\nopen('x', 'w').close()"
    assert program(code, ("", "0"), ("", "0")).score == 1.0


def test_no_cases_are_no_pass():
    verdict = run("def f(): pass", cases=[])
    assert (verdict.status, verdict.detail, verdict.score) == ("infra_error", "no_tests", None)


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ({"cases": {}}, "a list of"),
        ({"cases": [], "tolerance": 1}, "tolerance"),
        ({"cases": [{"args": [1]}]}, "case 1 is neither"),
        ({"cases": [{"args": 1, "returns": 1}]}, "case 1 is neither"),
        ({"cases": [{"stdin": 1, "stdout": "1"}]}, "case 1 is neither"),
        ({"cases": [{"returns": 1}, {"stdin": "", "stdout": ""}]}, "all calls or all programs"),
        ({"cases": [{"returns": 1}], "rel_tol": -1}, "rel_tol must be"),
        ({"cases": [{"returns": 1}], "abs_tol": float("nan")}, "abs_tol must be"),
    ],
)
def test_data_of_another_shape_are_refused_with_the_item(test: dict[str, object], words: str):
    with pytest.raises(ValueError, match=f"'i': .*{words}"):
        QUICK.check(Item("i", entry_point="f", test=json.dumps(test)))


def test_source_that_begins_with_a_brace_is_source():
    assert read("{1}\nassert f() == 1").kind == "tests"


def test_what_agrees():
    exact, near = (0.0, 0.0), (1e-6, 0.0)
    assert agrees((1, 2), [1, 2], exact)
    assert agrees({"a": [1.0]}, {"a": [1]}, exact)
    assert not agrees(True, 1, exact)
    assert not agrees("1", 1, exact)
    assert not agrees(5.0, float("inf"), near)
    assert not agrees(10**400, 1.5, near)
    assert not agrees(float("nan"), 1.0, near)
    assert agrees(1.0000001, 1, near)
    assert agrees({1: "a", None: 2, 2.5: 3}, {"1": "a", "null": 2, "2.5": 3}, exact)
    assert not agrees({1: "a", "1": "b"}, {"1": "b"}, exact)
    assert agrees([float("nan")], [float("nan")], exact)
    assert not agrees(float("inf"), float("nan"), near)
    assert fault_in_output("1 \n2\n\n", "1\n2", exact) is None
    assert fault_in_output("1\n2\n3", "1\n2", exact) == "3 lines, not 2"
    assert fault_in_output("x 1.0000001", "x 1", near) is None
    assert fault_in_output("1", "1 2", near) == "line 1 is '1', not '1 2'"
    assert fault_in_output("a\u2028b", "a\nb", exact) is not None
    assert fault_in_output("1\r\n2\r\n", "1\n2", exact) is None


NEAR, EXACT = (1e-6, 0.0), (0.0, 0.0)
LARGE = 9007199254740996  # where floats are two apart


@pytest.mark.parametrize(
    ("value", "expected", "tolerance", "right"),
    [
        (LARGE + 1, float(LARGE), EXACT, False),
        (float(LARGE), LARGE + 1, EXACT, False),
        (float(LARGE), LARGE, EXACT, True),
        (10**25 + 1, 1e25, EXACT, False),
        (5, 5.0, EXACT, True),
        (5.0, 5, EXACT, True),
        (0.1 + 0.2, 0.3, EXACT, False),
        (float("inf"), float("inf"), EXACT, True),
        (2000001, 2000000, NEAR, False),
        (2000001.0, 2000000, NEAR, False),
        (-2000001, -2000000, NEAR, False),
        (10**30 + 1, 10**30, NEAR, False),
        (2000000, 2000000, NEAR, True),
        (2000000.0, 2000000, NEAR, True),
        (3.0000000000000004, 3, NEAR, True),
        (3.1, 3, NEAR, False),
        (2000001, 2000000.0, NEAR, True),
        (2000001.0, 2000000.0, NEAR, True),
        (0.5000000001, 0.5, NEAR, True),
        (0.50001, 0.5, NEAR, False),
        (1, 0.9999999, NEAR, True),
        (True, 1.0, NEAR, False),
    ],
)
def test_a_tolerance_is_for_floats(value: object, expected: object, tolerance, right: bool):
    assert agrees(value, expected, tolerance) is right
    assert agrees([value], (expected,), tolerance) is right
    assert agrees({"x": [value]}, {"x": [expected]}, tolerance) is right


@pytest.mark.parametrize(
    ("printed", "expected", "tolerance", "right"),
    [
        ("223456789012345679", "223456789012345678", EXACT, False),
        ("123456789012345679", "123456789012345678", NEAR, False),
        ("005", "5", EXACT, False),
        ("4_000", "4000", EXACT, False),
        ("4_000", "4000", NEAR, False),
        ("4000", "4000", EXACT, True),
        ("4000.0", "4000", EXACT, False),
        ("4000.0", "4000", NEAR, True),
        ("4001.0", "4000", (1e-3, 0.0), False),
        ("4e3", "4000", EXACT, False),
        ("4e3", "4000", NEAR, True),
        ("1e1", "10", EXACT, False),
        ("005", "5", NEAR, False),
        ("+5", "5", NEAR, False),
        ("0.30000000000000004", "0.3", NEAR, True),
        ("0.30000000000000004", "0.3", EXACT, False),
        (".5", "0.5", NEAR, True),
        ("nan", "NaN", NEAR, False),
        ("infinity", "inf", NEAR, False),
        ("\u0665.0", "5", NEAR, False),
        ("1  2", "1 2", EXACT, False),
        ("x: 1.0000001, y", "x: 1, y", NEAR, False),
        ("-0.0", "0", NEAR, True),
    ],
)
def test_words_of_an_output_are_texts_where_no_tolerance_makes_them_numbers(
    printed: str, expected: str, tolerance, right: bool
):
    assert (fault_in_output(printed, expected, tolerance) is None) is right
    assert (fault_in_output(f"a {printed}\n", f"a {expected}", tolerance) is None) is right


def test_whole_numbers_of_any_length_are_compared():
    long = "1" + "0" * 5000
    assert run("def f(): return 10**5000", cases=[]).status == "infra_error"
    returns = f'{{"cases": [{{"args": [], "returns": {long}}}]}}'
    item = Item("i", entry_point="f", test=returns)
    for code, score in (("def f(): return 10**5000", 1.0), ("def f(): return 10**5000 + 1", 0.0)):
        assert QUICK.verify_all([(item, code)], 1)[0].score == score
    assert program("print(10**5000)", ("", long)).score == 1.0
    assert program("print(10**5000 + 1)", ("", long)).score == 0.0


def test_the_first_version_compares_as_it_did():
    quick = first.Code(cpu_seconds=1, wall_seconds=6, memory_mb=256)
    item = Item("i", test=json.dumps({"cases": [{"stdin": "", "stdout": "5"}]}))
    assert quick.verify_all([(item, "print('005')")], 1)[0].score == 1.0
    assert QUICK.verify_all([(item, "print('005')")], 1)[0].score == 0.0
    assert first_cases.agrees(2000001, 2000000, NEAR)
    assert first_cases.fault_in_output("223456789012345679", "223456789012345678", EXACT) is None
