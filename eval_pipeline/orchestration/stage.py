"""What a stage of the chain is: the tables it reads, the tables it writes, how it computes them.

The chain is declared once, in `stages/`. Dagster assets, the plan, `verify` and the reference's
picture are derived from it. No dagster here: a stage runs in a test or a notebook as it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.judging.asking.purse import Purse
from eval_pipeline.judging.asking.services import Endpoint
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.rows.reading import RowType, rows_of, table_of
from eval_pipeline.warehouse.cache import DAMAGED, Cache


@dataclass(frozen=True)
class Settings:
    """What the person who runs may allow or set; never part of a result's identity.

    ask_judges: whether live judges may be called, or kept replies must do. purse: what calls may
    cost in this run. given_up: endpoints that are left alone in this run, and why; with a model,
    only where that is asked.
    """

    allow_unsafe_code: bool = False
    workers: int = 1
    ask_judges: bool = True
    purse: Purse = field(default_factory=Purse)
    given_up: dict[tuple[Endpoint, str | None], str] = field(default_factory=dict, repr=False)
    dask: str | None = None  # address of a scheduler that searches corpora for us
    scan_megabytes: int = 16  # of text that a search of a corpus holds at a time


class UnfinishedError(ValueError):
    """A cell that could not be finished, though nothing is wrong with it, such as a spent budget.

    What was done is kept, nothing is counted against the cell, and the next run goes on.
    """


class BudgetSpentError(UnfinishedError):
    """A cell that was stopped by a limit that a person set: as they wished, so no failure."""


Notes = Mapping[str, Mapping[str, str]]  # checkpoint, "" for none -> what was said there


def no_notes(table: str) -> Notes:
    """Where nothing is known of how the tables were made."""
    return {}


def told_of_gone(gone: Iterable[str]) -> dict[str, str]:
    """The fact, and the note, of a stage that keeps what is gone: which checkpoints those are."""
    names = ", ".join(sorted(gone))
    return {"gone": names} if names else {}


def gone_as_told(notes: Mapping[str, str]) -> tuple[str, ...]:
    """The checkpoints that were gone by the notes of a record."""
    return tuple(notes["gone"].split(", ")) if "gone" in notes else ()


@dataclass(frozen=True)
class StageInputs:
    """All that a stage may look at.

    `tables` gives each table named in the stage's `reads`, stamped columns included. A stage of
    contract scope that reads a table of checkpoint scope gets all its checkpoints, one below the
    other, sorted by name. `notes` gives what the stage of a table said of how it worked. `gone`:
    checkpoints of those tables that are no longer complete on disk; none unless the stage keeps
    them.
    """

    contract: Contract
    root: DataRoot
    tables: Mapping[str, Callable[..., pa.Table]]
    checkpoint: str | None = None
    settings: Settings = field(default_factory=Settings)
    cache: Cache | None = None  # of work by content; None: all work is done anew
    notes: Callable[[str], Notes] = no_notes
    gone: tuple[str, ...] = ()

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The table, or only the named columns of it (the rest is not read from disk)."""
        return self.tables[name]() if columns is None else self.tables[name](columns)

    def rows(self, kind: type[RowType]) -> list[RowType]:
        """The rows of the table that the type is of; none where the contract has no such table."""
        name = table_of(kind)
        return rows_of(kind, self.table(name)) if self.has(name) else []

    def has(self, name: str) -> bool:
        """Whether the contract has the table at all."""
        return name in self.tables


@dataclass(frozen=True)
class Computed:
    """What a stage made: its tables (without stamped columns), and the raw files it read.

    set_aside: what was read and not used, by a name of its kind, where no table of rejects has it.
    """

    tables: Mapping[str, pa.Table]
    files: Sequence[FileRead] = ()
    notes: Mapping[str, str | int | float] = field(default_factory=dict)
    set_aside: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """A sentence that must hold before a table is published.

    `finds` returns None where it holds, else one line that says what is wrong. It sees what was
    computed and what it was computed from.
    """

    sentence: str  # a name of the form every_sample_is_counted
    table: str
    finds: Callable[["StageInputs", Computed], str | None]


@dataclass(frozen=True)
class Notice:
    """A sentence that should hold of a table; where it does not, people are warned of it.

    Nothing is held back. `finds` is given the table as it is published, stamped columns or not.
    """

    sentence: str  # a name of the form every_vote_is_cast
    table: str
    finds: Callable[[pa.Table], str | None]


def no_files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """For a stage that reads tables only."""
    return ()


def nothing_further(contract: Contract) -> tuple[str, ...]:
    """For a stage that reads the same tables under every contract."""
    return ()


def no_facts(
    root: DataRoot, contract: Contract, checkpoint: str | None, order: Sequence[str]
) -> Mapping[str, str]:
    """For a stage that reads no list which contracts share."""
    return {}


def always(contract: Contract) -> bool:
    """For a stage that every contract has."""
    return True


def no_instruments(contract: Contract) -> Mapping[str, str]:
    """For a stage whose own version says it all."""
    return {}


def nothing_withheld(contract: Contract, settings: Settings) -> str | None:
    """For a stage that may always run."""
    return None


def nothing_told(root: DataRoot, contract: Contract, read: Sequence[FileRead]) -> str | None:
    """For a stage whose files do not say what was done to them."""
    return None


def always_applicable(root: DataRoot, contract: Contract, checkpoint: str | None) -> str | None:
    """For a stage that needs no raw file of its own."""
    return None


@dataclass(frozen=True)
class Stage:
    """One step of the chain.

    `files` names the raw files that the stage would read, existing or not; planning compares
    their digests. `version` goes up when the numbers would change. `instruments` are further
    versions that the contract picks, such as {"verifier": "numeric@1"}. `withheld` says why the
    stage may not run under the present settings, or None; `not_applicable` says why there is
    nothing to run on (no file for that benchmark), or None. `also_reads` names further tables,
    which only some contracts make the stage read. `facts` are what the stage takes from a list
    that contracts share, such as who is accepted, given the checkpoints that it reads, by (date,
    name): they stand in the key, and in the notes of what was computed, in place of the file, so
    that a line which concerns another contract makes nothing stale. `told` says what has happened
    since, given the files that were read for what is stale, or None where they cannot tell.
    `keeps_gone`: whether the stage also reads what stands of checkpoints that are gone from disk;
    which those are stands in its key.
    """

    name: str
    tables: tuple[str, ...]
    scope: Literal["checkpoint", "contract"]
    reads: tuple[str, ...]
    version: int
    compute: Callable[[StageInputs], Computed]
    wanted: Callable[[Contract], bool] = always
    files: Callable[[DataRoot, Contract, str | None], Sequence[Path]] = no_files
    facts: Callable[[DataRoot, Contract, str | None, Sequence[str]], Mapping[str, str]] = no_facts
    instruments: Callable[[Contract], Mapping[str, str]] = no_instruments
    withheld: Callable[[Contract, Settings], str | None] = nothing_withheld
    not_applicable: Callable[[DataRoot, Contract, str | None], str | None] = always_applicable
    checks: tuple[Check, ...] = ()
    notices: tuple[Notice, ...] = ()
    also_reads: Callable[[Contract], tuple[str, ...]] = nothing_further
    told: Callable[[DataRoot, Contract, Sequence[FileRead]], str | None] = nothing_told
    keeps_gone: bool = False


def checked_tables(stage: Stage, computed: Computed) -> Computed:
    """What a stage gave, if it is what the stage declares; else ValueError."""
    if set(computed.tables) != set(stage.tables):
        raise ValueError(
            f"stage {stage.name} gave {sorted(computed.tables)}, it declares {sorted(stage.tables)}"
        )
    return computed


def with_damage(computed: Computed, inputs: StageInputs) -> Computed:
    """What was computed, with the entries of the shared cache that had to be made anew."""
    if inputs.cache is None or not inputs.cache.damaged:
        return computed
    damage = {DAMAGED: len(inputs.cache.damaged)}
    return replace(computed, set_aside={**computed.set_aside, **damage})
