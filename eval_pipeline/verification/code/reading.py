"""What is seen of tests in Python before any program runs on them."""

import ast
from collections.abc import Iterator

from eval_pipeline.verification.code.pytest_forms import FIXTURES, SUPPORTED

# what changes the process of the tests, where the program is not
_PATCHES = {
    "monkeypatch": "monkeypatch",
    "patch": "unittest.mock.patch",
    "tmp_path": "tmp_path: the program has a folder of its own",
    "tmpdir": "tmpdir: the program has a folder of its own",
}
_CASES = '{"cases": [{"args": [1], "returns": 2}]}'
_OPTIONS = {"indirect": "parametrize(indirect=...)", "params": "fixture(params=...)"}
_TESTS = (ast.FunctionDef, ast.AsyncFunctionDef)


def fault(source: str) -> str | None:
    """Why no program can be judged by these tests; None where there is no reason, or no Python.

    Tests that are no Python are a fault of their item too, and told when they are run.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    if not any(isinstance(node, ast.Assert | ast.Call) or _is_test(node) for node in nodes):
        said = "its test asserts nothing and calls nothing"
        is_list = source.lstrip().startswith("[")
        return f"{said}: cases are written {_CASES}" if is_list else said
    for name in _unsupported(nodes):
        return f"its test uses {name}, which is not supported"
    return None


def _unsupported(nodes: list[ast.AST]) -> Iterator[str]:
    yield from _patches(nodes)
    if not any("pytest" in _imported(node) for node in nodes):
        return
    for node in nodes:
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "pytest":
            yield from [f"pytest.{node.attr}"] if node.attr not in SUPPORTED else []
        if isinstance(node, ast.ImportFrom) and node.module == "pytest":
            yield from (f"pytest.{a.name}" for a in node.names if a.name not in {*SUPPORTED, "*"})
        if isinstance(node, ast.Attribute) and node.attr == "usefixtures":
            yield "pytest.mark.usefixtures"
        if isinstance(node, ast.keyword) and node.arg in _OPTIONS:
            yield _OPTIONS[node.arg]


def _patches(nodes: list[ast.AST]) -> Iterator[str]:
    imported = {name for node in nodes for name in _imported(node)}
    for node in nodes:
        if isinstance(node, _TESTS) and node.name.startswith("test"):
            for argument in node.args.args:
                if argument.arg in _PATCHES and argument.arg not in FIXTURES:
                    yield _PATCHES[argument.arg]
        if isinstance(node, ast.Name | ast.Attribute):
            said = node.id if isinstance(node, ast.Name) else node.attr
            if said == "patch" and {"patch", "mock", "unittest.mock", "unittest"} & imported:
                yield _PATCHES[said]
        if isinstance(node, ast.Assign) and any(map(_is_stdin, node.targets)):
            yield "sys.stdin: the program has a standard input of its own"


def _is_stdin(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == "stdin"


def _is_test(node: ast.AST) -> bool:
    if isinstance(node, ast.ClassDef):
        return any("TestCase" in ast.unparse(base) for base in node.bases)
    return isinstance(node, _TESTS) and node.name.startswith("test")


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {node.module or "", *(alias.name for alias in node.names)}
    return set()
