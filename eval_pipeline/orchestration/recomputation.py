"""`verify`: computes a cell again from its recorded inputs and compares digests."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import stage_of_table
from eval_pipeline.orchestration.evaluation import (
    Evaluation,
    one_line,
    recorded_notes,
)
from eval_pipeline.orchestration.planning.cells import instruments_of
from eval_pipeline.orchestration.stage import (
    Computed,
    StageInputs,
    checked_tables,
    gone_as_told,
)
from eval_pipeline.warehouse.errors import DamagedPart
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.pointer import Pointer, pointer_to
from eval_pipeline.warehouse.record import Record
from eval_pipeline.warehouse.stored import Stored

KEPT_IN_NOTES = ("references", "last accepted")  # facts of lists that contracts share


@dataclass(frozen=True)
class Verified:
    """What computing a table again gave. verdict: same, differs, or cannot."""

    place: Place
    verdict: str
    recorded: str
    computed: str | None
    reason: str


def verify(
    evaluation: Evaluation, places: Sequence[Place], *, every_part: bool = True
) -> Iterator[Verified]:
    """Each table computed again from the very tables and files that its record names.

    The part in the warehouse must be as it was written, and so must those of the tables that were
    read; without every_part these are read where the computation reads them, which still tells
    every change that would change the table, and spares all replies of all checkpoints. Raises
    LookupError for a table that was never computed. Nothing is published.
    """
    for place in places:
        record = evaluation.warehouse.history().latest_success(place)
        if record is None or record.digest is None:
            raise LookupError(f"there is no {place}: `eval-pipeline run` makes it")
        try:
            computed = _digest_again(evaluation, record, every_part)
        except (ValueError, LookupError, OSError) as error:
            yield Verified(place, "cannot", record.digest, None, one_line(error))
            continue
        if computed != record.digest:
            reason = _what_is_other(evaluation, record) or "same inputs, other values"
            yield Verified(place, "differs", record.digest, computed, reason)
            continue
        try:
            check_part(evaluation.warehouse.tables, pointer_to(record))
            check_pointer(evaluation, record)
        except DamagedPart as error:
            yield Verified(place, "differs", record.digest, computed, one_line(error))
        else:
            yield Verified(place, "same", record.digest, computed, "")


def check_pointer(evaluation: Evaluation, record: Record) -> None:
    """Raises DamagedPart where `current.json` leads elsewhere than the last record says."""
    if evaluation.warehouse.pointer(record.place) != pointer_to(record):
        raise DamagedPart(
            f"current.json of {record.place} is not what lineage says: delete it and run again"
        )


def check_part(tables: Path, pointer: Pointer) -> None:
    """Raises DamagedPart where a part no longer holds what it is named for."""
    from eval_pipeline.warehouse.parts import check_values, read_part

    part = pointer.part(tables)
    check_values(part, read_part(part, pointer.rows), pointer.digest)


def _digest_again(evaluation: Evaluation, record: Record, every_part: bool) -> str:
    from eval_pipeline.warehouse.digest import table_digest
    from eval_pipeline.warehouse.enforcement import enforced
    from eval_pipeline.warehouse.schemas import TABLES

    place = record.place
    active = evaluation.world.contract(place.contract, place.version)
    if active.identity != record.identity:
        raise ValueError(f"{place} was made under another identity of the contract: restore it")
    _check_files(evaluation.root, record)
    stage = stage_of_table()[place.table]
    inputs = StageInputs(
        active.contract,
        evaluation.root,
        {
            name: stored.table
            for name, stored in _recorded_tables(evaluation, record, every_part).items()
        },
        place.checkpoint,
        replace(evaluation.settings, ask_judges=False),  # to verify costs nothing
        notes=partial(recorded_notes, evaluation.warehouse, record.inputs.tables, before=record.id),
        gone=gone_as_told(record.notes),
    )
    computed = checked_tables(stage, stage.compute(inputs))
    _check_facts(record, computed)
    stamps: dict[str, str | int] = {"contract": place.contract, "version": place.version}
    if place.checkpoint is not None:
        stamps["checkpoint"] = place.checkpoint
    return table_digest(enforced(TABLES[place.table], computed.tables[place.table], stamps))


def _recorded_tables(
    evaluation: Evaluation, record: Record, every_part: bool
) -> Mapping[str, Stored]:
    by_table: dict[str, list[TableRef]] = {}
    for ref in record.inputs.tables:
        by_table.setdefault(ref.table, []).append(ref)
    history = evaluation.warehouse.history()
    found = {}
    for name, refs in by_table.items():
        pointers = []
        for ref in sorted(refs, key=lambda one: one.checkpoint or ""):
            maker = history.made(ref.place, ref.digest)
            if maker is None:
                raise LookupError(f"the record of {ref.place} as it was read is gone")
            pointers.append(pointer_to(maker))
            if every_part:
                check_part(evaluation.warehouse.tables, pointers[-1])
        found[name] = Stored(name, evaluation.warehouse.tables, tuple(pointers))
    return found


def _check_files(root: DataRoot, record: Record) -> None:
    for file in record.inputs.files:
        path = root.path / file.path
        if not path.exists():
            raise ValueError(f"{file.path} is gone: restore it from a copy")
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest != file.sha256:
            raise ValueError(f"{file.path} has changed since it was read: restore it")


def _check_facts(record: Record, computed: Computed) -> None:
    """What was taken from a list that contracts share must be what it says now."""
    for name, was in record.notes.items():
        now = str(computed.notes.get(name))
        if name in KEPT_IN_NOTES and now != was:
            raise ValueError(f"{name} were {was} when it was computed, and are {now} now")


def _what_is_other(evaluation: Evaluation, record: Record) -> str:
    """Instruments whose versions are not those of the record."""
    active = evaluation.world.contract(record.place.contract, record.place.version)
    now = instruments_of(stage_of_table()[record.place.table], active.contract)
    changed = [
        f"{name} was {record.instruments.get(name)}, is {now.get(name)}"
        for name in sorted({*now, *record.instruments})
        if now.get(name) != record.instruments.get(name)
    ]
    return "; ".join(changed)
