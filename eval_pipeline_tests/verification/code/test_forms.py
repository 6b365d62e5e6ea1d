"""code@2 runs tests in the forms of unittest and pytest, and checkers; code@1 does as before."""

import json
from typing import Any

import pytest

from eval_pipeline.verification.code import first
from eval_pipeline.verification.code.pytest_forms import Approx, argument_sets, module
from eval_pipeline.verification.code.reading import fault
from eval_pipeline.verification.code.verifier import Code
from eval_pipeline.verification.verdict import Item, Verdict

QUICK = Code(cpu_seconds=2, wall_seconds=30, memory_mb=256)
TRIPLES = "def f(n):\n    if n < 0:\n        raise ValueError('negative')\n    return n * 3"
UNITTEST = "import unittest\nclass TestF(unittest.TestCase):\n"


def run(code: str, test: str, verifier: Code = QUICK) -> Verdict:
    item = Item("i", entry_point="f", test=test)
    verifier.check(item)
    return verifier.verify_all([(item, code)], 1)[0]


FORMS = {
    "assertions": "assert f(4) == 12\nassert f(0) == 0",
    "check": "def check(candidate):\n    assert candidate(4) == 12",
    "check that is called": "def check(candidate):\n    assert candidate(4) == 12\ncheck(f)",
    "unittest": f"{UNITTEST}    def test_one(self):\n        self.assertEqual(f(4), 12)",
    "unittest and its main": f"{UNITTEST}    def test_one(self):\n        assert f(4) == 12\n"
    "unittest.main()",
    "unittest with fixtures": f"{UNITTEST}    @classmethod\n    def setUpClass(cls): cls.n = 4\n"
    "    def setUp(self): self.right = 12\n"
    "    def test_one(self): self.assertEqual(f(self.n), self.right)",
    "unittest with subtests": f"{UNITTEST}    def test_all(self):\n        for n in range(5):\n"
    "            with self.subTest(n=n):\n                self.assertEqual(f(n), 3 * n)",
    "unittest with exceptions": f"{UNITTEST}    def test_it(self):\n"
    "        with self.assertRaisesRegex(ValueError, 'neg'):\n            f(-1)\n"
    "        self.assertEqual(f(4), 12)",
    "unittest by another name": "from unittest import TestCase as Case\nclass T(Case):\n"
    "    def test_one(self): self.assertTrue(f(4) == 12)",
    "asyncio of unittest": "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n"
    "    async def test_one(self): self.assertEqual(f(4), 12)",
    "the program's module": "import unittest\nfrom solution import f\n"
    "class T(unittest.TestCase):\n    def test_one(self): self.assertEqual(f(4), 12)",
    "the program's module, by its name": "import my_code as m\ndef test_one():\n"
    "    assert m.f(4) == 12",
    "pytest": "def test_one():\n    assert f(4) == 12\ndef test_two():\n    assert f(0) == 0",
    "pytest that calls itself": "def test_one():\n    assert f(4) == 12\n"
    "if __name__ == '__main__':\n    test_one()",
    "pytest's raises and approx": "import pytest\ndef test_one():\n"
    "    with pytest.raises(ValueError, match='neg') as caught:\n        f(-1)\n"
    "    assert 'negative' in str(caught.value)\n    assert f(4) == pytest.approx(12.0000001)",
    "pytest's parameters": "import pytest\n@pytest.mark.parametrize('n, right', "
    "[(4, 12), pytest.param(0, 0), (1, 3)])\ndef test_all(n, right):\n    assert f(n) == right",
    "pytest's fixtures": "import pytest\n@pytest.fixture\ndef four():\n    return 4\n"
    "@pytest.fixture()\ndef right(four):\n    yield 3 * four\n"
    "def test_one(four, right):\n    assert f(four) == right",
    "a class of pytest": "class TestF:\n    def setup_method(self): self.n = 4\n"
    "    def test_one(self): assert f(self.n) == 12",
    "asyncio": "async def test_one():\n    assert f(4) == 12",
    "marks": "import pytest\n@pytest.mark.slow\n@pytest.mark.timeout(5)\ndef test_one():\n"
    "    assert f(4) == 12\n@pytest.mark.skip(reason='x')\ndef test_two():\n    assert f(1) == 9",
    "the function as an argument": "def test_one(candidate):\n    assert candidate(4) == 12",
    "a helper that looks like a test": "def test_any(g, n, right):\n    assert g(n) == right\n"
    "test_any(f, 4, 12)",
    "what is printed": "import io, contextlib\nout = io.StringIO()\n"
    "with contextlib.redirect_stdout(out):\n    assert f(4) == 12\nassert out.getvalue() == ''",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_passes_the_right_and_fails_the_wrong(form: str):
    right = run(TRIPLES, FORMS[form])
    assert (right.status, right.score) == ("ok", 1.0), right.explanation
    wrong = run(TRIPLES.replace("n * 3", "n * 4 + 1"), FORMS[form])
    assert (wrong.status, wrong.score, wrong.detail) == ("ok", 0.0, "wrong"), wrong.explanation


def test_what_a_function_prints_is_seen_where_tests_collect_it():
    captured = "def test_one(capsys):\n    f(4)\n    assert capsys.readouterr().out == '12\\n'"
    redirected = (
        "import io\nfrom contextlib import redirect_stdout\nout = io.StringIO()\n"
        "with redirect_stdout(out):\n    f(4)\n    f(5)\nassert out.getvalue().split() == "
        "['12', '15']"
    )
    for test in (captured, redirected):
        assert run("def f(n): print(n * 3)", test).score == 1.0
        assert run("def f(n): print(n * 4)", test).score == 0.0


def test_a_test_may_expect_that_a_program_leaves():
    test = "import pytest\ndef test_one():\n    with pytest.raises(SystemExit):\n        f(1)"
    assert run("import sys\ndef f(n): sys.exit(2)", test).score == 1.0
    assert run("def f(n): return 2", test).score == 0.0


def test_the_line_that_failed_is_in_the_explanation():
    said = run("def f(n): return 3", FORMS["unittest"]).explanation
    assert said == "wrong: AssertionError: 3 != 12 in line 4: self.assertEqual(f(4), 12)"


def test_long_values_are_compared_without_a_long_message():
    test = f"{UNITTEST}    def test_one(self):\n        self.assertEqual(f(0), list(range(60000)))"
    assert run("def f(n): return list(range(1, 60001))", test).detail == "wrong"


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("", "asserts nothing"),
        ("# nothing\nx = 1", "asserts nothing"),
        ('[{"args": [1], "returns": 2}]', r'cases are written {"cases": \['),
        ("def check(candidate):\n    pass", "asserts nothing"),
        ("import pytest\ndef test_one():\n    pytest.importorskip('x')", "pytest.importorskip"),
        ("from pytest import warns\ndef test_one(): f()", "pytest.warns"),
        ("def test_one(monkeypatch):\n    assert f(1)", "monkeypatch"),
        ("def test_one(tmp_path):\n    assert f(1)", "tmp_path"),
        ("from unittest.mock import patch\nwith patch('x'): f()", "unittest.mock.patch"),
        ("import sys, io\nsys.stdin = io.StringIO('4')\nf()", "sys.stdin"),
        ("import pytest\n@pytest.fixture(params=[1])\ndef n(): f()", "fixture.params"),
        (json.dumps({"cases": []}), "no cases"),
    ],
)
def test_what_is_not_run_is_named_before_any_run(test: str, words: str):
    item = Item("i", entry_point="f", test=test)
    with pytest.raises(ValueError, match=f"item 'i': its test.*{words}"):
        QUICK.check(item)
    first.Code().check(item)  # frozen contracts are as they were


@pytest.mark.parametrize(
    "test",
    [
        "assert f(4) == 12",
        "f(4)",
        f"{UNITTEST}    pass",
        "def test_one(): pass",
        "assert f(4) ==",
        "import pytest\n@pytest.mark.anything\ndef test_one():\n    pytest.fail('x')",
        "import sys\nprint(f(4), file=sys.stdout)",
        "patch = f(3)\nassert patch",
    ],
)
def test_nothing_is_said_of_other_tests(test: str):
    assert fault(test) is None


def test_a_form_in_which_nothing_runs_is_a_fault_of_the_item():
    skipped = "import unittest\n@unittest.skip('x')\nclass T(unittest.TestCase):\n"
    skipped += "    def test_one(self): self.assertEqual(f(4), 12)"
    for test in (skipped, "def test_one(): pass", "def helper():\n    assert f(4) == 12"):
        verdict = run(TRIPLES, test)
        assert (verdict.status, verdict.detail) == ("infra_error", "no_tests")
    unknown = run(TRIPLES, "def test_one(mocker):\n    assert f(4) == 12")
    assert (unknown.status, unknown.detail) == ("infra_error", "broken_test")
    assert "mocker" in unknown.explanation


def test_the_first_version_runs_what_it_ran():
    quick = first.Code(cpu_seconds=2, wall_seconds=30)
    for form in ("unittest", "pytest"):
        verdict = run(TRIPLES, FORMS[form], quick)
        assert (verdict.status, verdict.detail) == ("infra_error", "no_tests")
    for form in ("assertions", "check"):
        assert run(TRIPLES, FORMS[form], quick).score == 1.0


NAN, INFINITY = float("nan"), float("inf")
EXPECTED: list[tuple[Any, dict[str, Any]]] = [
    (1.0, {}), (5, {"abs": 0.1}), (100, {"rel": 0.01}), (0.0, {}), ([1.0, 2], {}), ({"a": 1.0}, {}),
    (NAN, {"nan_ok": True}), (NAN, {}), (INFINITY, {}), (3, {"rel": 0.1, "abs": 0.01}), ("x", {}),
]  # fmt: skip
VALUES = [
    0.0, 1e-12, 2e-12, 1, 1.0000009, 1.0000011, 3.2, 4.9, 5.2, 99, 101.01, NAN, INFINITY, "x", None,
    [1, 2.0000001], [1, 2.1], (1,), {"a": 1.0}, {"a": 2}, {"b": 1},
]  # fmt: skip


@pytest.mark.parametrize(("expected", "options"), EXPECTED)
def test_approx_is_as_near_as_in_pytest(expected: Any, options: dict[str, Any]):
    ours, theirs = Approx(expected, **options), pytest.approx(expected, **options)
    for value in VALUES:
        assert (value == ours) == (value == theirs), value


def test_parameters_multiply():
    def one() -> None:
        return None

    mark = module().mark
    decorated = mark.parametrize("a", [1, 2])(mark.parametrize(("b", "c"), [(3, 4), (5, 6)])(one))
    sets = argument_sets(decorated)
    assert sorted(tuple(sorted(each.items())) for each in sets) == [
        (("a", a), ("b", b), ("c", c)) for a in (1, 2) for b, c in ((3, 4), (5, 6))
    ]


FACTORS = """
def check(given, answer):
    if len(answer) != 2:
        return f"{len(answer)} factors"
    return answer[0] * answer[1] == given[0] and 1 not in answer
"""
GREATER = "def check(given, printed):\n    return int(printed) > int(given)"


def checked(code: str, checker: str, *cases: dict[str, object]) -> Verdict:
    return run(code, json.dumps({"cases": cases, "checker": checker}))


def test_an_item_may_bring_a_checker_for_many_right_answers():
    case: dict[str, object] = {"args": [12]}
    for answer in ("[3, 4]", "(6, 2)"):
        assert checked(f"def f(n): return {answer}", FACTORS, case).score == 1.0
    assert checked("def f(n): return [1, 12]", FACTORS, case).detail == "wrong"
    said = checked("def f(n): return [12]", FACTORS, case).explanation
    assert said == "wrong: case 1: the checker says: 1 factors"
    for code, score in (("print(int(input()) + 5)", 1.0), ("print(0)", 0.0), ("print('x')", 0.0)):
        assert checked(code, GREATER, {"stdin": "3"}).score == score
    keywords = "def check(given, answer):\n    return answer == [*given[:-1], given[-1]['k']]"
    assert checked("def f(n, k): return [n, k]", keywords, {"args": [1], "kwargs": {"k": 2}}).score


def test_a_checker_sees_arguments_as_they_were_given():
    code = "def f(x):\n    x.clear()\n    return []"
    same = "def check(given, answer):\n    return sorted(given[0]) == answer"
    assert checked(code, same, {"args": [[2, 1]]}).detail == "wrong"


@pytest.mark.parametrize(
    ("checker", "words"),
    [
        ("def check(given, answer):\n    return undefined(answer)", "NameError"),
        ("import no_such_module\n" + GREATER, "ModuleNotFoundError"),
        ("def check(given, answer):\n    return False", "its own example"),
        ("def check(given, answer):\n    return {}[0]", "KeyError"),
    ],
)
def test_a_broken_checker_is_a_fault_of_the_item(checker: str, words: str):
    for code in ("def f(n): return 1", "def f(n): return 'x'"):
        verdict = checked(code, checker, {"args": [3], "returns": 4})
        assert (verdict.status, verdict.detail) == ("infra_error", "broken_test")
        assert words in verdict.explanation


@pytest.mark.parametrize(
    "checker",
    [
        "def check(given, answer):\n    if answer != 4:\n        return nothing(answer)\n"
        "    return True",
        "def check(given, answer):\n    assert answer == 4\n    return True",
        "def check(given, answer):\n    return answer.bit_length() == 3",
        "def check(given, answer):\n    return 12 // answer == 3",
        "import sys\ndef check(given, answer):\n    if answer != 4:\n        sys.exit(1)\n"
        "    return 1",
    ],
)
def test_no_answer_breaks_a_checker(checker: str):
    for code in ("def f(n): return 0", "def f(n): return 'x'", "def f(n): return None"):
        verdict = checked(code, checker, {"args": [3]})
        assert (verdict.status, verdict.score) == ("ok", 0.0)
    assert checked("def f(n): return 4", checker, {"args": [3]}).score == 1.0


@pytest.mark.parametrize(
    ("checker", "words"),
    [
        (3, "must be Python source"),
        ("def check(given, answer)\n  return 1", "is no Python"),
        ("def verify(given, answer): return True", "defines no function check"),
        ("def check(answer): return True", "takes what is given and the answer"),
        ("def check(a, b, c): return True", "takes what is given and the answer"),
        ("def check(a, b): print(a)", "returns nothing"),
    ],
)
def test_a_checker_of_another_shape_is_refused(checker: object, words: str):
    test = json.dumps({"cases": [{"args": [1]}], "checker": checker})
    with pytest.raises(ValueError, match=words):
        QUICK.check(Item("i", entry_point="f", test=test))
