"""`current.json` beside the parts: which of them counts.

A pointer says nothing that lineage does not; it spares readers the search. Where the two differ
(a writer died between the record and the pointer), lineage is right, and the next process that
takes the warehouse's lock writes the pointer anew.
"""

import json
from dataclasses import dataclass, fields
from pathlib import Path

from eval_pipeline.warehouse.durable import write_text
from eval_pipeline.warehouse.errors import DamagedPart
from eval_pipeline.warehouse.place import Place, TableRef
from eval_pipeline.warehouse.record import Record

POINTER_NAME = "current.json"


@dataclass(frozen=True)
class Pointer:
    """The state of a place, and the part that holds it."""

    table: str
    contract: str
    version: int
    checkpoint: str | None
    digest: str
    file: str
    rows: int
    schema_version: int
    identity: str
    record: str
    written_at: str

    @property
    def place(self) -> Place:
        return Place(self.table, self.contract, self.version, self.checkpoint)

    @property
    def ref(self) -> TableRef:
        return TableRef(self.table, self.contract, self.version, self.checkpoint, self.digest)

    def part(self, tables: Path) -> Path:
        """Where the part lies, in the folder of tables."""
        return tables / self.place.folder / self.file


def pointer_to(record: Record) -> Pointer:
    """The pointer that follows from a success.

    Raises ValueError for a failure.
    """
    digest, rows, schema_version = record.digest, record.rows, record.schema_version
    if not record.succeeded or digest is None or rows is None or schema_version is None:
        raise ValueError(f"record {record.id} of {record.place} made no table to point to")
    place = record.place
    return Pointer(
        place.table,
        place.contract,
        place.version,
        place.checkpoint,
        digest,
        part_name(digest),
        rows,
        schema_version,
        record.identity,
        record.id,
        record.written_at,
    )


def part_name(digest: str) -> str:
    return f"part-{digest}.parquet"


def read_pointer(tables: Path, place: Place) -> Pointer | None:
    """The pointer of a place; None where there is none.

    Raises DamagedPart for a file that holds no pointer.
    """
    path = tables / place.folder / POINTER_NAME
    try:
        body = json.loads(path.read_bytes())
        pointer = Pointer(**{f.name: body[f.name] for f in fields(Pointer)})
        if pointer.place != place or pointer.file != part_name(pointer.digest):
            raise ValueError("it points elsewhere")
        return pointer
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedPart(
            f"{path} holds no pointer ({error}): delete it and run again, "
            "it is written anew from lineage"
        ) from error


def write_pointer(tables: Path, pointer: Pointer) -> None:
    """Moves the place to another part, at once."""
    path = tables / pointer.place.folder / POINTER_NAME
    write_text(path, json.dumps(vars(pointer), indent=1, ensure_ascii=False) + "\n")
