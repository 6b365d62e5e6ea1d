"""Events go to Dagster's own files through connections that stay open."""

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.storage.event_log import SqliteEventLogStorage

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.event_log import OPEN_FILES, OpenEventLog
from eval_pipeline.orchestration.running.home import (
    CONFIGURATION,
    FORMER,
    HOME_VARIABLE,
    prepared_home,
)


@dg.asset
def number() -> dg.MaterializeResult[int]:
    return dg.MaterializeResult(value=7, metadata={"square": 49})


def log_of(instance: dg.DagsterInstance) -> OpenEventLog:
    log = instance.event_log_storage
    assert isinstance(log, OpenEventLog)
    return log


def events_of(log: SqliteEventLogStorage, runs: list[str]) -> list[list[str]]:
    return [[record.message for record in log.get_logs_for_run(run)] for run in runs]


def test_dagsters_own_storage_reads_what_was_written(
    instance: dg.DagsterInstance, dagster_home: Path
) -> None:
    runs = [dg.materialize([number], instance=instance).run_id for _ in range(OPEN_FILES)]
    log = log_of(instance)
    assert len(log._engines) <= OPEN_FILES  # a run's file is closed in the end
    mine = events_of(log, runs)
    assert min(map(len, mine)) > 5
    theirs = SqliteEventLogStorage(str(dagster_home / "history" / "runs"))
    theirs.register_instance(instance)
    assert events_of(theirs, runs) == mine
    (newest,) = instance.fetch_materializations(number.key, limit=1).records
    assert newest.run_id == runs[-1]

    instance.delete_run(runs[0])
    instance.wipe()
    again = dg.materialize([number], instance=instance)
    assert again.success
    assert events_of(log, [again.run_id, runs[1]])[1] == []


def test_events_outlive_a_process_that_is_killed(
    instance: dg.DagsterInstance, dagster_home: Path
) -> None:
    code = (
        "import os\nimport dagster as dg\n"
        "from eval_pipeline_tests.orchestration.test_event_log import number\n"
        "run = dg.materialize([number], instance=dg.DagsterInstance.get())\n"
        "os.write(1, run.run_id.encode())\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, HOME_VARIABLE: str(dagster_home)}
    killed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert killed.returncode == -9
    (*_, last) = events_of(log_of(instance), [killed.stdout])[0]
    assert last.startswith("Finished execution")


def test_a_configuration_that_nobody_changed_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    own = f"{FORMER[0]}# and mine\n"
    for before, after in ((FORMER[0], CONFIGURATION), (own, own)):
        (tmp_path / "dagster.yaml").write_text(before)
        prepared_home(DataRoot(tmp_path))
        assert (tmp_path / "dagster.yaml").read_text() == after
