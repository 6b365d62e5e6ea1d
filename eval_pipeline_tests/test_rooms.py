"""The house keeps its shape: which room may import which, how long a module may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "eval_pipeline"
GROUND = {"layout", "reply_text"}
SCHEMAS = "warehouse.schemas"
VERDICTS = "judging.recorded"  # what a text says; it knows nothing of tables or statistics

# Room -> the rooms (or modules) of the project that it may import, itself and the ground aside.
MAY_IMPORT: dict[str, set[str]] = {
    "layout": set(),
    "reply_text": set(),
    "statistics": set(),
    "metrics": {"statistics"},
    "ranking": {"statistics"},
    "length_control": {"statistics", "ranking", "metrics"},
    "decision": {"statistics", "metrics"},
    "contamination": {"statistics", "metrics", SCHEMAS},
    "verification": {"statistics", "metrics", SCHEMAS},
    "judging": {"statistics", "metrics", "ranking", SCHEMAS},
    "warehouse": set(),
    "contracts": {SCHEMAS, "metrics.registry", "metrics.catalogue"},
    "ingest": {SCHEMAS, "contracts.reading", "contracts.faults", VERDICTS},
    "lab": {"statistics", "metrics", "ranking", "ingest", "contracts", SCHEMAS, "judging"},
    "reporting": {SCHEMAS},
    "cli": {
        "contamination",
        "orchestration",
        "contracts",
        "decision",
        "ingest",
        "judging",
        "lab",
        "length_control",
        "metrics",
        "reporting",
        "statistics",
        "verification",
        "warehouse",
    },
    "definitions": {"orchestration"},
}
LINES = 400
HEAVY = ("dagster", "scipy", "pandas", "matplotlib", "numba", "statsmodels")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Dotted names of all modules that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_what_it_may_know(path: Path) -> None:
    room = room_of(path)
    if room in ("orchestration", "__init__"):
        return
    allowed = {room, *GROUND, *MAY_IMPORT[room]}
    for name in imports(path):
        if not name.startswith("eval_pipeline."):
            continue
        inside = name.removeprefix("eval_pipeline.")
        if inside.count(".") == 0 and inside not in allowed:
            parts = {one.split(".")[0] for one in allowed}
            assert inside in parts or inside == "__version__", f"{path} imports {name}"
            continue
        assert any(inside == one or inside.startswith(one + ".") for one in allowed), (
            f"{path} imports {name}"
        )


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_dagster_stands_in_its_own_room_and_not_in_the_stages(path: Path) -> None:
    inside = path.relative_to(PACKAGE).as_posix()
    if inside.startswith("orchestration/") and not inside.startswith("orchestration/stages/"):
        return
    assert not [name for name in imports(path) if name.split(".")[0] == "dagster"]


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_module_holds_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES


def test_planning_loads_nothing_heavy() -> None:
    code = "import sys, eval_pipeline.orchestration.evaluation; print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(output)
