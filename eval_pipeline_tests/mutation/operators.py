"""Faults of one module: each changes one operator, constant or condition of its source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
WORDS = (ast.JoinedStr, ast.Raise)  # what is said to people is held by other tests


@dataclass(frozen=True)
class Mutant:
    """One fault: the source with it, where it stands, and what it changes."""

    path: str  # below the project
    line: int
    was: str
    now: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}: {self.was} -> {self.now}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is, wherever in its file."""
        return self.path, self.was, self.now


def mutants(root: Path, path: Path) -> Iterator[Mutant]:
    """Every fault of a module, in the order of its source."""
    text = path.read_text(encoding="utf-8")
    place = path.relative_to(root).as_posix()
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    raw = text.encode()
    for node, now in _changes(ast.parse(text)):
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        was = raw[first:last].decode()
        source = (raw[:first] + now.encode() + raw[last:]).decode()
        yield Mutant(place, node.lineno, _flat(was), _flat(now), source)


def _flat(code: str) -> str:
    return " ".join(code.split())


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Expressions, each with the text that takes its place."""
    for node in _computing(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            if (other := COMPARED.get(type(node.ops[0]))) is not None:
                yield node, _text(ast.Compare(node.left, [other()], node.comparators))
        elif isinstance(node, ast.BinOp):
            if (swapped := COMPUTED.get(type(node.op))) is not None:
                yield node, _text(ast.BinOp(node.left, swapped(), node.right))
        elif isinstance(node, ast.BoolOp):
            turned = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, _text(ast.BoolOp(turned, node.values))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            yield node, _text(node.operand)
        elif isinstance(node, ast.IfExp):
            yield node, _text(ast.IfExp(node.test, node.orelse, node.body))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in CALLED:
                name = ast.Name(CALLED[node.func.id])
                yield node, _text(ast.Call(name, node.args, node.keywords))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                yield node, str(not node.value)
            elif isinstance(node.value, int):
                yield node, str(node.value + 1)
            elif isinstance(node.value, float):
                yield node, repr(node.value * 2 if node.value else 1.0)


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(node))})"


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that compute: no annotation, no message, no block for types alone."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, WORDS) or _is_for_types(child):
                continue
            yield child
            yield from _computing(child)


def _is_for_types(node: ast.AST) -> bool:
    """A block for the type checker, an alias of types, or an index of one."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
        named = node.targets[0]
        name = named.id if isinstance(named, ast.Name) else ""
        return name[:1].isupper() and not name.isupper()  # Floats = NDArray[np.float64]
    return False
