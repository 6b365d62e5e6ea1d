"""How many items a gap needs, from the spread of the comparisons that are there."""

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypedDict

import click

from eval_pipeline.cli.reading.project import chosen, evaluation
from eval_pipeline.cli.showing.printing import print_json, print_table
from eval_pipeline.layout import DataRoot
from eval_pipeline.reporting.escaping import for_terminal

if TYPE_CHECKING:
    from eval_pipeline.orchestration.evaluation import Evaluation

MEANS_OF_DRAWS = ("pass@1", "accuracy", "mean_score")


class Compared(TypedDict):
    """What a size is made of: a row of `paired_comparisons`."""

    metric: str
    checkpoint: str
    baseline: str
    n_shared: int
    confidence: float
    ci_method: str | None
    se: float | None
    reason: str | None


class Size(TypedDict):
    """What a comparison's items show, and what a gap needs; None with a note where unknown."""

    metric: str | None
    checkpoint: str | None
    baseline: str | None
    items: int | None
    confidence: float | None
    estimator: str | None
    detectable: float | None
    needed: int | None
    needed_twice: int | None
    note: str | None


class SizeOfContract(Size):
    """A size with the contract and the unit of analysis that it is of."""

    contract: str
    unit: str


def sample_sizes(
    root: DataRoot, contract: str | None, detect: float, power: float
) -> list[SizeOfContract]:
    """For each paired comparison on all items: what its items show, and how many `detect` needs.

    Keys: contract, unit (of analysis), metric, checkpoint, baseline, items (shared ones),
    confidence and estimator of the comparison's interval, detectable (the smallest
    difference that they show with that power), needed (items for `detect`), needed_twice (the
    same with twice the draws of each item, by the noise of the draws there are; None where they do
    not tell it), note. `detectable` and `needed` are None with a note where nothing tells the
    spread. Comparisons of all active
    contracts, or of one. Raises ValueError for a contract that there is not.
    """
    from eval_pipeline.warehouse.errors import NotMaterialised

    found = evaluation("plan", root)
    asked = [chosen(found.world, contract).contract] if contract else []
    asked = asked or [active.contract for active in found.world.active]
    targets = {
        (active.contract.contract, active.contract.version): len(active.targets)
        for active in found.world.active
    }
    sizes: list[SizeOfContract] = []
    for one in asked:
        name, version = one.contract, one.version
        title = f"{name}/v{version}"
        try:
            rows = found.warehouse.read("paired_comparisons", name, version).table().to_pylist()
        except NotMaterialised:
            rows = []
        noise = _noise_by_checkpoint(found, name, version)
        pairs = {  # a parent that is the reference too stands there twice
            (row["checkpoint"], row["baseline"], row["metric"]): size_of(
                row, detect, power, noise(row)
            )
            for row in rows
            if row["slice"] == "all"
        }
        unit = f"{one.unit.of_analysis}, clustered by {one.unit.clustered_by}"
        sizes += [
            {"contract": title, "unit": unit, **size}
            for size in pairs.values() or [_nothing_yet(targets.get((name, version), 2))]
        ]
    return sizes


def show_sizes(rows: list[SizeOfContract], detect: float, power: float, as_json: bool) -> None:
    """Prints what `sample_sizes` gave."""
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("no contract yet: `eval-pipeline init --from answers.jsonl` makes one")
        return
    shown = [
        {**row, "compared": row["checkpoint"] and f"{row['checkpoint']} - {row['baseline']}"}
        for row in rows
    ]
    headings = {
        "contract": "Contract",
        "metric": "Metric",
        "compared": "Compared",
        "items": "Items",
        "detectable": "They show",
        "needed": "Needed",
        "needed_twice": "Twice the draws",
    }
    told = [row for row in shown if row["compared"]]
    if told:
        title = f"Items that show a difference of {detect:g} with a power of {power:.0%}"
        print_table(told, headings, title)
        terms = {
            f"{row['contract']}: mean paired difference, {row['confidence']:.0%} intervals "
            f"({row['estimator']}), unit {row['unit']}"
            for row in told
            if row["estimator"]
        }
        for line in sorted(terms):
            click.echo(for_terminal(line))
    for row in shown:
        if row["note"]:
            about = f"{row['contract']}, {row['compared']}" if row["compared"] else row["contract"]
            click.echo(for_terminal(f"{about}: {row['note']}"))


def size_of(row: Compared, detect: float, power: float, noise: float = math.nan) -> Size:
    """What one row of `paired_comparisons` tells of the items that a difference needs.

    noise: variance of an item's difference that comes of its draws; NaN where unknown.
    Source of the formula: see `items_to_detect`.
    """
    from eval_pipeline.statistics.power import detectable_difference, items_to_detect

    size: Size = {
        "metric": row["metric"],
        "checkpoint": row["checkpoint"],
        "baseline": row["baseline"],
        "items": row["n_shared"],
        "confidence": row["confidence"],
        "estimator": row["ci_method"],
        "detectable": None,
        "needed": None,
        "needed_twice": None,
        "note": None,
    }
    se, items = row["se"], row["n_shared"]
    if not items or se is None:
        return {**size, "note": row["reason"] or "too few clusters for a standard error"}
    if se == 0:
        return {**size, "note": "the two never differ: nothing tells the spread"}
    confidence = row["confidence"]
    needed = math.ceil(items_to_detect(detect, se, items, confidence=confidence, power=power))
    left = 1 - noise / 2 / (se * se * items)  # twice the draws halve their part of the variance
    return {
        **size,
        "detectable": detectable_difference(se, items, items, confidence=confidence, power=power),
        "needed": needed,
        "needed_twice": math.ceil(needed * left) if 0 < left <= 1 else None,
    }


def _noise_by_checkpoint(
    found: "Evaluation", name: str, version: int
) -> Callable[[Compared], float]:
    """What of a difference comes of the draws, where it is a mean of them."""
    from eval_pipeline.statistics.design import draw_noise
    from eval_pipeline.warehouse.errors import NotMaterialised

    @cache
    def of(checkpoint: str) -> float:
        try:
            stored = found.warehouse.read("verifier_scores", name, version, checkpoint=checkpoint)
        except NotMaterialised:
            return math.nan
        rows = stored.table(["item_id", "score"]).to_pylist()
        kept = [row for row in rows if row["score"] is not None]
        return draw_noise([row["score"] for row in kept], [row["item_id"] for row in kept])

    def noise(row: Compared) -> float:
        if row["metric"] not in MEANS_OF_DRAWS:
            return math.nan
        return of(row["checkpoint"]) + of(row["baseline"])

    return noise


def _nothing_yet(targets: int) -> Size:
    """A row without numbers, and what makes them: a run, or a second checkpoint."""
    note = "no comparison yet: `eval-pipeline run` makes it"
    if targets < 2:
        there = "one checkpoint" if targets else "no checkpoint"
        note = f"it has {there}, and a comparison needs two: land another"
    return {
        "metric": None,
        "checkpoint": None,
        "baseline": None,
        "items": None,
        "confidence": None,
        "estimator": None,
        "detectable": None,
        "needed": None,
        "needed_twice": None,
        "note": note,
    }
