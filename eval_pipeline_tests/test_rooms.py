"""The house keeps its shape: which room may import which, how long a module may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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
    "contracts": {SCHEMAS, "metrics.registry", "metrics.entry"},
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


def modules() -> dict[str, Path]:
    """Every module of the product, by its path below the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): path for path in paths}


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Dotted names of all modules that a file imports, at any depth of its code."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.append(node.module)
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


def strange_imports(module: str, path: Path) -> Iterator[str]:
    """What a module imports of rooms that its own may not know."""
    room = module.split("/")[0].removesuffix(".py")
    if room in ("orchestration", "__init__"):
        return
    allowed = {room, *GROUND, *MAY_IMPORT[room]}
    rooms = {one.split(".")[0] for one in allowed} | {"__version__"}
    for name in imports(path):
        inside = name.removeprefix("eval_pipeline.")
        if inside == name:
            continue
        known = any(inside == one or inside.startswith(f"{one}.") for one in allowed)
        if not known and (inside.count(".") > 0 or inside not in rooms):
            yield f"{module} imports {name}"


def test_a_room_imports_only_what_it_may_know() -> None:
    assert not [
        strange for module, path in modules().items() for strange in strange_imports(module, path)
    ]


def test_dagster_stands_in_its_own_room_and_not_in_the_stages() -> None:
    outside = {
        module: path
        for module, path in modules().items()
        if not module.startswith("orchestration/") or module.startswith("orchestration/stages/")
    }
    named = {
        module: {name.split(".")[0] for name in imports(path)} for module, path in outside.items()
    }
    assert not [module for module, names in named.items() if "dagster" in names]


def test_a_module_holds_one_idea() -> None:
    long = {
        module: len(path.read_text(encoding="utf-8").splitlines())
        for module, path in modules().items()
    }
    assert not {module: lines for module, lines in long.items() if lines > LINES}


def test_planning_loads_nothing_heavy() -> None:
    code = "import sys, eval_pipeline.orchestration.evaluation; print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(output)
