"""The door of the warehouse: a table goes in, and comes out, as the registry says.

Nothing is inferred, cast or filled on the way in. On the way out, only columns that were added
to the registry later are filled, with null.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.warehouse.digest import map_entries
from eval_pipeline.warehouse.errors import DamagedPart, NewerSchema, SchemaViolated
from eval_pipeline.warehouse.schemas import Column, Table

_SHOWN = 60  # characters of an offending value in an error


def enforced(spec: Table, data: pa.Table, stamps: Mapping[str, str | int]) -> pa.Table:
    """The computed columns, checked, stamped in front and sorted, as they will lie in Parquet.

    `data` holds exactly the columns of `spec.columns` with exactly their types; their order and
    nullability flags are set from the registry. `stamps` holds exactly `spec.stamps`. Map
    entries are sorted by key. Rows are sorted by `spec.sort_order`, then by the key.

    Raises SchemaViolated that names the table, the column, the first row in fault with its
    key, and the mend.
    """
    _check_columns(spec, data.schema)
    data = data.select([c.name for c in spec.columns])
    for column in spec.columns:
        _check_values(spec, column, data)
    data = _sorted_rows(spec, data)
    columns = [
        pa.chunked_array([_sorted_entries(chunk) for chunk in data[c.name].chunks], c.type)
        if pa.types.is_map(c.type)
        else data[c.name]
        for c in spec.columns
    ]
    stamped = _stamp_arrays(spec, stamps, data.num_rows)
    return pa.Table.from_arrays([*stamped, *columns], schema=spec.stored_schema)


def readable(
    spec: Table, data: pa.Table, stored_version: int, columns: Sequence[str] | None = None
) -> pa.Table:
    """A stored table under today's schema; columns added since it was written are null.

    `columns` are those wanted, all where None; `data` holds those of them that the part has.
    Raises NewerSchema for a part of a later schema version, DamagedPart where the part does not
    fit the schema that it claims.
    """
    check_version(spec, stored_version)
    wanted = [
        field for field in spec.stored_schema if columns is None or field.name in set(columns)
    ]
    nullable = {c.name for c in spec.columns if c.nullable}
    arrays = []
    for field in wanted:
        if field.name in data.column_names:
            found = data.schema.field(field.name).type
            if found != field.type:
                raise DamagedPart(
                    f"table {spec.name}, column {field.name}: the part holds {found}, its schema "
                    f"version {stored_version} says {field.type}: delete the part and run again"
                )
            arrays.append(data[field.name])
        elif stored_version < spec.version and field.name in nullable:
            arrays.append(pa.nulls(data.num_rows, field.type))
        else:
            raise DamagedPart(
                f"table {spec.name}: the part of schema version {stored_version} lacks column "
                f"{field.name}: delete the part and run again"
            )
    return pa.Table.from_arrays(arrays, schema=pa.schema(wanted))


def check_version(spec: Table, stored_version: int) -> None:
    """Raises NewerSchema where this installation cannot know what a part means."""
    if stored_version > spec.version:
        raise NewerSchema(
            f"table {spec.name} was written under schema version {stored_version}, this "
            f"installation knows {spec.version}: install the eval_pipeline that wrote it"
        )


def _check_columns(spec: Table, schema: pa.Schema) -> None:
    known = {c.name: c.type for c in spec.columns}
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    unknown = sorted(set(schema.names) - known.keys())
    missing = [name for name in known if name not in schema.names]
    if twice:
        raise SchemaViolated(f"table {spec.name}: columns {twice} stand twice: keep one of each")
    if unknown:
        raise SchemaViolated(
            f"table {spec.name}: the registry knows no columns {unknown}: "
            "leave them out, or declare them in warehouse/schemas"
        )
    if missing:
        raise SchemaViolated(
            f"table {spec.name}: columns {missing} are missing: compute them, "
            f"or build the table with TABLES[{spec.name!r}].from_columns"
        )
    for name, type_ in known.items():
        if (found := schema.field(name).type) != type_:
            raise SchemaViolated(
                f"table {spec.name}, column {name}: type is {found}, the registry says {type_}: "
                f"build the table with TABLES[{spec.name!r}].from_columns"
            )


def _check_values(spec: Table, column: Column, data: pa.Table) -> None:
    values = data[column.name]
    if not column.nullable and values.null_count:
        mend = "give every row a value, or declare the column nullable"
        _refuse(spec, column, data, _rows_where(pc.is_null(values)), "is null", mend)
    if column.allowed:
        known = pc.is_in(values, value_set=pa.array(column.allowed, column.type))
        rows = _rows_where(pc.and_(pc.is_valid(values), pc.invert(known)))
        mend = f"use one of {', '.join(column.allowed)}"
        _refuse(spec, column, data, rows, "is not an allowed value", mend)
    for rows in _rows_not_finite(values):
        mend = "undefined is null, with the reason beside it"
        _refuse(spec, column, data, rows, "holds NaN or infinity", mend)
    if pa.types.is_map(column.type):
        rows = _rows_with_repeated_keys(values)
        _refuse(spec, column, data, rows, "holds a key twice", "keep one entry a key")


def _refuse(
    spec: Table, column: Column, data: pa.Table, rows: pa.Array, fault: str, mend: str
) -> None:
    """Raises for the first of the rows in fault, if there is any."""
    if len(rows) == 0:
        return
    row = rows[0].as_py()
    value = data[column.name][row].as_py()
    shown = "the value" if value is None else repr(value)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    more = f" ({len(rows) - 1} more such rows)" if len(rows) > 1 else ""
    raise SchemaViolated(
        f"table {spec.name}, column {column.name}, row {row} ({_key_text(spec, data, row)}): "
        f"{shown} {fault}{more}: {mend}"
    )


def _key_text(spec: Table, data: pa.Table, row: int) -> str:
    return ", ".join(f"{name}={data[name][row].as_py()!r}" for name in spec.key)


def _rows_where(mask: pa.ChunkedArray) -> pa.Array:
    return pc.indices_nonzero(mask)


def _rows_not_finite(values: pa.ChunkedArray) -> Iterator[pa.Array]:
    """For each float array at any depth of a column: the rows that hold a NaN or an infinity."""
    start = 0
    for chunk in values.chunks:
        rows = pa.array(np.arange(start, start + len(chunk)))
        for parents, numbers in _floats(rows, chunk):
            wrong = pc.invert(pc.fill_null(pc.is_finite(numbers), True))
            yield pc.unique(parents.filter(wrong))
        start += len(chunk)


def _floats(rows: pa.Array, values: pa.Array) -> Iterator[tuple[pa.Array, pa.Array]]:
    """Each float array inside `values`, with the row that each number belongs to."""
    if pa.types.is_floating(values.type):
        yield rows, values
    elif pa.types.is_list(values.type):
        yield from _floats(rows.take(pc.list_parent_indices(values)), values.flatten())
    elif pa.types.is_map(values.type):
        yield from _floats(rows, map_entries(values))
    elif pa.types.is_struct(values.type):
        for part in values.flatten():
            yield from _floats(rows, part)


def _rows_with_repeated_keys(values: pa.ChunkedArray) -> pa.Array:
    start = 0
    found = []
    for chunk in values.chunks:
        entries = _entry_table(chunk)
        entries = entries.take(_entry_order(entries))
        repeated = _equals_previous(entries, ("row", "key"))
        found += [start + row for row in entries["row"].filter(repeated).unique().to_pylist()]
        start += len(chunk)
    return pa.array(found, pa.int64())


def _sorted_entries(values: pa.MapArray) -> pa.MapArray:
    """Each row's entries in the order of their keys: a map has no order, its bytes have one."""
    entries = _entry_table(values)
    entries = entries.take(_entry_order(entries)).combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(map_entries(values)), 0)
    ends = pc.cumulative_sum(lengths.cast(pa.int32()))
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    key, value = (_whole(entries[name]) for name in ("key", "value"))
    return pa.MapArray.from_arrays(offsets, key, value, values.type, mask=values.is_null())


def _entry_table(values: pa.MapArray) -> pa.Table:
    entries = map_entries(values)
    key, value = entries.flatten().flatten()
    return pa.table({"row": pc.list_parent_indices(entries), "key": key, "value": value})


def _entry_order(entries: pa.Table) -> pa.Array:
    return pc.sort_indices(entries, [("row", "ascending"), ("key", "ascending")])


def _sorted_rows(spec: Table, data: pa.Table) -> pa.Table:
    """The rows in the registry's order; raises where a key stands twice."""
    by_key = _order(data, spec.key)
    in_order = data.select(spec.key).take(by_key)
    twice = by_key.filter(_equals_previous(in_order, spec.key))
    if len(twice):
        row = pc.min(twice).as_py()
        more = f" ({len(twice) - 1} more such rows)" if len(twice) > 1 else ""
        raise SchemaViolated(
            f"table {spec.name}, row {row}: the key ({_key_text(spec, data, row)}) stands on an "
            f"earlier row already{more}: keep one row a key"
        )
    rest = tuple(name for name in spec.key if name not in spec.sort_order)
    order = by_key if spec.sort_order == spec.key else _order(data, spec.sort_order + rest)
    if np.array_equal(order, np.arange(data.num_rows)):
        return data
    return data.take(order)


def _order(data: pa.Table, names: Sequence[str]) -> pa.Array:
    return pc.sort_indices(data, [(name, "ascending") for name in names])


def _equals_previous(data: pa.Table, names: Sequence[str]) -> pa.Array:
    """Whether each row has the same values as the row above it."""
    if data.num_rows == 0:
        return pa.array([], pa.bool_())
    same = pa.array(np.ones(data.num_rows - 1, bool))
    for name in names:
        values = _whole(data[name])
        same = pc.and_(same, pc.equal(values[1:], values[:-1]))
    return pa.concat_arrays([pa.array([False]), same])


def _whole(values: pa.ChunkedArray) -> pa.Array:
    return values.combine_chunks()


def _stamp_arrays(spec: Table, stamps: Mapping[str, str | int], length: int) -> list[pa.Array]:
    names = [c.name for c in spec.stamps]
    if sorted(stamps) != sorted(names):
        raise SchemaViolated(
            f"table {spec.name}: stamped with {sorted(stamps)}, "
            f"a table of {spec.scope} scope is stamped with {names}"
        )
    return [pa.repeat(pa.scalar(stamps[c.name], c.type), length) for c in spec.stamps]
