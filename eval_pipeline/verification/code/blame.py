"""Whose fault it is that tests fail with an exception: the program's, or their own.

A program that could make its tests look broken would be left out of the score. So they are at
fault only where it is seen that every program meets the exception: the statement is reached
whatever was returned, and what fails in it does not depend on that. All else is the program's.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import TracebackType

TEST = "<test>"  # the file that tests are compiled as
_BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar,
           ast.Match)  # fmt: skip
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# parts of a statement that are evaluated for some values only, or later
_BRANCHES = (ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
             ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)  # fmt: skip
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_OBSCURE = frozenset(["delattr", "eval", "exec", "globals", "locals", "setattr", "vars"])
_BUILTINS = frozenset(vars(builtins))


def lines(error: BaseException) -> list[int]:
    """The lines of the tests that an exception passed through, the innermost last."""
    return [step.tb_lineno for step in _steps(error) if _is_test(step)]


def is_of_the_tests(error: BaseException, source: str, entry_point: str) -> bool:
    """Whether the tests meet this exception with every program that gets as far."""
    try:
        reading = _read(source, entry_point)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    steps = _in_a_row(list(_steps(error)))
    if not steps or reading.is_obscure:
        return False
    passed = [reading.at.get(step.tb_lineno, []) for step in steps]
    if not all(met and all(is_met for _, is_met in met) for met in passed):
        return False
    names = [step.tb_frame.f_code.co_name for step in steps[1:]]
    if not all(name in _called(met) for name, met in zip(names, passed, strict=False)):
        return False  # a library called back, as often as the value made it
    failed = [statement for statement, _ in passed[-1]]
    is_here = steps[-1].tb_next is None
    if isinstance(error, NameError) and is_here and error.name:
        return error.name not in reading.bound | _BUILTINS
    if isinstance(error, ImportError):
        return all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in failed)
    if getattr(error, "is_kind", False):
        return True
    return not any(
        isinstance(statement, ast.Raise | ast.Assert) or _names(statement) & reading.touched
        for statement in failed
    )


class _Reading:
    """What is known of tests before they run.

    at: the statements on a line, each with whether it is met whatever the program returns.
    bound: all names that are given a value anywhere. touched: names whose value may depend on the
    program, or on which way it made the tests go.
    """

    def __init__(self, tree: ast.Module, entry_point: str) -> None:
        self.at: dict[int, list[tuple[ast.stmt, bool]]] = {}
        self.bound = set(_bound(tree)) | {entry_point}
        self.is_obscure = bool(_names(tree) & _OBSCURE)
        self._simple: list[set[str]] = []
        self.touched = {entry_point}
        self._walk(tree.body, True)
        self._spread(tree)

    def _walk(self, body: Iterable[ast.stmt], is_met: bool) -> None:
        for statement in body:
            if isinstance(statement, _DEFINITIONS):
                inner = is_met and not _leaves(statement)
                self.touched.add(statement.name)
                self._walk(statement.body, inner)
            elif isinstance(statement, _BLOCKS):
                self.touched |= _names(statement) | set(_bound(statement))
                for inside in ast.walk(statement):
                    if isinstance(inside, ast.stmt):
                        self._note(inside, False)
            else:
                self._note(statement, is_met and not _branches(statement))
                self._simple.append(_names(statement))

    def _note(self, statement: ast.stmt, is_met: bool) -> None:
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            self.at.setdefault(line, []).append((statement, is_met))

    def _spread(self, tree: ast.Module) -> None:
        """Names beside one that is touched are touched too, but for what no program can change."""
        fixed = set(_BUILTINS)
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                self.touched.add(node.arg)
            if isinstance(node, ast.Import | ast.ImportFrom):
                fixed |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        before = -1
        while before != len(self.touched):
            before = len(self.touched)
            for names in self._simple:
                if names & self.touched:
                    self.touched |= names - fixed


@lru_cache(8)
def _read(source: str, entry_point: str) -> _Reading:
    return _Reading(ast.parse(source), entry_point)


def _steps(error: BaseException) -> Iterator[TracebackType]:
    step = error.__traceback__
    while step is not None:
        yield step
        step = step.tb_next


def _is_test(step: TracebackType) -> bool:
    return step.tb_frame.f_code.co_filename == TEST


def _in_a_row(steps: list[TracebackType]) -> list[TracebackType]:
    """The steps in the tests; none where others lie between them."""
    numbers = [number for number, step in enumerate(steps) if _is_test(step)]
    if not numbers or numbers[-1] - numbers[0] != len(numbers) - 1:
        return []
    return [steps[number] for number in numbers]


def _called(met: list[tuple[ast.stmt, bool]]) -> set[str]:
    """The functions that the statements on a line call by their names."""
    calls = [n.func for s, _ in met for n in ast.walk(s) if isinstance(n, ast.Call)]
    return {n.id if isinstance(n, ast.Name) else getattr(n, "attr", "") for n in calls}


def _leaves(definition: ast.stmt) -> bool:
    """Whether a function may end, or a loop of it, before its last statement."""
    last = definition.body[-1] if isinstance(definition, _DEFINITIONS) else None
    return any(isinstance(node, _LEAVING) and node is not last for node in ast.walk(definition))


def _branches(statement: ast.stmt) -> bool:
    return any(
        isinstance(node, _BRANCHES)
        or (isinstance(node, ast.Compare) and len(node.ops) > 1)
        or (isinstance(node, ast.Assert) and node.msg is not None)
        for node in ast.walk(statement)
    )


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, _DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
