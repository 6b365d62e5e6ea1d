"""What a table says, as one sha256: the same however it is chunked, encoded or stored.

The digest covers column names, types, nullability and every value, in row order. Floats count
with 12 significant digits: the last three or so of a double move with the order of a sum, and
such noise must not look like a new result.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Block: TypeAlias = Any  # what gives its bytes; Python 3.11 has no name for that

ALGORITHM = 1  # a change of anything below is a new number: digests of two algorithms never meet
SIGNIFICANT_DIGITS = 12

_LARGEST_POWER = 308
_POWERS = np.array([float(f"1e{k}") for k in range(_LARGEST_POWER + 1)])
_NEAR_TIE = 1e-3  # scaling errs by less than 5e-4 of the last kept digit
_NOT_FINITE = 1 << 15  # an exponent that no double has


def table_digest(table: pa.Table) -> str:
    """sha256 (hex) of a table's schema and values; row order counts.

    Takes null, boolean, integer, float, string, binary, date, time and timestamp columns, and
    lists, maps and structs of them. Raises TypeError for any other type.
    Dictionary and large types count as what they stand for; -0.0 counts as 0.0.
    """
    columns = [[f.name, _type_text(f.type), f.nullable] for f in table.schema]
    header = {"algorithm": ALGORITHM, "columns": columns, "rows": table.num_rows}
    digest = hashlib.sha256(json.dumps(header, separators=(",", ":")).encode())
    for column in table.columns:
        for block in _blocks(column.chunks, column.type):
            digest.update(block)
    return digest.hexdigest()


def file_digest(path: Path) -> tuple[str, int]:
    """sha256 (hex) and size in bytes of what was read from a file."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return digest.hexdigest(), file.tell()


def significant(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Each value as (whole number of 12 digits, exponent of ten), shape (n, 2).

    The digits are those of `f"{value:.11e}"`, rounded half to even on the exact binary value;
    zero is (0, 0).
    """
    pairs = np.zeros((len(values), 2), "<i8")
    finite = np.isfinite(values)
    pairs[np.isnan(values)] = (0, _NOT_FINITE)
    pairs[np.isinf(values), 1] = _NOT_FINITE
    pairs[values == np.inf, 0] = 1
    pairs[values == -np.inf, 0] = -1
    at = np.flatnonzero(finite & (values != 0))
    size = np.abs(values[at])
    exponent = np.floor(np.log10(size)).astype(np.int64)
    shift = SIGNIFICANT_DIGITS - 1 - exponent
    beyond = shift > _LARGEST_POWER
    shift[beyond] = 0
    power = _POWERS[np.abs(shift)]
    up = shift > 0  # one rounded operation each, by a power that is exact up to 1e22
    scaled = size.copy()
    scaled[up] *= power[up]
    scaled[~up] /= power[~up]
    digits = np.rint(scaled)
    carried = digits >= 10**SIGNIFICANT_DIGITS
    unsure = np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_TIE
    unsure |= digits < 10 ** (SIGNIFICANT_DIGITS - 1)
    digits[carried] /= 10
    whole = digits.astype(np.int64)
    exponent[carried] += 1
    for i in np.flatnonzero(unsure):  # rare: the decimal printer is exact, and slow
        mantissa, _, power_text = f"{size[i]:.{SIGNIFICANT_DIGITS - 1}e}".partition("e")
        whole[i], exponent[i] = int(mantissa.replace(".", "")), int(power_text)
    pairs[at, 0] = np.where(values[at] < 0, -whole, whole)
    pairs[at, 1] = exponent
    return pairs


def map_entries(values: pa.MapArray) -> pa.ListArray:
    """A map column as lists of (key, value) structs, which slice and flatten as lists do."""
    return values.cast(pa.list_(_entry_type(values.type)))


def _entry_type(type_: pa.MapType) -> pa.StructType:
    return pa.struct([type_.key_field, type_.item_field])


def _type_text(type_: pa.DataType) -> str:
    """The type's name without what only says how it is stored."""
    if pa.types.is_dictionary(type_):
        return _type_text(type_.value_type)
    if pa.types.is_map(type_):
        return f"map<{_type_text(type_.key_type)},{_type_text(type_.item_type)}>"
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return f"list<{_type_text(type_.value_type)}>"
    if pa.types.is_struct(type_):
        fields = (f"{json.dumps(f.name)}:{_type_text(f.type)}" for f in type_.fields)
        return f"struct<{','.join(fields)}>"
    if pa.types.is_large_string(type_) or pa.types.is_string_view(type_):
        return "string"
    if pa.types.is_large_binary(type_) or pa.types.is_binary_view(type_):
        return "binary"
    return str(type_)


def _blocks(chunks: list[pa.Array], type_: pa.DataType) -> Iterator[Block]:
    """The bytes of a column: which rows are null, then its values.

    Each stream runs over all chunks before the next begins, so that chunking leaves no trace;
    the lengths in front of every variable part keep two tables from sharing one stream.
    """
    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
        chunks = [chunk.dictionary_decode() for chunk in chunks]
    if any(chunk.null_count for chunk in chunks):
        yield b"\x01"
        for chunk in chunks:
            yield _numpy(chunk.is_valid()).astype(np.uint8)
    else:
        yield b"\x00"
    if pa.types.is_null(type_):
        return
    if pa.types.is_map(type_):
        chunks = [map_entries(chunk) for chunk in chunks]
        type_ = pa.list_(_entry_type(type_))
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        for chunk in chunks:
            lengths = pc.fill_null(pc.list_value_length(chunk), 0)
            yield _numpy(lengths).astype("<i8")
        yield from _blocks([chunk.flatten() for chunk in chunks], type_.value_type)
    elif pa.types.is_struct(type_):
        parts = [chunk.flatten() for chunk in chunks]
        for i, part in enumerate(type_.fields):
            yield from _blocks([fields[i] for fields in parts], part.type)
    elif _is_text(type_):
        yield from _text_blocks(chunks)
    else:
        for chunk in chunks:
            yield _fixed_width(chunk, type_)


def _is_text(type_: pa.DataType) -> bool:
    is_view = pa.types.is_string_view(type_) or pa.types.is_binary_view(type_)
    is_large = pa.types.is_large_string(type_) or pa.types.is_large_binary(type_)
    return bool(pa.types.is_string(type_) or pa.types.is_binary(type_) or is_large or is_view)


def _text_blocks(chunks: list[pa.Array]) -> Iterator[Block]:
    data = []
    for chunk in chunks:
        plain = chunk.cast(pa.large_binary())
        if plain.null_count:
            plain = pc.fill_null(plain, b"")
        _, offsets_buffer, bytes_buffer = plain.buffers()
        if len(plain) == 0:
            continue
        offsets = np.frombuffer(offsets_buffer, np.int64, len(plain) + 1, plain.offset * 8)
        yield np.diff(offsets).astype("<i8")
        if offsets[-1] > offsets[0]:
            data.append(bytes_buffer.slice(offsets[0], offsets[-1] - offsets[0]))
    yield from data


def _fixed_width(chunk: pa.Array, type_: pa.DataType) -> NDArray[np.generic]:
    if pa.types.is_floating(type_):
        return significant(_numpy(pc.fill_null(chunk.cast(pa.float64()), 0.0)))
    if pa.types.is_boolean(type_):
        return _numpy(pc.fill_null(chunk, False)).astype(np.uint8)
    if pa.types.is_uint64(type_):
        return _numpy(pc.fill_null(chunk, 0)).astype("<u8")
    if pa.types.is_date32(type_) or pa.types.is_time32(type_):
        chunk = chunk.cast(pa.int32())
    elif not pa.types.is_integer(type_):
        if not pa.types.is_temporal(type_):
            raise TypeError(f"no digest is defined for columns of type {type_}")
        chunk = chunk.cast(pa.int64())
    return _numpy(pc.fill_null(chunk, 0)).astype("<i8")


def _numpy(array: pa.Array) -> NDArray[Any]:
    values: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return values
