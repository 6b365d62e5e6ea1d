"""The disk and the warehouse bound together: plans, opens, computes and publishes cells.

One object a run. The Dagster assets, the command line and the tests all go through it, so there
is one way in which a table comes about. No dagster here.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial

import pyarrow as pa

from eval_pipeline.contracts.registry import Recorded, record_identity
from eval_pipeline.layout import DataRoot, refusal
from eval_pipeline.orchestration.observer import Observer, Silent
from eval_pipeline.orchestration.planning.cells import (
    ActiveContract,
    Cell,
    FileDigests,
    instruments_of,
)
from eval_pipeline.orchestration.planning.past import WarehouseHistory, place_of
from eval_pipeline.orchestration.planning.plan import (
    ATTEMPTS,
    Opened,
    Plan,
    make_plan,
    open_cell,
    stage_of_name,
)
from eval_pipeline.orchestration.planning.world import World, marker_digests, read_world
from eval_pipeline.orchestration.stage import (
    BudgetSpentError,
    Computed,
    Notes,
    Settings,
    Stage,
    StageInputs,
    UnfinishedError,
    checked_tables,
    with_damage,
)
from eval_pipeline.warehouse.cache import Cache
from eval_pipeline.warehouse.errors import CheckFailed, DiskFull
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.record import CheckResult, Record
from eval_pipeline.warehouse.store import Warehouse

# What a contract declares is no result yet: while its items cannot be read, both may be mended.
BEFORE_RESULTS = ("contract",)
FIRST_RESULT = "items"


@dataclass(frozen=True)
class Made:
    """What came of a cell: computed and checked, or found to be what is there already."""

    cell: Cell
    opened: Opened
    computed: Computed | None  # None: unchanged
    findings: Mapping[str, str | None]  # sentence of each check -> what it found
    started_at: datetime


class Evaluation:
    """One data root, its warehouse and the settings of a run."""

    def __init__(
        self, root: DataRoot, settings: Settings, run_id: str, observer: Observer | None = None
    ) -> None:
        self.root = root
        self.settings = settings
        self.run_id = run_id
        self.observer = observer or Silent()
        self.exclusively = False  # whether this evaluation holds the warehouse's lock
        self.warehouse = Warehouse(root.warehouse)
        self.done: dict[Cell, str] = {}
        self.failed: dict[Cell, str] = {}
        self.over_budget: dict[Cell, str] = {}  # failed at a person's limit -> key of its inputs
        self.set_aside: dict[Cell, Mapping[str, int]] = {}
        self.stopped: DiskFull | None = None

    @cached_property
    def digests(self) -> FileDigests:
        memory = self.root.warehouse / "cache" / "file_digests.sealed"
        return FileDigests(self.root, memory, partial(marker_digests, self.root))

    @cached_property
    def world(self) -> World:
        """The disk as it stood when it was first asked for."""
        return read_world(self.root, self.digests, self._recorded, self.history.with_results)

    @cached_property
    def history(self) -> WarehouseHistory:
        return WarehouseHistory(self.warehouse)

    def plan(self, attempts: int = ATTEMPTS) -> Plan:
        """What would run and why; cells that failed in this run are not planned again."""
        return make_plan(
            self.root,
            self.world.active,
            self.history,
            self.digests,
            self.settings,
            self.failed,
            attempts,
        )

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Holds the warehouse's lock; what was read before is read again inside.

        Raises WarehouseBusy at once where another process holds it.
        """
        with self.warehouse.lock():
            for name in ("world", "history"):
                self.__dict__.pop(name, None)
            self.exclusively = True
            try:
                yield
            finally:
                self.exclusively = False

    def active(self, cell: Cell) -> ActiveContract:
        return self.world.contract(*cell.home)

    def make(self, cell: Cell) -> Made:
        """Opens, computes and checks a cell; a failure is recorded and raised again.

        After DiskFull no further cell is tried: see `stopped`.
        """
        if self.stopped is not None:
            raise self.stopped
        started = datetime.now(UTC)
        active = self.active(cell)
        self.observer.started(cell)
        try:
            opened = open_cell(
                self.root, active, self.history, self.digests, self.settings, cell, self.failed
            )
        except (ValueError, OSError) as error:  # nothing was computed that could be recorded
            self.failed[cell] = one_line(error)
            self.observer.ended(cell, "failed")
            raise
        if opened.current:
            self._ended(cell, "unchanged")
            return Made(cell, opened, None, {}, started)
        stage = stage_of_name()[cell.stage]
        try:
            inputs = self._inputs(active, opened)
            computed = with_damage(checked_tables(stage, stage.compute(inputs)), inputs)
            self._check_evidence(computed)
            check_facts(opened, computed)
            findings = {check.sentence: check.finds(inputs, computed) for check in stage.checks}
        except Exception as error:
            self._record_failure(stage, active, opened, error, started)
            raise
        return Made(cell, opened, computed, findings, started)

    def publish(self, made: Made, table: str) -> Record:
        """Makes one table of a computed cell the current one.

        Raises CheckFailed where a check of the table, or of any other of its cell, found
        something: tables of one cell are published together or not at all. The failure is
        recorded and what was current stays.
        """
        cell, active = made.cell, self.active(made.cell)
        stage = stage_of_name()[cell.stage]
        if made.computed is None:
            return self._standing_record(cell, table)
        try:
            record = self.warehouse.publish(
                table,
                made.computed.tables[table],
                contract=cell.contract,
                version=cell.version,
                checkpoint=cell.checkpoint,
                identity=active.identity,
                stage=stage.name,
                key=made.opened.key,
                run_id=self.run_id,
                inputs=input_refs(made.opened),
                files=made.computed.files,
                instruments=instruments_of(stage, active.contract),
                notes={name: str(note) for name, note in made.computed.notes.items()},
                seed=active.contract.statistics.seed,
                checks=[
                    partial(_finding, check.sentence, made.findings[check.sentence])
                    for check in stage.checks
                    if check.table == table or made.findings[check.sentence] is not None
                ],
                started_at=made.started_at,
            )
        except CheckFailed as error:
            self.failed[cell] = str(error)
            self.observer.ended(cell, "failed")
            raise
        except Exception as error:
            self._record_failure(stage, active, made.opened, error, made.started_at)
            raise
        self.history.took_in(record)
        if stage.name not in BEFORE_RESULTS:
            record_identity(self.root, active.contract, self.digests.of)
        if table == stage.tables[-1]:
            if aside := rows_set_aside(made.computed):
                self.set_aside[cell] = aside
            self._ended(cell, "ok")
        return record

    def run_cell(self, cell: Cell) -> list[Record]:
        """Makes a cell and publishes all its tables."""
        made = self.make(cell)
        return [self.publish(made, table) for table in stage_of_name()[cell.stage].tables]

    def published_table(self, cell: Cell, table: str) -> pa.Table:
        """What the cell's table holds now."""
        stored = self.warehouse.read(table, cell.contract, cell.version, checkpoint=cell.checkpoint)
        return stored.table()

    def finish(self) -> None:
        """What follows the last publication of a run: the catalogue, and the memory of digests."""
        from eval_pipeline.warehouse.catalog import publish_catalog

        self.digests.remember()
        publish_catalog(self.warehouse)

    def _recorded(self, contract: str, version: int, identity: str) -> Recorded | None:
        """What the warehouse holds of a frozen contract's results, if under another identity."""
        history = self.warehouse.history()
        if history.latest_success(Place(FIRST_RESULT, contract, version)) is None:
            return None
        record = history.latest_success(Place("contract", contract, version))
        if record is None or record.identity == identity:
            return None
        row = self.warehouse.read("contract", contract, version).table().to_pylist()[0]
        if row["status"] == "draft":
            return None
        return Recorded(contract, version, record.identity, json.loads(row["body"]))

    def _ended(self, cell: Cell, outcome: str) -> None:
        self.done[cell] = outcome
        self.observer.ended(cell, outcome)

    def _inputs(self, active: ActiveContract, opened: Opened) -> StageInputs:
        tables = {
            table: self._source(active, opened.cell, table, refs)
            for table, refs in opened.reads.items()
        }
        return StageInputs(
            active.contract,
            self.root,
            tables,
            opened.cell.checkpoint,
            self.settings,
            Cache(self.root.warehouse / "cache"),
            partial(recorded_notes, self.warehouse, input_refs(opened)),
            active.gone if stage_of_name()[opened.cell.stage].keeps_gone else (),
        )

    def _source(
        self, active: ActiveContract, cell: Cell, table: str, refs: Mapping[str, str]
    ) -> Callable[..., pa.Table]:
        """Reads, when it is asked to, just the states of the table that the key was made of."""
        by_checkpoint = "" not in refs
        stored = self.warehouse.read(
            table,
            cell.contract,
            cell.version,
            checkpoints=sorted(refs) if by_checkpoint else None,
            identity=active.identity,
        )
        found = {ref.checkpoint or "": ref.digest for ref in stored.refs}
        if found != dict(refs):
            raise ValueError(f"{cell}: {table} changed while the run was under way: run again")
        return stored.table

    def _check_evidence(self, computed: Computed) -> None:
        """Refuses a result whose files, as they were read, are not those that its key is of.

        A file whose size and times were put back hides its change from a glance; its bytes do not.
        """
        for file in computed.files:
            path = self.root.path / file.path
            if self.digests.of(path) != file.sha256:
                self.digests.forget(path)
                self.digests.remember()
                raise ValueError(
                    f"{file.path} is not what it was when the run was planned: see "
                    "`eval-pipeline validate`, and run again"
                )

    def _standing_record(self, cell: Cell, table: str) -> Record:
        place = place_of(cell, table)
        record = self.warehouse.history().latest_success(place)
        if record is None:
            raise LookupError(f"{place} has no record")
        return record

    def _record_failure(
        self,
        stage: Stage,
        active: ActiveContract,
        opened: Opened,
        error: Exception,
        started: datetime,
    ) -> None:
        """A full disk is no fault of the cell: it is not counted against it, and ends the run.

        Nor is what could not be finished; there the others go on.
        """
        if isinstance(error, DiskFull):
            self.stopped = error
            return
        cell = opened.cell
        self.failed[cell] = one_line(error)
        over_budget = isinstance(error, BudgetSpentError)
        if over_budget:
            self.over_budget[cell] = opened.key
        self.observer.ended(cell, "at budget" if over_budget else "failed")
        if isinstance(error, UnfinishedError):
            return
        try:
            self.warehouse.record_failure(
                stage.tables,
                contract=cell.contract,
                version=cell.version,
                checkpoint=cell.checkpoint,
                identity=active.identity,
                stage=stage.name,
                key=opened.key,
                run_id=self.run_id,
                detail=one_line(error),
                started_at=started,
            )
        except DiskFull as full:
            self.stopped = full
            raise


def check_facts(opened: Opened, computed: Computed) -> None:
    """Refuses a result made from other lines of a shared list than its key is of."""
    for name, told in opened.facts.items():
        if computed.notes.get(name) != told:
            raise ValueError(
                f"{opened.cell}: {name} are {computed.notes.get(name)} and were {told} when the "
                "run was planned: run again"
            )


def rows_set_aside(computed: Computed) -> dict[str, int]:
    """What the stage read and did not use: rejects by reason, and what it counted itself."""
    found: dict[str, int] = {}
    for name, table in computed.tables.items():
        if name.startswith("rejected_"):
            reasons = Counter(table["reason"].to_pylist())
            found |= {f"{name}: {reason}": n for reason, n in sorted(reasons.items())}
    found |= {kind: n for kind, n in computed.set_aside.items() if n}
    return found


def input_refs(opened: Opened) -> list[TableRef]:
    """The tables that were really read, for lineage."""
    return [
        TableRef(table, opened.cell.contract, opened.cell.version, checkpoint or None, digest)
        for table, refs in sorted(opened.reads.items())
        for checkpoint, digest in sorted(refs.items())
    ]


def recorded_notes(
    warehouse: Warehouse, refs: Sequence[TableRef], table: str, before: str | None = None
) -> Notes:
    """What was noted where the states of a table were last made, before a record, by checkpoint."""
    history = warehouse.history()
    made = {
        ref.checkpoint or "": history.made(ref.place, ref.digest, before)
        for ref in refs
        if ref.table == table
    }
    return {name: record.notes for name, record in made.items() if record is not None}


def one_line(error: BaseException) -> str:
    """An error as one line: its type where the message alone would not tell."""
    said = refusal(error) if isinstance(error, OSError) else str(error)
    text = " ".join(said.split())
    foreseen = isinstance(error, ValueError | OSError | LookupError)
    if foreseen and text and not isinstance(error, KeyError | IndexError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _finding(sentence: str, finding: str | None, _: pa.Table) -> CheckResult:
    return CheckResult(sentence, finding is None, finding or "")
