"""A project with books kept by hand: every state of a cell can be brought about in milliseconds.

Nothing is computed: cells are written down as if they had been.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from eval_pipeline.ingest.checkpoint import write_success
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.planning.cells import ActiveContract, Cell, FileDigests, Published
from eval_pipeline.orchestration.planning.plan import (
    ATTEMPTS,
    Plan,
    PlannedCell,
    make_plan,
    open_cell,
    stage_of_name,
)
from eval_pipeline.orchestration.planning.world import marker_digests, read_world
from eval_pipeline.orchestration.stage import Settings

AGGREGATES = ("paired_comparisons", "decisions", "leaderboard", "report")


@dataclass
class Books:
    """A warehouse's history, kept by hand."""

    parts: dict[tuple[str, Cell], Published] = field(default_factory=dict)
    failed: Counter[tuple[Cell, str]] = field(default_factory=Counter)

    def published(self, table: str, cell: Cell) -> Published | None:
        return self.parts.get((table, cell))

    def with_results(self, contract: str, version: int, identity: str) -> set[str]:
        return {
            cell.checkpoint
            for (_, cell), part in self.parts.items()
            if cell.checkpoint and (*cell.home, part.identity) == (contract, version, identity)
        }

    def failures(self, cell: Cell, key: str) -> int:
        return self.failed[cell, key]


class Desk:
    """A project with its books: plans, and writes down as if cells had been computed."""

    def __init__(self, root: DataRoot, settings: Settings | None = None) -> None:
        self.root = root
        self.settings = settings or Settings()
        self.books = Books()

    @property
    def digests(self) -> FileDigests:
        memory = self.root.path / "memory.json"
        return FileDigests(self.root, memory, lambda name: marker_digests(self.root, name))

    @property
    def active(self) -> Sequence[ActiveContract]:
        world = read_world(self.root, self.digests, lambda *_: None, self.books.with_results)
        assert not world.faults
        return world.active

    def plan(self, failed: Sequence[Cell] = (), attempts: int = ATTEMPTS) -> Plan:
        return make_plan(
            self.root, self.active, self.books, self.digests, self.settings, failed, attempts
        )

    def settle(self, digest: Callable[[str, Cell], str] | None = None) -> list[Cell]:
        """Writes all that would run down as computed, in the plan's order; what that was."""
        done = []
        while waiting := [one.cell for one in self.plan().to_run if one.cell not in done]:
            self.compute(waiting[0], digest)
            done.append(waiting[0])
        return done

    def compute(self, cell: Cell, digest: Callable[[str, Cell], str] | None = None) -> None:
        (active,) = [one for one in self.active if one.home == cell.home]
        opened = open_cell(self.root, active, self.books, self.digests, self.settings, cell)
        for table in stage_of_name()[cell.stage].tables:
            values = digest(table, cell) if digest else f"{table} from {opened.key}"
            self.books.parts[table, cell] = Published(values, opened.key, active.identity)

    def states(self, failed: Sequence[Cell] = (), attempts: int = ATTEMPTS) -> dict[str, str]:
        return {str(one.cell): one.state for one in self.plan(failed, attempts).cells}

    def cell(self, name: str) -> PlannedCell:
        (found,) = [one for one in self.plan().cells if str(one.cell) == name]
        return found

    def fail(self, name: str, times: int = 1) -> None:
        one = self.cell(name)
        self.books.failed[one.cell, one.key] += times


def restate(root: DataRoot, checkpoint: str, file: str, text: str) -> None:
    (root.checkpoint(checkpoint) / file).write_text(text, encoding="utf-8")
    write_success(root.checkpoint(checkpoint))


def contract_cells(stages: Sequence[str] = AGGREGATES) -> set[str]:
    return {f"sums/v1 {stage}" for stage in stages}
