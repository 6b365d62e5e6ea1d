"""What starts a run by itself: the nightly schedule and the sensor. Both execute the plan."""

import logging
from collections.abc import Collection, Iterable, Iterator

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.partitions import CHECKPOINT_PARTITION, asset_key
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.planning.plan import Plan, PlannedRun, stage_of_name
from eval_pipeline.orchestration.running.runs import JOB, left_at_budget, report_dead, under_way
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.warehouse.lock import lock_holder

TRIES = 10
NOT_THERE = "there is no such checkpoint"
PLAN_TAG = "eval_pipeline/plan"
FAILED = (dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)


@dg.schedule(
    name="nightly",
    job_name=JOB,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Brings every number up to date at 02:00 UTC: the plan, one run a checkpoint.",
)
def nightly(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest | dg.SkipReason]:
    night = context.scheduled_execution_time.strftime("%Y-%m-%d")
    known = context.repository_def.asset_graph.executable_asset_keys
    yield from requests(context.instance, f"nightly-{night}", known, context.log, goes_on=True)


def new_checkpoints(seconds: int) -> dg.SensorDefinition:
    """The sensor, which looks at the disk every so many seconds."""

    @dg.sensor(
        name="new_checkpoints",
        job_name=JOB,
        minimum_interval_seconds=seconds,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Runs what is missing or stale as soon as a checkpoint's _SUCCESS is there.",
    )
    def sensor(context: dg.SensorEvaluationContext) -> Iterator[dg.RunRequest | dg.SkipReason]:
        if context.repository_def is None:
            raise ValueError("the sensor needs the code location that it belongs to")
        known = context.repository_def.asset_graph.executable_asset_keys
        yield from requests(context.instance, "sensor", known, context.log)

    return sensor


def requests(
    instance: dg.DagsterInstance,
    trigger: str,
    known: Collection[dg.AssetKey],
    log: logging.Logger,
    goes_on: bool = False,
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """One run request a batch of the plan as the disk stands now.

    known: the assets of the loaded code location; contracts that came later need a reload.
    goes_on: whether cells that a run left at the budget of their judges are taken up again. What
    looks at the disk every few seconds must not: each run has a budget of its own.
    Dagster never repeats a run key, so the key counts how often this very plan was tried; what
    failed on its own account is parked by the plan, and the count bounds all other failures.
    """
    root = DataRoot.from_environment()
    if holder := lock_holder(root.warehouse):
        yield dg.SkipReason(f"the warehouse is in use by {holder}: the plan is made after that")
        return
    for run_id in report_dead(instance):
        log.warning(f"run {run_id} was killed: reported as failed")
    if run := under_way(instance):
        yield dg.SkipReason(f"run {run.run_id} is under way: the plan is made after that")
        return
    evaluation = Evaluation(root, settings_from_environment(), "plan")
    plan, unknown = _loaded(evaluation.plan(), known)
    if not goes_on and (left := left_at_budget(instance, plan)):
        evaluation.failed.update(left)
        plan, unknown = _loaded(evaluation.plan(), known)
    register_partitions(
        instance, [one.cell.checkpoint for one in plan.cells if one.state != "gone"]
    )
    for name in forget_partitions(instance, evaluation):
        log.warning(f"partition {name} is taken away: {evaluation.world.gone.get(name, NOT_THERE)}")
    if unknown:
        log.warning(f"reload the code location to run {', '.join(unknown)}")
    batches = plan.batches()
    if not batches:
        yield dg.SkipReason(_nothing_to_run(evaluation, unknown))
        return
    tag = {PLAN_TAG: plan.fingerprint[:40]}
    earlier = instance.get_runs(dg.RunsFilter(tags=tag))
    if sum(run.status in FAILED for run in earlier) >= TRIES * len(batches):
        yield dg.SkipReason(f"this plan failed {TRIES} times: see the failed runs")
        return
    for batch in batches:
        yield dg.RunRequest(
            run_key=f"{trigger} {plan.fingerprint} {len(earlier)} {batch.checkpoint or ''}",
            partition_key=batch.checkpoint,
            asset_selection=selection(batch),
            tags=tag,
        )


def register_partitions(instance: dg.DagsterInstance, checkpoints: Iterable[str | None]) -> None:
    """Makes checkpoints partitions."""
    known = set(instance.get_dynamic_partitions(CHECKPOINT_PARTITION))
    names = {name for name in checkpoints if name is not None}
    if new := sorted(names - known):
        instance.add_dynamic_partitions(CHECKPOINT_PARTITION, new)


def forget_partitions(instance: dg.DagsterInstance, evaluation: Evaluation) -> list[str]:
    """Takes away the partitions of checkpoints that are gone from disk, and returns their names.

    What was materialised stays in Dagster's records, and is seen again when the folder comes back.
    Where there is no folder of checkpoints at all, a disk is not mounted, and nothing is forgotten.
    """
    if not evaluation.root.checkpoints.is_dir():
        return []
    known = set(instance.get_dynamic_partitions(CHECKPOINT_PARTITION))
    lost = sorted(known - evaluation.world.facts.keys())
    for name in lost:
        instance.delete_dynamic_partition(CHECKPOINT_PARTITION, name)
    return lost


def selection(batch: PlannedRun) -> list[dg.AssetKey]:
    """The asset keys of all tables of the batch's cells."""
    stages = stage_of_name()
    return [
        asset_key(planned.cell.contract, planned.cell.version, table)
        for planned in batch.cells
        for table in stages[planned.cell.stage].tables
    ]


def _loaded(plan: Plan, known: Collection[dg.AssetKey]) -> tuple[Plan, list[str]]:
    """The plan's cells of contracts that the code location has, and the contracts that it lacks."""
    stages = stage_of_name()
    kept, lacking = [], set()
    for one in plan.cells:
        contract, version = one.cell.home
        if asset_key(contract, version, stages[one.cell.stage].tables[0]) in known:
            kept.append(one)
        else:
            lacking.add(f"{contract}/v{version}")
    return Plan(tuple(kept)), sorted(lacking)


def _nothing_to_run(evaluation: Evaluation, unknown: list[str]) -> str:
    world, parts = evaluation.world, []
    if left := ", ".join(map(str, evaluation.failed)):
        parts.append(f"stopped at the budget of its judges, the nightly run goes on: {left}")
    if unknown:
        parts.append(f"reload the code location to run {', '.join(unknown)}")
    parts = parts or ["every number is up to date"]
    if world.gone:
        parts.append(f"gone from disk: {', '.join(world.gone)}")
    if world.waiting:
        parts.append(f"waiting for the _SUCCESS of {', '.join(world.waiting)}")
    if world.faults:
        parts.append(f"not usable: {', '.join(world.faults)}")
    return "; ".join(parts)
