"""The I/O manager: what leaves an asset is published, what a person's own asset reads is loaded.

Checks have been made by then; a table that failed one leaves the old part in place.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import dagster as dg
import pyarrow as pa

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.asset_metadata import figure_metadata, table_metadata
from eval_pipeline.orchestration.evaluation import Evaluation, Made
from eval_pipeline.orchestration.figures import figures_of
from eval_pipeline.orchestration.settings import settings_from_environment

IO_MANAGER = "warehouse"


@dataclass(frozen=True)
class Publication:
    """One computed table on its way to the warehouse."""

    made: Made
    table: str


class WarehouseIO(dg.IOManager):
    """Publishes to and loads from the warehouse of one evaluation."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def handle_output(self, context: dg.OutputContext, obj: Publication) -> None:
        """Publishes one table; a check that failed is the error."""
        record = self.evaluation.publish(obj.made, obj.table)
        data = self.evaluation.published_table(obj.made.cell, obj.table)
        context.add_output_metadata(
            {
                "outcome": record.outcome if obj.made.computed else "unchanged",
                "digest": record.digest,
                **table_metadata(data),
                **figure_metadata(figures_of(obj.table, data)),
            }
        )

    def load_input(self, context: dg.InputContext) -> pa.Table:
        """The current table, for an asset of your own: all its checkpoints, or the run's one."""
        contract, version, table = context.asset_key.path
        partition = context.partition_key if context.has_partition_key else None
        return self.evaluation.table_by_key(contract, version, table, partition)


@dg.io_manager(description="The warehouse of EVAL_PIPELINE_DATA, its lock held for the run.")
def warehouse_io(context: dg.InitResourceContext) -> Iterator[WarehouseIO]:
    """Opened when a run starts; the catalogue is published when it ends."""
    root = DataRoot.from_environment()
    evaluation = Evaluation(root, settings_from_environment(), context.run_id or "no-run")
    with evaluation.exclusive():
        yield WarehouseIO(evaluation)
        evaluation.finish()
