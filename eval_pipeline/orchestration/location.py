"""Builds the code location from what lies on disk."""

import warnings

import dagster as dg

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.factory import contract_assets, fault_spec, retired_specs
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.orchestration.triggers import evaluate_checkpoint, new_checkpoints, nightly
from eval_pipeline.orchestration.warehouse_io import IO_MANAGER, warehouse_io
from eval_pipeline.orchestration.world import World


def code_location(
    world: World | None = None, io_manager: dg.IOManagerDefinition = warehouse_io
) -> dg.Definitions:
    """One asset group a contract version, one job, the schedule and the sensor.

    A contract that is broken is left out and shown, with its faults, in the group `faults`.
    """
    seen = (
        world or Evaluation(DataRoot.from_environment(), settings_from_environment(), "load").world
    )
    with warnings.catch_warnings():
        # Partitions on an asset's checks are in preview; without them the second one fails.
        warnings.filterwarnings("ignore", message=".*partitions_def.*")
        assets = [asset for active in seen.active for asset in contract_assets(active)]
    retired = [spec for one, gone in seen.retired for spec in retired_specs(one, gone.reason)]
    broken = [fault_spec(file, "\n\n".join(lines)) for file, lines in seen.faults.items()]
    return dg.Definitions(
        assets=[*assets, *retired, *broken],
        jobs=[evaluate_checkpoint],
        schedules=[nightly],
        sensors=[new_checkpoints],
        resources={IO_MANAGER: io_manager},
        executor=dg.in_process_executor,
    )
