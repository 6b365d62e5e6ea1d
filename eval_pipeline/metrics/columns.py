"""Columns of the samples of one checkpoint, read and checked when a metric asks for them.

A column is named as in the registry: `generations.confidence`, `items.references`. Its key is a
column of the table or, where the table has none, a key of the raw row that ingest kept. All arrays
line up with `Samples`: sorted by item and draw; what belongs to an item is repeated for each draw.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from eval_pipeline.metrics.entry import KINDS, Kind, MetricColumn

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = NDArray[Any]
ReadVectors = Callable[[str, str], Values]  # table and file to an array, a row an image

KEY = ("item_id", "draw")
EXTRA = "extra"
OF_ITEMS = ("items", "contamination_items")
_SHOWN = 40  # characters of a value that an error quotes


@dataclass(frozen=True)
class Columns:
    """The further columns of samples.

    ids: name of each item; item, draw: which sample a row is, shape (samples,); tables: rows that
    line up with the items (those `OF_ITEMS`) or with the samples (any other); clustered_by: the key
    of an item that stands in `cluster_id`; vectors: the array of a file that rows of a table name;
    made: what metrics made of these samples before.
    """

    ids: Values
    item: Ints
    draw: Ints
    tables: Mapping[str, pa.Table]
    clustered_by: str = "item_id"
    vectors: ReadVectors | None = field(default=None, compare=False)
    made: dict[Any, Any] = field(default_factory=dict, compare=False)
    _read: dict[tuple[str, Kind], Values] = field(default_factory=dict, compare=False)
    _there: dict[tuple[str, Kind], Bools] = field(default_factory=dict, compare=False)
    _extra: dict[str, list[Mapping[str, object]]] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.item)

    def values(self, column: MetricColumn) -> Values:
        """The column, shape (samples,): floats with NaN, or objects with None, where it lacks.

        Raises ValueError that names the first sample (or item) whose value is of another kind.
        """
        asked = (column.name, column.kind)
        if asked not in self._read:
            values = self._own(column)
            self._read[asked] = values[self.item] if column.table in OF_ITEMS else values
        return self._read[asked]

    def of_items(self, column: MetricColumn) -> Values:
        """A column of the items, a value an item and not a sample, shape (items,)."""
        return self._own(column)

    def present(self, column: MetricColumn) -> Bools:
        """Which samples have the column, shape (samples,)."""
        asked = (column.name, column.kind)
        if asked not in self._there:
            self._there[asked] = ~_lacks(self.values(column))
        return self._there[asked]

    def name(self, row: int) -> str:
        """How a sample is named to people."""
        return f"item {self.ids[self.item[row]]!r}, draw {self.draw[row]}"

    def _own(self, column: MetricColumn) -> Values:
        """As many values as its table has rows, those of `instead` where a row lacks the first."""
        values = self._checked(self._raw(column), column)
        if not column.instead:
            return values
        other = replace(column, name=f"{column.table}.{column.instead}", instead="")
        return np.where(_lacks(values), self._checked(self._raw(other), other), values)

    def _raw(self, column: MetricColumn) -> pa.ChunkedArray | list[Any]:
        """As stored: an Arrow column, or the values of a key of the raw rows."""
        table = self.tables.get(column.table)
        n = len(self.ids) if column.table in OF_ITEMS else len(self)
        if table is None:
            return [None] * n
        if column.key in table.column_names:
            return table[column.key]
        if column.table == "items" and column.key == self.clustered_by:
            return table["cluster_id"]
        key = column.key
        return [row.get(key) for row in self._rows(column.table, table)]

    def _rows(self, name: str, table: pa.Table) -> list[Mapping[str, object]]:
        if name not in self._extra:
            kept = table[EXTRA].to_pylist() if EXTRA in table.column_names else []
            # read as one text: a call a row takes twice as long
            rows = json.loads(f"[{','.join(text or '{}' for text in kept)}]")
            rows = rows or [{}] * table.num_rows
            if "slices" in table.column_names:
                sliced = table["slices"].to_pylist()
                rows = [{**dict(s or ()), **row} for s, row in zip(sliced, rows, strict=True)]
            self._extra[name] = rows
        return self._extra[name]

    def _checked(self, raw: pa.ChunkedArray | list[Any], column: MetricColumn) -> Values:
        if isinstance(raw, pa.ChunkedArray):
            if pa.types.is_floating(raw.type) or pa.types.is_integer(raw.type):
                floats = raw.to_numpy(zero_copy_only=False).astype(np.float64)
                known = ~np.asarray(raw.is_null().to_numpy(zero_copy_only=False), dtype=bool)
                wrong = known & ~_within(column.kind, floats)
                self._refuse(wrong, floats, column)
                return np.where(known, floats, np.nan)
            if column.kind == "numbers" and pa.types.is_list(raw.type):
                return self._lists(raw, column)
            raw = raw.to_pylist()
        reads = _READS[column.kind]
        if column.kind == "features":
            reads = partial(self._features, column.table)
        found = np.empty(len(raw), dtype=object)
        wrong = np.zeros(len(raw), dtype=bool)
        for i, value in enumerate(raw):
            if value is None:
                continue
            found[i] = reads(value)
            wrong[i] = found[i] is None
        self._refuse(wrong, raw, column)
        if column.kind in ("score", "share", "number"):
            return np.array([np.nan if v is None else v for v in found], dtype=np.float64)
        return found

    def _features(self, table: str, value: Any) -> Values | None:
        """A list of numbers, or the row of a file that the value names."""
        if not isinstance(value, dict):
            return _numbers(value)
        file, row = value.get("file"), value.get("row")
        if value.keys() != {"file", "row"} or not isinstance(file, str) or type(row) is not int:
            return None
        if self.vectors is None:
            raise ValueError(f"{file!r:.80} cannot be read here: give the features themselves")
        array = self.vectors(table, file)
        if not 0 <= row < len(array):
            raise ValueError(
                f"{table} name row {row} of {file}, which has rows 0 to {len(array) - 1}"
            )
        vector: Values = array[row]
        return vector

    def _lists(self, raw: pa.ChunkedArray, column: MetricColumn) -> Values:
        """Lists of numbers straight from Arrow: a loop over tokens would take seconds."""
        lists = raw.combine_chunks()
        flat = lists.flatten().to_numpy(zero_copy_only=False).astype(np.float64)
        sizes = np.asarray(lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False))
        known = lists.is_valid().to_numpy(zero_copy_only=False)
        ends = np.cumsum(sizes)
        found = np.empty(len(lists), dtype=object)
        owner = np.repeat(np.arange(len(lists)), sizes)
        wrong = np.zeros(len(lists), dtype=bool)
        wrong[owner[~np.isfinite(flat)]] = True
        for i in np.flatnonzero(known):
            found[i] = flat[ends[i] - sizes[i] : ends[i]]
        self._refuse(wrong, found, column)
        return found

    def _refuse(self, wrong: Bools, values: Sequence[Any] | Values, column: MetricColumn) -> None:
        """Raises ValueError that names the first wrong value and where it stands."""
        if not wrong.any():
            return
        i = int(np.flatnonzero(wrong)[0])
        of_item = column.table in OF_ITEMS
        where = f"item {self.ids[i]!r}" if of_item else self.name(i)
        said = repr(values[i]) if isinstance(values[i], str) else str(values[i])
        said = said if len(said) <= _SHOWN else said[:_SHOWN] + "..."
        others = int(wrong.sum()) - 1
        more = f" ({others} more such {'items' if of_item else 'samples'})" if others else ""
        raise ValueError(
            f"{where}: {column.name} is {said}, must be {KINDS[column.kind]}{more}: mend the row"
        )


def aligned(table: pa.Table, ids: Values, item: Ints, draw: Ints, name: str) -> pa.Table:
    """The rows of a table of samples in the order of the samples.

    Raises ValueError where the table has other samples.
    """
    place = {one: i for i, one in enumerate(ids)}
    theirs = np.array([place.get(one, -1) for one in table["item_id"].to_pylist()], dtype=np.int64)
    drawn = table["draw"].to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.lexsort((drawn, theirs))
    same = len(order) == len(item)
    if (
        not same
        or not np.array_equal(theirs[order], item)
        or not np.array_equal(drawn[order], draw)
    ):
        raise ValueError(f"{name} holds {len(order)} samples, not the {len(item)} that were scored")
    return table.take(pa.array(order))


def _lacks(values: Values) -> Bools:
    if values.dtype.kind == "f":
        return np.isnan(values)
    return np.array([value is None for value in values], dtype=bool)


def _within(kind: Kind, values: NDArray[np.float64]) -> Bools:
    if kind in ("score", "share"):
        return np.asarray((values >= 0) & (values <= 1))
    if kind == "number":
        return np.isfinite(values)
    return np.zeros(len(values), dtype=bool)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _share(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _texts(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    right = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    return value if right else None


def _numbers(value: Any) -> NDArray[np.float64] | None:
    if not isinstance(value, list):
        return None
    numbers = [_number(one) for one in value]
    return None if None in numbers else np.array(numbers, dtype=np.float64)


def _matrix(value: Any) -> NDArray[np.float64] | None:
    rows = [_numbers(row) for row in value] if isinstance(value, list) else []
    full = [row for row in rows if row is not None]
    if not full or len(full) < len(rows) or len({len(row) for row in full}) > 1:
        return None
    return np.array(full)


def _flags(value: Any) -> Bools | None:
    right = isinstance(value, list) and all(isinstance(one, bool) for one in value)
    return np.array(value, dtype=bool) if right else None


_READS: Mapping[Kind, Callable[[Any], Any]] = {
    "score": _share,
    "share": _share,
    "number": _number,
    "flag": lambda value: value if isinstance(value, bool) else None,
    "flags": _flags,
    "text": lambda value: value if isinstance(value, str) else None,
    "texts": _texts,
    "numbers": _numbers,
    "matrix": _matrix,
    "features": _numbers,
    "json": lambda value: value,
    "status": lambda value: value if isinstance(value, str) else None,
}
