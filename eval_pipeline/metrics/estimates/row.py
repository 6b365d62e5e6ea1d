"""What all rows of `metric_estimates` have in common: design, slices, standing, reasons."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from eval_pipeline.metrics.samples import Bools, Items
from eval_pipeline.statistics.clustered import Estimate

Row = dict[str, Any]  # by column; the schema of its table checks names and types


@dataclass(frozen=True)
class Design:
    """What the contract freezes about estimates.

    labels: metrics in the order wanted, such as pass@4. draws_per_item: None where unknown.
    unit: the column that clusters are made of. macro_over: slice that groups a macro mean.
    slices: names of the slices that get rows of their own. seed: of all random numbers.
    sequential: whether intervals must hold at whatever look they are read.
    """

    labels: tuple[str, ...]
    draws_per_item: int | None
    confidence: float
    unit: str
    macro_over: str | None
    slices: tuple[str, ...]
    seed: int = 0
    sequential: bool = False

    @property
    def over_items(self) -> str:
        return f"macro over {self.macro_over}" if self.macro_over else "micro over items"

    @property
    def aggregation(self) -> str:
        """How draws and items are averaged, in words."""
        return f"unbiased over draws, {self.over_items}"


def slice_masks(items: Items, names: tuple[str, ...]) -> Iterator[tuple[str, Bools]]:
    """`all`, then each `name=value`, with the items in it. Items without the key are in none."""
    yield "all", np.ones(len(items), dtype=bool)
    for name in names:
        values = items.slices.get(name)
        if values is None:
            continue
        for value in sorted({v for v in values if v is not None}):
            yield f"{name}={value}", np.asarray(values == value, dtype=bool)


def standing(estimate: Estimate) -> Row:
    """The columns that say what was found, and how."""
    return {
        "value": estimate.value,
        **interval_columns(estimate),
        "status": status_of(estimate.value),
    }


def interval_columns(estimate: Estimate) -> Row:
    """The columns of an interval, named alike in every table of numbers."""
    return {
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "ci_method": estimate.method,
        "confidence": estimate.confidence,
    }


def status_of(value: float) -> Literal["ok", "undefined"]:
    """`undefined` where there is no value; one without an interval is `ok`, its ends null."""
    return "undefined" if math.isnan(value) else "ok"


def joined(*parts: str | None) -> str | None:
    """Reasons in one line; None where there is none."""
    return "; ".join(part for part in parts if part) or None


def lacking_words(lacking: dict[str, int], n_samples: int) -> list[str]:
    """`3 of 40 samples have no generations.confidence`, for each column that some lack."""
    return [f"{n} of {n_samples} samples have no {column}" for column, n in lacking.items() if n]
