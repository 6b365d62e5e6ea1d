"""No program takes itself out of the score, and no broken test is booked on a program."""

import pytest

from eval_pipeline.verification.code.first import Code as FirstCode
from eval_pipeline.verification.code.limits import MESSAGE_BYTES
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.verdict import Item, Verdict

QUICK = Code(cpu_seconds=2, wall_seconds=30, memory_mb=256)
FIRST = FirstCode(cpu_seconds=2, wall_seconds=30, memory_mb=256)
RIGHT = "def f(n): return n * 3"
UNITTEST = "import unittest\nclass TestF(unittest.TestCase):\n"
NESTED = "def f(n):\n    y = []\n    for _ in range({}): y = [y]\n    return y"
ASSERTS = "assert f(4) == 12"
FILLS = "b = bytearray(b'x')\nf(b)\nf(b)\nassert len(b) == 1"


def run(code: str, test: str, verifier: Code = QUICK) -> Verdict:
    return verifier.verify_all([(Item("i", entry_point="f", test=test), code)], 1)[0]


# name: (program, tests): what the program does would break the tests of a careless reader
EXCUSES = {
    "fills an argument": ("def f(b): b.extend(b'x' * (5 << 20))", FILLS),
    "fills an argument a little": ("def f(b): b.extend(b'x' * (3 << 20))", FILLS),
    "nests an argument": (
        "def f(x):\n    for _ in range(700): x[:] = [x[:]]",
        "x = [1]\nf(x)\nf(x)\nassert x == [1]",
    ),
    "hides in an argument": (
        "def f(x): x.append(object())",
        "x = [1]\nassert f(x) is None\nassert x == [1]",
    ),
    "hides in an argument that is passed on": (
        "def f(x): x.append(object())",
        "x = [1]\nf(x)\nf(x)\nassert len(x) == 1",
    ),
    "nests what it returns": (NESTED.format(300), "r = f(4)\nassert r == 12, r"),
    "nests what it returns deeper": (NESTED.format(900), "r = f(4)\nassert str(r) == 12"),
    "returns nothing": ("def f(n): pass", "assert f(4).bit_length() == 4"),
    "returns no number": ("def f(n): return 'x'", "assert int(f(4)) == 12"),
    "returns nothing to unpack": ("def f(n): pass", "a, b = f(4)\nassert a == 12"),
    "returns nothing to look in": ("def f(n): return {}", "assert f(4)['x'] == 12"),
    "is divided by": ("def f(n): return 0", "assert 144 / f(4) == 12"),
    "reaches a name that is missing": ("def f(n): return 0", "if f(4) != 12:\n    fail()"),
    "reaches it in a message": ("def f(n): return 0", "assert f(4) == 12, missing"),
    "reaches it by an operator": ("def f(n): return 0", "f(4) == 12 or fail()"),
    "reaches it in a loop": (
        "def f(n): return [1]",
        "for each in f(4):\n    fail(each)\nassert f(4) == []",
    ),
    "reaches it in a callback": (
        "def f(n): return [2, 1]",
        "def key(x): return missing\nassert sorted(f(4), key=key) == []",
    ),
    "reaches an import": ("def f(n): return 0", "while f(4) == 0:\n    import no_such_module"),
    "reaches an exit": ("def f(n): return 0", "import sys\nif f(4) != 12: sys.exit(1)"),
    "reaches the end of the process": ("def f(n): return 0", "import os\nf(4)\nos._exit(1)"),
    "comes out of a handler": (
        "def f(n): return 0",
        "good = False\ntry:\n    good = f(4) == 12\nfinally:\n    pass\nassert good\nassert 1",
    ),
    "chooses an argument that cannot be passed": (
        "def f(n): return 0",
        "for other in (len, 1)[:1 - f(1)]:\n    f(other)",
    ),
    "has a test skipped": (
        "def f(n): return None",
        f"{UNITTEST}    def test_a(self):\n        if f(4) is None: self.skipTest('x')\n"
        "        self.assertEqual(f(4), 12)",
    ),
    "has a test of pytest skipped": (
        "def f(n): return None",
        "import pytest\ndef test_a():\n    if f(4) is None: pytest.skip('x')\n"
        "    assert f(4) == 12",
    ),
    "raises what skips": (
        "import unittest\ndef f(n): raise unittest.SkipTest('x')",
        f"{UNITTEST}    def test_a(self): self.assertEqual(f(4), 12)",
    ),
    "ends before the teardown": (
        "import os\ndef f(n): os._exit(0)",
        f"{UNITTEST}    def tearDown(self): f(1)\n    def test_a(self): assert f(4) == 12",
    ),
    "breaks a parser of the tests": (
        "def f(n): return '(' * 50000",
        "import ast\nassert ast.literal_eval(f(4)) == 12",
    ),
    "takes the memory of the tests": ("def f(n): return 10**9", "assert [0] * (f(4) * 10) == []"),
    "is huge": (f"x = '{'a' * MESSAGE_BYTES}'\n{RIGHT}", ASSERTS),
    "says that its sandbox failed": ("import os\nos._exit(97)", ASSERTS),
    "raises to leave": ("def f(n): raise KeyboardInterrupt", ASSERTS),
    "raises the end of a generator": ("def f(n): raise GeneratorExit", ASSERTS),
    "raises what has no words": (
        "class E(BaseException):\n    def __str__(s): raise s\n    __repr__ = __str__\n"
        "    def __reduce__(s): raise s\ndef f(n): raise E",
        ASSERTS,
    ),
    "returns what cannot be looked at": (
        "class E:\n    def __eq__(s, o): raise SystemExit\n"
        "    __repr__ = __str__ = __hash__ = __bool__ = __eq__\ndef f(n): return E()",
        f"{UNITTEST}    def test_a(self): self.assertEqual(f(4), 12)",
    ),
    "patches unittest": (
        "import unittest\nunittest.TestCase.run = lambda *a: None\n"
        "unittest.TestCase.assertEqual = lambda *a: None\ndef f(n): return 0",
        f"{UNITTEST}    def test_a(self): self.assertEqual(f(4), 12)",
    ),
    "closes everything": (
        "import os\ndef f(n): os.closerange(0, 64)",
        ASSERTS,
    ),
    "takes all processes": (
        "import os, time\ndef f(n):\n    try:\n        while True:\n"
        "            if os.fork() == 0: time.sleep(60)\n    except OSError: return 0",
        ASSERTS,
    ),
    "deletes its folder": (
        "import os, shutil\ndef f(n):\n    shutil.rmtree(os.getcwd(), ignore_errors=True)\n"
        "    return 0",
        ASSERTS,
    ),
    "traces": ("import os, sys\nsys.settrace(lambda *a: os._exit(0))\ndef f(n): return 0", ASSERTS),
    "floods the channel": (
        "import os\ndef f(n):\n    for d in range(3, 64):\n        try: os.write(d, b'\\0' * 99)\n"
        "        except OSError: pass\n    return 0",
        ASSERTS,
    ),
    "recurses": ("def f(n): return f(n)", ASSERTS),
    "spoils the printing": (
        "import sys\nclass O:\n    def flush(s): raise SystemExit\n    def write(s, t): pass\n"
        "sys.stdout = O()\ndef f(n): return 0",
        ASSERTS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXCUSES)
def test_a_program_cannot_take_itself_out_of_the_score(name: str):
    code, test = EXCUSES[name]
    verdict = run(code, test)
    assert (verdict.status, verdict.score) == ("ok", 0.0), verdict.explanation


@pytest.mark.parametrize("name", ["fills an argument a little", "is huge", "takes all processes"])
def test_the_first_version_holds_that_too(name: str):
    code, test = EXCUSES[name]
    verdict = run(code, test, FIRST)
    assert (verdict.status, verdict.score) == ("ok", 0.0), verdict.explanation


BROKEN = {
    "a syntax error": "assert f(4) ==",
    "a missing name at first": "assert missing",
    "a missing name later": "assert f(4) == 12\nassert missing(3)",
    "a missing name beside a call": "assert f(4) == missing",
    "a missing name in check": "def check(g):\n    assert g(4) == 12\n    assert g(0) == missing",
    "a missing name in a helper": "def same(a, b):\n    return abs(a - b) < epsilon\n"
    "assert f(4) == 12\nassert same(f(4), 12)",
    "a missing name in a method": f"{UNITTEST}    def test_a(self):\n"
    "        self.assertEqual(f(4), 12)\n        self.assertEqual(f(0), zero)",
    "a missing module": "assert f(4) == 12\nimport no_such_module",
    "an error of its own": "assert f(4) == 12\nright = 1 / 0",
    "an error in its constants": "import json\nassert f(4) == 12\ntext = '{'\nd = json.loads(text)",
    "a value that cannot be passed": "assert f(lambda: 1)",
    "a value that cannot be passed later": "assert f(4) == 12\nassert f(object())",
    "an end of its own": "import os\nos._exit(1)\nassert f(4) == 12",
    "too long a text": f"x = '{'a' * MESSAGE_BYTES}'\n{ASSERTS}",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_test_is_no_wrong_program(name: str):
    verdict = run(RIGHT, BROKEN[name])
    assert (verdict.status, verdict.detail) == ("infra_error", "broken_test"), verdict.explanation


@pytest.mark.parametrize("name", [n for n in BROKEN if n.endswith("later") or "in " in n])
def test_a_wrong_program_is_wrong_before_a_test_breaks(name: str):
    verdict = run("def f(n): return -1", BROKEN[name])
    assert verdict.score in (0.0, None)
    if "4) == 12\n" in BROKEN[name]:
        assert verdict.detail == "wrong"


def test_where_nobody_can_tell_both_are_named():
    said = run("def f(n): pass", "assert f(4).bit_length() == 4").explanation
    assert "AttributeError" in said
    assert said.endswith(
        "a value of the program made the tests fail, or they are at fault themselves"
    )
