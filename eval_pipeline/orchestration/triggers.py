"""What starts a run: one job, the nightly schedule, the sensor. Each executes the plan."""

from collections.abc import Iterable, Iterator

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.partitions import CHECKPOINT_PARTITION, asset_key
from eval_pipeline.orchestration.planning import Batch, stage_of_name
from eval_pipeline.orchestration.settings import settings_from_environment

JOB = "evaluate_checkpoint"
SENSOR_SECONDS = 30
TRIES = 10
PLAN_TAG = "eval_pipeline/plan"
UNDER_WAY = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
]

evaluate_checkpoint = dg.define_asset_job(
    JOB,
    selection=dg.AssetSelection.all(),
    description="The cells of one checkpoint under all active contracts, and their aggregates.",
    executor_def=dg.in_process_executor,
)


@dg.schedule(
    name="nightly",
    job=evaluate_checkpoint,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Brings every number up to date at 02:00 UTC: the plan, one run a checkpoint.",
)
def nightly(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest | dg.SkipReason]:
    night = context.scheduled_execution_time.strftime("%Y-%m-%d")
    yield from requests(context.instance, f"nightly-{night}")


@dg.sensor(
    name="new_checkpoints",
    job=evaluate_checkpoint,
    minimum_interval_seconds=SENSOR_SECONDS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Evaluates what is missing or stale as soon as a checkpoint's _SUCCESS is there.",
)
def new_checkpoints(
    context: dg.SensorEvaluationContext,
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    under_way = dg.RunsFilter(job_name=JOB, statuses=UNDER_WAY)
    if context.instance.get_run_records(under_way, limit=1):
        yield dg.SkipReason("a run is under way: the plan is made again when it has ended")
        return
    yield from requests(context.instance, "sensor")


def requests(instance: dg.DagsterInstance, trigger: str) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """One run request a batch of the plan as the disk stands now.

    Dagster never repeats a run key, so the key counts how often this very plan was tried; what
    failed on its own account is parked by the plan, and the count bounds all other failures.
    """
    root = DataRoot.from_environment()
    plan = Evaluation(root, settings_from_environment(), "plan").plan()
    register_partitions(instance, [one.cell.checkpoint for one in plan.cells])
    batches = plan.batches()
    if not batches:
        yield dg.SkipReason("every number is up to date")
        return
    tag = {PLAN_TAG: plan.fingerprint[:40]}
    tries = len(instance.get_run_records(dg.RunsFilter(tags=tag), limit=TRIES * len(batches)))
    if tries >= TRIES * len(batches):
        yield dg.SkipReason(f"this plan was tried {TRIES} times: see the failed runs")
        return
    for batch in batches:
        yield dg.RunRequest(
            run_key=f"{trigger} {plan.fingerprint} {tries} {batch.checkpoint or ''}",
            partition_key=batch.checkpoint,
            asset_selection=selection(batch),
            tags=tag,
        )


def register_partitions(instance: dg.DagsterInstance, checkpoints: Iterable[str | None]) -> None:
    """Makes checkpoints partitions; none is ever removed, so history stays visible."""
    known = set(instance.get_dynamic_partitions(CHECKPOINT_PARTITION))
    names = {name for name in checkpoints if name is not None}
    if new := sorted(names - known):
        instance.add_dynamic_partitions(CHECKPOINT_PARTITION, new)


def selection(batch: Batch) -> list[dg.AssetKey]:
    """The asset keys of all tables of the batch's cells."""
    stages = stage_of_name()
    return [
        asset_key(planned.cell.contract, planned.cell.version, table)
        for planned in batch.cells
        for table in stages[planned.cell.stage].tables
    ]
