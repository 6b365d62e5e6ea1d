"""From a table to rows of its type."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    import pyarrow as pa

RowType = TypeVar("RowType", bound=Mapping[str, object])
STAMPED = ("contract", "version")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


def rows_of(kind: type[RowType], table: "pa.Table") -> list[RowType]:
    """The rows of a table, each as a `kind`.

    A table that is not published yet lacks the contract and version that are stamped on it.
    Raises ValueError where the table lacks another column of it.
    """
    there = {*STAMPED, *table.column_names}
    if lacking := sorted(kind.__annotations__.keys() - there):
        raise ValueError(f"no rows of {table_of(kind)}: the columns {lacking} are not there")
    return cast(list[RowType], table.to_pylist())


def table_of(kind: type[Mapping[str, object]]) -> str:
    """The table whose rows a type is of: `PairPlanRow` -> `pair_plan`."""
    return _WORD.sub("_", kind.__name__.removesuffix("Row")).lower()
