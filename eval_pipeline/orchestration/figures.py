"""Which figure stands beside which table in the Dagster UI; drawing is the reporting room's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

Row = Mapping[str, Any]
SLICED = {"slice": "all", "policy": "primary"}  # rows of the whole, under the contract's policy


def is_headline(row: Row) -> bool:
    """Whether a row speaks of all items, and under the contract's own policy."""
    return all(row.get(name, value) == value for name, value in SLICED.items())


@dataclass(frozen=True)
class Intervals:
    """Estimates with their intervals: one row of the table, one row of the figure.

    Rows that rest on a judge without a licence, or lie outside their bar, are set off.
    """

    name: str
    axis: str
    title: str
    value: str
    label: Callable[[Row], str]
    reference: float | None = 0.0
    shown: Callable[[Row], bool] = is_headline


FIGURES = {
    "metric_estimates": Intervals(
        "estimates",
        "estimate",
        "Estimates over all items that are shares",
        "value",
        lambda r: r["metric"],
        None,
        shown=lambda r: is_headline(r) and r.get("measured_in") in (None, "share"),
    ),
    "paired_comparisons": Intervals(
        "differences",
        "candidate minus reference",
        "Paired differences over all items",
        "difference",
        lambda r: f"{r['checkpoint']} − {r['baseline']}",
        shown=lambda r: is_headline(r) and r["role"] == "reference",
    ),
    "judge_audits": Intervals(
        "audits",
        "bias",
        "Audits against their bars",
        "estimate",
        lambda r: f"{r['judge']}: {r['audit']}",
        shown=lambda r: is_headline(r) and r["bar"] is not None and r["audit"] != "human_ratio",
    ),
    "length_controlled_win_rates": Intervals(
        "win rates",
        "win rate at equal length",
        "Length-controlled win rates",
        "length_controlled",
        lambda r: f"{r['judge']}: {r['model']}",
        0.5,
    ),
    "ratings": Intervals(
        "strengths",
        "strength, logits",
        "Strengths",
        "theta",
        lambda r: f"{r['judge']}: {r['model']}",
    ),
}


def figures_of(table: str, data: pa.Table) -> dict[str, str]:
    """Name to SVG; empty for tables without a figure."""
    if table not in FIGURES:
        return {}
    figure = FIGURES[table]
    rows = [row for row in data.to_pylist() if figure.shown(row)]
    if not rows:
        return {}
    from eval_pipeline.reporting.figures import Whisker, interval_figure

    whiskers = [
        Whisker(
            label=figure.label(row),
            value=row[figure.value],
            low=row["ci_low"],
            high=row["ci_high"],
            bar=row.get("bar"),
            emphasis=quarantined(row) or row.get("outcome") == "outside",
        )
        for row in rows
    ]
    axis = figure.axis
    if any(map(quarantined, rows)):
        axis = f"{axis}; ◆ quarantined"
    return {figure.name: interval_figure(whiskers, axis, figure.title, figure.reference)}


def quarantined(row: Row) -> bool:
    """Whether a row rests on a judge without a licence."""
    return bool(row.get("quarantined"))
