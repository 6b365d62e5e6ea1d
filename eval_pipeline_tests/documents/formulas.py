"""Every function that computes a published formula: what it gives, when it gives nothing, whose."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import eval_pipeline

PACKAGE = Path(eval_pipeline.__path__[0])
ROOMS = (
    "statistics",
    "metrics",
    "ranking",
    "length_control",
    "decision",
    "judging",
    "contamination",
)
_SOURCE = re.compile(r"\s*\bSources?: (.*?)(?=\n\n|\nRaises |\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Za-z])")
_UNDEFINED = re.compile(r"^(NaN|None|Undefined|Infinite|undefined) (where|for|if|without)\b")


@dataclass(frozen=True)
class Formula:
    """Where it stands (`room.module.function`), its meaning, where it is undefined, its source."""

    name: str
    meaning: str
    undefined: str
    source: str


def formulas() -> str:
    """A table a room."""
    blocks = []
    for room in ROOMS:
        rows = ["| formula | meaning | undefined | source |", "| --- | --- | --- | --- |"]
        for one in of_room(room):
            cells = (f"`{one.name}`", one.meaning, one.undefined, one.source)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        if len(rows) > 2:
            blocks.append("\n".join([f"**{room.replace('_', ' ')}**\n", *rows]))
    return "\n\n".join(blocks)


def of_room(room: str) -> Iterator[Formula]:
    for path in sorted((PACKAGE / room).rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from _told(module, ast.get_docstring(tree))
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and public:
                yield from _told(f"{module}.{node.name}", ast.get_docstring(node))


def _told(name: str, docstring: str | None) -> Iterator[Formula]:
    """The formula of a docstring that names a source."""
    source = _SOURCE.search(docstring or "")
    if docstring is None or source is None:
        return
    before = _SOURCE.sub("", docstring)
    first = _plain(before.split("\n\n")[0])
    sentences = _SENTENCE.split(_plain(before.partition("\n\n")[2]))
    undefined = " ".join(one for one in sentences if _UNDEFINED.search(one))
    yield Formula(name, first, undefined, _plain(source[1]))


def _plain(text: str) -> str:
    return " ".join(text.split())
