"""The shelves of orchestration: which know Dagster, and which hold stages and nothing else."""

import ast
from pathlib import Path

import eval_pipeline
from eval_pipeline.orchestration.chain import CHAIN

ROOM = Path(eval_pipeline.__file__).parent / "orchestration"
WITH_DAGSTER = ("code_location", "running", "event_log.py")


def names_dagster(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    named = [
        name.split(".")[0]
        for node in nodes
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return "dagster" in named


def test_dagster_stands_on_two_shelves_and_where_its_configuration_names_us() -> None:
    knowing = {
        path.relative_to(ROOM).parts[0] for path in ROOM.rglob("*.py") if names_dagster(path)
    }
    assert knowing == set(WITH_DAGSTER)


def test_what_is_no_stage_is_not_among_the_stages() -> None:
    modules = {path.stem for path in (ROOM / "stages").glob("*.py")} - {"__init__"}
    assert modules == {stage.name for stage in CHAIN}
