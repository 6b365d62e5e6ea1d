"""Records in memory, looked up by cell: nothing here touches the disk."""

from collections.abc import Iterable
from datetime import datetime

from eval_pipeline.warehouse.cell import Cell
from eval_pipeline.warehouse.record import Record, timestamp


class History:
    """Records, each once by its id."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: dict[str, Record] = {}
        self._by_cell: dict[Cell, list[Record]] = {}
        self.last_id = ""
        self.add(records)

    def add(self, records: Iterable[Record]) -> None:
        """Takes in records in any order; one that is known already is left out."""
        for record in records:
            if record.id in self._records:
                continue
            self._records[record.id] = record
            of_cell = self._by_cell.setdefault(record.cell, [])
            of_cell.append(record)
            if len(of_cell) > 1 and of_cell[-2].id > record.id:
                of_cell.sort(key=lambda r: r.id)
            self.last_id = max(self.last_id, record.id)

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, record_id: object) -> bool:
        return record_id in self._records

    def __getitem__(self, record_id: str) -> Record:
        """Raises LookupError for an id that no record has."""
        if record_id not in self._records:
            raise LookupError(f"no lineage record has the id {record_id!r}")
        return self._records[record_id]

    def records(self) -> list[Record]:
        """All of them, oldest first."""
        return sorted(self._records.values(), key=lambda record: record.id)

    def cells(self) -> list[Cell]:
        """Each cell that was ever attempted, sorted."""
        return sorted(self._by_cell, key=lambda cell: cell.sort_key)

    def of(self, cell: Cell) -> list[Record]:
        """The attempts at a cell, oldest first."""
        return list(self._by_cell.get(cell, ()))

    def latest(self, cell: Cell) -> Record | None:
        """The last attempt at a cell, successful or not."""
        of_cell = self._by_cell.get(cell)
        return of_cell[-1] if of_cell else None

    def latest_success(self, cell: Cell, as_of: datetime | str | None = None) -> Record | None:
        """The attempt that made what a cell holds now, or held at a moment or record.

        `as_of` is a datetime with a time zone or the id of a record.
        Raises ValueError for a datetime without a time zone, LookupError for an unknown id.
        """
        attempts: Iterable[Record] = reversed(self._by_cell.get(cell, ()))
        if isinstance(as_of, datetime):
            if as_of.tzinfo is None:
                raise ValueError(f"as_of {as_of.isoformat()} has no time zone: add one, such as Z")
            moment = timestamp(as_of)
            attempts = (r for r in attempts if r.written_at <= moment)
        elif as_of is not None:
            last = self[as_of].id
            attempts = (r for r in attempts if r.id <= last)
        return next((r for r in attempts if r.succeeded), None)

    def made(self, cell: Cell, digest: str, before: str | None = None) -> Record | None:
        """The last record that made this state of a cell, and is older than record `before`."""
        return next(
            (
                r
                for r in reversed(self._by_cell.get(cell, ()))
                if r.succeeded and r.digest == digest and (before is None or r.id < before)
            ),
            None,
        )

    def identities(self, contract: str, version: int) -> list[str]:
        """The identities under which a contract version has results, oldest first."""
        found = {
            r.identity: None
            for r in self.records()
            if r.succeeded and (r.cell.contract, r.cell.version) == (contract, version)
        }
        return list(found)
