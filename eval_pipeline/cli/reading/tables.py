"""The rows of a table of a contract version, each with its type."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from eval_pipeline.rows.reading import rows_of, table_of

if TYPE_CHECKING:
    from eval_pipeline.cli.reading.project import Home
    from eval_pipeline.orchestration.evaluation import Evaluation

RowType = TypeVar("RowType", bound=Mapping[str, object])


def rows_read(
    found: "Evaluation",
    home: "Home",
    kind: type[RowType],
    checkpoint: str | None = None,
    columns: Sequence[str] | None = None,
    items: Collection[str] | None = None,
) -> list[RowType]:
    """The rows of the table that `kind` is of; of all checkpoints and items, or of these.

    columns: those that are read; a row then lacks the others. Raises NotMaterialised where the
    table is not there.
    """
    stored = found.warehouse.read(table_of(kind), *home, checkpoint=checkpoint)
    table = stored.table(None if columns is None else list(columns))
    if items is not None:
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = pa.array(sorted(items), pa.string())
        table = table.filter(pc.is_in(table["item_id"], wanted))
    return rows_of(kind, table) if columns is None else cast(list[RowType], table.to_pylist())
