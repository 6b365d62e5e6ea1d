"""The row types: as the registry says, one a table, and read from it."""

from pathlib import Path

import pytest
from mypy import api as mypy_api

from eval_pipeline import rows
from eval_pipeline.rows.reading import rows_of, table_of
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline_tests.conftest import PROJECT
from eval_pipeline_tests.rows.generated import ROWS, modules, row_name


@pytest.mark.parametrize("file", sorted(modules()))
def test_the_types_are_those_of_the_registry(file: str) -> None:
    """After a wanted change: `python -m eval_pipeline_tests.rows`."""
    assert (ROWS / file).read_text(encoding="utf-8") == modules()[file]


@pytest.mark.parametrize("table", TABLES)
def test_each_table_has_a_type_with_its_columns_and_stamps(table: str) -> None:
    kind = getattr(rows, row_name(table))
    assert table_of(kind) == table
    assert list(kind.__annotations__) == TABLES[table].stored_schema.names


def test_rows_are_read_as_their_type() -> None:
    empty = TABLES["decisions"].stored_schema.empty_table()
    assert rows_of(rows.DecisionsRow, empty) == []
    with pytest.raises(ValueError, match=r"no rows of decisions: the columns \['outcome'\]"):
        rows_of(rows.DecisionsRow, empty.drop_columns(["outcome"]))


READER = """
from eval_pipeline.rows import {kind}

def value(row: {kind}) -> object:
    return row["{column}"]
"""


@pytest.mark.parametrize(("column", "sound"), [("outcome", True), ("outcomes", False)])
def test_a_renamed_column_fails_in_the_type_checker(
    tmp_path: Path, column: str, sound: bool
) -> None:
    module = tmp_path / "reader.py"
    module.write_text(READER.format(kind="DecisionsRow", column=column), encoding="utf-8")
    options = ["--config-file", str(PROJECT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    said, _, code = mypy_api.run([*options, "--follow-imports=silent", str(module)])
    assert (code == 0) == sound, said
    assert sound or 'has no key "outcomes"' in said
