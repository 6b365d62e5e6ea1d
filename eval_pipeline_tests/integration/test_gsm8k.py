"""The published grade-school answers through the whole pipeline."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.roots import gsm8k_root, run

PUBLISHED = {
    "6b_finetuning": 21.68,
    "6b_verification": 39.04,
    "175b_finetuning": 34.72,
    "175b_verification": 56.25,
}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, reference_data: Path) -> Warehouse:
    root = gsm8k_root(tmp_path_factory.mktemp("gsm8k"), reference_data)
    outcome = run(root)
    assert not outcome.failed
    assert not outcome.faults
    return Warehouse(root.warehouse)


def test_published_accuracies_come_out(warehouse: Warehouse) -> None:
    rows = warehouse.read("metric_estimates", "gsm8k", 1).table().to_pylist()
    found = {
        row["checkpoint"]: round(100 * row["value"], 2)
        for row in rows
        if (row["metric"], row["slice"], row["policy"]) == ("pass@1", "all", "primary")
    }
    assert found == PUBLISHED


def test_every_published_flag_agrees(warehouse: Warehouse, reference_data: Path) -> None:
    scores = warehouse.read("verifier_scores", "gsm8k", 1).table().to_pylist()
    ours = {(row["checkpoint"], row["item_id"]): row["score"] == 1.0 for row in scores}
    published = pq.read_table(reference_data / "math/gsm8k_openai_solutions.parquet").to_pylist()
    flags = {(row["model"], row["item_id"]): row["published_correct"] for row in published}
    assert len(flags) == 5276
    assert ours == flags


def test_the_pipeline_itself_holds_ours_against_the_published_flags(warehouse: Warehouse) -> None:
    for row in warehouse.read("verdict_agreement", "gsm8k", 1).table().to_pylist():
        assert round(100 * row["recorded_all"], 2) == PUBLISHED[row["checkpoint"]]
        assert row["n_recorded"] == row["n_samples"] == 1319
        assert row["agreement"] == row["kappa"] == 1.0
        assert row["only_ours_right"] == row["only_recorded_right"] == 0
        assert row["n_compared"] + row["n_only_recorded"] == 1319
    apart = warehouse.read("recorded_verdicts", "gsm8k", 1).table().to_pylist()
    assert not [row for row in apart if row["ours"] is None and row["recorded"] == 1.0]


def test_no_line_is_lost(warehouse: Warehouse) -> None:
    for row in warehouse.read("ingest_files", "gsm8k", 1).table().to_pylist():
        assert row["lines"] == row["accepted"] == 1319
        assert row["rejected"] == 0
