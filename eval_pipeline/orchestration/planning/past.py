"""What has been computed already, and what failed: the answers of lineage to planning."""

from eval_pipeline.orchestration.planning.cells import Cell, Published
from eval_pipeline.orchestration.planning.plan import stage_of_name
from eval_pipeline.warehouse.place import Place
from eval_pipeline.warehouse.record import Record
from eval_pipeline.warehouse.store import Warehouse


class WarehouseHistory:
    """What planning asks, answered from lineage."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._standing = warehouse.standing()

    def published(self, table: str, cell: Cell) -> Published | None:
        record = self._standing.get(place_of(cell, table))
        if record is None or record.digest is None:
            return None
        return Published(record.digest, record.key, record.identity, record.inputs.files)

    def with_results(self, contract: str, version: int, identity: str) -> set[str]:
        """The checkpoints of which results of the contract's identity stand."""
        return {
            place.checkpoint
            for place, record in self._standing.items()
            if place.checkpoint is not None
            and (place.contract, place.version, record.identity) == (contract, version, identity)
        }

    def failures(self, cell: Cell, key: str) -> int:
        """Failures in a row of the stage's first table under this key."""
        history = self._warehouse.history()
        most = 0
        for table in stage_of_name()[cell.stage].tables:
            count = 0
            for record in reversed(history.of(place_of(cell, table))):
                if record.succeeded or record.key != key:
                    break
                count += 1
            most = max(most, count)
        return most

    def took_in(self, record: Record) -> None:
        """Follows a publication, so that the next cell sees it."""
        self._standing[record.place] = record


def place_of(cell: Cell, table: str) -> Place:
    """Where the cell's table lies in the warehouse."""
    return Place(table, cell.contract, cell.version, cell.checkpoint)
