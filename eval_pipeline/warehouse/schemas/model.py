"""What a table is: its columns, key, order and scope, each said once.

Enforcement, Dagster column metadata, DuckDB comments and the reference derive from it.
"""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

Scope = Literal["checkpoint", "contract"]

STRING = pa.string()
INT = pa.int64()
SMALL = pa.int32()
FLOAT = pa.float64()
BOOL = pa.bool_()
STRINGS = pa.list_(pa.string())
FLOATS = pa.list_(pa.float64())
LABELS = pa.map_(pa.string(), pa.string())
NUMBERS = pa.map_(pa.string(), pa.float64())


@dataclass(frozen=True)
class Column:
    """One column: its meaning with unit and range, its type, what it may hold."""

    name: str
    type: pa.DataType
    meaning: str
    nullable: bool = False
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """One table of the warehouse.

    `columns` are what a stage computes. On publication the warehouse stamps `contract`,
    `version` and, for tables of checkpoint scope, `checkpoint` in front of them.
    """

    name: str
    meaning: str
    scope: Scope
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    version: int = 1
    order: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [c.name for c in self.columns]
        if len(set(names)) != len(names):
            raise ValueError(f"table {self.name}: a column name stands twice")
        missing = [c for c in (*self.key, *self.order) if c not in names]
        if missing:
            raise ValueError(f"table {self.name}: key or order names unknown columns {missing}")

    @property
    def sort_order(self) -> tuple[str, ...]:
        """The columns by which rows are sorted; the key where nothing else is declared."""
        return self.order or self.key

    @property
    def stamps(self) -> tuple[Column, ...]:
        """The columns that the warehouse adds."""
        return STAMPS if self.scope == "checkpoint" else STAMPS[:2]

    @property
    def schema(self) -> pa.Schema:
        """The computed columns as an Arrow schema."""
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in self.columns])

    @property
    def stored_schema(self) -> pa.Schema:
        """The stamped and the computed columns, as they lie in Parquet."""
        columns = (*self.stamps, *self.columns)
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in columns])

    def from_rows(self, rows: Sequence[Mapping[str, object]]) -> pa.Table:
        """Rows as a typed table; a nullable column that a row leaves out is null.

        Raises ValueError for an unknown or missing column: no type or name is inferred.
        """
        known = {c.name for c in self.columns}
        needed = {c.name for c in self.columns if not c.nullable}
        seen: set[tuple[str, ...]] = set()  # rows of one writer have one set of keys
        for i, row in enumerate(rows):
            if (names := tuple(row)) in seen:
                continue
            if extra := sorted(row.keys() - known):
                raise ValueError(f"table {self.name}, row {i}: unknown columns {extra}")
            if lacking := sorted(needed - row.keys()):
                raise ValueError(f"table {self.name}, row {i}: missing columns {lacking}")
            seen.add(names)
        return pa.Table.from_pydict(
            {c.name: _typed([r.get(c.name) for r in rows], c.type) for c in self.columns},
            schema=self.schema,
        )

    def from_columns(self, columns: Mapping[str, Sized]) -> pa.Table:
        """Columns (arrays or lists of one length) as a typed table; unnamed nullable ones are null.

        Raises ValueError for an unknown or missing column.
        """
        known = {c.name for c in self.columns}
        if extra := sorted(columns.keys() - known):
            raise ValueError(f"table {self.name}: unknown columns {extra}")
        lacking = sorted(c.name for c in self.columns if not c.nullable and c.name not in columns)
        if lacking:
            raise ValueError(f"table {self.name}: missing columns {lacking}")
        length = len(next(iter(columns.values())))
        data = {
            c.name: _typed(columns[c.name], c.type)
            if c.name in columns
            else pa.nulls(length, c.type)
            for c in self.columns
        }
        return pa.Table.from_pydict(data, schema=self.schema)

    def empty(self) -> pa.Table:
        """No rows, every column typed."""
        return self.schema.empty_table()


def _typed(values: Any, type_: pa.DataType) -> Any:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values.cast(type_)
    return pa.array(values, type_, from_pandas=True)  # NaN is undefined, and undefined is null


STAMPS = (
    Column("contract", STRING, "Name of the evaluation contract."),
    Column("version", SMALL, "Version of the contract."),
    Column("checkpoint", STRING, "Name of the checkpoint."),
)
