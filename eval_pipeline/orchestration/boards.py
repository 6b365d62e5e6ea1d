"""The leaderboard as it stands in the warehouse, now or at a moment.

A warehouse that was written before there was such a table, and one whose contract is retired or
cannot be finished, has none: the same stage then composes it from the tables that stand, in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import cast

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import reads_of
from eval_pipeline.orchestration.evaluation import recorded_notes
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.orchestration.stages.leaderboard import STAGE
from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.rows.reading import rows_of
from eval_pipeline.warehouse.errors import NotMaterialised
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline.warehouse.stored import Stored


@dataclass(frozen=True)
class Board:
    """Rows of `leaderboard`, best value first.

    identity: of the contract that made them. composed: whether they were put together just now,
    and stand in no table.
    """

    rows: Sequence[LeaderboardRow]
    identity: str
    written_at: str
    composed: bool = False


def board(
    root: DataRoot,
    warehouse: Warehouse,
    contract: Contract,
    as_of: datetime | str | None = None,
    gone: Sequence[str] = (),
) -> Board | None:
    """The leaderboard of a contract version; None where nothing was computed yet.

    gone: the checkpoints that are no longer on disk, for a board that is composed. Raises
    MixedIdentities where its tables were made under several identities.
    """
    (table,) = STAGE.tables
    stored = _read(warehouse, contract, table, as_of)
    if stored is not None:
        (pointer,) = stored.pointers
        rows = rows_of(LeaderboardRow, stored.glance())
        return Board(rows, pointer.identity, pointer.written_at)
    return _composed(root, warehouse, contract, as_of, gone)


def _composed(
    root: DataRoot,
    warehouse: Warehouse,
    contract: Contract,
    as_of: datetime | str | None,
    gone: Sequence[str],
) -> Board | None:
    from eval_pipeline.orchestration import terms
    from eval_pipeline.warehouse.stored import require_one_identity

    found = {
        name: stored
        for name in reads_of(STAGE, contract)
        if (stored := _read(warehouse, contract, name, as_of)) is not None and stored.pointers
    }
    valued = found.get(terms.endpoint(contract).table)
    if valued is None:
        return None
    require_one_identity(*found.values())
    refs = [ref for stored in found.values() for ref in stored.refs]
    inputs = StageInputs(
        contract,
        root,
        {name: stored.table for name, stored in found.items()},
        notes=partial(recorded_notes, warehouse, refs),
        gone=tuple(gone),
    )
    made = STAGE.compute(inputs).tables[STAGE.tables[0]]
    stamps = {"contract": contract.contract, "version": contract.version}
    rows = [{**stamps, **row} for row in made.sort_by("place").to_pylist()]
    return Board(
        cast(list[LeaderboardRow], rows),
        valued.pointers[0].identity,
        max(pointer.written_at for pointer in valued.pointers),
        composed=True,
    )


def _read(
    warehouse: Warehouse, contract: Contract, table: str, as_of: datetime | str | None
) -> Stored | None:
    try:
        return warehouse.read(table, contract.contract, contract.version, as_of=as_of)
    except NotMaterialised:
        return None
