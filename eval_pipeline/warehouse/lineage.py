"""The append-only log of records under `tables/lineage/`.

A record is a small file of its own; many small files are gathered into a segment (JSONL).
Segments never change. A small file goes only after a segment that holds its record is durable,
and readers count a record once by its id: whenever a process dies, none is lost or doubled.
"""

import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

from eval_pipeline.warehouse.durable import write_text
from eval_pipeline.warehouse.history import History
from eval_pipeline.warehouse.record import Record, now

RECORD_FILES = "[0-9]*.json*"  # ids begin with the year, temporaries with a dot
SEGMENT_RECORDS = 512  # small files that make a segment
_ID_TIME = "%Y%m%dT%H%M%S.%fZ"


class Lineage:
    """The log of one warehouse."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._history = History()
        self._segments: set[str] = set()
        self._in_segments: set[str] = set()
        self._last_id = ""
        self._guard = threading.RLock()

    def history(self) -> History:
        """All records, those of other processes included; the object is the same at each call.

        Raises ValueError that names a file which holds no record.
        """
        with self._guard:
            while not self._read_new_files():
                pass
            return self._history

    def next_id(self) -> str:
        """A new id, later than every id before it even where the clock was set back."""
        with self._guard:
            moment = now()
            if last_id := max(self.history().last_id, self._last_id):
                last = datetime.strptime(last_id.rpartition("-")[0], _ID_TIME).replace(tzinfo=UTC)
                moment = max(moment, last + timedelta(microseconds=1))
            self._last_id = f"{moment.strftime(_ID_TIME)}-{token_hex(4)}"
            return self._last_id

    def append(self, record: Record) -> None:
        """Adds a record; it is durable when this returns.

        Raises ValueError for an id that is taken, DiskFull where there is no room.
        """
        with self._guard:
            if record.id in self.history():
                raise ValueError(f"lineage record {record.id} stands already in {self.folder}")
            write_text(self.folder / f"{record.id}.json", record.to_json() + "\n")
            self._history.add([record])

    def loose(self) -> list[Record]:
        """The records that no segment holds yet, oldest first."""
        with self._guard:
            history = self.history()
            stems = sorted(path.stem for path in self.folder.glob("*.json"))
            return [history[stem] for stem in stems if stem not in self._in_segments]

    def compact(self) -> None:
        """Removes small files that a segment holds, then gathers the others if they are many.

        A small file outlives the making of its segment until the next call, so that a reader who
        has just listed the folder still finds what it listed. For the holder of the lock only.
        """
        with self._guard:
            loose = self.loose()
            for path in self.folder.glob("*.json"):
                if path.stem in self._in_segments:
                    path.unlink()
            if len(loose) >= SEGMENT_RECORDS:
                lines = "".join(record.to_json() + "\n" for record in loose)
                write_text(self.folder / f"{loose[-1].id}.jsonl", lines)

    def _read_new_files(self) -> bool:
        """Takes in what was added; False where a file went into a segment since we listed."""
        names = set(os.listdir(self.folder)) if self.folder.is_dir() else set()
        for name in sorted(names - self._segments):
            if name.endswith(".jsonl"):
                lines = (self.folder / name).read_bytes().splitlines()
                found = [self._parsed(name, line) for line in lines]
                self._history.add(found)
                self._in_segments.update(record.id for record in found)
                self._segments.add(name)
        for name in sorted(names):
            if name.endswith(".json") and name.removesuffix(".json") not in self._history:
                try:
                    line = (self.folder / name).read_bytes()
                except FileNotFoundError:
                    return False
                self._history.add([self._parsed(name, line)])
        return True

    def _parsed(self, name: str, line: bytes) -> Record:
        try:
            return Record.from_json(line)
        except ValueError as error:
            raise ValueError(
                f"{self.folder / name} cannot be read ({error}): restore it from a copy, "
                "or delete it and run again"
            ) from error
