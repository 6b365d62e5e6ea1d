"""Members of a zip archive, also those packed with Zstandard, which Python 3.11 cannot unpack.

What an archive says of itself is not believed: how many members, and how large each may grow,
is bounded before anything is unpacked.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from eval_pipeline.ingest.excerpts import shown_name
from eval_pipeline.ingest.lines import open_regular

MAX_MEMBERS = 200_000
MAX_DIRECTORY_BYTES = 64 << 20
MAX_MEMBER_BYTES = 256 << 20
MAX_RATIO = 400  # JSON packs 3 to 60 times; a bomb thousands
RATIO_FREE_BYTES = 16 << 20  # so much may be unpacked whatever the ratio

ZSTANDARD = 93
_LOCAL_HEADER = 30
_END = b"PK\x05\x06"
_END_BYTES = 22
_MAX_COMMENT = 65_535
_ENTRY = b"PK\x01\x02"
_LOCATOR, _LOCATOR_BYTES = b"PK\x06\x07", 20  # of the record that replaces the end's own
_END_64, _END_64_BYTES = b"PK\x06\x06", 56


@dataclass(frozen=True)
class Member:
    """One member of an archive; its name is shown and never used as a path."""

    archive: Path
    info: zipfile.ZipInfo

    @property
    def name(self) -> str:
        return f"{shown_name(self.archive)}:{self.info.filename}"

    def open(self) -> BinaryIO:
        """Its bytes, unpacked whole.

        Raises ValueError that names the member where it is too large, packed in a way that is
        not known, or damaged.
        """
        return BytesIO(_unpacked(self.archive, self.info, self.name))


def is_archive(path: Path) -> bool:
    """Whether the file begins as a zip archive does."""
    with open_regular(path) as file:
        return file.read(4) in (b"PK\x03\x04", _END)


def members(path: Path) -> list[Member]:
    """All members that are no folders, in the order of the archive.

    Raises ValueError that names the archive where it is damaged or holds too many members.
    """
    name = shown_name(path)
    n_members = _members_listed(path)
    if n_members > MAX_MEMBERS:
        raise ValueError(
            f"{name} lists {n_members:,} members: more than {MAX_MEMBERS:,} are refused; split it"
        )
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, struct.error, OSError) as error:
        raise ValueError(f"{name} is cut or damaged ({error}): fetch it again") from None
    return [Member(path, info) for info in infos if not info.is_dir()]


def _members_listed(path: Path) -> int:
    """How many members the directory at the archive's end lists: counted, not as it states.

    Raises ValueError where there is no directory, or it is too large to be read.
    """
    name = shown_name(path)
    with open_regular(path) as file:
        size = file.seek(0, 2)
        start = file.seek(max(0, size - _END_BYTES - _MAX_COMMENT))
        tail = file.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) - at < _END_BYTES:
            raise ValueError(
                f"{name} has no directory at its end: it was cut while it was "
                "written or sent; fetch it again"
            )
        (n_bytes,) = struct.unpack("<I", tail[at + 12 : at + 16])
        end = start + at
        locator = tail[max(0, at - _LOCATOR_BYTES) : at]
        if locator[:4] == _LOCATOR and len(locator) == _LOCATOR_BYTES:
            end -= _LOCATOR_BYTES + _END_64_BYTES
            file.seek(max(0, end))
            record = file.read(_END_64_BYTES)
            if end < 0 or record[:4] != _END_64:
                raise ValueError(f"{name} is cut or damaged (its directory): fetch it again")
            (n_bytes,) = struct.unpack("<Q", record[40:48])
        if n_bytes > MAX_DIRECTORY_BYTES:
            raise ValueError(
                f"{name} has a directory of {n_bytes:,} bytes: more than "
                f"{MAX_DIRECTORY_BYTES:,} are refused; split it"
            )
        file.seek(max(0, end - n_bytes))
        return file.read(n_bytes).count(_ENTRY)


def _unpacked(path: Path, info: zipfile.ZipInfo, name: str) -> bytes:
    most = min(MAX_MEMBER_BYTES, max(RATIO_FREE_BYTES, MAX_RATIO * info.compress_size))
    if info.file_size > most:
        raise ValueError(
            f"{name} says that it unpacks to {info.file_size:,} bytes from "
            f"{info.compress_size:,}: refused as a bomb"
        )
    if info.flag_bits & 1:
        raise ValueError(f"{name} is encrypted: unpack the archive first")
    with open_regular(path) as file:
        file.seek(info.header_offset)
        header = file.read(_LOCAL_HEADER)
        if len(header) < _LOCAL_HEADER or header[:4] != b"PK\x03\x04":
            raise ValueError(f"{name} is damaged: fetch the archive again")
        file.seek(sum(struct.unpack("<HH", header[26:30])), 1)
        packed = file.read(info.compress_size)
    try:
        content = b"".join(_pieces(packed, info.compress_type, name, most))
    except (zlib.error, OSError, EOFError) as error:
        raise ValueError(f"{name} is damaged ({error}): fetch the archive again") from None
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise ValueError(f"{name} is damaged: its bytes are not those that were packed")
    return content


def _pieces(packed: bytes, method: int, name: str, most: int) -> Iterator[bytes]:
    """The unpacked bytes, never more than `most` of them."""
    if method == zipfile.ZIP_STORED:
        yield packed
    elif method == zipfile.ZIP_DEFLATED:
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        yield unpacking.decompress(packed, most + 1)
    elif method == ZSTANDARD:
        import pyarrow as pa

        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            yield stream.read(most + 1)
    else:
        raise ValueError(f"{name} is packed by method {method}, which is not read: pack it anew")
