"""The documents of a Parquet shard: the column `text`, some rows at a time, all or some row groups.

How much text a row holds cannot be known before it is read: a dictionary can turn a few bytes into
any number of long documents. No value is longer than its column chunk, so the rows that are read
at once are at most so many that all of them could be.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.contamination.corpus.batch import DocumentBatch, UnreadLines
from eval_pipeline.contamination.corpus.shard_files import place_of

COLUMN = "text"
MAX_ROWS = 65_536
AT_MOST = 2**30  # bytes that the rows read at once could hold at worst, or one row
READ_AHEAD = 2**20  # bytes of a column that are read at a time

Groups = tuple[int, int]  # the first row group, and the one after the last


def sizes(shard: Path) -> list[int]:
    """Bytes of text of each row group, as they are packed in its dictionary; 0 without `text`."""
    with pq.ParquetFile(shard) as file:
        groups = range(file.num_row_groups)
        return [_size(file.metadata.row_group(group)) for group in groups]


def runs(group_bytes: Sequence[int], part_bytes: int) -> list[Groups]:
    """Row groups in a row that hold at least so much text together, but for the last of them."""
    row_groups: list[Groups] = []
    first, size = 0, 0
    for group, more in enumerate(group_bytes):
        size += more
        if size >= part_bytes:
            row_groups.append((first, group + 1))
            first, size = group + 1, 0
    if first < len(group_bytes):
        row_groups.append((first, len(group_bytes)))
    return row_groups


def batches(
    shard: Path, unread: UnreadLines, batch_bytes: int, groups: Groups | None
) -> Iterator[DocumentBatch]:
    """As `corpus.batches`."""
    with pq.ParquetFile(shard, pre_buffer=False, buffer_size=READ_AHEAD) as file:
        _refuse_other_columns(shard, file.schema_arrow)
        metadata = file.metadata
        first, last = groups or (0, file.num_row_groups)
        number = sum(metadata.row_group(group).num_rows for group in range(first))
        for group in range(first, last):
            rows = _rows_at_once(metadata.row_group(group), batch_bytes)
            waiting: list[DocumentBatch] = []
            size = 0
            for batch in file.iter_batches(rows, row_groups=[group], columns=[COLUMN]):
                waiting.append(_readable(batch.column(0), number, shard, unread))
                size += waiting[-1].texts.nbytes
                number += batch.num_rows
                if size >= batch_bytes:
                    yield _together(waiting)
                    waiting, size = [], 0
            if waiting:
                yield _together(waiting)


def _refuse_other_columns(shard: Path, schema: Any) -> None:
    names = schema.names
    if names.count(COLUMN) == 1:
        kind = schema.field(COLUMN).type
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if any(is_one(kind) for is_one in _STRINGS):
            return
    there = ", ".join(f"{field.name} ({field.type})" for field in schema) or "none"
    raise ValueError(
        f"corpus shard {place_of(shard)} has no string column `{COLUMN}`; its columns are {there}: "
        f"write the documents as one column of strings, `{COLUMN}`"
    )


_STRINGS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)


def _size(group: Any) -> int:
    columns = (group.column(i) for i in range(group.num_columns))
    return sum(c.total_uncompressed_size for c in columns if c.path_in_schema == COLUMN)


def _rows_at_once(group: Any, batch_bytes: int) -> int:
    """How many rows hold about so many bytes, and could at worst hold `AT_MOST`."""
    size = max(1, _size(group))
    return int(max(1, min(MAX_ROWS, group.num_rows * batch_bytes // size, AT_MOST // size)))


def _readable(texts: Any, first: int, shard: Path, unread: UnreadLines) -> DocumentBatch:
    """The rows that are text; nulls, and bytes that are not UTF-8, are added to `unread`."""
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    if pa.types.is_string_view(texts.type):
        texts = texts.cast(pa.large_string(), safe=False)
    keep = np.ones(len(texts), np.bool_)
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        for i, value in enumerate(texts.cast(pa.large_binary(), safe=False).to_pylist()):
            try:
                (value or b"").decode()
            except UnicodeDecodeError as error:
                unread.add(f"{place_of(shard)}, row {first + i + 1}", f"not UTF-8 ({error})")
                keep[i] = False
    for i in np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False)).tolist():
        unread.add(f"{place_of(shard)}, row {first + i + 1}", "null `text`")
        keep[i] = False
    numbers = first + np.flatnonzero(keep)
    if not keep.all():
        texts = texts.filter(pa.array(keep))
    if not pa.types.is_large_string(texts.type):
        texts = texts.cast(pa.large_string())
    return DocumentBatch(numbers, texts)


def _together(some: Sequence[DocumentBatch]) -> DocumentBatch:
    if len(some) == 1:
        return some[0]
    texts = pa.concat_arrays([batch.texts for batch in some])
    return DocumentBatch(np.concatenate([batch.numbers for batch in some]), texts)
