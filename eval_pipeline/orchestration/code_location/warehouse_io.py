"""The I/O manager: what leaves an asset is published, what a person's own asset reads is loaded.

Checks are made before a pointer moves: a table that fails one leaves the old part in place.
"""

from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import dagster as dg
import pyarrow as pa

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.code_location.asset_metadata import publication_metadata
from eval_pipeline.orchestration.code_location.partitions import asset_key
from eval_pipeline.orchestration.evaluation import Evaluation, Made
from eval_pipeline.orchestration.planning.cells import Cell
from eval_pipeline.orchestration.settings import settings_from_environment
from eval_pipeline.orchestration.stage import Notice
from eval_pipeline.warehouse.place import Place

IO_MANAGER = "warehouse"


@dataclass(frozen=True)
class Publication:
    """One table of a cell, as it stands in the warehouse after the step."""

    made: Made
    table: str
    digest: str
    outcome: str  # ok, or unchanged: the values are those that were there


class WarehouseIO(dg.IOManager):
    """Publishes to and loads from the warehouse of one evaluation.

    The warehouse's lock is taken for the first cell and held in `run` until that ends; a run
    that only reads takes none.
    """

    def __init__(self, evaluation: Evaluation, run: ExitStack) -> None:
        self._evaluation = evaluation
        self._run = run

    def make(self, cell: Cell) -> Made:
        """Computes and checks a cell. Raises WarehouseBusy where another process writes."""
        if not self._evaluation.exclusively:
            self._run.enter_context(self._evaluation.exclusive())
            self._run.callback(self._evaluation.finish)
        return self._evaluation.make(cell)

    def key_at_budget(self, cell: Cell) -> str:
        """The key of the inputs of a cell that stopped at its budget in this run."""
        return self._evaluation.over_budget[cell]

    def table(self, made: Made, notice: Notice) -> pa.Table:
        """The table that a notice is about, as it is or will be published."""
        if made.computed is not None:
            return made.computed.tables[notice.table]
        return self._evaluation.published_table(made.cell, notice.table)

    def publish(self, made: Made, table: str) -> Publication:
        """Makes the cell's table the current one. Raises CheckFailed where a check found fault."""
        record = self._evaluation.publish(made, table)
        outcome = record.outcome if made.computed else "unchanged"
        return Publication(made, table, record.ref.digest, outcome)

    def handle_output(self, context: dg.OutputContext, obj: Publication) -> None:
        """What a person is shown of the table; it is published already."""
        data = self._evaluation.published_table(obj.made.cell, obj.table)
        context.add_output_metadata(
            {
                "outcome": obj.outcome,
                "digest": obj.digest,
                **publication_metadata(obj.table, data, obj.made),
            }
        )

    def load_input(self, context: dg.InputContext) -> pa.Table:
        """The current table, for an asset of your own: the checkpoints that it asks for."""
        checkpoints = context.asset_partition_keys if context.has_asset_partitions else None
        return table_of_key(self._evaluation, context.asset_key, checkpoints)


def table_of_key(
    evaluation: Evaluation, key: dg.AssetKey, checkpoints: Collection[str] | None = None
) -> pa.Table:
    """The current table of an asset key; a retired contract's too.

    checkpoints: of these, those that have the table; the error names one if none has it.
    """
    identities: dict[tuple[str, int], str | None] = {
        (gone.contract, gone.version): None for gone, _ in evaluation.world.retired
    }
    identities |= {active.home: active.identity for active in evaluation.world.active}
    for (name, version), identity in identities.items():
        table = key.path[-1]
        if key != asset_key(name, version, table):
            continue
        wanted = None
        if checkpoints is not None:
            places = [Place(table, name, version, one) for one in sorted(checkpoints)]
            filled = [place for place in places if evaluation.warehouse.pointer(place)]
            wanted = [place.checkpoint or "" for place in filled or places]
        stored = evaluation.warehouse.read(
            table, name, version, checkpoints=wanted, identity=identity
        )
        return stored.table()
    raise LookupError(f"no contract has a table {'/'.join(key.path)}")


@dg.io_manager(  # type: ignore[arg-type] # takes a generator too, which its type does not say
    description="The warehouse of EVAL_PIPELINE_DATA; a run that writes holds its lock."
)
def warehouse_io(context: dg.InitResourceContext) -> Iterator[WarehouseIO]:
    """One evaluation a run; the catalogue is published when it ends."""
    root = DataRoot.from_environment()
    run_id = context.run.run_id if context.run else "no-run"
    evaluation = Evaluation(root, settings_from_environment(), run_id)
    with ExitStack() as run:
        yield WarehouseIO(evaluation, run)
