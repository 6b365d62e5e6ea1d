"""Metrics beside the primary endpoint, in their units, and whether confidences can be believed."""

from eval_pipeline.reporting.figures.charts import Bin, reliability_figure
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import figure
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.estimates import MetricEstimatesRow, ReliabilityBinsRow

MOST_DIAGRAMS = 12  # figures; further checkpoints have their table
FAILURE_RATES = (
    "refusal_rate",
    "parser_failure_rate",
    "timeout_rate",
    "permission_denied_rate",
    "infra_error_rate",
    "invalid_sample_rate",
    "undecided_rate",
)

DIRECTIONS = {
    True: "higher is better",
    False: "lower is better",
    None: "neither direction is better",
}


def measures(tables: ReportTables) -> Markup | None:
    """Every metric but the primary one and the failure rates, over all items, with unit and
    direction; then the reliability diagrams.
    """
    contract = tables.one("contract")
    rows = [
        row for row in tables.rows_of(MetricEstimatesRow) if contract and _is_shown(row, contract)
    ]
    if not rows:
        return None
    shown = [
        {
            "metric": _with(row["metric"], _reading(row)),
            "checkpoint": row["checkpoint"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "samples": _with(row["n_samples"], f"{row['n_excluded']} left out"),
            "note": _with(row["ci_method"] or "no interval", row["reason"]),
        }
        for row in sorted(rows, key=lambda row: (row["metric"], row["checkpoint"]))
    ]
    columns = {
        "metric": "Metric",
        "checkpoint": "Checkpoint",
        "value": "Value",
        "samples": "Samples",
        "note": "Interval, and what to know",
    }
    caption = (
        f"Over all items, under the contract's failure policy; {rows[0]['confidence']:.0%} "
        f"intervals over {rows[0]['unit']}."
    )
    return join(
        data_table(shown, columns, caption, ("value", "samples")),
        *_diagrams(tables),
    )


def _is_shown(row: Row, contract: Row) -> bool:
    """Rows of the whole that stand nowhere else on the page; those without a unit are older."""
    whole = row["slice"] == "all" and row["policy"] == "primary"
    rate = row["metric"] in FAILURE_RATES
    primary = row["metric"] == contract["primary_endpoint"]
    return whole and row["measured_in"] is not None and not rate and not primary


def _reading(row: Row) -> str:
    """`squared error, lower is better`."""
    return f"{row['measured_in']}, {DIRECTIONS[row['higher_is_better']]}"


def _with(text: object, below: str | None) -> Markup:
    """A text with a quiet line below it."""
    if not below:
        return tag("span", str(text))
    return join(tag("span", str(text)), tag("div", below, class_="quiet"))


def _diagrams(tables: ReportTables) -> list[Markup]:
    """A reliability diagram for each checkpoint and way of binning."""
    found: dict[tuple[str, str], list[Bin]] = {}
    for row in tables.rows_of(ReliabilityBinsRow):
        one = Bin(
            row["low"],
            row["high"],
            row["n_samples"],
            row["mean_confidence"],
            row["share_right"],
            row["ci_low"],
            row["ci_high"],
        )
        found.setdefault((row["metric"], row["checkpoint"]), []).append(one)
    return [
        figure(
            reliability_figure(bins, f"Reliability of the confidences of {checkpoint}, {label}"),
            f"{checkpoint}: share right against the stated chance, bins of {label}. Below the "
            "dashed line the chances are too high; bars are intervals of each bin's share.",
        )
        for (label, checkpoint), bins in sorted(found.items())[:MOST_DIAGRAMS]
    ]
