"""Dependencies are declared as they are used, and pinned where digests are promised."""

import ast
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from eval_pipeline_tests.documents.generated import DOCS, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("judge", "math", "text", "distributed")  # `test` is what is left
CONSTRAINTS = DOCS / "constraints.txt"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+) \\$", re.MULTILINE)
NUMBERS = ("numpy", "scipy", "pyarrow", "duckdb", "numba")  # what digests pass through
PACKAGE_OF = {"yaml": "pyyaml"}  # module -> package, where its name is another
# Module of Dagster's inside -> what of ours breaks where it moves, and the names that it must hold.
PRIVATE = {
    "dagster._core.storage.event_log": ("event_log: events of runs", ("SqliteEventLogStorage",)),
    "dagster._core.storage.sqlite": ("event_log: locks", ("SQLITE_BUSY_TIMEOUT_SECONDS",)),
    "dagster._core.storage.sqlite_storage": ("event_log: the storage", ("DagsterSqliteStorage",)),
    "dagster._serdes": ("event_log: dagster.yaml", ("ConfigurableClassData",)),
}


def declared() -> dict[str, Requirement]:
    """Every package that the product may use, by its name."""
    lines = [*PROJECT["dependencies"]]
    lines += (line for extra in EXTRAS for line in PROJECT["optional-dependencies"][extra])
    named = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name): one for one in named}


def imported() -> dict[str, set[Path]]:
    """Modules of others that the product imports, and by which files."""
    found: dict[str, set[Path]] = {}
    for path in sorted((ROOT / "eval_pipeline").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                if name.split(".")[0] not in {*sys.stdlib_module_names, "eval_pipeline"}:
                    found.setdefault(name, set()).add(path)
    return found


def test_what_is_imported_is_declared() -> None:
    packages = {name.split(".")[0] for name in imported()}
    named = {canonicalize_name(PACKAGE_OF.get(name, name)) for name in packages}
    assert named <= declared().keys()


def test_the_inside_of_dagster_is_used_in_one_place() -> None:
    private = {name: files for name, files in imported().items() if re.match(r"dagster\._", name)}
    assert private.keys() == PRIVATE.keys()
    assert {path.name for files in private.values() for path in files} == {"event_log.py"}


@pytest.mark.parametrize("module", PRIVATE)
def test_the_inside_of_dagster_is_as_it_was(module: str) -> None:
    breaks, names = PRIVATE[module]
    held = importlib.import_module(module)
    assert all(hasattr(held, name) for name in names), f"Dagster moved what is behind {breaks}"


def test_what_digests_pass_through_has_an_upper_bound() -> None:
    assert all("<" in str(declared()[name].specifier) for name in NUMBERS)


def test_every_dependency_is_pinned_to_a_release_that_is_allowed() -> None:
    pinned = {canonicalize_name(name): version for name, version in pins()}
    assert not declared().keys() - pinned.keys()
    for name, requirement in declared().items():
        assert requirement.specifier.contains(pinned[name]), f"{requirement}: {pinned[name]}"


def test_every_pin_has_its_hashes_and_no_host() -> None:
    text = CONSTRAINTS.read_text(encoding="utf-8")
    blocks = [block for block in re.split(r"\n(?=\S)", text) if not block.startswith("#")]
    assert len(blocks) == len(pins())
    assert all("--hash=sha256:" in block for block in blocks)
    assert not re.search(r"https?:|--index|--find-links|--extra-index", text)


def test_the_top_level_stays_as_it_is() -> None:
    visible = {
        "LICENSE",
        "README.md",
        "data",
        "eval_pipeline",
        "eval_pipeline_tests",
        "pyproject.toml",
        "workspace.yaml",
    }
    generated = {"build", "dist", "venv", "eval_pipeline.egg-info"}
    here = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert visible <= here
    assert here <= visible | generated


def pins() -> list[tuple[str, str]]:
    return PINNED.findall(CONSTRAINTS.read_text(encoding="utf-8"))
