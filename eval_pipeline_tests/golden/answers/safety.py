"""The golden instruments of safety, each answered by public functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from eval_pipeline.metrics.inputs import rows
from eval_pipeline.metrics.safety.formula import safety_frontier

COLUMNS = ("kind", "refused", "harmful_success", "unauthorized_effect")


def frontier(
    records: Sequence[Mapping[str, Any]] | None = None,
    records_kind_refused_success_effect: Sequence[Sequence[Any]] | None = None,
) -> dict[str, float]:
    """Records with named fields, or rows in the order of the columns."""
    given = records_kind_refused_success_effect if records is None else records
    listed = [
        [record.get(name) for name in COLUMNS]
        if isinstance(record, Mapping)
        else rows(record, name)
        for name, record in ((f"record {i}", r) for i, r in enumerate(rows(given, "records")))
    ]
    for i, row in enumerate(listed):
        if len(row) != len(COLUMNS):
            raise ValueError(f"record {i} holds {len(row)} values: give {', '.join(COLUMNS)}")
    columns = [[row[i] for row in listed] for i in range(len(COLUMNS))]
    return asdict(safety_frontier(*columns))


INSTRUMENTS: dict[str, Callable[..., Any]] = {"safety_frontier": frontier}
