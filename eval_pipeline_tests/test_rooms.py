"""The house keeps its shape: which room may import which, no circle inside one, doors that open."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from eval_pipeline_tests.house import (
    NAME,
    circles,
    door_names,
    dotted,
    imports,
    modules,
    rooms,
    tree,
)

GROUND = {"layout", "reply_text", "rows"}
SCHEMAS = "warehouse.schemas"
VERDICTS = "judging.reading.recorded"  # what a text says; it knows nothing of tables or statistics

# Room -> the rooms (or modules) of the project that it may import, itself and the ground aside.
MAY_IMPORT: dict[str, set[str]] = {
    "layout": set(),
    "reply_text": set(),
    "rows": set(),
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
HEAVY = ("dagster", "scipy", "pandas", "matplotlib", "numba", "statsmodels")
# Rooms that are entered by a command and not by names: what they say at the door is enough.
NO_NAMES = {"cli": "its door is `main`"}


def strange_imports(module: str, path: Path) -> Iterator[str]:
    """What a module imports of rooms that its own may not know."""
    room = module.split("/")[0].removesuffix(".py")
    if room in ("orchestration", "__init__"):
        return
    allowed = {room, *GROUND, *MAY_IMPORT[room]}
    known_rooms = {one.split(".")[0] for one in allowed} | {"__version__"}
    for name in imports(path):
        inside = name.removeprefix(f"{NAME}.")
        if inside == name:
            continue
        known = any(inside == one or inside.startswith(f"{one}.") for one in allowed)
        if not known and (inside.count(".") > 0 or inside not in known_rooms):
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


def test_no_module_leads_back_to_itself() -> None:
    """Imports inside functions and for types count: they hide a circle from Python alone.

    Two modules that need each other are one idea, or hold a third one that both can import.
    """
    assert not circles()


def test_a_verb_is_no_shelf_for_another() -> None:
    """A verb's module imports shelves and rooms, never another verb."""
    verbs = {
        name: path
        for name, path in dotted().items()
        if name.startswith("cli.") and name.count(".") == 1 and path.name != "__init__.py"
    }
    assert not {
        verb: sorted(others)
        for verb, path in verbs.items()
        if verb != "cli.command"
        and (others := {f"{NAME}.{other}" for other in verbs} & set(imports(path)))
    }


@pytest.mark.parametrize("room", rooms())
def test_a_room_has_a_door(room: str) -> None:
    """The paragraph says what the room is and in which order to read it; each name opens."""
    source = dotted()[room]
    said = ast.get_docstring(tree(source)) or ""
    assert len(said.split()) >= 25, f"{room}/__init__.py says too little: {said!r}"
    module = importlib.import_module(f"{NAME}.{room}")
    if room in NO_NAMES:
        return
    named = door_names(room)
    assert named, f"{room} shows no public name: list them in {room}/__init__.pyi"
    assert sorted(named) == sorted(module.__all__)
    assert not [name for name in named if not hasattr(module, name)]
    submodules = {name.split(".")[1] for name in dotted() if name.startswith(f"{room}.")}
    assert not submodules & named.keys()  # the name would be the module or the thing, by luck


def test_every_shelf_says_what_stands_on_it() -> None:
    silent = [
        name
        for name, path in dotted().items()
        if path.name == "__init__.py" and not ast.get_docstring(tree(path))
    ]
    assert not silent


def test_planning_loads_nothing_heavy() -> None:
    code = "import sys, eval_pipeline.orchestration.evaluation; print(*sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(output)
