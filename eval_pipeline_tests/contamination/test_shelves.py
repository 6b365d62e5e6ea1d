"""The shelves of contamination stand one above the other, and each has a door."""

import importlib
import pkgutil
from pathlib import Path

import pytest

from eval_pipeline_tests.house import PACKAGE, imports

ROOM = PACKAGE / "contamination"
HERE = "eval_pipeline.contamination."

# Each shelf, or module beside the shelves, may import those before it.
ORDER = (
    "arrays",
    "compiled",
    "instruments",
    "text",
    "rule",
    "corpus",
    "index",
    "kernel",
    "search",
    "near_duplicates",
    "comparing",
    "evidence",
    "verdict",
    "validation",
)


def shelf_of(path: Path) -> str:
    return path.relative_to(ROOM).parts[0].removesuffix(".py")


def test_no_shelf_imports_one_above_it() -> None:
    paths = [path for path in sorted(ROOM.rglob("*.py")) if path != ROOM / "__init__.py"]
    assert {shelf_of(path) for path in paths} == set(ORDER)
    assert not [
        f"{path.relative_to(ROOM)} imports {name}"
        for path in paths
        for name in imports(path)
        if name.startswith(HERE)
        and ORDER.index(name.removeprefix(HERE).split(".")[0]) > ORDER.index(shelf_of(path))
    ]


@pytest.mark.parametrize(
    "name", ["eval_pipeline.lab", HERE[:-1], *(f"{HERE}{shelf}" for shelf in ORDER)]
)
def test_a_door_says_what_is_behind_it_and_gives_it(name: str) -> None:
    door = importlib.import_module(name)
    assert len((door.__doc__ or "").strip()) > 40
    names = set(getattr(door, "__all__", ()))
    assert not names & {
        module.name for module in pkgutil.iter_modules(getattr(door, "__path__", ()))
    }
    assert all(callable(getattr(door, name)) or getattr(door, name) is not None for name in names)
