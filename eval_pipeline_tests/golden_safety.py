"""The golden instruments of safety, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from eval_pipeline.metrics.safety import safety_frontier

COLUMNS = ("kind", "refused", "harmful_success", "unauthorized_effect")


def frontier(
    records: Sequence[Mapping[str, Any]] | None = None,
    records_kind_refused_success_effect: Sequence[Sequence[Any]] | None = None,
) -> dict[str, float]:
    """Records with named fields, or rows in the order of the columns."""
    if records is not None:
        rows = [
            [record.get(name) for name in COLUMNS] if isinstance(record, Mapping) else list(record)
            for record in records
        ]
    else:
        rows = [list(row) for row in records_kind_refused_success_effect or ()]
    for i, row in enumerate(rows):
        if len(row) != len(COLUMNS):
            raise ValueError(f"record {i} holds {len(row)} values: give {', '.join(COLUMNS)}")
    columns = [[row[i] for row in rows] for i in range(len(COLUMNS))]
    return asdict(safety_frontier(*columns))


INSTRUMENTS: dict[str, Callable[..., Any]] = {"safety_frontier": frontier}
