"""Where code that a page names stands now: `python -m eval_pipeline_tests.documents moved`."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import eval_pipeline

PACKAGE = Path(eval_pipeline.__path__[0])


@cache
def places() -> dict[str, tuple[str, ...]]:
    """Name of a function, class or method (`Class.method`), and of a module -> where it stands."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.setdefault(module.rpartition(".")[2], []).append(module)
        for name in _defined(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(name, []).append(f"{module}.{name}")
    return {name: tuple(where) for name, where in found.items()}


def candidates(name: str) -> tuple[str, ...]:
    """Where code may stand that was once called so: its room and its module's name first."""
    room, *rest = name.split(".")
    own = ".".join(rest[-2:]) if len(rest) > 1 and rest[-2][:1].isupper() else rest[-1]
    where = places().get(own, ())
    where = tuple(one for one in where if one.split(".")[0] == room) or where
    alike = tuple(one for one in where if one.split(".")[-2:] == rest[-2:])
    return alike or where


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (
                f"{node.name}.{inner.name}"
                for inner in node.body
                if isinstance(inner, ast.FunctionDef)
            )
