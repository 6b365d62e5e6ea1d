"""Expensive work that contracts share, kept by what it was made from.

An entry is never stale: its key is the digest of all that went in, so another input is another
entry. Nor is it believed: it begins with the digest of its kind, its key and its content, so one
that was emptied, cut short, altered or put in the place of another is made anew, and remarked.
Entries may be deleted at any time.
"""

import hashlib
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.layout import checked_name
from eval_pipeline.warehouse.durable import write_file

if TYPE_CHECKING:
    import pyarrow as pa

SEAL = b"eval_pipeline cache 1 "  # then 64 hex digits and a newline, then the content
SEALED = ".sealed"  # ends the name of an entry
DAMAGED = "damaged entries of the shared cache, made anew"


def content_key(*parts: str | int) -> str:
    """sha256 (hex) of the input digests, settings and instrument version that make an entry."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Cache:
    """The entries below a folder; `damaged` names those that were there and did not hold.

    Raises ValueError for a kind or key that may not become a file name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[str] = []

    def bytes_of(self, kind: str, key: str, make: Callable[[], bytes]) -> bytes:
        """The entry `key` of a kind; made, and kept, where it is absent or does not hold."""
        kept = self._kept(kind, key)
        if kept is not None:
            return kept
        made = make()
        self._keep(kind, key, made)
        return made

    def table(self, kind: str, key: str) -> "pa.Table | None":
        """The table `key` of a kind with its schema as it was; None where it is to be made."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        kept = self._kept(kind, key)
        return None if kept is None else pq.read_table(pa.BufferReader(kept))

    def keep_table(self, kind: str, key: str, table: "pa.Table") -> None:
        """Keeps a table that was made elsewhere."""
        import pyarrow.parquet as pq

        written = BytesIO()
        pq.write_table(table, written, compression="zstd")
        self._keep(kind, key, written.getvalue())

    def _kept(self, kind: str, key: str) -> bytes | None:
        path = self._path(kind, key)
        try:
            kept = path.read_bytes()
        except FileNotFoundError:
            return None
        content = unsealed(kept, f"{kind}/{key}")
        if content is None:
            self.damaged.append(f"{kind}/{key}")
        return content

    def _keep(self, kind: str, key: str, content: bytes) -> None:
        seal = sealed(content, f"{kind}/{key}")
        write_file(self._path(kind, key), lambda file: file.write(seal))

    def _path(self, kind: str, key: str) -> Path:
        return (
            self.folder
            / checked_name(kind, "cache kind")
            / f"{checked_name(key, 'cache key')}{SEALED}"
        )


def sealed(content: bytes, name: str) -> bytes:
    """A content behind the digest of it and of its name, as `unsealed` checks it."""
    return SEAL + _digest(content, name) + b"\n" + content


def unsealed(kept: bytes, name: str) -> bytes | None:
    """The content, None where it is not what was sealed under that name."""
    seal, newline, content = kept.partition(b"\n")
    holds = newline and seal == SEAL + _digest(content, name)
    return content if holds else None


def _digest(content: bytes, name: str) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + content).hexdigest().encode()
