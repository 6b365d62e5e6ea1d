"""Runs of ours in Dagster's records: which are under way, and which ended without a word.

A run whose process was killed stands as started for ever, and would keep the queue and the
sensor waiting. The kernel knows better: a run that writes holds the warehouse's lock.
"""

import hashlib
import time
from collections.abc import Iterator

import dagster as dg

from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.planning.plan import Plan
from eval_pipeline.warehouse.schemas import TABLES

JOB = "evaluate_checkpoint"
WATCH = "ask_sentinels"  # writes votes, under the same lock
AT_BUDGET = "eval_pipeline/at_budget"
QUEUED = (dg.DagsterRunStatus.QUEUED,)
LAUNCHED = (dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING)
STARTED = (dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING)
LAUNCH_SECONDS = 300  # loading the code on a busy machine takes its time
SILENT_SECONDS = 60
GONE = "its process is gone: nobody holds the warehouse's lock; what it had published stays"


def under_way(instance: dg.DagsterInstance) -> dg.DagsterRun | None:
    """A run of ours that is queued, launched or started."""
    return next(_ours(instance, *QUEUED, *LAUNCHED, *STARTED), None)


def report_dead(
    instance: dg.DagsterInstance, silent: float = SILENT_SECONDS, launch: float = LAUNCH_SECONDS
) -> list[str]:
    """Reports runs of ours as failed that have not said anything for so many seconds.

    To be called only when no other process holds the warehouse's lock. Returns their ids. A run
    that is alive against all appearance sets its status right when it ends.
    """
    dead = [run for run in _ours(instance, *STARTED) if _silence(instance, run) >= silent]
    dead += [run for run in _ours(instance, *LAUNCHED) if _silence(instance, run) >= launch]
    for run in dead:
        instance.report_run_failed(run, GONE)
    return [run.run_id for run in dead]


def mark_at_budget(instance: dg.DagsterInstance, run_id: str, cell: Cell, key: str) -> None:
    """Notes in a run that it left a cell at the budget of its judges."""
    instance.add_run_tags(run_id, {AT_BUDGET: "true", _budget_tag(cell, key): "true"})


def left_at_budget(instance: dg.DagsterInstance, plan: Plan) -> dict[Cell, str]:
    """The plan's cells that a run left at the budget, from the inputs that they have now."""
    if not instance.get_run_ids(dg.RunsFilter(tags={AT_BUDGET: "true"}), limit=1):
        return {}
    return {
        one.cell: "stopped at the budget of its judges"
        for one in plan.to_run
        if one.key
        and instance.get_run_ids(
            dg.RunsFilter(tags={_budget_tag(one.cell, one.key): "true"}), limit=1
        )
    }


def _budget_tag(cell: Cell, key: str) -> str:
    return f"{AT_BUDGET}.{hashlib.sha256(f'{cell} {key}'.encode()).hexdigest()[:16]}"


def writes_to_warehouse(run: dg.DagsterRun) -> bool:
    """Whether a run makes tables or votes of ours; other jobs are not our business."""
    keys = run.asset_selection or ()
    return run.job_name in (JOB, WATCH) or any(
        key.path[-1] in TABLES and len(key.path) == 3 for key in keys
    )


def _ours(instance: dg.DagsterInstance, *statuses: dg.DagsterRunStatus) -> Iterator[dg.DagsterRun]:
    for run in instance.get_runs(dg.RunsFilter(statuses=list(statuses))):
        if writes_to_warehouse(run):
            yield run


def _silence(instance: dg.DagsterInstance, run: dg.DagsterRun) -> float:
    """Seconds since the run's last event, or since it was made."""
    last = instance.get_records_for_run(run.run_id, limit=1, ascending=False).records
    if last:
        return time.time() - last[0].event_log_entry.timestamp
    record = instance.get_run_record_by_id(run.run_id)
    return 0.0 if record is None else time.time() - record.create_timestamp.timestamp()
