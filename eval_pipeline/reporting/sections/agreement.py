"""Our verdicts beside recorded ones: both numbers, kappa, the rows that differ."""

from eval_pipeline.reporting.escaping import shortened
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.agreement import RecordedVerdictsRow, VerdictAgreementRow

EXTRACTED_CHARACTERS = 200


def agreement(tables: ReportTables) -> Markup | None:
    """How far ours and the recorded verdicts agree, and the first rows on which they do not."""
    rows = [row for row in tables.rows_of(VerdictAgreementRow) if row["slice"] == "all"]
    if not rows:
        return None
    order = {name: i for i, name in enumerate(tables.checkpoints)}
    rows.sort(key=lambda row: (order.get(row["checkpoint"], 0), row["checkpoint"]))
    first = rows[0]
    sides = (
        "1 is right and 0 is wrong"
        if first["threshold"] is None
        else f"a score of {first['threshold']:g} or more counts as right"
    )
    caption = (
        f"Recorded: {first['metric']}, graded by {first['grader']}. On the samples that both "
        f"judged ({sides}); {first['confidence']:.0%} intervals, clustered over the contract's "
        "unit. Our own number under the failure policy stands in the leaderboard."
    )
    return join(
        data_table([_summary(row) for row in rows], _COLUMNS, caption, _NUMERIC),
        _by_step(tables),
        _differing(tables),
    )


_COLUMNS = {
    "checkpoint": "Checkpoint",
    "ours": "Ours",
    "recorded": "Recorded",
    "recorded_all": "Recorded, all",
    "agreement": "Agreement",
    "kappa": "Cohen's kappa",
    "n_compared": "Compared",
    "cells": "Right by both, ours, theirs, none",
    "apart": "One side only, or no side",
}
_NUMERIC = ("ours", "recorded", "recorded_all", "agreement", "kappa", "n_compared")


def _summary(row: Row) -> dict[str, object]:
    cells = ("both_right", "only_ours_right", "only_recorded_right", "both_wrong")
    return {
        "checkpoint": row["checkpoint"],
        **{name: row[name] for name in ("ours", "recorded", "n_compared")},
        "recorded_all": row["recorded_all"],
        "agreement": _estimate(row, "agreement"),
        "kappa": _estimate(row, "kappa"),
        "cells": ", ".join(str(row[cell]) for cell in cells),
        "apart": _apart(row),
    }


def _by_step(tables: ReportTables) -> Markup | None:
    """The same for the answers that each step of a chain read, folded."""
    rows = [row for row in tables.rows_of(VerdictAgreementRow) if row["slice"] != "all"]
    if not rows:
        return None
    shown = [{**_summary(row), "slice": row["slice"].removeprefix("step=")} for row in rows]
    table = data_table(shown, {"slice": "Step", **_COLUMNS}, None, _NUMERIC)
    return tag("details", tag("summary", "By the step that read the answer"), table)


def _estimate(row: Row, of: str) -> Markup:
    reason = row[f"{of}_reason"]
    if reason and row[of] is not None and row[f"{of}_low"] is None:
        return join(tag("strong", f"{row[of]:.4f}"), tag("div", reason, class_="quiet"))
    shown = interval(row[of], row[f"{of}_low"], row[f"{of}_high"])
    return join(shown, tag("div", reason, class_="quiet") if reason else None)


def _apart(row: Row) -> str | None:
    """`12 only ours, 3 only recorded`; None where both judged everything."""
    told = {
        "only ours": row["n_only_ours"],
        "only recorded": row["n_only_recorded"],
        "neither": row["n_neither"],
        "a score between": row["n_between"],
    }
    return ", ".join(f"{n} {name}" for name, n in told.items() if n) or None


def _differing(tables: ReportTables) -> Markup | None:
    rows = tables.rows_of(RecordedVerdictsRow)
    if not rows:
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "item": f"{row['item_id']}, draw {row['draw']}",
            "extracted": None
            if row["extracted"] is None
            else shortened(row["extracted"], EXTRACTED_CHARACTERS),
            "ours": row["ours"],
            "recorded": row["recorded"],
            "why": join(
                row["explanation"], tag("div", row["recorded_explanation"], class_="quiet")
            ),
        }
        for row in rows
    ]
    columns = {
        "checkpoint": "Checkpoint",
        "item": "Sample",
        "extracted": "Extracted",
        "ours": "Ours",
        "recorded": "Recorded",
        "why": "Why",
    }
    total = tables.totals.get("recorded_verdicts", len(rows))
    caption = f"{len(rows)} of {total} samples on which the two differ; `eval-pipeline why differs`"
    return data_table(shown, columns, f"{caption} lists all.", ("ours", "recorded"))
