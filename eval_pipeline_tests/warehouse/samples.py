"""Small tables, and a short way to publish them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from eval_pipeline.warehouse.record import Record
from eval_pipeline.warehouse.schemas import TABLES
from eval_pipeline.warehouse.store import Warehouse

IDENTITY = "identity-1"


def scores(values: Sequence[float | None] = (1.0, 0.0, None)) -> pa.Table:
    """Rows of verifier_scores, one item each."""
    return TABLES["verifier_scores"].from_rows(
        [
            {
                "item_id": f"q{i}",
                "draw": 0,
                "cluster_id": f"c{i % 2}",
                "status": "ok",
                "score": value,
                "explanation": "compared as numbers",
                "verifier": "numeric@1",
            }
            for i, value in enumerate(values)
        ]
    )


def items(*names: str) -> pa.Table:
    return TABLES["items"].from_rows(
        [
            {
                "item_id": name,
                "cluster_id": name,
                "question": f"What is {name}?",
                "options": ["yes", "no"],
                "slices": [("topic", name), ("area", "x")],
            }
            for name in names
        ]
    )


def publish(
    warehouse: Warehouse | Path,
    table: str = "verifier_scores",
    data: pa.Table | None = None,
    **changed: Any,
) -> Record:
    """Publishes under contract qa v1, checkpoint step1 for tables of that scope."""
    place = warehouse if isinstance(warehouse, Warehouse) else Warehouse(warehouse)
    settings: dict[str, Any] = {
        "contract": "qa",
        "version": 1,
        "identity": IDENTITY,
        "stage": "verify",
        "key": "key-1",
        "run_id": "run-1",
        **({"checkpoint": "step1"} if TABLES[table].scope == "checkpoint" else {}),
        **changed,
    }
    return place.publish(table, scores() if data is None else data, **settings)
