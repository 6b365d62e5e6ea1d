"""Which figure stands beside which table in the Dagster UI; drawing is the reporting room's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from eval_pipeline.rows.leaderboard import LeaderboardRow

Row = Mapping[str, Any]  # of whichever table a figure stands beside
FLOORS = (
    "human_ratio",
    "label_accuracy",
    "score_agreement",
)  # no distance from 0 is allowed, but one from 1
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
        shown=lambda r: is_headline(r) and r["bar"] is not None and r["audit"] not in FLOORS,
    ),
    "judge_score_estimates": Intervals(
        "scores",
        "mean score, points",
        "Mean scores over all replies",
        "value",
        lambda r: f"{r['judge']}: {r['checkpoint']}",
        None,
        shown=lambda r: is_headline(r) and r["criterion"] == "all",
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
    rows = data.to_pylist()
    found = _intervals(FIGURES[table], rows) if table in FIGURES else {}
    return found | (_FURTHER[table](rows) if table in _FURTHER else {})


def _intervals(figure: Intervals, table: Sequence[Row]) -> dict[str, str]:
    rows = [row for row in table if figure.shown(row)]
    if not rows:
        return {}
    from eval_pipeline.reporting.figures.charts import Whisker, interval_figure

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


def _curves(rows: Sequence[Row]) -> dict[str, str]:
    from eval_pipeline.reporting.figures.charts import curve_figure
    from eval_pipeline.reporting.figures.drawn_rows import curves

    found = curves(rows)
    return {"pass@k": curve_figure(found, "pass@k", "pass@k against k")} if found else {}


def _matrices(rows: Sequence[Row]) -> dict[str, str]:
    """A heat map a judge, where there are two models or more."""
    from eval_pipeline.reporting.figures.charts import matrix_figure
    from eval_pipeline.reporting.figures.drawn_rows import chance_ranges, chances

    found = {}
    for judge in sorted({row["judge"] for row in rows}):
        own = [row for row in rows if row["judge"] == judge]
        names = sorted({row[side] for row in own for side in ("model_i", "model_j")})
        title = f"Chance that the row beats the column, by {judge}"
        found[f"win chances, {judge}"] = matrix_figure(
            names, chances(own), title, chance_ranges(own)
        )
    return found


def _moved(rows: Sequence[Row]) -> dict[str, str]:
    from eval_pipeline.reporting.figures.drawn_rows import moved
    from eval_pipeline.reporting.figures.ranking import change_figure

    found = moved(rows)
    title = "Win rates before and after length control"
    return {"before and after": change_figure(found, "win rate", title)} if found else {}


def _circles(rows: Sequence[Row]) -> dict[str, str]:
    from eval_pipeline.reporting.figures.drawn_rows import cyclic
    from eval_pipeline.reporting.figures.ranking import cyclic_figure

    if not rows:
        return {}
    return {"cycles": cyclic_figure(cyclic(rows), "Cyclic share of each judge's preference")}


def _frontiers(rows: Sequence[Row]) -> dict[str, str]:
    from eval_pipeline.reporting.figures.drawn_rows import choices
    from eval_pipeline.reporting.figures.rules import frontier_figure

    return {
        f"quality against {label}": frontier_figure(
            drawn, label, rows[0]["metric"], f"{rows[0]['metric']} against {label}"
        )
        for label, drawn in choices(rows)
    }


def _boards(rows: Sequence["LeaderboardRow"]) -> dict[str, str]:
    """The values of the leaderboard, best first, as the report draws them."""
    from eval_pipeline.reporting.figures.boards import board_figure

    drawn = board_figure(rows)
    return {} if drawn is None else {"leaderboard": drawn}


_FURTHER: Mapping[str, Callable[[Sequence[Any]], dict[str, str]]] = {
    "metric_estimates": _curves,
    "contrasts": _matrices,
    "length_controlled_win_rates": _moved,
    "fit_diagnostics": _circles,
    "decisions": _frontiers,
    "leaderboard": _boards,
}


def quarantined(row: Row) -> bool:
    """Whether a row rests on a judge without a licence."""
    return bool(row.get("quarantined"))
