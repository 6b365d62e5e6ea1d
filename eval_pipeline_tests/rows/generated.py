"""The modules of `eval_pipeline.rows`, made from the registry of tables."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

import eval_pipeline.rows
from eval_pipeline.warehouse.schemas import TABLES, Column, Table
from eval_pipeline.warehouse.schemas.across import ACROSS
from eval_pipeline.warehouse.schemas.agreement import AGREEMENT
from eval_pipeline.warehouse.schemas.calibration import CALIBRATION
from eval_pipeline.warehouse.schemas.contamination import CONTAMINATION
from eval_pipeline.warehouse.schemas.estimates import ESTIMATES
from eval_pipeline.warehouse.schemas.judgments import JUDGMENTS
from eval_pipeline.warehouse.schemas.leaderboard import LEADERBOARD
from eval_pipeline.warehouse.schemas.rankings import RANKINGS
from eval_pipeline.warehouse.schemas.samples import SAMPLES
from eval_pipeline.warehouse.schemas.scores import SCORES

ROWS = Path(eval_pipeline.rows.__file__).parent
GROUPS: Mapping[str, tuple[Table, ...]] = {
    "across": ACROSS,
    "agreement": AGREEMENT,
    "calibration": CALIBRATION,
    "contamination": CONTAMINATION,
    "estimates": ESTIMATES,
    "judgments": JUDGMENTS,
    "leaderboard": LEADERBOARD,
    "rankings": RANKINGS,
    "samples": SAMPLES,
    "scores": SCORES,
}
PYTHON = {
    pa.string(): "str",
    pa.int64(): "int",
    pa.int32(): "int",
    pa.float64(): "float",
    pa.bool_(): "bool",
    pa.list_(pa.string()): "list[str]",
    pa.list_(pa.float64()): "list[float]",
    pa.map_(pa.string(), pa.string()): "list[tuple[str, str]]",
    pa.map_(pa.string(), pa.float64()): "list[tuple[str, float]]",
}
HEAD = '''\
"""Rows of the tables of `warehouse.schemas.{group}`.

Generated: `python -m eval_pipeline_tests.rows` writes it anew after a change of the registry.
"""

from typing_extensions import ReadOnly, TypedDict
'''


def row_name(table: str) -> str:
    """`pair_plan` -> `PairPlanRow`."""
    return "".join(part.capitalize() for part in table.split("_")) + "Row"


def modules() -> dict[str, str]:
    """Text of each generated module, by its file below `eval_pipeline/rows`."""
    missing = TABLES.keys() - {table.name for group in GROUPS.values() for table in group}
    if missing:
        raise ValueError(f"no group holds {sorted(missing)}: name its schema module in GROUPS")
    texts = {f"{group}.py": _module(group, tables) for group, tables in GROUPS.items()}
    return {**texts, "__init__.pyi": _door()}


def _module(group: str, tables: tuple[Table, ...]) -> str:
    return HEAD.format(group=group) + "".join(f"\n\n{_row(table)}" for table in tables)


def _row(table: Table) -> str:
    columns = (*table.stamps, *table.columns)
    lines = [
        f"class {row_name(table.name)}(TypedDict):",
        f'    """A row of `{table.name}`."""',
        "",
        *(f"    {column.name}: ReadOnly[{_python(column)}]" for column in columns),
    ]
    return "\n".join(lines) + "\n"


def _python(column: Column) -> str:
    return PYTHON[column.type] + (" | None" if column.nullable else "")


def _door() -> str:
    named = [("reading", "rows_of"), ("reading", "table_of")]
    named += [(group, row_name(table.name)) for group, tables in GROUPS.items() for table in tables]
    return "".join(f"from .{module} import {name} as {name}\n" for module, name in sorted(named))
