"""A judge of known taste, asked about probes: its votes as a table."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from eval_pipeline.judging.probes.variants import CHARACTERS_PER_TOKEN
from eval_pipeline.judging.probes.writing import Probe
from eval_pipeline.warehouse.schemas import TABLES

Taste = Callable[[Probe], float]  # chance that the variant wins, over both seats


def probe_votes(
    probes: Sequence[Probe], taste: Taste, rng: np.random.Generator, seat: float = 0.0
) -> pa.Table:
    """One vote an order on each probe; seat: what the first seat adds to a side's chance."""
    rows = []
    for probe in probes:
        for order, sign in (("original_first", -1), ("variant_first", 1)):
            wins = rng.random() < taste(probe) + sign * seat
            rows.append(
                {
                    "judge": "judge",
                    "probe_set": "set",
                    "probe": probe.name,
                    "item_id": probe.item_id,
                    "cluster_id": probe.item_id,
                    "kind": probe.kind,
                    "detail": probe.detail,
                    "added_tokens": (len(probe.variant) - len(probe.original))
                    / CHARACTERS_PER_TOKEN,
                    "slot_order": order,
                    "repeat": 0,
                    "status": "ok",
                    "verdict": "variant" if wins else "original",
                    "file": "f.jsonl",
                    "line": 1,
                }
            )
    return TABLES["judge_probe_votes"].from_rows(rows)
