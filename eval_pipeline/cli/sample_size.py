"""How many items a gap needs, from the spread of the comparisons that are there."""

import math
from collections.abc import Mapping
from typing import Any

from eval_pipeline.cli.project import chosen, evaluation
from eval_pipeline.layout import DataRoot


def sample_sizes(
    root: DataRoot, contract: str | None, detect: float, power: float
) -> list[dict[str, Any]]:
    """For each paired comparison on all items: what its items show, and how many `detect` needs.

    Keys: contract, metric, checkpoint, baseline, items (shared ones), detectable (the smallest
    difference that they show with that power), needed (items for `detect`), note. `detectable`
    and `needed` are None with a note where nothing tells the spread. Comparisons of all active
    contracts, or of one. Raises ValueError for a contract that there is not.
    """
    from eval_pipeline.warehouse.errors import NotMaterialised

    found = evaluation("plan", root)
    homes = [chosen(found.world, contract).home] if contract else []
    homes = homes or [active.home for active in found.world.active]
    sizes: list[dict[str, Any]] = []
    for name, version in homes:
        title = f"{name}/v{version}"
        try:
            rows = found.warehouse.read("paired_comparisons", name, version).table().to_pylist()
        except NotMaterialised:
            rows = []
        pairs = {  # a parent that is the reference too stands there twice
            (row["checkpoint"], row["baseline"], row["metric"]): size_of(row, detect, power)
            for row in rows
            if row["slice"] == "all"
        }
        sizes += [{"contract": title, **size} for size in pairs.values() or [_nothing_yet()]]
    return sizes


def size_of(row: Mapping[str, Any], detect: float, power: float) -> dict[str, Any]:
    """What one row of `paired_comparisons` tells of the items that a difference needs.

    Source of the formula: see `items_to_detect`.
    """
    from eval_pipeline.statistics.power import detectable_difference, items_to_detect

    size = {
        "metric": row["metric"],
        "checkpoint": row["checkpoint"],
        "baseline": row["baseline"],
        "items": row["n_shared"],
        "detectable": None,
        "needed": None,
    }
    se, items = row["se"], row["n_shared"]
    if not items or se is None:
        return {**size, "note": row["reason"] or "too few clusters for a standard error"}
    if se == 0:
        return {**size, "note": "the two never differ: nothing tells the spread"}
    terms = {"confidence": row["confidence"], "power": power}
    needed = math.ceil(items_to_detect(detect, se, items, **terms))
    return {
        **size,
        "detectable": detectable_difference(se, items, items, **terms),
        "needed": needed,
        "note": None,
    }


def _nothing_yet() -> dict[str, Any]:
    keys = ("metric", "checkpoint", "baseline", "items", "detectable", "needed")
    note = "no comparison yet: `eval-pipeline run` makes it"
    return {**dict.fromkeys(keys), "note": note}
