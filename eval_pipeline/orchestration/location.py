"""Builds the code location from the contracts on disk."""

import logging
import warnings

import dagster as dg
from dagster._utils.warnings import PreviewWarning

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.factory import contract_assets, fault_spec, retired_specs
from eval_pipeline.orchestration.partitions import collisions
from eval_pipeline.orchestration.triggers import evaluate_checkpoint, new_checkpoints, nightly
from eval_pipeline.orchestration.warehouse_io import IO_MANAGER, WarehouseIO
from eval_pipeline.orchestration.world import read_world
