"""Builds the code location from what lies on disk."""

import warnings

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.assets import (
    contract_assets,
    fault_specs,
    retired_specs,
)
from eval_pipeline.orchestration.code_location.triggers import new_checkpoints, nightly
from eval_pipeline.orchestration.code_location.warehouse_io import IO_MANAGER, warehouse_io
from eval_pipeline.orchestration.code_location.watch import watch, watch_job
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.planning.world import World
from eval_pipeline.orchestration.running.runs import JOB
from eval_pipeline.orchestration.settings import sensor_seconds, settings_from_environment

# What we use of Dagster that may still change its form, and why we use it all the same.
NOT_SETTLED = (
    r".*partitions_def on an AssetCheckSpec.*",  # else a check shows its last checkpoint only
    r".*Parameter `data_version` of .*`Output.*",  # else unchanged tables make others look stale
)


def code_location(
    world: World | None = None, io_manager: dg.IOManagerDefinition = warehouse_io
) -> dg.Definitions:
    """One asset group a contract version, the jobs, the schedules and the sensor.

    A contract that is broken is left out and shown, with its faults, in the group `faults`.
    """
    for message in NOT_SETTLED:
        warnings.filterwarnings("ignore", message=message)
    seen = (
        world or Evaluation(DataRoot.from_environment(), settings_from_environment(), "load").world
    )
    active = [asset for contract in seen.active for asset in contract_assets(contract)]
    retired = [spec for one, gone in seen.retired for spec in retired_specs(one, gone.reason)]
    evaluate_checkpoint = dg.define_asset_job(
        JOB,
        selection=dg.AssetSelection.assets(*[key for one in active for key in one.keys]),
        description="Cells of one checkpoint under all active contracts, and their aggregates.",
        executor_def=dg.in_process_executor,
    )
    return dg.Definitions(
        assets=[*active, *retired, *fault_specs(seen.faults)],
        jobs=[evaluate_checkpoint, watch_job],
        schedules=[watch, nightly],
        sensors=[new_checkpoints(sensor_seconds())],
        resources={IO_MANAGER: io_manager},
        executor=dg.in_process_executor,
    )
