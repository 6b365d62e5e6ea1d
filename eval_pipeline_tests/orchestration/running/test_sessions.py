"""What a run computes, and what it leaves alone, by the records of a real Dagster instance."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from eval_pipeline.ingest import generations
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.partitions import asset_key
from eval_pipeline.verification import tables
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.orchestration.small import (
    add_contract,
    answers_of,
    land_step,
    restate,
    small_root,
)

CELLS = ("generations", "verifier_scores", "metric_estimates")
AGGREGATES = ("paired_comparisons", "decisions", "leaderboard", "report")
ROOTS = ("contract", "items")


def cells(contract: str, checkpoint: str) -> set[str]:
    return {f"{contract}/v1 {stage} of {checkpoint}" for stage in CELLS}


def aggregates(contract: str) -> set[str]:
    return {f"{contract}/v1 {stage}" for stage in AGGREGATES}


def roots(contract: str) -> set[str]:
    return {f"{contract}/v1 {stage}" for stage in ROOTS}


def digest(root: DataRoot, contract: str, table: str, checkpoint: str | None = None) -> str:
    pointer = Warehouse(root.warehouse).pointer(Place(table, contract, 1, checkpoint))
    assert pointer is not None
    return pointer.digest


def materialised(instance: dg.DagsterInstance, key: dg.AssetKey, partition: str) -> int:
    wanted = dg.AssetRecordsFilter(asset_key=key, asset_partitions=[partition])
    return len(instance.fetch_materializations(wanted, limit=100).records)


def test_a_new_checkpoint_runs_its_cells_and_the_aggregates_that_it_touches(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", "words")
    first = run(root)
    assert set(first.done) == {
        *roots("sums"),
        *cells("sums", "owl@step1"),
        *aggregates("sums"),
        *roots("words"),
        *cells("words", "owl@step1"),
        *aggregates("words"),
    }
    assert set(first.done.values()) == {"ok"}
    assert instance.get_runs_count() == 1  # cells of one checkpoint and aggregates, in one run

    again = run(root)
    assert not again.done
    assert instance.get_runs_count() == 1

    land_step(root, 2, "sums", wrong=2)  # it has no answers for the other contract
    second = run(root)
    assert set(second.done) == {*cells("sums", "owl@step2"), *aggregates("sums")}
    (record,) = instance.get_run_records(limit=1)
    assert record.dagster_run.tags["dagster/partition"] == "owl@step2"
    scores = asset_key("sums", 1, "verifier_scores")
    assert materialised(instance, scores, "owl@step1") == 1
    assert materialised(instance, scores, "owl@step2") == 1
    shown = instance.get_latest_data_version_record(scores, partition_key="owl@step2")
    assert shown is not None
    tags = shown.asset_materialization.tags if shown.asset_materialization else {}
    assert (tags or {})["dagster/data_version"] == digest(
        root, "sums", "verifier_scores", "owl@step2"
    )  # what comes out the same makes nothing downstream look stale
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1", "owl@step2"]


def test_a_failing_contract_leaves_the_others_complete_and_is_parked_after_three_tries(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", "words")
    answers = root.checkpoint("owl@step1") / "sums.jsonl"
    answers.write_text(answers_of(wrong=1).replace("A:", "a:"), encoding="utf-8")
    broken = "sums/v1 generations of owl@step1"

    first = run(root)
    assert set(first.failed) == {broken}
    assert "sums.jsonl is not the file that _SUCCESS states" in first.failed[broken]
    others = {*roots("words"), *cells("words", "owl@step1"), *aggregates("words")}
    assert set(first.done) == {*roots("sums"), *others}
    (record,) = instance.get_run_records(limit=1)
    assert record.dagster_run.status == dg.DagsterRunStatus.FAILURE

    for _ in range(2):
        assert set(run(root).failed) == {broken}
    parked = run(root)
    assert not parked.failed
    assert not parked.done
    assert "failed 3 times" in parked.parked[broken]

    answers.write_text(answers_of(wrong=1), encoding="utf-8")
    assert not run(root).done  # its bytes are those of the marker again, which says nothing new
    retried = run(root, retry_parked=True)
    assert not retried.failed
    assert set(retried.done) == {*cells("sums", "owl@step1"), *aggregates("sums")}


def losing_the_last(scored: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    return lambda *arguments: scored(*arguments)[:-1]


def test_a_check_that_fails_leaves_the_old_part_current_and_is_shown(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    before = digest(root, "sums", "verifier_scores", "owl@step1")
    restate(root, "owl@step1", "sums.jsonl", answers_of(wrong=3))
    with monkeypatch.context() as lossy:
        lossy.setattr(tables, "score_rows", losing_the_last(tables.score_rows))
        outcome = run(root)
    why = outcome.failed["sums/v1 verifier_scores of owl@step1"]
    assert "every_sample_is_scored" in why
    assert digest(root, "sums", "verifier_scores", "owl@step1") == before
    (record,) = instance.get_run_records(limit=1)
    assert record.dagster_run.status == dg.DagsterRunStatus.FAILURE
    check = dg.AssetCheckKey(asset_key("sums", 1, "verifier_scores"), "every_sample_is_scored")
    shown = instance.event_log_storage.get_asset_check_execution_history(check, limit=2)
    evaluations = [one.event.dagster_event.asset_check_evaluation_data for one in shown]
    assert [one.passed for one in evaluations] == [False, True]
    assert evaluations[0].partition == "owl@step1"
    assert "finding" in evaluations[0].metadata

    healed = run(root)
    assert not healed.failed
    assert digest(root, "sums", "verifier_scores", "owl@step1") != before


def test_the_tables_of_a_cell_are_published_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    stands = ("run_manifest", "ingest_files", "generations")
    before = [digest(root, "sums", table, "owl@step1") for table in stands]
    restate(root, "owl@step1", "sums.jsonl", answers_of(wrong=3))
    read = generations.read_generations

    def lossy(*arguments: Any, **options: Any) -> Any:
        found = read(*arguments, **options)
        return dataclasses.replace(found, generations=found.generations.slice(1))

    monkeypatch.setattr(generations, "read_generations", lossy)
    why = run(root).failed["sums/v1 generations of owl@step1"]
    assert "every_row_is_held" in why
    assert [digest(root, "sums", table, "owl@step1") for table in stands] == before


def test_what_comes_out_the_same_is_not_followed_further(tmp_path: Path) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    before = digest(root, "sums", "generations", "owl@step1")
    restate(root, "owl@step1", "words.jsonl", answers_of(wrong=0))  # for another benchmark
    done = run(root).done
    assert done.pop("sums/v1 generations of owl@step1") == "ok"
    assert set(done) == {*cells("sums", "owl@step1"), *aggregates("sums")} - {
        "sums/v1 generations of owl@step1"
    }
    assert set(done.values()) == {"unchanged"}  # looked at, and not computed
    assert digest(root, "sums", "generations", "owl@step1") == before
    history = Warehouse(root.warehouse).history()
    last = history.of(Place("generations", "sums", 1, "owl@step1"))[-1]
    assert last.outcome == "unchanged"
    assert not run(root).done


def test_an_edited_draft_is_computed_again(tmp_path: Path) -> None:
    root = small_root(tmp_path, "sums")
    path = add_contract(root, "sums", status="draft")
    run(root)
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 1", "seed: 2"))
    outcome = run(root)
    assert not outcome.faults
    assert set(outcome.done) == {
        *roots("sums"),
        *cells("sums", "owl@step1"),
        *aggregates("sums"),
    }


def test_an_edited_frozen_contract_is_refused_by_name_and_the_others_run(tmp_path: Path) -> None:
    root = small_root(tmp_path, "sums", "words")
    run(root)
    path = root.contract_file("sums", 1)
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 1", "seed: 2"))
    land_step(root, 2, "sums", "words")
    outcome = run(root)
    assert set(outcome.done) == {*cells("words", "owl@step2"), *aggregates("words")}
    refusal = "contract sums v1 was changed after results were recorded: restore it or add v2"
    (fault,) = outcome.faults["contracts/sums/v1.yaml"]
    assert refusal in fault

    root.contracts_lock.unlink()  # the warehouse remembers as well
    (fault,) = run(root).faults["contracts/sums/v1.yaml"]
    assert refusal in fault
