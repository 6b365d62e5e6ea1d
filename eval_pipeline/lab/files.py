"""Rows as bytes, the same bytes for the same rows."""

import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

Line = dict[str, object]  # of a raw file, as the lab writes it


def lines(rows: Sequence[Line]) -> bytes:
    """One JSON object a line, keys in the order of the rows."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def packed(content: bytes) -> bytes:
    """The content as gzip without a time."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def columns(rows: Sequence[Line], schema: pa.Schema) -> bytes:
    """The rows as Parquet; a key that a row leaves out is null."""
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows), schema), stream)
    return stream.getvalue()


def put(path: Path, content: bytes | str) -> None:
    """Writes a file, and the folders above it where they are missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
