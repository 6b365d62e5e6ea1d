"""The warehouse: results are published into it, read from it, and never change in it.

Publication: the table is enforced and checked, its part is written, its lineage record is
written, its pointer is moved. The record is the commit, and lineage is the truth. A process
killed before the record has changed nothing that counts; one killed after it leaves a pointer
behind, which the next holder of the lock mends. So the next run ends with the same digests.

Arrow and the registry are imported only where rows are touched: planning reads lineage alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.errors import (
    CheckFailed,
    DamagedPart,
    MixedIdentities,
    NotMaterialised,
)
from eval_pipeline.warehouse.garbage import GarbageFile, Keep, garbage
from eval_pipeline.warehouse.history import History
from eval_pipeline.warehouse.lineage import Lineage
from eval_pipeline.warehouse.lock import warehouse_lock
from eval_pipeline.warehouse.packages import package_versions
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.pointer import (
    POINTER_NAME,
    Pointer,
    pointer_to,
    read_pointer,
    write_pointer,
)
from eval_pipeline.warehouse.record import CheckResult, Inputs, Outcome, Record, now, timestamp
from eval_pipeline.warehouse.stored import Stored

if TYPE_CHECKING:
    import pyarrow as pa

    from eval_pipeline.warehouse.schemas import Table

Check = Callable[["pa.Table"], CheckResult]


class Warehouse:
    """One warehouse folder: `tables/`, `cache/`, `catalog.duckdb` and the lock."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path).resolve()
        self.tables = self.path / "tables"
        self.lineage = Lineage(self.tables / "lineage")

    def history(self) -> History:
        """All lineage records, those of other processes included."""
        return self.lineage.history()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other processes from writing; may be taken again inside itself.

        When a process takes it first, pointers that a killed writer left behind are mended.
        Raises WarehouseBusy at once where another process holds it.
        """
        with warehouse_lock(self.path) as taken_here:
            if taken_here:
                self._mend_pointers()
                self.lineage.compact()
            yield

    def standing(self) -> dict[Place, Record]:
        """What each place holds: its last success, if the part is on disk."""
        history = self.history()
        found = {}
        for place in history.places():
            record = history.latest_success(place)
            if record is not None and pointer_to(record).part(self.tables).exists():
                found[place] = record
        return found

    def publish(
        self,
        table: str,
        data: "pa.Table",
        *,
        contract: str,
        version: int,
        identity: str,
        stage: str,
        key: str,
        run_id: str,
        checkpoint: str | None = None,
        inputs: Sequence[TableRef] = (),
        files: Sequence[FileRead] = (),
        instruments: Mapping[str, str] | None = None,
        seed: int | None = None,
        notes: Mapping[str, str] | None = None,
        checks: Sequence[Check] = (),
        started_at: datetime | None = None,
    ) -> Record:
        """Makes a computed table the current state of its place.

        `data` has the computed columns only; `key` is the staleness key; `inputs` and `files`
        are what was really read. Checks see the table as it will be stored, before anything is.
        Where a check fails, the failure is recorded, nothing else is written, and CheckFailed is
        raised. Raises SchemaViolated for a table that is not as the registry says, DiskFull,
        WarehouseBusy.
        """
        from eval_pipeline.warehouse.digest import table_digest
        from eval_pipeline.warehouse.enforcement import enforced
        from eval_pipeline.warehouse.parts import write_part

        spec = _spec(table)
        place = _scoped(spec, Place(table, contract, version, checkpoint)).checked()
        started = started_at or now()
        with self.lock():
            stamps: dict[str, str | int] = {"contract": contract, "version": version}
            if checkpoint is not None:
                stamps["checkpoint"] = checkpoint
            stored = enforced(spec, data, stamps)
            digest = table_digest(stored)
            results = tuple(check(stored) for check in checks)
            failures = [result for result in results if not result.passed]
            history = self.history()
            before = history.latest_success(place)
            record = Record(
                id=self.lineage.next_id(),
                place=place,
                identity=identity,
                stage=stage,
                key=key,
                outcome=_outcome(failures, before, digest),
                detail="; ".join(f"{check.name}: {check.detail}" for check in failures),
                digest=digest,
                rows=stored.num_rows,
                schema_version=spec.version,
                checks=results,
                instruments=dict(instruments or {}),
                packages=package_versions(),
                seed=seed,
                notes=dict(notes or {}),
                run_id=run_id,
                attempt=_attempt(history, place, key),
                started_at=timestamp(started),
                written_at=timestamp(now()),
                inputs=Inputs(tuple(inputs), tuple(files)),
            )
            if failures:
                self.lineage.append(record)
                raise CheckFailed(
                    f"{place}: not published, because {record.detail}; what was current stays",
                    record,
                )
            pointer = pointer_to(record)
            write_part(pointer.part(self.tables), stored, record)
            self.lineage.append(record)
            write_pointer(self.tables, pointer)
            return record

    def record_failure(
        self,
        tables: Sequence[str],
        *,
        contract: str,
        version: int,
        identity: str,
        stage: str,
        key: str,
        run_id: str,
        detail: str,
        checkpoint: str | None = None,
        started_at: datetime | None = None,
    ) -> list[Record]:
        """Records that a stage failed before it could publish these tables; `detail` says why.

        Not for CheckFailed, which stands in lineage already.
        """
        places = [Place(table, contract, version, checkpoint).checked() for table in tables]
        records = []
        with self.lock():
            for place in places:
                record = Record(
                    id=self.lineage.next_id(),
                    place=place,
                    identity=identity,
                    stage=stage,
                    key=key,
                    outcome="failed",
                    detail=" ".join(detail.split()),
                    packages=package_versions(),
                    run_id=run_id,
                    attempt=_attempt(self.history(), place, key),
                    started_at=timestamp(started_at or now()),
                    written_at=timestamp(now()),
                )
                self.lineage.append(record)
                records.append(record)
        return records

    def read(
        self,
        table: str,
        contract: str,
        version: int,
        *,
        checkpoint: str | None = None,
        checkpoints: Sequence[str] | None = None,
        identity: str | None = None,
        as_of: datetime | str | None = None,
    ) -> Stored:
        """A table of a contract version; nothing is read from disk but pointers.

        A table of checkpoint scope is read for one `checkpoint`, for the `checkpoints` named, or
        for all that have it (which may be none). `as_of`, a moment with time zone or the id of a
        record, reads what was current then.

        Raises NotMaterialised where a place asked for is empty, MixedIdentities where a result
        was made under another identity than the one asked for.
        """
        spec = _spec(table)
        if spec.scope == "contract" or checkpoint is not None:
            wanted = [_scoped(spec, Place(table, contract, version, checkpoint))]
        elif checkpoints is not None:
            wanted = [Place(table, contract, version, name) for name in sorted(set(checkpoints))]
        else:
            wanted = self._filled_places(table, contract, version, as_of)
        pointers = tuple(self._pointer(place, as_of) for place in wanted)
        for pointer in pointers:
            if identity is not None and pointer.identity != identity:
                raise MixedIdentities(
                    f"{pointer.place} was made under identity {pointer.identity}, asked for was "
                    f"{identity}: restore the contract, or run again under the present one"
                )
        return Stored(table, self.tables, pointers)

    def pointer(self, place: Place) -> Pointer | None:
        """The current pointer of a place, None where it is empty."""
        return read_pointer(self.tables, place)

    def gc(self, *, dry_run: bool, keep: Keep = "recorded") -> list[GarbageFile]:
        """Removes parts that nothing refers to, and left-over temporaries; lists what went.

        `keep="current"` also removes the parts of older results: `as_of` cannot read them then.
        With `dry_run` nothing is removed. Raises WarehouseBusy while another process writes.
        """
        with self.lock():
            found = garbage(self.path, self.history(), keep)
            if not dry_run:
                for file in found:
                    file.path.unlink()
        return found

    def _pointer(self, place: Place, as_of: datetime | str | None) -> Pointer:
        if as_of is None:
            pointer = read_pointer(self.tables, place)
        else:
            record = self.history().latest_success(place, as_of)
            pointer = None if record is None else pointer_to(record)
        if pointer is None:
            when = "" if as_of is None else f" as of {as_of}"
            raise NotMaterialised(f"there is no {place}{when}: `eval-pipeline run` makes it")
        return pointer

    def _filled_places(
        self, table: str, contract: str, version: int, as_of: datetime | str | None
    ) -> list[Place]:
        """The places of all checkpoints that hold something, sorted by checkpoint."""
        if as_of is None:
            folder = self.tables / Place(table, contract, version).folder
            found = [path.parent.name for path in folder.glob(f"checkpoint=*/{POINTER_NAME}")]
            names = sorted(name.removeprefix("checkpoint=") for name in found)
            return [Place(table, contract, version, name) for name in names]
        history = self.history()
        return [
            place
            for place in history.places()
            if (place.table, place.contract, place.version) == (table, contract, version)
            and history.latest_success(place, as_of)
        ]

    def _mend_pointers(self) -> None:
        """Writes each pointer that is missing, or that a killed writer did not get to move.

        Only records that no segment holds are compared: the others were, before they got there.
        """
        loose = {record.id for record in self.lineage.loose()}
        for place, record in self.standing().items():
            path = self.tables / place.folder / POINTER_NAME
            if path.exists() and (record.id not in loose or self._points_to(record)):
                continue
            write_pointer(self.tables, pointer_to(record))

    def _points_to(self, record: Record) -> bool:
        try:
            return read_pointer(self.tables, record.place) == pointer_to(record)
        except DamagedPart:
            return False


def _spec(table: str) -> "Table":
    from eval_pipeline.warehouse.schemas import TABLES

    if table not in TABLES:
        raise ValueError(f"the registry knows no table {table!r}: it has {', '.join(TABLES)}")
    return TABLES[table]


def _scoped(spec: "Table", place: Place) -> Place:
    if (spec.scope == "checkpoint") != (place.checkpoint is not None):
        mend = "name its checkpoint" if spec.scope == "checkpoint" else "leave checkpoint out"
        raise ValueError(f"{place}: the table has {spec.scope} scope: {mend}")
    return place


def _outcome(failures: Sequence[CheckResult], before: Record | None, digest: str) -> Outcome:
    if failures:
        return "failed"
    return "unchanged" if before is not None and before.digest == digest else "ok"


def _attempt(history: History, place: Place, key: str) -> int:
    """One more than the failures in a row under this key."""
    failures = 0
    for record in reversed(history.of(place)):
        if record.succeeded or record.key != key:
            break
        failures += 1
    return failures + 1
