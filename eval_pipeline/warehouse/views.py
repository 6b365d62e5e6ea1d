"""The tables as DuckDB sees them: SQL made from the registry and from what lineage says stands.

Every table has a view, also one without rows, and each column has the registry's type: DuckDB
infers nothing, so whole numbers in one part cannot round the fractions of another.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import duckdb
import pyarrow as pa

from eval_pipeline.warehouse.enforcement import check_version
from eval_pipeline.warehouse.errors import DamagedPart
from eval_pipeline.warehouse.pointer import Pointer
from eval_pipeline.warehouse.schemas import TABLES, Column, Table

LINEAGE_VIEW = "lineage"
_LINEAGE_MEANING = "One row an attempt at a table: what came out, what it was made of, how it went."
_LINEAGE_COLUMNS = {
    "id": ("VARCHAR", "Id of the record; ids sort by time."),
    "table": ("VARCHAR", "Name of the table."),
    "contract": ("VARCHAR", "Name of the evaluation contract."),
    "version": ("INTEGER", "Version of the contract."),
    "checkpoint": ("VARCHAR", "Name of the checkpoint; null for tables of contract scope."),
    "identity": ("VARCHAR", "Identity digest of the contract."),
    "stage": ("VARCHAR", "Stage that computed it."),
    "key": ("VARCHAR", "Staleness key: digest of all that could change the numbers."),
    "outcome": ("VARCHAR", "ok, unchanged (the same values as before) or failed."),
    "detail": ("VARCHAR", "Why it failed."),
    "digest": ("VARCHAR", "sha256 of schema and values; null where nothing was computed."),
    "rows": ("BIGINT", "Rows of the table."),
    "schema_version": ("INTEGER", "Version of the table's schema."),
    "checks": (
        "STRUCT(name VARCHAR, passed BOOLEAN, detail VARCHAR)[]",
        "Blocking checks and what they found.",
    ),
    "instruments": ("MAP(VARCHAR, VARCHAR)", "Versions of all that shaped the numbers."),
    "packages": ("MAP(VARCHAR, VARCHAR)", "Versions of the packages; recorded, never keyed."),
    "seed": ("BIGINT", "Seed of the contract."),
    "notes": ("MAP(VARCHAR, VARCHAR)", "What the stage said of how it worked; never keyed."),
    "run_id": ("VARCHAR", "Run that made the attempt."),
    "attempt": ("INTEGER", "Number of the attempt under this key, from 1."),
    "started_at": ("VARCHAR", "When it began, ISO 8601, UTC."),
    "written_at": ("VARCHAR", "When it was recorded, ISO 8601, UTC."),
    "inputs": (
        'STRUCT(tables STRUCT("table" VARCHAR, contract VARCHAR, version INTEGER, '
        "checkpoint VARCHAR, digest VARCHAR)[], "
        "files STRUCT(path VARCHAR, sha256 VARCHAR, bytes BIGINT)[])",
        "Tables and raw files that were really read.",
    ),
}


def table_views(pointers: Iterable[Pointer], tables: str) -> list[str]:
    """Statements that create a commented view for each table of the registry.

    `tables` is how the folder of tables is called from where DuckDB stands.
    Raises NewerSchema where a part was written by a later version of the project.
    """
    parts: dict[str, list[Pointer]] = defaultdict(list)
    for pointer in pointers:
        check_version(TABLES[pointer.table], pointer.schema_version)
        parts[pointer.table].append(pointer)
    statements = []
    for spec in TABLES.values():
        statements.append(_table_view(spec, parts[spec.name], tables))
        statements.append(f"COMMENT ON VIEW {_name(spec.name)} IS {_text(spec.meaning)}")
        statements += [
            _column_comment(spec.name, column.name, _column_meaning(column))
            for column in (*spec.stamps, *spec.columns)
        ]
    return statements


def lineage_view(files: Sequence[str]) -> list[str]:
    """Statements that create the view over lineage; `files` may be patterns.

    A record that lies in two files, while its segment is being made, counts once.
    """
    columns = ", ".join(
        f"{_name(name)}: {_text(type_)}" for name, (type_, _) in _LINEAGE_COLUMNS.items()
    )
    names = ", ".join(_name(name) for name in _LINEAGE_COLUMNS)
    if files:
        source = (
            f"SELECT {names} FROM read_json({_list(files)}, format = 'newline_delimited', "
            f"columns = {{{columns}}}, hive_partitioning = false) "
            "QUALIFY row_number() OVER (PARTITION BY id) = 1"
        )
    else:
        source = _no_rows((name, type_) for name, (type_, _) in _LINEAGE_COLUMNS.items())
    return [
        f"CREATE VIEW {LINEAGE_VIEW} AS {source}",
        f"COMMENT ON VIEW {LINEAGE_VIEW} IS {_text(_LINEAGE_MEANING)}",
        *(
            _column_comment(LINEAGE_VIEW, name, meaning)
            for name, (_, meaning) in _LINEAGE_COLUMNS.items()
        ),
    ]


def create_views(connection: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> None:
    """Raises DamagedPart where a file under a view cannot be read."""
    try:
        for statement in statements:
            connection.execute(statement)
    except duckdb.Error as error:
        raise DamagedPart(
            f"a view cannot be made ({one_line(error)}): delete that file and run again"
        ) from error


def one_line(error: duckdb.Error) -> str:
    """DuckDB's message without the drawing of the statement."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split())


def duckdb_type(type_: pa.DataType) -> str:
    """The DuckDB type of a column of the registry.

    Raises TypeError for an Arrow type that no table uses yet.
    """
    if pa.types.is_map(type_):
        return f"MAP({duckdb_type(type_.key_type)}, {duckdb_type(type_.item_type)})"
    if pa.types.is_list(type_):
        return f"{duckdb_type(type_.value_type)}[]"
    names = {
        pa.string(): "VARCHAR",
        pa.int32(): "INTEGER",
        pa.int64(): "BIGINT",
        pa.float64(): "DOUBLE",
        pa.bool_(): "BOOLEAN",
    }
    if type_ not in names:
        raise TypeError(f"no DuckDB type is declared for {type_}: add it to warehouse/views.py")
    return names[type_]


def _table_view(spec: Table, pointers: Sequence[Pointer], tables: str) -> str:
    """Parts of one schema version are alike; older ones lack columns, which come out null."""
    typed = [(c.name, duckdb_type(c.type)) for c in (*spec.stamps, *spec.columns)]
    by_schema: dict[int, list[str]] = defaultdict(list)
    for pointer in sorted(pointers, key=lambda p: p.place.sort_key):
        path = f"{tables}/{pointer.place.folder}/{pointer.file}"
        by_schema[pointer.schema_version].append(path)
    sources = [
        f"SELECT * FROM read_parquet({_list(files)}, hive_partitioning = false)"
        for _, files in sorted(by_schema.items())
    ]
    names = ", ".join(_name(name) for name, _ in typed)
    together = " UNION ALL BY NAME ".join([_no_rows(typed), *sources])
    return f"CREATE VIEW {_name(spec.name)} AS SELECT {names} FROM ({together})"


def _no_rows(columns: Iterable[tuple[str, str]]) -> str:
    typed = ", ".join(f"NULL::{type_} AS {_name(name)}" for name, type_ in columns)
    return f"SELECT {typed} WHERE false"


def _column_meaning(column: Column) -> str:
    allowed = f" One of {', '.join(column.allowed)}." if column.allowed else ""
    return column.meaning + allowed


def _column_comment(table: str, column: str, meaning: str) -> str:
    return f"COMMENT ON COLUMN {_name(table)}.{_name(column)} IS {_text(meaning)}"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(_text(text) for text in texts)}]"
