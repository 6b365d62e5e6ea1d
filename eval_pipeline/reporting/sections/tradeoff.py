"""Quality against cost and latency: what is left to choose from."""

from eval_pipeline.reporting.figures.drawn_rows import choices
from eval_pipeline.reporting.figures.rules import frontier_figure
from eval_pipeline.reporting.markup import Markup, data_table, interval, join
from eval_pipeline.reporting.page import badge, figure
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.estimates import DecisionsRow

_KINDS = {"frontier": "good", "disqualified": "bad"}


def trade_off(tables: ReportTables) -> Markup | None:
    """Where each checkpoint stands once guardrails have spoken; None where nothing is traded."""
    rows = [row for row in tables.rows_of(DecisionsRow) if row["frontier"] is not None]
    if not rows or all(row["frontier"] == "unplaced" for row in rows):
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "standing": badge(row["frontier"] or "", _KINDS.get(row["frontier"] or "", "wait")),
            "quality": _quality(row),
            "cost": row["cost_usd"],
            "tokens": row["tokens_out"],
            "latency": row["latency_ms"],
            "why": row["frontier_reason"],
        }
        for row in rows
    ]
    first = rows[0]
    columns = {
        "checkpoint": "Checkpoint",
        "standing": "Place",
        "quality": first["metric"],
        "cost": "US dollars a sample",
        "tokens": "Reply tokens a sample",
        "latency": "Milliseconds a sample",
        "why": "Why",
    }
    caption = (
        f"Contract {first['contract']} v{first['version']}; guardrails first, then what nothing "
        "else beats on every side. By point estimates, each with its interval: the decisions say "
        "what differs for sure. Costs are means of what was recorded, and have none."
    )
    return join(
        data_table(shown, columns, caption, ("quality", "cost", "tokens", "latency")),
        *(
            figure(
                frontier_figure(
                    drawn, label, first["metric"], f"{first['metric']} against {label}"
                ),
                f"{first['metric']} against {label}. Green: nothing is better on every side.",
            )
            for label, drawn in choices(rows)
        ),
    )


def _quality(row: Row) -> Markup | float | None:
    """With its interval; the reference of a judged contract is 0 by definition."""
    low, high = row.get("quality_low"), row.get("quality_high")
    if row["quality"] is None or low is None:
        return row["quality"]  # type: ignore[no-any-return] # a float of the table
    return interval(row["quality"], low, high)
