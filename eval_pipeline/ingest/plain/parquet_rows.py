"""Rows of a Parquet file with any columns, nested ones too; a row's place stands for its line."""

import datetime
import decimal
from collections.abc import Iterator

from eval_pipeline.ingest.excerpts import printable
from eval_pipeline.ingest.parquet_lines import MAX_RATIO, RATIO_FREE_BYTES
from eval_pipeline.ingest.peers.sources import Source
from eval_pipeline.ingest.plain.cells import refuse_heading

PARQUET = b"PAR1"
BATCH_ROWS = 1024

Row = tuple[int, dict[str, object], str]


def parquet_rows(source: Source) -> Iterator[Row]:
    """Each row with its number from 1; NaN is no value, times and decimals are text.

    Raises ValueError that names the file where it is damaged, unpacks beyond MAX_RATIO, or has
    more columns than are read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    with source.open() as file:
        size = file.seek(0, 2)
        file.seek(0)
        try:
            parquet = pq.ParquetFile(file)
            refuse_heading(source.name, list(parquet.schema_arrow.names))
            metadata = parquet.metadata
            groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
            unpacked = sum(group.total_byte_size for group in groups)
            if unpacked > max(RATIO_FREE_BYTES, MAX_RATIO * size):
                raise ValueError(
                    f"{source.name} unpacks to more than {MAX_RATIO} times its size: refused as a "
                    "Parquet bomb; give the file as .jsonl, or in parts"
                )
            number = 0
            for batch in parquet.iter_batches(BATCH_ROWS, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {name: _json(value) for name, value in row.items()}, ""
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise ValueError(
                f"{source.name}: truncated or damaged Parquet ({printable(str(error), 200)}): "
                "copy or write the file again"
            ) from error


def _json(value: object) -> object:
    """A value as JSON may hold it."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value == value else None
    if isinstance(value, list):
        return [_json(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _json(one) for key, one in value.items()}
    if isinstance(value, datetime.date | datetime.time | decimal.Decimal):
        return str(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
