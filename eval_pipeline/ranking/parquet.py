"""Battles in a Parquet file: counted by DuckDB, or read row by row where clusters matter.

Counts are whole numbers of rows, so they do not depend on threads; scores enter after that. A row
that is no battle is an error that names it: a label without a meaning is never a tie.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from eval_pipeline.ranking.counts import PairCounts
from eval_pipeline.ranking.encode import Battles, encode_battles, encoded

Ints = NDArray[np.int64]


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

    meaning: what `first` took under each outcome label, 0 to 1.
    Raises ValueError that names the first row without a model, of a model against itself, or
    with a label that has no meaning.
    """
    _check_meaning(meaning)
    first, second, outcome = (_quoted(c) for c in (columns.first, columns.second, columns.outcome))
    with duckdb.connect() as connection:
        found = connection.sql(
            f"SELECT {first}, {second}, {outcome}, count(*) FROM read_parquet(?) GROUP BY ALL",
            params=[str(path)],
        ).to_arrow_table()
        one, two = encoded(found.column(0)), encoded(found.column(1))
        labels = encoded(found.column(2))
        names = tuple(sorted({*one.names, *two.names}))
        place = {name: i for i, name in enumerate(names)}
        i, j = one.placed(place), two.placed(place)
        known = np.array([*(label in meaning for label in labels.names), False])[labels.codes]
        if not ((i >= 0) & (j >= 0) & (i != j) & known).all():
            raise ValueError(_first_fault(connection, path, columns, meaning))
    number = np.asarray(found.column(3).to_numpy(), dtype=np.float64)
    share = np.array([*(meaning.get(label, np.nan) for label in labels.names), np.nan])[
        labels.codes
    ]
    n = len(names)
    won = number * share

    def table(cells: Ints, values: NDArray[np.float64]) -> NDArray[np.float64]:
        summed = np.bincount(cells, weights=values, minlength=n * n)
        return summed.astype(np.float64, copy=False).reshape(n, n)

    wins = table(i * n + j, won) + table(j * n + i, number - won)
    decisive = table(i * n + j, 1.0 * (share > 0.5)) + table(j * n + i, 1.0 * (share < 0.5)) > 0
    empty = np.zeros_like(wins)
    return PairCounts(names, np.stack([wins, empty, empty]), decisive)


def battles_of_parquet(
    path: Path, columns: BattleColumns, meaning: Mapping[str, float]
) -> Battles:
    """The battles of a file with their clusters; errors as in `counts_of_parquet`."""
    _check_meaning(meaning)
    wanted = [columns.first, columns.second, columns.outcome]
    wanted += [columns.cluster] if columns.cluster else []
    table = pq.read_table(path, columns=wanted, read_dictionary=wanted)
    labels = encoded(table[columns.outcome])
    if labels.codes.min(initial=0) < 0 or set(labels.names) - set(meaning):
        with duckdb.connect() as connection:
            raise ValueError(_first_fault(connection, path, columns, meaning))
    share = np.array([*(meaning[label] for label in labels.names), np.nan])[labels.codes]
    cluster = table[columns.cluster] if columns.cluster else None
    return encode_battles(table[columns.first], table[columns.second], share, cluster=cluster)


def _check_meaning(meaning: Mapping[str, float]) -> None:
    for label, score in meaning.items():
        if isinstance(score, bool) or not 0 <= score <= 1:
            raise ValueError(f"outcome {label!r} must mean a score of 0 to 1, not {score!r}")


def _first_fault(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    columns: BattleColumns,
    meaning: Mapping[str, float],
) -> str:
    """What is wrong with the first row that is no battle, counted from 0."""
    first, second, outcome = (_quoted(c) for c in (columns.first, columns.second, columns.outcome))
    row, one, two, label, faults = connection.execute(
        f"""
        SELECT file_row_number, {first}, {second}, {outcome}, count(*) OVER ()
        FROM read_parquet(?, file_row_number = true)
        WHERE {first} IS NULL OR {second} IS NULL OR {first} = {second}
           OR {outcome} IS NULL OR NOT list_contains(?, {outcome})
        ORDER BY file_row_number LIMIT 1
        """,
        [str(path), sorted(meaning)],
    ).fetchall()[0]
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
