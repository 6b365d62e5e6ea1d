"""From a table back to the raw files: which state was made of which, by lineage alone."""

from collections import deque
from dataclasses import dataclass

from eval_pipeline.layout import FileRead
from eval_pipeline.warehouse.errors import DamagedPart, NotMaterialised
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.pointer import part_name
from eval_pipeline.warehouse.record import Record
from eval_pipeline.warehouse.store import Warehouse


@dataclass(frozen=True)
class Step:
    """One state on the way back; `depth` counts from 0.

    `record` is how it was made; None where lineage and the part's footer are both gone.
    `files` are the raw files that it was read from.
    """

    depth: int
    ref: TableRef
    record: Record | None

    @property
    def files(self) -> tuple[FileRead, ...]:
        return () if self.record is None else self.record.inputs.files


def trace(
    warehouse: Warehouse,
    table: str,
    contract: str,
    version: int,
    checkpoint: str | None = None,
    digest: str | None = None,
) -> list[Step]:
    """Every state that a table's state rests on, nearest first, each once; itself at depth 0.

    `digest` picks an older state. An input is followed to the record that made it before its
    reader was made; where lineage has lost it, to the footer of its part.
    Raises NotMaterialised where no success is recorded for the table.
    """
    place = Place(table, contract, version, checkpoint)
    history = warehouse.history()
    newest = history.latest_success(place) if digest is None else history.made(place, digest)
    if newest is None:
        state = "" if digest is None else f" with digest {digest}"
        raise NotMaterialised(
            f"lineage has no {place}{state}: `eval-pipeline ls` shows what it has"
        )
    steps = []
    seen = {newest.ref}
    waiting: deque[Step] = deque([Step(0, newest.ref, newest)])
    while waiting:
        step = waiting.popleft()
        steps.append(step)
        if step.record is None:
            continue
        for ref in sorted(step.record.inputs.tables, key=lambda ref: ref.place.sort_key):
            if ref in seen:
                continue
            seen.add(ref)
            made = history.made(ref.place, ref.digest, before=step.record.id)
            record = made or _record_in_footer(warehouse, ref)
            waiting.append(Step(step.depth + 1, ref, record))
    return steps


def _record_in_footer(warehouse: Warehouse, ref: TableRef) -> Record | None:
    from eval_pipeline.warehouse.parts import footer_record

    try:
        return footer_record(warehouse.tables / ref.place.folder / part_name(ref.digest))
    except DamagedPart:
        return None  # said in the step
