"""Rows into Arrow, a batch at a time, so that Python objects never hold a whole file.

Values must already have their column's type: nothing is converted, so nothing is rounded.
"""

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa

from eval_pipeline.warehouse.schemas import Table

BATCH_ROWS = 8192
MERGED_BATCHES = 32  # small batches are quick to make, and slow to work with later


class TableBuilder:
    """Builds one table; `encoded` names text columns whose values come as UTF-8 bytes."""

    def __init__(self, table: Table, encoded: Collection[str] = ()) -> None:
        self._schema = table.schema
        self._encoded = encoded
        self._rows: list[tuple[Any, ...]] = []
        self._batches: list[pa.RecordBatch] = []
        self._small: list[pa.RecordBatch] = []

    def add_row(self, row: tuple[Any, ...]) -> None:
        """One row, its values in the order of the table's columns."""
        self._rows.append(row)
        if len(self._rows) >= BATCH_ROWS:
            self._close_rows()

    def add_columns(self, columns: Mapping[str, object]) -> None:
        """Several rows: lists or arrays; columns that the table does not have are passed over."""
        arrays = [self._array(columns[field.name], field) for field in self._schema]
        self._small.append(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
        if len(self._small) >= MERGED_BATCHES:
            self._merge()

    def finish(self) -> pa.Table:
        """All rows in the order they came; the builder must not be used again."""
        self._close_rows()
        self._merge()
        batches, self._batches = self._batches, []
        return pa.Table.from_batches(batches, schema=self._schema)

    def _array(self, values: Any, field: pa.Field) -> pa.Array:
        if isinstance(values, pa.Array):
            return values.cast(field.type)
        if field.name in self._encoded:
            # as strings they would be checked to be UTF-8, which is slower than all the rest
            return pa.array(values, pa.binary()).view(field.type)
        return pa.array(values, field.type)

    def _close_rows(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            self.add_columns(dict(zip(self._schema.names, columns, strict=True)))
            self._rows.clear()

    def _merge(self) -> None:
        if self._small:
            self._batches.append(pa.concat_batches(self._small))
            self._small.clear()
