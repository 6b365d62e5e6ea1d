"""The figure of a leaderboard: the report and the Dagster UI draw the same."""

from collections.abc import Sequence

from eval_pipeline.reporting.figures.charts import Whisker, interval_figure
from eval_pipeline.rows.leaderboard import LeaderboardRow


def board_figure(rows: Sequence[LeaderboardRow]) -> str | None:
    """The value of each checkpoint with its interval, best first; None where there is no row.

    rows: of `leaderboard`. What the others are held against has no value of its own, and none is
    drawn for it.
    """
    if not rows:
        return None
    placed = sorted(rows, key=lambda row: row["place"])
    first = placed[0]
    quantity, quarantined = first["quantity"], first["quarantine_scope"] == "board"
    drawn = [
        Whisker(
            f"{row['checkpoint']} (gone)" if row["gone"] else row["checkpoint"],
            row["value"],
            row["ci_low"],
            row["ci_high"],
            emphasis=quarantined,
        )
        for row in placed
        if row["value"] is not None or row["outcome"] != "reference"
    ]
    return interval_figure(
        drawn,
        f"QUARANTINED: {quantity}" if quarantined else quantity,
        f"{quantity} of each checkpoint with its interval",
        reference=0.0 if first["read_from"] == "paired_comparisons" else None,
    )
