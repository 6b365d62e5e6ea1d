"""A family of metrics is a shelf: entry, formula and measure lie side by side, and it says so."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from eval_pipeline import metrics
from eval_pipeline.metrics.measures.lookup import measure_of
from eval_pipeline.metrics.plugins.discovery import GROUP
from eval_pipeline.metrics.registry import FAMILIES, METRICS
from eval_pipeline.warehouse.schemas import TABLES

ROOM = Path(metrics.__file__).parent
SHELVES = sorted(path.parent.name for path in ROOM.glob("*/__init__.py"))
WORD = re.compile(r"`([a-z_][\w.]*)`", re.IGNORECASE)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__.split(".")[-2])
def test_a_family_has_its_entry_its_formula_and_its_measure_side_by_side(family):
    shelf = Path(family.__file__).parent
    assert Path(family.__file__).name == "entry.py"
    assert {metric.family for metric in family.METRICS} == {shelf.name}
    asks = {metric.name for metric in family.METRICS if metric.made_from == "columns"}
    for name in asks:
        measure_of(METRICS[name])
        assert (shelf / "measure.py").exists()
    if shelf.name not in ("elsewhere", "judged", "statuses"):  # shares and means: nothing to say
        assert list(shelf.glob("formula*.py"))


@pytest.mark.parametrize("shelf", SHELVES)
def test_what_a_shelf_names_stands_on_it(shelf):
    """A name in a paragraph is a module or a function of the shelf, one of the room, or a table."""
    door = ROOM / shelf / "__init__.py"
    said = ast.get_docstring(ast.parse(door.read_text(encoding="utf-8"))) or ""
    assert said
    modules = {path.stem for path in door.parent.glob("*.py")} - {"__init__"}
    known = {*modules, *SHELVES, *metrics.__all__, *TABLES, GROUP}
    for name in modules:
        known |= set(dir(import_module(f"eval_pipeline.metrics.{shelf}.{name}")))
    strange = [word for word in WORD.findall(said) if word not in known]
    assert not [word for word in strange if not (ROOM / f"{word.replace('.', '/')}.py").exists()]
