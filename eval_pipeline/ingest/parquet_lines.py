"""Parquet files of rows, read as if each row were a line of JSON.

So a Parquet row goes through the very checks of a JSONL row. Before that the columns' types are
checked one by one: a column of the wrong type is one error for the file, not a reject a row.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.types as pt

from eval_pipeline.ingest.excerpts import printable, shown_name
from eval_pipeline.ingest.lines import BLOCK_BYTES, Lines, open_regular
from eval_pipeline.layout import FileRead

BATCH_ROWS = 1024
SLICE_BYTES = 16 << 20  # so much of a batch becomes Python objects at a time
MAX_RATIO = 200  # unpacked to packed; text packs 3 to 30 times
RATIO_FREE_BYTES = 256 << 20  # so much may be unpacked whatever the ratio
LEAST_ROW_BYTES = 32  # a row weighs at least this, so that a billion empty rows weigh something

STRINGS = ("item_id", "text", "status", "detail", "finish_reason", "reasoning")
INTEGERS = ("draw", "attempt", "tokens_in", "tokens_out")
NUMBERS = ("latency_ms", "cost_usd", "confidence")
REQUIRED = ("item_id", "draw", "text")

_DAMAGE = (pa.ArrowException, OSError, UnicodeDecodeError)  # what pyarrow raises for bad bytes
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")  # a row number that was never data


class ParquetReader:
    """Iterates once over the rows of a Parquet file, as `LineReader` does over lines.

    A row's number counts from 1; it has no byte offset. NaN becomes null.
    Raises ValueError that names the file, and all columns at fault, for a file that is truncated
    or damaged, lacks a required column, has a column of the wrong type, or unpacks beyond
    MAX_RATIO.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes = 0
        self.sha256 = ""

    def __iter__(self) -> Iterator[Lines]:
        with open_regular(self.path) as file:
            self._read_digest(file)
            try:
                yield from self._rows(file)
            except _DAMAGE as error:
                raise ValueError(
                    f"{shown_name(self.path)}: truncated or damaged Parquet "
                    f"({printable(str(error), 200)}): copy or write the file again"
                ) from error

    def file_read(self, below_root: str) -> FileRead:
        """The evidence for lineage; `below_root` is the path below the data root."""
        return FileRead(below_root, self.sha256, self.bytes)

    def _read_digest(self, file: BinaryIO) -> None:
        digest = hashlib.sha256()
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            self.bytes += len(block)
        self.sha256 = digest.hexdigest()
        file.seek(0)

    def _rows(self, file: BinaryIO) -> Iterator[Lines]:
        if not self.bytes:
            return
        metadata = pq.read_metadata(file)
        schema = metadata.schema.to_arrow_schema()
        if faults := _schema_faults(schema):
            raise ValueError(f"{shown_name(self.path)}: {'; '.join(faults)}")
        groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
        self._refuse_a_bomb(sum(group.total_byte_size for group in groups))
        self._refuse_a_bomb(metadata.num_rows * LEAST_ROW_BYTES)
        names = [name for name in schema.names if not _PANDAS_INDEX.fullmatch(name)]
        # dictionaries stay packed until their unpacked size is known
        packed = [name for name in names if _is_bytes(schema.field(name).type)]
        parquet = pq.ParquetFile(file, metadata=metadata, read_dictionary=packed)
        number, unpacked = 1, 0
        for batch in parquet.iter_batches(BATCH_ROWS, columns=names, use_threads=False):
            batch.validate(full=True)  # UTF-8 as well
            size = sum(map(_unpacked_bytes, batch.columns))
            unpacked += size
            self._refuse_a_bomb(unpacked)
            step = max(1, batch.num_rows * SLICE_BYTES // max(size, SLICE_BYTES))
            for start in range(0, batch.num_rows, step):
                rows = batch.slice(start, step).to_pylist()
                numbers = np.arange(number, number + len(rows))
                yield Lines(numbers, None, [orjson.dumps(row, default=str) for row in rows])
                number += len(rows)

    def _refuse_a_bomb(self, unpacked: int) -> None:
        if unpacked > max(RATIO_FREE_BYTES, MAX_RATIO * self.bytes):
            raise ValueError(
                f"{shown_name(self.path)}: unpacks to more than {MAX_RATIO} times its size: "
                "refused as a Parquet bomb; give the file as .jsonl, or in parts"
            )


def _schema_faults(schema: pa.Schema) -> list[str]:
    faults = [
        f"column {printable(name, 60)} stands {count} times: keep one"
        for name, count in Counter(schema.names).items()
        if count > 1
    ]
    faults += [f"column {name} is absent: add it" for name in REQUIRED if name not in schema.names]
    for names, fits, form in _FORMS:
        for field in schema:
            if field.name in names and not (fits(field.type) or pt.is_null(field.type)):
                faults.append(f"column {field.name} is {field.type}: write it as {form}")
    return faults


def _is_string(kind: pa.DataType) -> bool:
    if pt.is_dictionary(kind):
        kind = kind.value_type
    return bool(pt.is_string(kind) or pt.is_large_string(kind) or pt.is_string_view(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pt.is_floating(kind) or pt.is_integer(kind))


def _is_list_of_numbers(kind: pa.DataType) -> bool:
    is_list = pt.is_list(kind) or pt.is_large_list(kind) or pt.is_fixed_size_list(kind)
    return is_list and _is_number(kind.value_type)


_FORMS: tuple[tuple[tuple[str, ...], Callable[[pa.DataType], bool], str], ...] = (
    (STRINGS, _is_string, "string"),
    (INTEGERS, pt.is_integer, "int64"),
    (NUMBERS, _is_number, "double"),
    (("token_logprobs",), _is_list_of_numbers, "list<double>"),
)


def _is_bytes(kind: pa.DataType) -> bool:
    return _is_string(kind) or bool(pt.is_binary(kind) or pt.is_large_binary(kind))


def _unpacked_bytes(column: pa.Array) -> int:
    """The bytes of the column's values once each row has its own."""
    if not pt.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0)
