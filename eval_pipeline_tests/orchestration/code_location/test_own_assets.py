"""Assets of a person's own beside ours: they load our tables, and a run of one cell by hand."""

from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.asset_metadata import plain
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.code_location.partitions import CHECKPOINTS, asset_key
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.running.runs import JOB
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.warehouse.lock import warehouse_lock
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.orchestration.small import (
    add_contract,
    land_step,
    restate,
    small_root,
)

SCORES = asset_key("sums", 1, "verifier_scores")
DECISIONS = asset_key("sums", 1, "decisions")


@dg.asset(partitions_def=CHECKPOINTS, ins={"scores": dg.AssetIn(SCORES)})
def accuracy(scores: pa.Table) -> dg.MaterializeResult[Any]:
    """Of one checkpoint."""
    found = scores["score"].to_pylist()
    return dg.MaterializeResult(
        metadata={
            "accuracy": sum(found) / len(found),
            "checkpoints": sorted(set(scores["checkpoint"].to_pylist())),
        }
    )


@dg.asset(ins={"scores": dg.AssetIn(SCORES), "decisions": dg.AssetIn(DECISIONS)})
def overview(scores: pa.Table, decisions: pa.Table) -> dg.MaterializeResult[Any]:
    """Of all checkpoints."""
    return dg.MaterializeResult(
        metadata={
            "checkpoints": sorted(set(scores["checkpoint"].to_pylist())),
            "decisions": decisions.num_rows,
        }
    )


def with_own(root: DataRoot) -> dg.Definitions:
    ours = code_location(Evaluation(root, settings_from_environment(), "test").world)
    return dg.Definitions.merge(ours, dg.Definitions(assets=[accuracy, overview]))


def materialised(
    definitions: dg.Definitions,
    instance: dg.DagsterInstance,
    *keys: dg.AssetKey,
    partition: str | None = None,
) -> dg.ExecuteInProcessResult:
    """What the UI does: a run of the implicit job over the chosen assets and their like."""
    job = definitions.resolve_implicit_global_asset_job_def()
    chosen = dg.AssetSelection.assets(*keys).required_multi_asset_neighbors()
    return job.execute_in_process(
        instance=instance,
        partition_key=partition,
        asset_selection=list(chosen.resolve(definitions.resolve_asset_graph())),
        raise_on_error=False,
    )


def failure(result: dg.ExecuteInProcessResult) -> str:
    (event,) = result.get_step_failure_events()
    return event.step_failure_data.error_display_string


def shown(result: dg.ExecuteInProcessResult, key: dg.AssetKey) -> dict[str, Any]:
    (event,) = [e for e in result.get_asset_materialization_events() if e.asset_key == key]
    return {name: value.value for name, value in event.materialization.metadata.items()}


def test_own_assets_load_the_checkpoint_or_all_checkpoints(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", checkpoints=2)
    run(root)
    instance.add_dynamic_partitions("checkpoint", ["owl@step9"])  # of which nothing is known
    definitions = with_own(root)
    with warehouse_lock(root.warehouse):  # a run of ours is writing: reading goes on
        one = materialised(definitions, instance, accuracy.key, partition="owl@step1")
        all_of_them = materialised(definitions, instance, overview.key)
        absent = materialised(definitions, instance, accuracy.key, partition="owl@step9")
    assert shown(one, accuracy.key) == {"accuracy": 0.75, "checkpoints": ["owl@step1"]}
    assert shown(all_of_them, overview.key)["checkpoints"] == ["owl@step1", "owl@step2"]
    assert "no verifier_scores of sums v1, checkpoint owl@step9" in failure(absent)

    both = materialised(
        definitions, instance, SCORES, accuracy.key, overview.key, partition="owl@step2"
    )
    assert shown(both, overview.key)["checkpoints"] == ["owl@step1", "owl@step2"]
    assert shown(both, accuracy.key)["checkpoints"] == ["owl@step2"]


def test_own_assets_load_what_a_retired_contract_left(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    root.retired.write_text(
        "- {contract: sums, version: 1, reason: its items leaked, date: 2026-02-01}\n"
    )
    result = materialised(with_own(root), instance, accuracy.key, partition="owl@step1")
    assert shown(result, accuracy.key)["accuracy"] == 0.75


def test_a_cell_run_by_hand_says_what_it_lacks_and_what_to_run(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    definitions = with_own(root)
    instance.add_dynamic_partitions("checkpoint", ["owl@step1"])
    result = materialised(definitions, instance, SCORES, partition="owl@step1")
    why = failure(result)
    assert "sums/v1 verifier_scores of owl@step1 needs items, generations" in why
    assert "the job evaluate_checkpoint" in why


def test_a_table_made_by_hand_from_what_is_behind_says_so(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    land_step(root, 2, "sums")
    restate(root, "owl@step1", "sums.jsonl", "")
    definitions = with_own(root)
    before = asset_key("sums", 1, "paired_comparisons")
    result = materialised(definitions, instance, before)
    note = shown(result, before)["made without"]
    step1 = "sums/v1 verifier_scores of owl@step1 is upstream: generations will run"
    step2 = "sums/v1 verifier_scores of owl@step2 is missing: generations will run"
    assert {f"- {plain(step1)}", f"- {plain(step2)}"} < set(note.splitlines())
    plan = Evaluation(root, settings_from_environment(), "test").plan()
    assert "upstream" in {one.state for one in plan.cells if one.cell.stage == "paired_comparisons"}


def test_a_run_that_would_write_while_another_writes_says_who(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    from eval_pipeline.warehouse import lock

    root = small_root(tmp_path, "sums")
    definitions = with_own(root)
    with warehouse_lock(root.warehouse):
        monkeypatch.setattr(lock, "_held", {})  # as seen by another process
        result = materialised(definitions, instance, asset_key("sums", 1, "contract"))
    assert "is in use by process" in failure(result)


def test_the_whole_job_passes_over_what_does_not_apply_to_a_checkpoint(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    add_contract(root, "words")  # the checkpoint has no answers to it
    instance.add_dynamic_partitions("checkpoint", ["owl@step1"])
    job = with_own(root).resolve_job_def(JOB)
    result = job.execute_in_process(instance=instance, partition_key="owl@step1")
    assert result.success
    made = {"/".join(e.asset_key.path) for e in result.get_asset_materialization_events()}
    assert {"sums/v1/report", "words/v1/items"} < made
    assert "words/v1/generations" not in made
    assert not instance.get_materialized_partitions(accuracy.key)  # nor is a person's asset in it

    asked = materialised(
        with_own(root), instance, asset_key("words", 1, "generations"), partition="owl@step1"
    )
    assert "checkpoint owl@step1 has no file of benchmark words" in failure(asked)


def test_all_of_a_group_can_be_materialised_for_a_checkpoint(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    definitions = with_own(root)
    instance.add_dynamic_partitions("checkpoint", ["owl@step1"])
    group = dg.AssetSelection.groups("sums/v1").resolve(definitions.resolve_asset_graph())
    result = materialised(definitions, instance, *group, partition="owl@step1")
    assert result.success
    plan = Evaluation(root, settings_from_environment(), "test").plan()
    assert {one.state for one in plan.cells} == {"current"}
