"""Numbers that the items carry, joined by the item's name: difficulties, and lengths of replies.

By position they would slip as soon as one item is missing: published win rates of models with
fewer than all items carry that slip, of up to 2.7 points.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from eval_pipeline.length_control.gamed import GamedBaseline


def item_numbers(items: pa.Table, key: str) -> dict[str, float]:
    """The number under `key` of each item that has one.

    items: columns item_id and extra (JSON of an item's further keys). Raises ValueError that
    names the first item whose value is no finite number, or where no item has the key.
    """
    found: dict[str, float] = {}
    for item, text in zip(items["item_id"].to_pylist(), items["extra"].to_pylist(), strict=True):
        value = json.loads(text).get(key) if text else None
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise ValueError(f"item {item!r}: {key} must be a finite number, not {value!r}")
        found[item] = float(value)
    if not found and items.num_rows:
        raise ValueError(f"no item has the key {key!r}: put it into items.jsonl, or name another")
    return found


def gamed_of_items(
    items: pa.Table,
    baseline_length: str,
    lengths: Sequence[str],
    difficulty: Mapping[str, float] | None,
    *,
    weight: float,
    won_length: float,
    won_difficulty: float,
) -> GamedBaseline:
    """Gamed rows known by lengths and sums; see `GamedBaseline.from_statistics`.

    baseline_length, lengths: the items' keys of the baseline's length and of each gamed version's.
    Raises ValueError where an item with a gamed length lacks the baseline's, or its difficulty.
    """
    plain = item_numbers(items, baseline_length)
    delta, hard, version = [], [], []
    for place, key in enumerate(lengths):
        for item, length in item_numbers(items, key).items():
            if item not in plain or (difficulty is not None and item not in difficulty):
                lacks = baseline_length if item not in plain else "a difficulty"
                raise ValueError(f"item {item!r} has {key} but lacks {lacks}")
            delta.append(length - plain[item])
            hard.append(0.0 if difficulty is None else difficulty[item])
            version.append(place)
    return GamedBaseline.from_statistics(
        delta,
        difficulty=hard,
        version=version,
        weight=weight,
        won_length=won_length,
        won_difficulty=won_difficulty,
    )
