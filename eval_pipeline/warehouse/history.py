"""Records in memory, looked up by place: nothing here touches the disk."""

from collections.abc import Iterable
from datetime import datetime

from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.record import Record, timestamp


class History:
    """Records, each once by its id."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records: dict[str, Record] = {}
        self._by_place: dict[Place, list[Record]] = {}
        self.last_id = ""
        self.add(records)

    def add(self, records: Iterable[Record]) -> None:
        """Takes in records in any order; one that is known already is left out."""
        for record in records:
            if record.id in self._records:
                continue
            self._records[record.id] = record
            of_place = self._by_place.setdefault(record.place, [])
            of_place.append(record)
            if len(of_place) > 1 and of_place[-2].id > record.id:
                of_place.sort(key=lambda r: r.id)
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

    def places(self) -> list[Place]:
        """Each place that was ever attempted, sorted."""
        return sorted(self._by_place, key=lambda place: place.sort_key)

    def of(self, place: Place) -> list[Record]:
        """The attempts at a place, oldest first."""
        return list(self._by_place.get(place, ()))

    def latest(self, place: Place) -> Record | None:
        """The last attempt at a place, successful or not."""
        of_place = self._by_place.get(place)
        return of_place[-1] if of_place else None

    def latest_success(self, place: Place, as_of: datetime | str | None = None) -> Record | None:
        """The attempt that made what a place holds now, or held at a moment or record.

        `as_of` is a datetime with a time zone or the id of a record.
        Raises ValueError for a datetime without a time zone, LookupError for an unknown id.
        """
        attempts: Iterable[Record] = reversed(self._by_place.get(place, ()))
        if isinstance(as_of, datetime):
            if as_of.tzinfo is None:
                raise ValueError(f"as_of {as_of.isoformat()} has no time zone: add one, such as Z")
            moment = timestamp(as_of)
            attempts = (r for r in attempts if r.written_at <= moment)
        elif as_of is not None:
            last = self[as_of].id
            attempts = (r for r in attempts if r.id <= last)
        return next((r for r in attempts if r.succeeded), None)

    def made(self, place: Place, digest: str, before: str | None = None) -> Record | None:
        """The last record that made this state of a place, and is older than record `before`."""
        return next(
            (
                r
                for r in reversed(self._by_place.get(place, ()))
                if r.succeeded and r.digest == digest and (before is None or r.id < before)
            ),
            None,
        )

    def identities(self, contract: str, version: int) -> list[str]:
        """The identities under which a contract version has results, oldest first."""
        found = {
            r.identity: None
            for r in self.records()
            if r.succeeded and (r.place.contract, r.place.version) == (contract, version)
        }
        return list(found)
