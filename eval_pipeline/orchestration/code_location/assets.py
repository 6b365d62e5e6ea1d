"""Dagster assets of a contract version, made from the chain: thin, and only what it asks for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import dagster as dg

from eval_pipeline.contracts.load import key_form
from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.chain import reads_of, stages_of
from eval_pipeline.orchestration.code_location.asset_metadata import (
    Metadata,
    column_schema,
    contract_metadata,
    plain,
    text,
)
from eval_pipeline.orchestration.code_location.partitions import CHECKPOINTS, asset_key, group_name
from eval_pipeline.orchestration.code_location.warehouse_io import IO_MANAGER, WarehouseIO
from eval_pipeline.orchestration.planning.cells import ActiveContract, Cell, instruments_of
from eval_pipeline.orchestration.planning.plan import CannotRunError, NotThereError
from eval_pipeline.orchestration.running.runs import JOB, mark_at_budget
from eval_pipeline.orchestration.stage import BudgetSpentError, Check, Notice, Stage
from eval_pipeline.warehouse.schemas import TABLES

FAULTS = "faults"


def contract_assets(active: ActiveContract) -> list[dg.AssetsDefinition]:
    """One asset function a stage that the contract asks for, each with its tables and checks."""
    return [_stage_assets(active, stage) for stage in stages_of(active.contract)]


def retired_specs(contract: Contract, reason: str) -> list[dg.AssetSpec]:
    """A retired contract's tables: seen with their history, never run."""

    def key(table: str) -> dg.AssetKey:
        return asset_key(contract.contract, contract.version, table)

    return [
        dg.AssetSpec(
            key=key(table),
            deps=[key(read) for read in reads_of(stage, contract)],
            group_name=group_name(contract.contract, contract.version),
            description=f"Retired: {plain(reason)}.\n\n{TABLES[table].meaning}",
            metadata={"dagster/column_schema": column_schema(TABLES[table])},
            kinds={"parquet"},
            tags={**_tags(contract), "retired": "true"},
            partitions_def=_partitions(stage),
        ).with_io_manager_key(IO_MANAGER)
        for stage in stages_of(contract)
        for table in stage.tables
    ]


def fault_specs(faults_by_file: Mapping[str, Sequence[str]]) -> list[dg.AssetSpec]:
    """Files that could not be used, shown where people look, each with what is wrong."""
    by_key: dict[str, list[str]] = {}
    for file, lines in sorted(faults_by_file.items()):
        name = re.sub(r"[^A-Za-z0-9_]", "_", file)
        by_key.setdefault(name, []).extend([f"**{plain(file)}**", *map(plain, lines)])
    return [
        dg.AssetSpec(
            key=dg.AssetKey([FAULTS, name]),
            group_name=FAULTS,
            description="\n\n".join(paragraphs),
            kinds={"yaml"},
        )
        for name, paragraphs in by_key.items()
    ]


def _stage_assets(active: ActiveContract, stage: Stage) -> dg.AssetsDefinition:
    contract = active.contract
    home = contract.contract, contract.version
    watermark = "Draft: no decision rests on it.\n\n" if contract.status == "draft" else ""

    def key(table: str) -> dg.AssetKey:
        return asset_key(*home, table)

    @dg.multi_asset(
        name=f"{key_form(contract.contract)}__v{contract.version}__{stage.name}",
        outs={
            table: dg.AssetOut(
                key=key(table),
                is_required=False,  # the whole job may be run where this cell has nothing to do
                io_manager_key=IO_MANAGER,
                description=f"{watermark}{TABLES[table].meaning}",
                metadata=_definition_metadata(active, table),
                code_version=";".join(sorted(instruments_of(stage, contract).values())),
                kinds={"parquet"},
                tags={**_tags(contract), "identity": active.identity.rpartition(":")[2][:12]},
            )
            for table in stage.tables
        },
        deps=[key(table) for table in reads_of(stage, contract)],
        group_name=group_name(*home),
        partitions_def=_partitions(stage),
        check_specs=[
            dg.AssetCheckSpec(
                check.sentence,
                asset=key(check.table),
                description=f"{check.sentence.replace('_', ' ')}; else nothing is published",
                blocking=True,
                partitions_def=_partitions(stage),
            )
            for check in stage.checks
        ]
        + [
            dg.AssetCheckSpec(
                notice.sentence,
                asset=key(notice.table),
                description=f"{notice.sentence.replace('_', ' ')}; else people are warned",
                partitions_def=_partitions(stage),
            )
            for notice in stage.notices
        ],
        required_resource_keys={IO_MANAGER},
    )
    def step(context: dg.AssetExecutionContext) -> Iterator[Any]:
        checkpoint = context.partition_key if stage.scope == "checkpoint" else None
        cell = Cell(*home, stage.name, checkpoint)
        warehouse: WarehouseIO = getattr(context.resources, IO_MANAGER)
        try:
            made = warehouse.make(cell)
        except (CannotRunError, BudgetSpentError) as reason:
            spent = isinstance(reason, BudgetSpentError)
            if spent:
                key_then = warehouse.key_at_budget(cell)
                mark_at_budget(context.instance, context.run.run_id, cell, key_then)
            not_there = isinstance(reason, NotThereError)
            if context.job_name != JOB and not not_there:
                raise  # a person asked for this very table
            context.log.warning(str(reason))
            for table in stage.tables if spent or not_there else ():
                context.log_event(_passed_over(key(table), checkpoint, reason))
            sentences: list[Check | Notice] = [*stage.checks, *stage.notices]
            yield from (_not_made(one, key(one.table), reason) for one in sentences)
            return
        for line in made.opened.behind:
            context.log.warning(line)
        for check in stage.checks:  # what is unchanged has passed them before
            yield _result(check, key(check.table), made.findings.get(check.sentence))
        for notice in stage.notices:
            yield _noticed(notice, key(notice.table), notice.finds(warehouse.table(made, notice)))
        for table in stage.tables:
            publication = warehouse.publish(made, table)
            version = dg.DataVersion(publication.digest)
            yield dg.Output(publication, output_name=table, data_version=version)

    return step


def _result(check: Check, key: dg.AssetKey, finding: str | None) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key=key,
        check_name=check.sentence,
        passed=finding is None,
        metadata={"finding": text(finding or "none")},
    )


def _noticed(notice: Notice, key: dg.AssetKey, finding: str | None) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key=key,
        check_name=notice.sentence,
        passed=finding is None,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"finding": text(finding or "none")},
    )


def _passed_over(key: dg.AssetKey, checkpoint: str | None, reason: ValueError) -> Any:
    """What the page of a table shows where a run left it as it was."""
    return dg.AssetObservation(
        asset_key=key, partition=checkpoint, metadata={"not made": text(str(reason))}
    )


def _not_made(check: Check | Notice, key: dg.AssetKey, reason: ValueError) -> dg.AssetCheckResult:
    """For a cell that is passed over: Dagster wants an answer, and nothing was found to hold."""
    return dg.AssetCheckResult(
        asset_key=key,
        check_name=check.sentence,
        passed=False,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"not made": text(str(reason))},
    )


def _partitions(stage: Stage) -> dg.PartitionsDefinition[str] | None:
    return CHECKPOINTS if stage.scope == "checkpoint" else None


def _definition_metadata(active: ActiveContract, table: str) -> Metadata:
    metadata: Metadata = {"dagster/column_schema": column_schema(TABLES[table])}
    if table == "contract":
        metadata |= contract_metadata(active.contract, active.identity)
    return metadata


def _tags(contract: Contract) -> dict[str, str]:
    return {
        "contract": key_form(contract.contract)[:63],
        "contract_version": f"v{contract.version}",
        "status": contract.status,
    }
