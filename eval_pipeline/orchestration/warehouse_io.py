"""The I/O manager: what leaves an asset is published, what a person's own asset reads is loaded.

Blocking checks have been made by then; a table that failed one leaves the old part in place.
"""

from contextlib import ExitStack
from dataclasses import dataclass

import dagster as dg
import pyarrow as pa
from pydantic import PrivateAttr

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.asset_metadata import figure_metadata, table_metadata
from eval_pipeline.orchestration.evaluation import Evaluation, Made
from eval_pipeline.orchestration.settings import settings_from_environment

IO_MANAGER = "warehouse"


@dataclass(frozen=True)
class Publication:
    """One computed table on its way to the warehouse."""

    evaluation: Evaluation
    made: Made
    table: str


class WarehouseIO(dg.ConfigurableIOManager):
    """Publishes to the warehouse of `EVAL_PIPELINE_DATA`, and holds its lock for the run."""

    _evaluation: Evaluation | None = PrivateAttr(default=None)
    _open: ExitStack = PrivateAttr(default_factory=ExitStack)

    @property
    def evaluation(self) -> Evaluation:
        if self._evaluation is None:
            raise RuntimeError("the warehouse is opened when a run starts")
        return self._evaluation

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        root = DataRoot.from_environment()
        evaluation = Evaluation(root, settings_from_environment(), context.run_id or "no-run")
        self._open.enter_context(evaluation.exclusive())
        self._evaluation = evaluation

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        try:
            if self._evaluation is not None:
                self._evaluation.finish()
        finally:
            self._open.close()

    def handle_output(self, context: dg.OutputContext, obj: Publication) -> None:
        """Publishes one table; the checks that failed are the error."""
        record = obj.evaluation.publish(obj.made, obj.table)
        data = obj.evaluation.published_table(obj.made.cell, obj.table)
        context.add_output_metadata(
            {
                "outcome": record.outcome,
                "digest": record.digest,
                **table_metadata(data),
                **figure_metadata(obj.evaluation.figures(obj.table, data)),
            }
        )

    def load_input(self, context: dg.InputContext) -> pa.Table:
        """The current table, for an asset of your own: all its checkpoints, or the run's one."""
        contract, version, table = context.asset_key.path
        partition = context.partition_key if context.has_partition_key else None
        return self.evaluation.read_by_key(contract, version, table, partition)
