"""How bytes are got at: plain files, packed ones, members of an archive, folders; never by name.

Nothing is unpacked to disk, so a name inside an archive is a word and no path.
"""

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, cast

import orjson

from eval_pipeline.ingest.excerpts import shown_name
from eval_pipeline.ingest.lines import open_regular
from eval_pipeline.ingest.peers.entries import Json

MAX_DOCUMENT_BYTES = 512 << 20  # a JSON document is held in memory whole
MAX_LINE_BYTES = 64 << 20
BLOCK_BYTES = 1 << 20
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"


class Source(Protocol):
    """Something with bytes: `name` is shown to people."""

    @property
    def name(self) -> str: ...

    def open(self) -> BinaryIO:
        """Its bytes from the start, unpacked."""


@dataclass(frozen=True)
class File:
    """A file on disk; one that is packed with gzip is unpacked as it is read."""

    path: Path

    @property
    def name(self) -> str:
        return shown_name(self.path)

    def open(self) -> BinaryIO:
        """Raises ValueError for a pipe, a device or a link."""
        raw = open_regular(self.path)
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw


def lines_of(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers from 1, split on LF only.

    Raises ValueError that names source and line for one beyond MAX_LINE_BYTES, or where the
    packed bytes are damaged.
    """
    try:
        with source.open() as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise ValueError(
                        f"{source.name}, line {number} is over {MAX_LINE_BYTES >> 20} MiB: "
                        "write one JSON object a line"
                    )
                content = line.removeprefix(_BOM if number == 1 else b"").strip()
                if content:
                    yield number, content
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{source.name} is damaged: {error}: fetch it again") from None


def document_of(source: Source) -> Json:
    """The one JSON value that the source holds.

    Raises ValueError that names the source where it is too large to be held, or no JSON.
    """
    try:
        with source.open() as file:
            content = file.read(MAX_DOCUMENT_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{source.name} is damaged: {error}: fetch it again") from None
    if len(content) > MAX_DOCUMENT_BYTES:
        raise ValueError(
            f"{source.name} is one JSON document of over {MAX_DOCUMENT_BYTES >> 20} MiB, which "
            "would have to be held in memory: write it as JSON lines"
        )
    try:
        value: Json = orjson.loads(content.removeprefix(_BOM))
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{source.name} is no JSON: {error}") from None
    return value


def files_below(path: Path) -> list[Path]:
    """The file itself, or all regular files of a folder, sorted; links are not followed."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for folder, folders, names in os.walk(path, followlinks=False):
        folders.sort()
        found += (Path(folder) / name for name in sorted(names))
    return [one for one in found if one.is_file() and not one.is_symlink()]
