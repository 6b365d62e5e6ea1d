"""A table as it lies in the warehouse: which parts, and their rows when they are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.warehouse.errors import MixedIdentities
from eval_pipeline.warehouse.place import TableRef
from eval_pipeline.warehouse.pointer import Pointer

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Stored:
    """One place, or all checkpoints of a table one below the other, sorted by name.

    What `table()` reads was fixed when this was made: parts never change.
    """

    name: str
    tables: Path
    pointers: tuple[Pointer, ...]

    @property
    def refs(self) -> tuple[TableRef, ...]:
        """What is read, for lineage."""
        return tuple(pointer.ref for pointer in self.pointers)

    @property
    def rows(self) -> int:
        return sum(pointer.rows for pointer in self.pointers)

    def glance(self) -> "pa.Table":
        """As `table()`, the values not compared with their digest: for what is only shown."""
        from eval_pipeline.warehouse.schemas import TABLES

        return self.table(TABLES[self.name].stored_schema.names)

    def table(self, columns: Sequence[str] | None = None) -> "pa.Table":
        """The rows under today's schema, stamped columns included; `columns` picks some.

        Raises ValueError for a column that the registry does not know, DamagedPart for a file
        that is not as it was written (where all columns are read, by its values), NewerSchema for
        a part of a later schema.
        """
        import pyarrow as pa

        from eval_pipeline.warehouse.enforcement import check_version, readable
        from eval_pipeline.warehouse.parts import check_values, read_part
        from eval_pipeline.warehouse.schemas import TABLES

        spec = TABLES[self.name]
        known = spec.stored_schema
        if unknown := sorted(set(columns or ()) - set(known.names)):
            raise ValueError(f"table {self.name} has no columns {unknown}: it has {known.names}")
        parts = []
        for pointer in self.pointers:
            check_version(spec, pointer.schema_version)
            path = pointer.part(self.tables)
            data = read_part(path, pointer.rows, columns)
            part = readable(spec, data, pointer.schema_version, columns)
            if columns is None and pointer.schema_version == spec.version:
                check_values(path, part, pointer.digest)
            parts.append(part)
        if not parts:
            wanted = known.names if columns is None else [n for n in known.names if n in columns]
            return known.empty_table().select(wanted)
        return pa.concat_tables(parts)


def require_one_identity(*stored: Stored) -> None:
    """Lets tables be joined only if one contract identity made them all.

    Raises MixedIdentities that names two of the places.
    """
    pointers = [pointer for table in stored for pointer in table.pointers]
    for pointer in pointers:
        if pointer.identity != pointers[0].identity:
            raise MixedIdentities(
                f"{pointers[0].place} was made under identity {pointers[0].identity}, "
                f"{pointer.place} under {pointer.identity}: join results of one identity only, "
                "or use `compare`, which works across versions"
            )
