"""The table digest written from its definition, one Python value at a time."""

import hashlib
import json
import struct
from typing import Any

import pyarrow as pa


def digest(table: pa.Table) -> str:
    columns = [[f.name, type_name(f.type), f.nullable] for f in table.schema]
    header = {"algorithm": 1, "columns": columns, "rows": table.num_rows}
    stream = json.dumps(header, separators=(",", ":")).encode()
    for field in table.schema:
        stream += column(table[field.name].to_pylist(), field.type)
    return hashlib.sha256(stream).hexdigest()


def type_name(type_: pa.DataType) -> str:
    if pa.types.is_map(type_):
        return f"map<{type_name(type_.key_type)},{type_name(type_.item_type)}>"
    if pa.types.is_list(type_):
        return f"list<{type_name(type_.value_type)}>"
    if pa.types.is_struct(type_):
        return "struct<" + ",".join(f'"{f.name}":{type_name(f.type)}' for f in type_) + ">"
    return str(type_)


def column(values: list[Any], type_: pa.DataType) -> bytes:
    stream = b"\x00"
    if None in values:
        stream = b"\x01" + bytes(value is not None for value in values)
    present = [value for value in values if value is not None]
    if pa.types.is_string(type_):
        stream += whole_numbers([0 if v is None else len(v.encode()) for v in values])
        return stream + b"".join(v.encode() for v in present)
    if pa.types.is_boolean(type_):
        return stream + bytes(bool(v) for v in values)
    if pa.types.is_floating(type_):
        return stream + b"".join(floating(0.0 if v is None else v) for v in values)
    if pa.types.is_integer(type_):
        return stream + whole_numbers([v or 0 for v in values])
    if pa.types.is_map(type_):
        entry = pa.struct([type_.key_field, type_.item_field])
        named = [v and [dict(zip(("key", "value"), e, strict=True)) for e in v] for v in values]
        return stream + lists(named, entry)
    if pa.types.is_list(type_):
        return stream + lists(values, type_.value_type)
    return stream + b"".join(
        column([v and v[field.name] for v in values], field.type) for field in type_
    )


def lists(values: list[Any], inner: pa.DataType) -> bytes:
    flat = [one for value in values if value is not None for one in value]
    return whole_numbers([len(v or ()) for v in values]) + column(flat, inner)


def whole_numbers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def floating(value: float) -> bytes:
    if value != value:
        return whole_numbers([0, 32768])
    if abs(value) == float("inf"):
        return whole_numbers([1 if value > 0 else -1, 32768])
    if value == 0:
        return whole_numbers([0, 0])
    digits, _, exponent = f"{value:.11e}".partition("e")
    return whole_numbers([int(digits.replace(".", "")), int(exponent)])
