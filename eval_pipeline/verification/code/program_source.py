"""What a text is as Python: whether it parses, what it defines, and what it needs."""

import ast
import builtins
import re
import symtable
import warnings
from collections.abc import Iterator
from functools import lru_cache

_LONG_NUMBER = re.compile(r"[0-9]{4000,}+")  # this interpreter may refuse it; the sandbox does not
_BUILTINS = frozenset([*vars(builtins), "__name__", "__file__", "__doc__"])
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IDLE = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.BinOp,
         ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Load, ast.operator, ast.boolop,
         ast.unaryop, ast.cmpop, ast.Starred)  # fmt: skip
_TALKING = frozenset(["input", "print", "stdin", "stdout"])


@lru_cache(64)
def parsed(source: str) -> ast.Module | None:
    """The tree of a module, or None where the text is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_LONG_NUMBER.sub("0", source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if _stray_return(tree) else tree


def fault_line(source: str) -> int | None:
    """The line, from 1, at which a text stops being Python; None where it is Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_LONG_NUMBER.sub("0", source))
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 1
    return _stray_return(tree)


def is_body(source: str) -> bool:
    """Whether a text is the body of a function that does something, and perhaps what follows it."""
    if not source.lstrip("\n")[:1].isspace():
        return False
    tree = parsed("def _():\n" + source)
    if tree is None or not isinstance(tree.body[0], ast.FunctionDef):
        return False
    return any(not isinstance(statement, ast.Expr) for statement in tree.body[0].body)


def is_program(source: str) -> bool:
    """Whether a text is Python with a statement that is more than a value."""
    tree = parsed(source)
    return tree is not None and any(not _is_idle(statement) for statement in tree.body)


def defines(source: str, name: str) -> bool:
    """Whether a module has that name when it was loaded, and not as a stub only."""
    tree = parsed(source)
    return tree is not None and name in _names(source)[0] and not _is_stub(tree, name)


def has_method(source: str, name: str) -> bool:
    """Whether a class at the top has a method of that name."""
    tree = parsed(source)
    classes = [s for s in (tree.body if tree else ()) if isinstance(s, ast.ClassDef)]
    return any(
        isinstance(inner, _FUNCTIONS) and inner.name == name for c in classes for inner in c.body
    )


def defined(source: str) -> frozenset[str]:
    """The names of a module when it was loaded; none where it is no Python."""
    return _names(source)[0]


def needed(source: str) -> frozenset[str]:
    """The names that a module uses and does not have."""
    return _names(source)[1]


def talks(source: str) -> bool:
    """Whether a module reads or prints."""
    tree = parsed(source)
    nodes = ast.walk(tree) if tree else ()
    said = {n.id if isinstance(n, ast.Name) else getattr(n, "attr", "") for n in nodes}
    return bool(said & _TALKING)


def without_idle_ends(source: str) -> str:
    """A module without the values at its ends that nobody uses, as words of prose are."""
    tree = parsed(source)
    if tree is None:
        return source
    body, lines = list(tree.body), source.split("\n")
    while body and _is_idle(body[-1]) and not _is_docstring(body, body[-1]):
        del lines[body.pop().lineno - 1 :]
    while len(body) > 1 and _is_idle(body[0]) and not _is_docstring(body, body[0]):
        gone = body.pop(0)
        end = (gone.end_lineno or gone.lineno) + 1
        lines[: end - 1] = [""] * (end - 1)
    return "\n".join(lines).strip("\n").rstrip() if body else source


def _stray_return(tree: ast.Module) -> int | None:
    """The line of a return outside of all functions, as the margin of a body taken off has it."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            return node.lineno
        if isinstance(node, ast.stmt) and not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
        elif isinstance(node, ast.ExceptHandler | ast.match_case):
            waiting += node.body
    return None


def _is_idle(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    return isinstance(statement, ast.Expr) and all(
        isinstance(node, _IDLE) for node in ast.walk(statement.value)
    )


def _is_docstring(body: list[ast.stmt], statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_stub(tree: ast.Module, name: str) -> bool:
    """Whether the last definition of a function is its head alone, as in a sketch."""
    found = [s for s in tree.body if isinstance(s, _FUNCTIONS) and s.name == name]
    return bool(found) and all(map(_is_nothing, found[-1].body))


def _is_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        return "NotImplementedError" in ast.unparse(statement)
    is_value = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or is_value


@lru_cache(64)
def _names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a module defines, and what it uses and does not define."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            top = symtable.symtable(_LONG_NUMBER.sub("0", source), "<reply>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(), frozenset()
    has: set[str] = set()
    uses: set[str] = set()
    for table in _tables(top):
        for symbol in table.get_symbols():
            is_top = table is top or symbol.is_global()
            if is_top and (symbol.is_assigned() or symbol.is_imported()):
                has.add(symbol.get_name())
            elif is_top and symbol.is_referenced():
                uses.add(symbol.get_name())
    return frozenset(has), frozenset(uses - has - _BUILTINS)


def _tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [top]
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        yield table
