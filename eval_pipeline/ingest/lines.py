"""The line reader: files of lines, read once, split on the byte LF and on nothing else.

`str.splitlines` and text mode also cut at U+2028, U+0085 or a lone CR, which may stand inside a
JSON string. Here a line keeps its number and its byte offset, and the file's digest is computed
over the very bytes that were read. In a gzip file offsets count unpacked bytes.
"""

import hashlib
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from eval_pipeline.ingest.excerpts import shown_name
from eval_pipeline.layout import FileRead

BLOCK_BYTES = 256 << 10
MAX_LINE_BYTES = 64 << 20  # above this a line is a reject; memory stays below a few times this
KEPT_OF_LONG_LINE = 1024  # for the excerpt
MAX_GZIP_RATIO = 200  # JSON packs 3 to 30 times; deflate's bound is 1032
GZIP_RATIO_FREE_BYTES = 256 << 20  # so much may be unpacked whatever the ratio
MAX_GZIP_BYTES = 64 << 30

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r"


class Line(NamedTuple):
    """One line that is not blank, without its line end and without a byte order mark.

    `byte_offset` points at the first byte of `content`; a row of another kind of file has none.
    `ended` is false for a last line without a line end. `fault`, if not empty, is the reason why
    the line could not be read whole; `content` is then only its start.
    """

    number: int
    byte_offset: int | None
    content: bytes
    ended: bool = True
    fault: str = ""


class LineReader:
    """Iterates once over the lines of a `.gz` or plain file.

    Memory: some blocks and the longest line up to MAX_LINE_BYTES. After the last line `sha256`
    and `bytes` tell what was read: the file as it lies on disk.
    Raises ValueError that names the file for a file that is no regular file, is no gzip though
    its name ends in .gz, is damaged, or unpacks beyond MAX_GZIP_RATIO or MAX_GZIP_BYTES.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes = 0
        self._digest = hashlib.sha256()
        self._exhausted = False
        self._cut = False

    @property
    def sha256(self) -> str:
        if not self._exhausted:
            raise ValueError(f"{shown_name(self.path)}: the digest is known after the last line")
        return self._digest.hexdigest()

    def file_read(self, below_root: str) -> FileRead:
        """The evidence for lineage; `below_root` is the path below the data root."""
        return FileRead(below_root, self.sha256, self.bytes)

    def __iter__(self) -> Iterator[Line]:
        with open_regular(self.path) as file:
            blocks = self._raw_blocks(file)
            if self.path.name.endswith(".gz"):
                blocks = self._unpacked(blocks)
            yield from self._lines(blocks)
        self._exhausted = True

    def _raw_blocks(self, file: BinaryIO) -> Iterator[bytes]:
        while block := file.read(BLOCK_BYTES):
            self._digest.update(block)
            self.bytes += len(block)
            yield block

    def _lines(self, blocks: Iterator[bytes]) -> Iterator[Line]:
        number, offset = 1, 0
        begun: list[bytes] = []  # the pieces of the line that has begun and not yet ended
        length = 0  # of that line; its pieces are kept only up to MAX_LINE_BYTES
        for block in blocks:
            head, *tails = block.split(b"\n")
            length += len(head)
            if length <= MAX_LINE_BYTES:
                begun.append(head)
            for tail in tails:
                if line := _line(number, offset, b"".join(begun), length):
                    yield line
                number += 1
                offset += length + 1
                begun, length = [tail], len(tail)
        content = b"".join(begun)
        if self._cut:
            yield Line(number, offset, content[:KEPT_OF_LONG_LINE], False, "cut_gzip")
        elif line := _line(number, offset, content, length):
            yield line._replace(ended=False)

    def _unpacked(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes of all gzip members, in pieces of at most BLOCK_BYTES."""
        produced = 0
        member = None
        for block in blocks:
            waiting = block
            while waiting:
                if member is None:
                    waiting = waiting.lstrip(b"\0")  # tape-style padding between members
                    if not waiting:
                        break
                    member = zlib.decompressobj(wbits=31)
                try:
                    piece = member.decompress(waiting, BLOCK_BYTES)
                except zlib.error as error:
                    raise ValueError(
                        f"{shown_name(self.path)}: damaged or no gzip file near packed byte "
                        f"{self.bytes} ({error}): copy the file again"
                    ) from error
                waiting = member.unconsumed_tail
                produced += len(piece)
                self._refuse_a_bomb(produced)
                if piece:
                    yield piece
                if member.eof:
                    waiting, member = member.unused_data, None
        if member is not None:
            yield member.flush()  # what was unpacked and not yet handed out
            self._cut = not member.eof

    def _refuse_a_bomb(self, produced: int) -> None:
        free = produced <= GZIP_RATIO_FREE_BYTES
        if produced > MAX_GZIP_BYTES or (not free and produced > MAX_GZIP_RATIO * self.bytes):
            raise ValueError(
                f"{shown_name(self.path)}: unpacks to more than {MAX_GZIP_RATIO} times its size "
                f"or to more than {MAX_GZIP_BYTES >> 30} GiB: refused as a gzip bomb"
            )


def open_regular(path: Path) -> BinaryIO:
    """Opens a regular file for reading; a symbolic link, a pipe or a device is refused.

    Raises ValueError that names the file; FileNotFoundError where nothing is there.
    """
    # without O_NONBLOCK the opening of a pipe would wait for a writer for ever
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if path.is_symlink():
        raise ValueError(f"{shown_name(path)}: is a symbolic link: put the file itself there")
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError(f"{shown_name(path)}: is not a regular file")
    return os.fdopen(handle, "rb")


def _line(number: int, offset: int, content: bytes, length: int) -> Line | None:
    """The line, or None if it is blank; `length` is larger than `content` where that was cut."""
    if number == 1 and content.startswith(_BOM):
        content, offset, length = content[len(_BOM) :], offset + len(_BOM), length - len(_BOM)
    if length > MAX_LINE_BYTES:
        return Line(number, offset, content[:KEPT_OF_LONG_LINE], True, "line_too_long")
    if content.endswith(b"\r"):
        content = content[:-1]
    if not content.strip(_BLANK):
        return None
    return Line(number, offset, content)
