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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True)
class Lines:
    """Some lines in order, none of them blank, without line ends and byte order mark.

    numbers, from 1, and offsets, of each content's first byte: shape (lines,); rows of another
    kind of file have no offsets. faults: by place, the reason why a line could not be read
    whole; its content is then only its start. ended: false where the last line has no line end.
    """

    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64] | None
    contents: list[bytes]
    faults: dict[int, str] = field(default_factory=dict)
    ended: bool = True

    def __len__(self) -> int:
        return len(self.contents)

    def place(self, i: int) -> tuple[int, int | None]:
        """Number and byte offset of a line."""
        return int(self.numbers[i]), None if self.offsets is None else int(self.offsets[i])

    def only(self, places: list[int]) -> "Lines":
        """The lines at these places; none of them has a fault."""
        return Lines(
            self.numbers[places],
            None if self.offsets is None else self.offsets[places],
            [self.contents[i] for i in places],
        )


class LineReader:
    """Iterates once over the lines of a `.gz` or plain file, a block of them at a time.

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

    def __iter__(self) -> Iterator[Lines]:
        with open_regular(self.path) as file:
            blocks = self._raw_blocks(file)
            if self.path.name.endswith(".gz"):
                blocks = self._unpacked(blocks)
            yield from filter(len, self._lines(blocks))
        self._exhausted = True

    def _raw_blocks(self, file: BinaryIO) -> Iterator[bytes]:
        while block := file.read(BLOCK_BYTES):
            self._digest.update(block)
            self.bytes += len(block)
            yield block

    def _lines(self, blocks: Iterator[bytes]) -> Iterator[Lines]:
        """The lines that end in each block, then the last one if it has no end."""
        number, offset = 1, 0
        begun: list[bytes] = []  # the pieces of the line that has begun and not yet ended
        length = 0  # of that line; its pieces are kept only up to MAX_LINE_BYTES
        for block in blocks:
            head, *tails = block.split(b"\n")
            length += len(head)
            if length <= MAX_LINE_BYTES:
                begun.append(head)
            if tails:
                contents = [b"".join(begun), *tails[:-1]]
                lengths = np.fromiter(map(len, contents), np.int64, len(contents))
                lengths[0] = length
                yield _sifted(number, offset, contents, lengths, b"\r" in block)
                number += len(contents)
                offset += int(lengths.sum()) + len(contents)
                begun, length = [tails[-1]], len(tails[-1])
        content = b"".join(begun)
        if self._cut:
            place = np.array([number]), np.array([offset])
            yield Lines(*place, [content[:KEPT_OF_LONG_LINE]], {0: "cut_gzip"}, ended=False)
        else:
            last = _sifted(number, offset, [content], np.array([length]), True)
            yield replace(last, ended=False)

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
                f"or to more than {MAX_GZIP_BYTES >> 30} GiB: refused as a gzip bomb; "
                "give the file unpacked, or in parts"
            )


def open_regular(path: Path) -> BinaryIO:
    """Opens a regular file for reading; a symbolic link, a pipe or a device is refused.

    Raises ValueError that names the file, also where nothing is there.
    """
    # without O_NONBLOCK the opening of a pipe would wait for a writer for ever
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if path.is_symlink():
        raise ValueError(f"{shown_name(path)}: is a symbolic link: put the file itself there")
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise ValueError(f"{shown_name(path)}: is not there: add it") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError(f"{shown_name(path)}: is not a regular file")
    return os.fdopen(handle, "rb")


def _sifted(
    number: int,
    offset: int,
    contents: list[bytes],
    lengths: NDArray[np.int64],
    may_end_in_cr: bool,
) -> Lines:
    """The lines that are not blank; a length is larger than its content where that was cut."""
    numbers = np.arange(number, number + len(contents))
    offsets = offset + np.cumsum(lengths + 1) - (lengths + 1)
    ordinary = not may_end_in_cr and lengths[0] <= MAX_LINE_BYTES
    if ordinary and {content[:1] for content in contents} == {b"{"}:
        return Lines(numbers, offsets, contents)
    kept: list[int] = []
    sifted: list[bytes] = []
    faults: dict[int, str] = {}
    for i, content in enumerate(contents):
        if number + i == 1 and content.startswith(_BOM):
            content = content[len(_BOM) :]
            offsets[i] += len(_BOM)
        if lengths[i] > MAX_LINE_BYTES:
            faults[len(kept)] = "line_too_long"
            content = content[:KEPT_OF_LONG_LINE]
        content = content.removesuffix(b"\r")
        if content.strip(_BLANK) or lengths[i] > MAX_LINE_BYTES:
            kept.append(i)
            sifted.append(content)
    return Lines(numbers[kept], offsets[kept], sifted, faults)
