"""A checkpoint's generation files of one benchmark as samples, with every row accounted for.

Accepted + rejected = rows read, in each file. Rows are read in the order of the files (the base
file, then top-ups by number) and of the lines.

Attempts: rows of one (item, draw) with different `attempt` numbers are attempts of one sample;
the one with the highest number counts, the others are superseded. A row without `attempt` is a
first attempt, and is rejected as a duplicate where its (item, draw) was read before; so is a
row whose attempt number was read before.
"""

import gc
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.ingest.attempts import Attempts
from eval_pipeline.ingest.benchmark_files import check_forms
from eval_pipeline.ingest.lines import LineReader, Lines
from eval_pipeline.ingest.objects import Batch, Columns, Object, read_batches
from eval_pipeline.ingest.parquet_lines import ParquetReader
from eval_pipeline.ingest.rejects import Rejects, RowFault
from eval_pipeline.ingest.samples import (
    ENCODED,
    columns_of,
    finished,
    sample_faults,
)
from eval_pipeline.ingest.table_builder import TableBuilder
from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.schemas import TABLES

_DRAW_BITS = 32  # a sample's key: the rank of its item above, its draw below
_DRAW_MASK = 2**_DRAW_BITS - 1
_PRESENT, _RETRY = 1, 2  # 0: absent


@dataclass(frozen=True)
class GenerationRead:
    """What the files of a checkpoint hold, in the shapes of the table registry, in file order.

    `files`: each file as it was read, its path being its name. `extra_keys`: how often each
    unknown key was met in an accepted row.
    """

    generations: pa.Table
    rejected_lines: pa.Table
    ingest_files: pa.Table
    missing_draws: pa.Table
    files: Sequence[FileRead]
    extra_keys: Mapping[str, int]


def read_generations(
    files: Sequence[Path],
    item_ids: Collection[str],
    draws_per_item: int | None = None,
    retried: Collection[str] = (),
) -> GenerationRead:
    """Reads the files, in their order, into samples, rejects, accounts and missing draws.

    draws_per_item: the contract's budget; draws beyond it are rejected, draws that are lacking
    are listed; None where no budget is known. retried: the statuses that the contract maps to
    retry; such draws are listed as missing too.
    Memory: the accepted rows in Arrow form and about 100 bytes a row; rejects are bounded by
    MAX_REJECTED.
    Raises ValueError that names the file where it is damaged or not what its name says.
    """
    check_forms(files)
    reading = _Reading(item_ids, draws_per_item)
    for path in files:
        reading.read(path)
    return reading.finish(retried)


class _Reading:
    """The state of one `read_generations`."""

    def __init__(self, item_ids: Collection[str], draws_per_item: int | None) -> None:
        self.item_ids = sorted(item_ids)
        self.draws_per_item = draws_per_item
        self.ranks = {item_id: rank for rank, item_id in enumerate(self.item_ids)}
        self.samples = TableBuilder(TABLES["generations"], ENCODED)
        self.rejects = Rejects(TABLES["rejected_lines"])
        self.attempts = Attempts()
        self.accounts: list[_Account] = []
        self.extra_keys: Counter[str] = Counter()

    def read(self, path: Path) -> None:
        reader = ParquetReader(path) if path.name.endswith(".parquet") else LineReader(path)
        accepted, rejected, lines = len(self.attempts), self.rejects.count, 0
        with _no_garbage_collection():
            for batch in read_batches(reader):
                lines += len(batch)
                self._read_batch(batch, path.name)
        account = _Account(
            reader.file_read(path.name),
            lines,
            slice(accepted, len(self.attempts)),
            self.rejects.count - rejected,
        )
        self.accounts.append(account)

    def _read_batch(self, batch: Batch, file: str) -> None:
        """Sorts the rows into accepted and rejected ones, and stores both."""
        columns, left = columns_of(batch)
        faults = sample_faults(columns) | batch.faults
        faults |= self._unwanted(columns, [i for i in range(len(batch)) if i not in faults])
        for i in sorted(faults):
            self.rejects.add(file, *batch.lines.place(i), faults[i], batch.lines.contents[i])
        lines = batch.lines
        if faults:
            accepted = [i for i in range(len(batch)) if i not in faults]
            columns = {key: [values[i] for i in accepted] for key, values in columns.items()}
            left, lines = [left[i] for i in accepted], lines.only(accepted)
        if len(lines):
            self._store(columns, left, lines, file)

    def _unwanted(self, columns: Columns, places: list[int]) -> dict[int, RowFault]:
        """Of samples without fault, those that the benchmark, the budget or an earlier row bars."""
        faults: dict[int, RowFault] = {}
        keys: dict[int, int] = {}
        item_ids, draws, attempts = columns["item_id"], columns["draw"], columns["attempt"]
        for i in places:
            rank = self.ranks.get(item_ids[i])
            if rank is None:
                missing = f"the benchmark has no item {item_ids[i]!r:.80}"
                faults[i] = RowFault("unknown_item", missing)
            elif self.draws_per_item is not None and draws[i] >= self.draws_per_item:
                allowed = f"the contract takes draws 0..{self.draws_per_item - 1}"
                faults[i] = RowFault("beyond_budget", f"draw {draws[i]}: {allowed}")
            else:
                keys[i] = rank << _DRAW_BITS | draws[i]
        wanted = list(keys)
        barred = self.attempts.admit(list(keys.values()), [attempts[i] for i in wanted])
        return faults | {wanted[n]: fault for n, fault in barred.items()}

    def _store(self, columns: Columns, left: list[Object], lines: Lines, file: str) -> None:
        self.extra_keys.update(chain.from_iterable(left))
        n = len(lines)
        self.samples.add_columns(
            {
                **finished(columns, left),
                "attempts": np.ones(n, np.int32),  # the right ones are known at the end only
                "file": pa.repeat(file, n),
                "line": lines.numbers,
                "byte_offset": pa.nulls(n) if lines.offsets is None else lines.offsets,
            }
        )

    def finish(self, retried: Collection[str]) -> GenerationRead:
        recorded = self.attempts.recorded()
        generations = self._counting(recorded)
        return GenerationRead(
            generations=generations,
            rejected_lines=self.rejects.finish(),
            ingest_files=TABLES["ingest_files"].from_rows([a.row(recorded) for a in self.accounts]),
            missing_draws=self._missing(generations, recorded, retried),
            files=[account.read for account in self.accounts],
            extra_keys=dict(sorted(self.extra_keys.items())),
        )

    def _counting(self, recorded: NDArray[np.int32]) -> pa.Table:
        """The rows that count, with their attempts."""
        table = self.samples.finish()
        i = table.schema.get_field_index("attempts")
        table = table.set_column(i, table.schema.field(i), pa.array(recorded))
        return table if recorded.all() else table.filter(pa.array(recorded > 0))

    def _missing(
        self, generations: pa.Table, recorded: NDArray[np.int32], retried: Collection[str]
    ) -> pa.Table:
        if self.draws_per_item is None:
            return TABLES["missing_draws"].empty()
        state = np.zeros((len(self.item_ids), self.draws_per_item), dtype=np.int8)
        keys = self.attempts.keys()[recorded > 0]
        awaits_retry = pc.is_in(generations["status"], pa.array(sorted(retried), pa.string()))
        state[keys >> _DRAW_BITS, keys & _DRAW_MASK] = np.where(
            awaits_retry.to_numpy(), _RETRY, _PRESENT
        )
        items, draws = np.nonzero(state != _PRESENT)
        return TABLES["missing_draws"].from_columns(
            {
                "item_id": [self.item_ids[item] for item in items],
                "draw": draws,
                "reason": np.where(state[items, draws] == _RETRY, "retry", "absent"),
            }
        )


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Reading makes no cycles, and the search for them would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True)
class _Account:
    """The rows of one file; accepted rows are numbered through all files."""

    read: FileRead
    lines: int
    accepted: slice
    rejected: int

    def row(self, recorded: NDArray[np.int32]) -> dict[str, str | int]:
        accepted = recorded[self.accepted]
        return {
            "file": self.read.path,
            "sha256": self.read.sha256,
            "bytes": self.read.bytes,
            "lines": self.lines,
            "accepted": len(accepted),
            "rejected": self.rejected,
            "superseded": int(np.count_nonzero(accepted == 0)),
        }
