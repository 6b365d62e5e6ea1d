"""What would run, and why: the world on disk held against the records of lineage.

Every trigger (command line, schedule, sensor, UI) executes this plan. Pure: it is given the
world, the history and the digests, and it writes nothing.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import aggregates, reads_of, stage_of_table, stages_of
from eval_pipeline.orchestration.planning.cells import (
    ActiveContract,
    Cell,
    FileDigests,
    Published,
    cell_key,
)
from eval_pipeline.orchestration.stage import Settings, Stage, told_of_gone

ATTEMPTS = 3
GONE = "it is no longer a complete checkpoint on disk"

State = Literal[
    "current",  # nothing to do
    "missing",  # never computed
    "stale",  # computed from something else than what is there now
    "upstream",  # something it reads will be computed again
    "parked",  # failed as often as it may
    "withheld",  # the settings do not allow it
    "not_applicable",  # there is nothing to run on
    "blocked",  # something it needs is parked, withheld or not there
    "gone",  # its checkpoint is no longer complete on disk; what was computed stands as history
]
RUNS: tuple[State, ...] = ("missing", "stale", "upstream")


class CannotRunError(ValueError):
    """A cell that is withheld, not applicable, blocked, or has failed in this run."""


class NotThereError(CannotRunError):
    """A cell of a checkpoint that is gone from disk, or that the contract is not about."""


class PastResults(Protocol):
    """What planning asks of the warehouse."""

    def published(self, table: str, cell: Cell) -> Published | None:
        """The current part, or None."""

    def failures(self, cell: Cell, key: str) -> int:
        """How often in a row the cell failed under this key."""


@dataclass(frozen=True)
class PlannedCell:
    """A cell, whether it runs, and why, in a sentence."""

    cell: Cell
    state: State
    reason: str
    attempt: int = 1
    key: str = ""  # empty where it cannot be known before something upstream has run

    @property
    def runs(self) -> bool:
        return self.state in RUNS


@dataclass(frozen=True)
class PlannedRun:
    """What one run does: cells of at most one checkpoint, and cells of contract scope."""

    checkpoint: str | None
    cells: tuple[PlannedCell, ...]


@dataclass(frozen=True)
class Plan:
    """Every cell of every active contract with its state."""

    cells: tuple[PlannedCell, ...]

    @property
    def to_run(self) -> tuple[PlannedCell, ...]:
        return tuple(planned for planned in self.cells if planned.runs)

    @property
    def fingerprint(self) -> str:
        """A digest of all that would run, from what, and at which attempt."""
        cells = [[str(one.cell), one.state, one.attempt, one.key] for one in self.to_run]
        return hashlib.sha256(json.dumps(cells).encode()).hexdigest()

    def counts(self) -> dict[str, int]:
        """How many cells are in each state, states without cells left out."""
        found: dict[str, int] = defaultdict(int)
        for planned in self.cells:
            found[planned.state] += 1
        return dict(sorted(found.items()))

    def batches(self) -> list[PlannedRun]:
        """The runs that execute the plan: one a checkpoint, aggregates with the last.

        Cells of contract scope that rest on no checkpoint go with the first run.
        """
        groups: dict[str, list[PlannedCell]] = defaultdict(list)
        roots: list[PlannedCell] = []
        tail: list[PlannedCell] = []
        stages = stage_of_name()
        for planned in self.to_run:
            if planned.cell.checkpoint is not None:
                groups[planned.cell.checkpoint].append(planned)
            elif aggregates(stages[planned.cell.stage]):
                tail.append(planned)
            else:
                roots.append(planned)
        if not groups:
            return [PlannedRun(None, (*roots, *tail))] if roots or tail else []
        names = sorted(groups)
        return [
            PlannedRun(
                name,
                (
                    *(roots if name == names[0] else ()),
                    *groups[name],
                    *(tail if name == names[-1] else ()),
                ),
            )
            for name in names
        ]


def make_plan(
    root: DataRoot,
    contracts: Sequence[ActiveContract],
    history: PastResults,
    digests: FileDigests,
    settings: Settings,
    failed: Iterable[Cell] = (),
    attempts: int = ATTEMPTS,
) -> Plan:
    """The state of every cell.

    failed: cells that already failed in this invocation; they are not tried again in it.
    attempts: failures in a row on the same inputs after which a cell is parked.
    """
    lost = frozenset(failed)
    cells: list[PlannedCell] = []
    for active in contracts:
        planner = _ContractPlanner(root, active, history, digests, settings, lost, attempts)
        cells.extend(planner.plan())
    return Plan(tuple(cells))


@dataclass(frozen=True)
class Opened:
    """What a cell would read right now: its key, and checkpoint to digest of each table.

    behind: of what it reads, the cells that the plan would run first, with the reason; a person
    who runs a single cell is told that it was made without them.
    """

    cell: Cell
    key: str
    reads: Mapping[str, Mapping[str, str]]
    current: bool
    behind: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def open_cell(
    root: DataRoot,
    active: ActiveContract,
    history: PastResults,
    digests: FileDigests,
    settings: Settings,
    cell: Cell,
    failed: Iterable[Cell] = (),
) -> Opened:
    """The inputs of one cell as they are published now.

    A parked cell may be opened: no plan holds it, so a person asks. Raises CannotRunError where the
    plan says so, ValueError where something that it reads is not computed yet.
    """
    planner = _ContractPlanner(root, active, history, digests, settings, frozenset(failed))
    return planner.open(cell)


def stage_of_name() -> Mapping[str, Stage]:
    """Stage by name."""
    return {stage.name: stage for stage in stage_of_table().values()}


@dataclass
class _ContractPlanner:
    root: DataRoot
    active: ActiveContract
    history: PastResults
    digests: FileDigests
    settings: Settings
    failed: frozenset[Cell]
    attempts: int = ATTEMPTS
    states: dict[tuple[str, str | None], PlannedCell] = field(default_factory=dict)

    def plan(self) -> list[PlannedCell]:
        return [
            planned
            for stage in stages_of(self.active.contract)
            for planned in (
                *(self._state(stage, checkpoint) for checkpoint in self._checkpoints(stage)),
                *self._gone(stage),
            )
        ]

    def open(self, cell: Cell) -> Opened:
        stage = stage_of_name()[cell.stage]
        if not stage.wanted(self.active.contract):
            raise ValueError(f"{cell}: the contract has no such cell")
        if cell.checkpoint not in self._checkpoints(stage):
            raise NotThereError(f"{cell}: {self._why_not_there(cell.checkpoint)}")
        planned = self._state(stage, cell.checkpoint)
        retried = planned.state == "parked" and cell not in self.failed  # a person asks for it
        if not (planned.runs or planned.state == "current" or retried):
            raise CannotRunError(f"{cell} is {planned.state}: {planned.reason}")
        upstream = self._upstream(stage, cell.checkpoint)
        reads = self._reads(stage, upstream)
        if empty := [table for table, refs in reads.items() if not refs]:
            raise ValueError(
                f"{cell} needs {', '.join(empty)}, which is not computed yet: "
                "run that first, or all with `eval-pipeline run` or the job evaluate_checkpoint"
            )
        key = self._key(stage, cell.checkpoint, reads)
        late = {up.cell: up for ups in upstream.values() for up in ups if up.runs}.values()
        behind = tuple(f"{up.cell} is {up.state}: {up.reason}" for up in late)
        facts = self._facts(stage, cell.checkpoint, reads)
        return Opened(cell, key, reads, planned.state == "current", behind, facts)

    def _why_not_there(self, checkpoint: str | None) -> str:
        if checkpoint in self.active.gone:
            return f"{GONE}: put its folder back to run it; what was computed stays as history"
        title = self.active.contract.title
        return f"it is no complete checkpoint on disk that {title} is about"

    def _checkpoints(self, stage: Stage) -> Sequence[str | None]:
        return self.active.targets if stage.scope == "checkpoint" else (None,)

    def _gone(self, stage: Stage) -> list[PlannedCell]:
        """The cells of checkpoints that are gone, of which something stands."""
        if stage.scope != "checkpoint":
            return []
        home = self.active.home
        cells = [Cell(*home, stage.name, checkpoint) for checkpoint in self.active.gone]
        return [
            PlannedCell(cell, "gone", f"{GONE}; its results stay as history")
            for cell in cells
            if any(self._part(table, cell) for table in stage.tables)
        ]

    def _state(self, stage: Stage, checkpoint: str | None) -> PlannedCell:
        """Looked at once, with what it reads before it: to open a cell takes no more than these."""
        at = (stage.name, checkpoint)
        if at not in self.states:
            self.states[at] = self._planned(stage, checkpoint)
        return self.states[at]

    def _planned(self, stage: Stage, checkpoint: str | None) -> PlannedCell:
        contract = self.active.contract
        cell = Cell(contract.contract, contract.version, stage.name, checkpoint)
        if reason := stage.not_applicable(self.root, contract, checkpoint):
            return PlannedCell(cell, "not_applicable", reason)
        upstream = self._upstream(stage, checkpoint)
        if not all(upstream.values()):
            return PlannedCell(cell, "not_applicable", "no checkpoint matches the targets yet")
        if lame := self._lame(upstream):
            return lame_cell(cell, lame)
        running = [up for ups in upstream.values() for up in ups if up.runs]
        published = [self._part(table, cell) for table in stage.tables]
        if running:
            state: State = "missing" if None in published else "upstream"
            why = f"{running[0].cell.stage} will run"
            return self._withheld(stage, cell) or PlannedCell(cell, state, why)
        key = self._key(stage, checkpoint, self._reads(stage, upstream))
        if all(part is not None and part.key == key for part in published):
            return PlannedCell(cell, "current", "computed from what is there")
        if withheld := self._withheld(stage, cell):  # what need not run needs no leave
            return withheld
        attempts = self.history.failures(cell, key)
        if cell in self.failed:
            return PlannedCell(cell, "parked", "failed in this run", attempts)
        if attempts >= self.attempts:
            reason = f"failed {attempts} times on the same inputs: mend them, or --retry-parked"
            return PlannedCell(cell, "parked", reason, attempts)
        if None in published:
            return PlannedCell(cell, "missing", "never computed", attempts + 1, key)
        read = [file for part in published if part is not None for file in part.files]
        told = stage.told(self.root, contract, read)
        reason = told or "a file, a table, a list or an instrument that it reads has changed"
        return PlannedCell(cell, "stale", reason, attempts + 1, key)

    def _withheld(self, stage: Stage, cell: Cell) -> PlannedCell | None:
        reason = stage.withheld(self.active.contract, self.settings)
        return None if reason is None else PlannedCell(cell, "withheld", reason)

    def _upstream(self, stage: Stage, checkpoint: str | None) -> dict[str, list[PlannedCell]]:
        """Table to the cells that write what this stage would read of it."""
        found: dict[str, list[PlannedCell]] = {}
        for table in reads_of(stage, self.active.contract):
            writer = stage_of_table()[table]
            if writer.scope == "contract":
                names: Sequence[str | None] = (None,)
            elif stage.scope == "checkpoint":
                names = (checkpoint,)
            else:
                names = self.active.targets
            found[table] = [self._state(writer, name) for name in names]
        return found

    def _lame(self, upstream: Mapping[str, Sequence[PlannedCell]]) -> PlannedCell | None:
        """A cell without which this one cannot be, if there is one.

        An aggregate does without checkpoints that failed, as long as one is left.
        """
        for ups in upstream.values():
            usable = [up for up in ups if up.runs or up.state == "current"]
            if not usable:  # where one failed, that is the reason, and not that another has no file
                return next((up for up in ups if up.state != "not_applicable"), ups[0])
        return None

    def _reads(
        self, stage: Stage, upstream: Mapping[str, Sequence[PlannedCell]]
    ) -> dict[str, dict[str, str]]:
        reads: dict[str, dict[str, str]] = {}
        for table, ups in upstream.items():
            refs = {}
            for up in ups:
                part = self._part(table, up.cell)
                if (up.runs or up.state == "current") and part is not None:
                    refs[up.cell.checkpoint or ""] = part.digest
            reads[table] = refs
            if refs and stage.keeps_gone:
                reads[table] |= self._left_behind(table)
        return reads

    def _left_behind(self, table: str) -> dict[str, str]:
        """Checkpoint to digest of what stands of those that are gone."""
        writer = stage_of_table()[table]
        parts = {up.cell.checkpoint or "": self._part(table, up.cell) for up in self._gone(writer)}
        return {name: part.digest for name, part in parts.items() if part is not None}

    def _key(
        self, stage: Stage, checkpoint: str | None, reads: Mapping[str, Mapping[str, str]]
    ) -> str:
        try:
            paths = stage.files(self.root, self.active.contract, checkpoint)
            digests = self.digests.of_all(paths)
        except ValueError as refused:  # the cell will say so when it runs, and others still run
            digests = {"refused": str(refused)}
        facts = self._facts(stage, checkpoint, reads)
        return cell_key(stage, self.active, reads, digests, facts)

    def _facts(
        self, stage: Stage, checkpoint: str | None, reads: Mapping[str, Mapping[str, str]]
    ) -> Mapping[str, str]:
        seen = {name for refs in reads.values() for name in refs}
        order = [name for name in self.active.targets if name in seen]
        facts = stage.facts(self.root, self.active.contract, checkpoint, order)
        return {**facts, **told_of_gone(self.active.gone)} if stage.keeps_gone else facts

    def _part(self, table: str, cell: Cell) -> Published | None:
        """The current part of this identity: what a draft gave before an edit counts as missing."""
        part = self.history.published(table, cell)
        return part if part is not None and part.identity == self.active.identity else None


def lame_cell(cell: Cell, because: PlannedCell) -> PlannedCell:
    """A cell that cannot run because one that it needs cannot."""
    if because.state in ("not_applicable", "blocked"):
        return PlannedCell(cell, because.state, because.reason)
    alike = because.cell.checkpoint in (None, cell.checkpoint)
    which = because.cell.stage if alike else f"{because.cell.stage} of {because.cell.checkpoint}"
    return PlannedCell(cell, "blocked", f"{which} is {because.state}: {because.reason}")
