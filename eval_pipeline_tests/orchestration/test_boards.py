"""The leaderboard as it is read: from its table, or composed where a warehouse has none."""

from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.boards import Board, board
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.warehouse.place import Place
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.orchestration.small import small_root


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    made = small_root(tmp_path, "sums", checkpoints=2)
    run(made)
    return made


def read(root: DataRoot, as_of: str | None = None) -> Board | None:
    found = Evaluation(root, settings_from_environment(), "test")
    (active,) = found.world.active
    return board(root, found.warehouse, active.contract, as_of)


def record_of(root: DataRoot, table: str) -> str:
    history = Evaluation(root, settings_from_environment(), "test").warehouse.history()
    record = history.latest_success(Place(table, "sums", 1))
    assert record is not None
    return record.id


def test_it_is_read_from_its_table(root: DataRoot) -> None:
    made = read(root)
    assert made is not None
    assert not made.composed
    assert [row["place"] for row in made.rows] == [1, 2]


def test_where_there_is_no_such_table_the_same_rows_are_composed(root: DataRoot) -> None:
    then = read(root, record_of(root, "decisions"))  # the leaderboard came after
    now = read(root)
    assert then is not None
    assert now is not None
    assert then.composed
    assert list(then.rows) == list(now.rows)
    assert then.identity == now.identity


def test_before_there_was_a_decision_the_values_stand_alone(root: DataRoot) -> None:
    then = read(root, record_of(root, "paired_comparisons"))
    assert then is not None
    assert {row["outcome"] for row in then.rows} == {None}
    assert all(row["value"] is not None for row in then.rows)


def test_before_there_was_a_value_there_is_no_board(root: DataRoot) -> None:
    assert read(root, record_of(root, "items")) is None
