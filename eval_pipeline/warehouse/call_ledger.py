"""Paid calls, kept so that none is paid twice: a journal while a cell is made, then a file.

A record is written to the journal the moment its reply is there: a killed process loses none that
was written. It is fsynced with the next JOURNAL_BATCH records or JOURNAL_SECONDS, whichever is
sooner, so a power cut may cost so many of the last ones. Once the cell is whole its records move
to the file, sorted, behind those that are there: a record's line never changes, and does not
depend on which reply came first.
"""

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import orjson

from eval_pipeline.warehouse.durable import fsync_folder, make_folder, room_in, write_file

JOURNAL_BATCH = 64
JOURNAL_SECONDS = 0.5
KEY = "call"

T = TypeVar("T")
Call = Mapping[str, object]  # one record, its key under `call`


class CallLedger:
    """The calls of one judge on the pairs, or the replies, that belong to one checkpoint.

    A key may stand there twice, a failed call and what came of it later: the last one counts.
    The warehouse's lock must be held to write.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.journal = file.with_suffix(".journal")
        self._stream: int | None = None
        self._unsynced = 0
        self._synced_at = 0.0

    def read(
        self,
        wanted: Collection[str],
        take: Callable[[Call], T],
        with_journal: bool = True,
    ) -> dict[str, tuple[T, int | None]]:
        """What `take` makes of the last record of each wanted key, and its line in the file.

        The line counts from 1; it is None while the record stands in the journal.

        Raises ValueError that names a damaged line; an unfinished last line of the journal, which
        a power cut leaves behind, is none.
        """
        found: dict[str, tuple[T, int | None]] = {
            str(record[KEY]): (take(record), line)
            for line, record in _records(self.file)
            if record[KEY] in wanted
        }
        for _, record in _records(self.journal, may_be_cut=True) if with_journal else ():
            if record[KEY] in wanted:
                found[str(record[KEY])] = (take(record), None)
        return found

    def append(self, record: Call) -> None:
        """Writes a record to the journal. Raises DiskFull."""
        if self._stream is None:
            self._open()
        with room_in(self.journal.parent):
            _write_all(self._stream or 0, orjson.dumps(record) + b"\n")
        self._unsynced += 1
        late = time.monotonic() - self._synced_at >= JOURNAL_SECONDS
        if self._unsynced >= JOURNAL_BATCH or late:
            self._sync()

    def settle(self, wanted: Collection[str], order: Callable[[Call], Any]) -> None:
        """Moves the journal's records of the wanted keys behind those of the file, sorted.

        order: what they are sorted by; it must not depend on when a reply came.
        """
        self.close()
        written = [record for _, record in _records(self.journal, may_be_cut=True)]
        last = {record[KEY]: record for record in written}
        moving = sorted((one for key, one in last.items() if key in wanted), key=order)
        if moving:
            before = self.file.read_bytes() if self.file.exists() else b""
            lines = b"".join(orjson.dumps(record) + b"\n" for record in moving)
            write_file(self.file, lambda file: (file.write(before), file.write(lines)))
        staying = [record for record in written if record[KEY] not in wanted]
        if staying:
            lines = b"".join(orjson.dumps(record) + b"\n" for record in staying)
            write_file(self.journal, lambda file: file.write(lines))
        elif self.journal.exists():
            self.journal.unlink()
            fsync_folder(self.journal.parent)

    def close(self) -> None:
        """What was written outlasts a power cut from here on."""
        if self._stream is not None:
            self._sync()
            os.close(self._stream)
            self._stream = None

    def __enter__(self) -> "CallLedger":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> None:
        """Opens the journal behind its last whole line."""
        make_folder(self.journal.parent)
        with room_in(self.journal.parent):
            stream = os.open(self.journal, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            held = self.journal.read_bytes()
            whole = held.rfind(b"\n") + 1
            if whole < len(held):
                os.ftruncate(stream, whole)
            fsync_folder(self.journal.parent)
        self._stream, self._synced_at = stream, time.monotonic()

    def _sync(self) -> None:
        if self._stream is not None and self._unsynced:
            with room_in(self.journal.parent):
                os.fsync(self._stream)
        self._unsynced = 0
        self._synced_at = time.monotonic()


def _records(path: Path, may_be_cut: bool = False) -> Iterator[tuple[int, dict[str, object]]]:
    """(line from 1, record) of each line."""
    try:
        stream = path.open("rb")
    except FileNotFoundError:
        return
    with stream:
        for line, text in enumerate(stream, 1):
            if may_be_cut and not text.endswith(b"\n"):
                return
            try:
                record = orjson.loads(text)
            except orjson.JSONDecodeError:
                record = None
            if not isinstance(record, dict) or not isinstance(record.get(KEY), str):
                raise ValueError(f"{path}, line {line}: is no record of a call: take the line out")
            yield line, record


def _write_all(stream: int, data: bytes) -> None:
    while data:
        data = data[os.write(stream, data) :]
