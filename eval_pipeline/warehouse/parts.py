"""Parts: Parquet files that never change, each named by the digest of what it holds.

A part on disk has passed its checks, and its footer carries the record of how it was made.
"""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eval_pipeline.warehouse.digest import table_digest
from eval_pipeline.warehouse.durable import write_file
from eval_pipeline.warehouse.errors import DamagedPart
from eval_pipeline.warehouse.record import Record

FOOTER_KEY = b"eval_pipeline"
COMPRESSION = "zstd"  # on model replies a third smaller than snappy, at the same CPU


def write_part(path: Path, data: pa.Table, record: Record) -> None:
    """Writes a table as a part, unless a sound part of that name is there.

    The page checksums cost nothing that could be measured.
    """
    if path.exists() and _is_sound(path, record):
        return
    stamped = data.replace_schema_metadata({FOOTER_KEY: record.to_json()})

    write_file(
        path,
        lambda file: pq.write_table(
            stamped, file, compression=COMPRESSION, write_page_checksum=True
        ),
    )


def read_part(path: Path, rows: int, columns: Sequence[str] | None = None) -> pa.Table:
    """The wanted columns that a part has, all where None; another where it has none of them.

    Raises DamagedPart where the file is missing, cut, altered, or has not the rows it should.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            found = file.metadata.num_rows
            if found != rows:
                raise DamagedPart(
                    f"{path} holds {found} rows, its record says {rows}: "
                    "delete the file and run again"
                )
            names = file.schema_arrow.names
            wanted = None if columns is None else [name for name in columns if name in names]
            data = file.read(names[:1] if wanted == [] else wanted)  # no column, no row count
    except FileNotFoundError:
        raise DamagedPart(f"{path} is missing: run again to make it anew") from None
    except (OSError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise DamagedPart(
            f"{path} cannot be read ({reason}): delete the file and run again"
        ) from error
    return data.replace_schema_metadata(None)


def check_values(path: Path, data: pa.Table, digest: str) -> None:
    """Raises DamagedPart where a part does not hold the values that were published."""
    if table_digest(data) != digest:
        raise DamagedPart(f"{path} was altered after it was written: delete it and run again")


def footer_record(path: Path) -> Record:
    """The record that a part carries: how it was made first.

    Raises DamagedPart for a file that is missing or carries none.
    """
    try:
        footer = pq.read_schema(path).metadata or {}
        return Record.from_json(footer[FOOTER_KEY])
    except FileNotFoundError:
        raise DamagedPart(f"{path} is missing: run again to make it anew") from None
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise DamagedPart(f"{path} carries no record: delete the file and run again") from error


def _is_sound(path: Path, record: Record) -> bool:
    if record.rows is None:
        return False
    try:
        return table_digest(read_part(path, record.rows)) == record.digest
    except DamagedPart:
        return False  # the caller has the data in hand, and writes it anew
