"""Battles in a Parquet file: counted in whole numbers, or read row by row where clusters matter.

Names stay the codes that the file's own dictionaries give them, so that a battle costs one
addition: five times quicker than grouping strings by SQL. DuckDB names the rows that are no
battle: a label without a meaning is an error, never a tie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.ranking.counts import PairCounts
from eval_pipeline.ranking.encode import Battles, Encoded, encode_battles, encoded

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

DENSE = 4
"""Cells for each row up to which they are counted in a table; beyond, by sorting."""


@dataclass(frozen=True)
class BattleColumns:
    """Names of the columns of a file of battles.

    cluster: the sampling unit of a row; None makes each row a unit of its own.
    """

    first: str
    second: str
    outcome: str
    cluster: str | None = None


def counts_of_parquet(
    path: Path, columns: BattleColumns, meaning: Mapping[str, float]
) -> PairCounts:
    """Counts of the battles of a file, one row a battle, no seat taken as seen.

    meaning: what `first` took under each outcome label, 0 to 1. One row group is held at a time.
    Raises ValueError that names the first row without a model, of a model against itself, or
    with a label that has no meaning.
    """
    _check_meaning(meaning)
    wanted = [columns.first, columns.second, columns.outcome]
    with pq.ParquetFile(path, read_dictionary=wanted) as file:
        groups = [
            _tallied([encoded(column) for column in file.read_row_group(k, columns=wanted).columns])
            for k in range(file.num_row_groups)
        ]
    names = tuple(sorted({name for group in groups for c in group.cells[:2] for name in c.names}))
    place = {name: i for i, name in enumerate(names)}
    n = len(names)
    wins, decisive = np.zeros(n * n), np.zeros(n * n, dtype=bool)
    for group in groups:
        i, j = (column.placed(place) for column in group.cells[:2])
        labels = group.cells[2]
        share = np.array([*(meaning.get(label, np.nan) for label in labels.names), np.nan])
        took = share[labels.codes]
        if not ((i >= 0) & (j >= 0) & (i != j) & ~np.isnan(took)).all():
            raise ValueError(_first_fault(path, columns, meaning))
        won = group.number * took
        for cell, amount in ((i * n + j, won), (j * n + i, group.number - won)):
            wins += np.bincount(cell, weights=amount, minlength=n * n)
        decisive[(i * n + j)[took > 0.5]] = True
        decisive[(j * n + i)[took < 0.5]] = True
    unseated = wins.reshape(n, n)
    empty = np.zeros_like(unseated)
    return PairCounts(names, np.stack([unseated, empty, empty]), decisive.reshape(n, n))


def battles_of_parquet(path: Path, columns: BattleColumns, meaning: Mapping[str, float]) -> Battles:
    """The battles of a file with their clusters; errors as in `counts_of_parquet`."""
    _check_meaning(meaning)
    wanted = [columns.first, columns.second, columns.outcome]
    wanted += [columns.cluster] if columns.cluster else []
    table = pq.read_table(path, columns=wanted, read_dictionary=wanted)
    labels = encoded(table[columns.outcome])
    if labels.codes.min(initial=0) < 0 or set(labels.names) - set(meaning):
        raise ValueError(_first_fault(path, columns, meaning))
    share = np.array([*(meaning[label] for label in labels.names), np.nan])[labels.codes]
    cluster = table[columns.cluster] if columns.cluster else None
    return encode_battles(table[columns.first], table[columns.second], share, cluster=cluster)


@dataclass(frozen=True)
class _Tally:
    """The combinations of names that occur in some rows, column by column, and how often."""

    cells: Sequence[Encoded]
    number: Ints


def _tallied(read: Sequence[Encoded]) -> _Tally:
    sizes = tuple(len(column.names) + 1 for column in read)  # a last code for a row without a name
    key = np.zeros(len(read[0].codes), dtype=np.int64)
    for column, size in zip(read, sizes, strict=True):
        key *= size
        key += column.codes % size
    if np.prod(sizes, dtype=np.float64) <= DENSE * len(key):
        table = np.bincount(key)
        found = np.flatnonzero(table)
        number = table[found]
    else:
        found, number = np.unique(key, return_counts=True)
    codes = np.unravel_index(found, sizes)
    cells = [Encoded(column.names, part) for column, part in zip(read, codes, strict=True)]
    return _Tally(cells, number.astype(np.int64))


def _check_meaning(meaning: Mapping[str, float]) -> None:
    for label, score in meaning.items():
        if isinstance(score, bool) or not 0 <= score <= 1:
            raise ValueError(f"outcome {label!r} must mean a score of 0 to 1, not {score!r}")


def _first_fault(path: Path, columns: BattleColumns, meaning: Mapping[str, float]) -> str:
    """What is wrong with the first row that is no battle, counted from 0."""
    first, second, outcome = (_quoted(c) for c in (columns.first, columns.second, columns.outcome))
    query = f"""
        SELECT file_row_number, {first}, {second}, {outcome}, count(*) OVER ()
        FROM read_parquet(?, file_row_number = true)
        WHERE {first} IS NULL OR {second} IS NULL OR {first} = {second}
           OR {outcome} IS NULL OR NOT list_contains(?, {outcome})
        ORDER BY file_row_number LIMIT 1
    """
    with duckdb.connect() as connection:
        found = connection.execute(query, [str(path), sorted(meaning)]).fetchall()
    row, one, two, label, faults = found[0]
    where = f"row {row} of {path.name}"
    if one is None or two is None:
        what = "a model without a name"
    elif one == two:
        what = f"a model against itself, {one!r}"
    else:
        what = f"outcome {label!r} is not one of {sorted(meaning)}; it is never a tie"
    return f"{where}: {what} ({faults} such rows); drop and count what is no battle"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
