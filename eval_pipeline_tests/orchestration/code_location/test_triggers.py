"""What the sensor and the schedule ask for, on a real instance."""

import datetime
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from eval_pipeline.ingest.checkpoint import MARKER
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location import triggers
from eval_pipeline.orchestration.code_location.location import code_location
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.running.runs import GONE, JOB, report_dead, under_way
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.warehouse.lock import lock_holder, warehouse_lock
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.orchestration.small import add_contract, land_step, small_root


def location(root: DataRoot) -> dg.Definitions:
    return code_location(Evaluation(root, settings_from_environment(), "test").world)


def ticks(
    definitions: dg.Definitions, instance: dg.DagsterInstance
) -> tuple[list[dg.RunRequest], str]:
    """Run requests and the skip message of one evaluation of the sensor."""
    context = dg.build_sensor_context(
        instance=instance,
        instance_ref=instance.get_ref(),
        repository_def=definitions.get_repository_def(),
    )
    data = definitions.resolve_sensor_def("new_checkpoints").evaluate_tick(context)
    return list(data.run_requests or ()), data.skip_message or ""


def names(request: dg.RunRequest) -> set[str]:
    return {"/".join(key.path) for key in request.asset_selection or ()}


def test_a_checkpoint_counts_when_its_marker_is_there(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    marker = root.checkpoint("owl@step1") / MARKER
    stated = marker.read_bytes()
    marker.unlink()
    definitions = location(root)
    (early,), _ = ticks(definitions, instance)  # what rests on no checkpoint can run
    assert early.partition_key is None
    assert names(early) == {"sums/v1/contract", "sums/v1/items"}
    assert not instance.get_dynamic_partitions("checkpoint")

    marker.write_bytes(stated)
    (landed,), _ = ticks(definitions, instance)
    assert landed.partition_key == "owl@step1"
    assert {"sums/v1/verifier_scores", "sums/v1/report"} < names(landed)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1"]

    run(root)
    land_step(root, 2, "sums")
    (root.checkpoint("owl@step2") / MARKER).unlink()
    requests, why = ticks(definitions, instance)
    assert not requests
    assert why == "every number is up to date; waiting for the _SUCCESS of owl@step2"
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1"]


def test_the_partition_of_a_checkpoint_that_is_gone_is_taken_away_until_it_comes_back(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", checkpoints=2)
    run(root)
    definitions = location(root)
    ticks(definitions, instance)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1", "owl@step2"]
    aside = shutil.move(root.checkpoint("owl@step2"), root.path / "aside")
    ticks(definitions, instance)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1"]
    run(root)
    requests, why = ticks(definitions, instance)
    assert not requests
    assert why == "every number is up to date; gone from disk: owl@step2"
    shutil.move(aside, root.checkpoint("owl@step2"))
    ticks(definitions, instance)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1", "owl@step2"]


def test_where_there_is_no_folder_of_checkpoints_no_partition_is_taken_away(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    run(root)
    definitions = location(root)
    shutil.move(root.checkpoints, root.path / "unmounted")
    ticks(definitions, instance)
    assert instance.get_dynamic_partitions("checkpoint") == ["owl@step1"]


def test_each_checkpoint_is_one_run_and_the_last_brings_the_aggregates(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums", "words", checkpoints=2)
    first, second = ticks(location(root), instance)[0]
    assert (first.partition_key, second.partition_key) == ("owl@step1", "owl@step2")
    assert {"sums/v1/items", "sums/v1/generations", "words/v1/metric_estimates"} < names(first)
    assert "sums/v1/decisions" not in names(first)
    assert {"sums/v1/generations", "sums/v1/decisions", "words/v1/report"} < names(second)


def test_a_plan_that_failed_is_asked_for_again_under_another_key_and_not_for_ever(
    tmp_path: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triggers, "TRIES", 3)
    root = small_root(tmp_path, "sums")
    definitions = location(root)
    keys = set()
    for _ in range(3):
        (request,), _ = ticks(definitions, instance)
        keys.add(request.run_key)
        failed = instance.create_run_for_job(
            definitions.resolve_job_def(JOB), tags=dict(request.tags)
        )
        instance.report_run_failed(failed)
    assert len(keys) == 3
    requests, why = ticks(definitions, instance)
    assert not requests
    assert why == "this plan failed 3 times: see the failed runs"


def test_nothing_is_asked_for_while_a_run_is_under_way(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    definitions = location(root)
    started = instance.create_run_for_job(
        definitions.resolve_job_def(JOB), status=dg.DagsterRunStatus.STARTED
    )
    requests, why = ticks(definitions, instance)
    assert not requests
    assert started.run_id in why
    instance.delete_run(started.run_id)
    with warehouse_lock(root.warehouse):
        requests, why = ticks(definitions, instance)
    assert not requests
    assert f"the warehouse is in use by process {os.getpid()}" in why
    assert ticks(definitions, instance)[0]


def test_a_contract_that_came_later_waits_for_a_reload_and_holds_nothing_up(
    tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    root = small_root(tmp_path, "sums")
    definitions = location(root)
    add_contract(root, "words")
    (request,), _ = ticks(definitions, instance)
    assert {name.split("/")[0] for name in names(request)} == {"sums"}
    run(root, contract="sums")
    requests, why = ticks(definitions, instance)
    assert not requests
    assert why == "reload the code location to run words/v1"
    assert ticks(location(root), instance)[0]


@pytest.fixture
def killed(tmp_path: Path) -> DataRoot:
    """A root whose first run was killed after its first table."""
    root = small_root(tmp_path, "sums")
    arguments = [sys.executable, "-m", "eval_pipeline_tests.integration.killed_run", "computed"]
    child = subprocess.run([*arguments, "contract"], capture_output=True, text=True)
    assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]
    return root


def statuses(instance: dg.DagsterInstance) -> Sequence[dg.DagsterRunStatus]:
    return [one.dagster_run.status for one in instance.get_run_records()]


def test_a_killed_run_does_not_keep_the_sensor_waiting(
    killed: DataRoot, instance: dg.DagsterInstance
) -> None:
    definitions = location(killed)
    assert statuses(instance) == [dg.DagsterRunStatus.STARTED]
    assert lock_holder(killed.warehouse) is None
    requests, why = ticks(definitions, instance)
    assert not requests  # it was heard of less than a minute ago
    assert "is under way" in why
    (dead,) = report_dead(instance, silent=0)
    assert statuses(instance) == [dg.DagsterRunStatus.FAILURE]
    last = instance.get_records_for_run(dead, limit=1, ascending=False).records[0]
    assert last.event_log_entry.message == GONE
    assert ticks(definitions, instance)[0]


def test_the_next_run_reports_a_killed_one_as_failed(
    killed: DataRoot, instance: dg.DagsterInstance
) -> None:
    assert not run(killed).failed
    assert statuses(instance) == [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE]


def test_runs_of_other_peoples_jobs_are_left_alone(instance: dg.DagsterInstance) -> None:
    @dg.asset
    def own() -> None: ...

    job = dg.define_asset_job("own_job", [own])
    definitions = dg.Definitions([own], jobs=[job])
    started = instance.create_run_for_job(
        definitions.resolve_job_def("own_job"), status=dg.DagsterRunStatus.STARTED
    )
    assert under_way(instance) is None
    assert not report_dead(instance, silent=0, launch=0)
    (record,) = instance.get_run_records()
    assert record.dagster_run.run_id == started.run_id
    assert record.dagster_run.status == dg.DagsterRunStatus.STARTED


def test_the_night_asks_for_the_same_plan(tmp_path: Path, instance: dg.DagsterInstance) -> None:
    root = small_root(tmp_path, "sums")
    definitions = location(root)
    context = dg.build_schedule_context(
        instance=instance,
        scheduled_execution_time=datetime.datetime(2026, 3, 29, 2, tzinfo=datetime.UTC),
        repository_def=definitions.get_repository_def(),
    )
    night = definitions.resolve_schedule_def("nightly").evaluate_tick(context)
    (request,) = night.run_requests or ()
    (other,), _ = ticks(definitions, instance)
    assert (request.partition_key, names(request)) == (other.partition_key, names(other))
    assert request.tags[triggers.PLAN_TAG] == other.tags[triggers.PLAN_TAG]
    assert (request.run_key or "").startswith("nightly-2026-03-29 ")


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Apia"])
@pytest.mark.parametrize("day", [(2026, 3, 29), (2026, 10, 25), (2026, 3, 8), (2026, 11, 1)])
def test_each_night_has_one_tick_where_clocks_are_set_forward_or_back(
    zone: str, day: tuple[int, int, int]
) -> None:
    from dagster._utils.schedules import schedule_execution_time_iterator

    noon_before = datetime.datetime(*day, 12, tzinfo=ZoneInfo(zone)) - datetime.timedelta(days=1)
    coming = schedule_execution_time_iterator(
        noon_before.timestamp(),
        str(triggers.nightly.cron_schedule),
        triggers.nightly.execution_timezone,
    )
    first, second, third = next(coming), next(coming), next(coming)
    assert [one.hour for one in (first, second, third)] == [2, 2, 2]
    assert second - first == third - second == datetime.timedelta(days=1)
