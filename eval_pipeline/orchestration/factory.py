"""Dagster assets of a contract version, made from the chain: thin, and only what it asks for."""

import re
from collections.abc import Iterator
from typing import Any

import dagster as dg

from eval_pipeline.contracts.load import key_form
from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.asset_metadata import column_schema, contract_metadata
from eval_pipeline.orchestration.cells import ActiveContract, Cell, instruments_of
from eval_pipeline.orchestration.chain import reads_of, stages_of
from eval_pipeline.orchestration.evaluation import Evaluation
from eval_pipeline.orchestration.partitions import CHECKPOINTS, asset_key, group_name
from eval_pipeline.orchestration.stage import Stage
from eval_pipeline.orchestration.warehouse_io import IO_MANAGER, Publication
from eval_pipeline.warehouse.schemas import TABLES


def contract_assets(active: ActiveContract) -> list[dg.AssetsDefinition]:
    """One asset function a stage that the contract asks for, each with its tables and checks."""
    return [_stage_assets(active, stage) for stage in stages_of(active.contract)]


def retired_specs(contract: Contract, reason: str) -> list[dg.AssetSpec]:
    """A retired contract's tables: seen with their history, never run."""
    return [
        dg.AssetSpec(
            key=asset_key(contract.contract, contract.version, table),
            group_name=group_name(contract.contract, contract.version),
            description=f"Retired: {reason}. {TABLES[table].meaning}",
            tags={"retired": "true"},
            partitions_def=CHECKPOINTS if stage.scope == "checkpoint" else None,
        )
        for stage in stages_of(contract)
        for table in stage.tables
    ]


def fault_spec(name: str, text: str) -> dg.AssetSpec:
    """A file that could not be loaded, shown where people look, with what is wrong."""
    return dg.AssetSpec(
        key=dg.AssetKey(["faults", re.sub(r"[^A-Za-z0-9_]", "_", name)]),
        group_name="faults",
        description=text,
        kinds={"yaml"},
    )


def _stage_assets(active: ActiveContract, stage: Stage) -> dg.AssetsDefinition:
    contract = active.contract
    home = contract.contract, contract.version

    def key(table: str) -> dg.AssetKey:
        return asset_key(*home, table)

    @dg.multi_asset(
        name=f"{key_form(contract.contract)}__v{contract.version}__{stage.name}",
        outs={
            table: dg.AssetOut(
                key=key(table),
                io_manager_key=IO_MANAGER,
                description=TABLES[table].meaning,
                metadata=_definition_metadata(active, table),
                code_version=";".join(sorted(instruments_of(stage, contract).values())),
                kinds={"parquet"},
                tags=_tags(active),
            )
            for table in stage.tables
        },
        deps=[key(table) for table in reads_of(stage, contract)],
        group_name=group_name(*home),
        partitions_def=CHECKPOINTS if stage.scope == "checkpoint" else None,
        check_specs=[
            dg.AssetCheckSpec(check.sentence, asset=key(check.table)) for check in stage.checks
        ],
        required_resource_keys={IO_MANAGER},
    )
    def step(context: dg.AssetExecutionContext) -> Iterator[Any]:
        checkpoint = context.partition_key if stage.scope == "checkpoint" else None
        evaluation: Evaluation = getattr(context.resources, IO_MANAGER).evaluation
        made = evaluation.make(Cell(*home, stage.name, checkpoint))
        for check in stage.checks:
            finding = made.findings.get(check.sentence)
            yield dg.AssetCheckResult(
                asset_key=key(check.table),
                check_name=check.sentence,
                passed=finding is None,
                metadata={"finding": finding or "none"},
            )
        for table in stage.tables:
            yield dg.Output(Publication(made, table), output_name=table)

    return step


def _definition_metadata(active: ActiveContract, table: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {"dagster/column_schema": column_schema(TABLES[table])}
    if table == "contract":
        metadata |= contract_metadata(active.contract, active.identity)
    return metadata


def _tags(active: ActiveContract) -> dict[str, str]:
    contract = active.contract
    digest = active.identity.rpartition(":")[2]
    return {
        "contract": key_form(contract.contract)[:63],
        "contract_version": f"v{contract.version}",
        "identity": digest[:12],
        "status": contract.status,
    }
