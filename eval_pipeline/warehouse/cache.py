"""Expensive work that contracts share, kept by what it was made from.

An entry is never stale: its key is the digest of all that went in, so another input is another
entry. Entries may be deleted at any time; they are made again.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.layout import checked_name
from eval_pipeline.warehouse.durable import write_file

if TYPE_CHECKING:
    import pyarrow as pa


def content_key(*parts: str | int) -> str:
    """sha256 (hex) of the input digests, settings and instrument version that make an entry."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def cached_bytes(cache: Path, kind: str, key: str, make: Callable[[], bytes]) -> bytes:
    """The entry `key` of a kind; made, and kept, where it is absent.

    Raises ValueError for a kind or key that may not become a file name.
    """
    path = _entry(cache, kind, key)
    if path.exists():
        return path.read_bytes()
    made = make()
    write_file(path, lambda file: file.write(made))
    return made


def cached_table(cache: Path, kind: str, key: str, make: Callable[[], "pa.Table"]) -> "pa.Table":
    """As `cached_bytes`, for an Arrow table; its schema comes back as it was."""
    kept = kept_table(cache, kind, key)
    return kept if kept is not None else keep_table(cache, kind, key, make())


def kept_table(cache: Path, kind: str, key: str) -> "pa.Table | None":
    """The table `key` of a kind, None where it was not made yet."""
    import pyarrow.parquet as pq

    path = _entry(cache, kind, key)
    return pq.read_table(path, partitioning=None) if path.exists() else None


def keep_table(cache: Path, kind: str, key: str, table: "pa.Table") -> "pa.Table":
    """Keeps a table that was made elsewhere; the very table."""
    import pyarrow.parquet as pq

    write_file(
        _entry(cache, kind, key), lambda file: pq.write_table(table, file, compression="zstd")
    )
    return table


def _entry(cache: Path, kind: str, key: str) -> Path:
    return cache / checked_name(kind, "cache kind") / checked_name(key, "cache key")
