"""Battles in a Parquet file: the counts of DuckDB are those of the rows, and faults are named."""

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eval_pipeline.ranking.counts import pair_counts
from eval_pipeline.ranking.parquet import BattleColumns, battles_of_parquet, counts_of_parquet

MEANING = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5, "mostly_a": 0.75}
COLUMNS = BattleColumns("model_a", "model_b", "winner", "prompt")


def written(folder: Path, **changed: list) -> Path:
    rng = np.random.default_rng(4)
    pairs = np.array([rng.choice(5, 2, replace=False) for _ in range(500)])
    table = {
        "model_a": [f"m{k}" for k in pairs[:, 0]],
        "model_b": [f"m{k}" for k in pairs[:, 1]],
        "winner": rng.choice(list(MEANING), 500).tolist(),
        "prompt": rng.integers(0, 20, 500).tolist(),
    }
    for name, values in changed.items():
        table[name][: len(values)] = values
    path = folder / "battles.parquet"
    pq.write_table(pa.table(table), path)
    return path


@pytest.mark.parametrize("row_group_size", [7, 1000])
def test_counts_equal_those_of_the_rows_and_of_sql(tmp_path: Path, row_group_size: int) -> None:
    path = written(tmp_path)
    pq.write_table(pq.read_table(path), path, row_group_size=row_group_size)
    counts = counts_of_parquet(path, COLUMNS, MEANING)
    battles = battles_of_parquet(path, COLUMNS, MEANING)
    by_row = pair_counts(battles)
    assert counts.models == by_row.models
    np.testing.assert_array_equal(counts.wins, by_row.wins)
    np.testing.assert_array_equal(counts.decisive, by_row.decisive)
    assert battles.n_clusters == 20
    by_sql = duckdb.sql(
        "SELECT model_a, model_b, winner, count(*) FROM read_parquet($1) GROUP BY ALL",
        params=[str(path)],
    ).fetchall()
    wins = np.zeros((5, 5))
    for one, two, label, number in by_sql:
        i, j = counts.models.index(one), counts.models.index(two)
        wins[i, j] += number * MEANING[label]
        wins[j, i] += number * (1 - MEANING[label])
    np.testing.assert_array_equal(counts.total, wins)
    alone = battles_of_parquet(path, BattleColumns("model_a", "model_b", "winner"), MEANING)
    assert alone.n_clusters == 500


@pytest.mark.parametrize("read", [counts_of_parquet, battles_of_parquet])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"winner": ["tie", "judge_error"]},
            r"row 1 of battles.parquet: outcome 'judge_error' is not one of .* never a tie",
        ),
        ({"winner": [None]}, r"row 0 of battles.parquet: outcome None"),
        ({"model_a": ["x"], "model_b": ["x"]}, "a model against itself"),
        ({"model_a": [None]}, "a model without a name"),
    ],
)
def test_a_row_that_is_no_battle_is_named(
    tmp_path: Path, read: object, changed: dict, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read(written(tmp_path, **changed), COLUMNS, MEANING)


def test_no_rows_are_no_models(tmp_path: Path) -> None:
    path = tmp_path / "empty.parquet"
    empty = pa.array([], pa.string())
    pq.write_table(pa.table({"model_a": empty, "model_b": empty, "winner": empty}), path)
    columns = BattleColumns("model_a", "model_b", "winner")
    assert counts_of_parquet(path, columns, MEANING).models == ()


def test_an_outcome_must_mean_a_score(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="outcome 'left' must mean a score of 0 to 1, not 2"):
        counts_of_parquet(written(tmp_path), COLUMNS, {"left": 2})
