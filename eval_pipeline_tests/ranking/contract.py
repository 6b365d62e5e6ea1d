"""A contract with judges, as small as may be."""

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import StageInputs
from eval_pipeline.warehouse.schemas import TABLES

NOT_SAID = {"unknown": "a test does not say"}


def judged_contract(**changes: Any) -> Contract:
    body: dict[str, Any] = {
        "contract": "helpful",
        "version": 1,
        "question": {"text": "Which reply helps more?", "primary_endpoint": {"metric": "theta"}},
        "targets": NOT_SAID,
        "task": {"benchmark": "helpful@1", "population": "requests"},
        "prompt": NOT_SAID,
        "decoding": NOT_SAID,
        "budget": NOT_SAID,
        "unit": {},
        "aggregation": {},
        "failures": dict.fromkeys(
            (
                "parser_failure",
                "model_refusal",
                "timeout",
                "permission_denied",
                "infra_error",
                "invalid_sample",
            ),
            "wrong",
        ),
        "decision": NOT_SAID,
        "evaluator": {"kind": "judge", "reason": "open replies", "uncovered": "facts"},
        "statistics": {"seed": 7, "replicates": 300},
        "judging": {"judges": [{"name": "stern", "family": "tern"}], "bars": {}},
        "length_control": {"baseline": "bee"},
    }
    return Contract.model_validate(body | changes)


def inputs(
    outcomes: pa.Table, contract: Contract, extras: Mapping[str, Mapping[str, Any]] | None = None
) -> StageInputs:
    """extras: further keys of items, by the item's name."""
    rows = [
        {
            "item_id": item,
            "cluster_id": item,
            "question": "?",
            "slices": {},
            "extra": json.dumps(keys) if keys else None,
        }
        for item, keys in (extras or {name: {} for name in outcomes["item_id"].to_pylist()}).items()
    ]
    items = TABLES["items"].from_rows(rows)
    return StageInputs(
        contract=contract,
        root=DataRoot.from_environment(),
        tables={
            "pair_outcomes": lambda: outcomes,
            "items": lambda columns=None: items.select(columns or items.column_names),
        },
    )
