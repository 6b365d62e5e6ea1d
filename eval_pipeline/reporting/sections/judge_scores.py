"""Judges' scores of single replies: the mean of each checkpoint, criterion by criterion."""

from collections.abc import Sequence

from eval_pipeline.layout import PANEL
from eval_pipeline.reporting.figures.scores import Scored, score_figure
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import badge, figure
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.scores import JudgeScoreEstimatesRow

WHOLE = "all"
MEAN = "weighted mean"
LOST = {
    "n_failed": "failed replies",
    "n_unknown": "without a usable score",
    "n_error": "failed calls",
    "n_missing": "never scored",
}


def scores(tables: ReportTables) -> Markup | None:
    """The panel's means with a figure, each judge folded below, and slices."""
    rows = [row for row in tables.rows_of(JudgeScoreEstimatesRow) if row["policy"] == "primary"]
    if not rows:
        return None
    judges = sorted({row["judge"] for row in rows}, key=lambda judge: (judge != PANEL, judge))
    blocks = [_of_judge(tables, [r for r in rows if r["judge"] == judge]) for judge in judges]
    folded = [
        tag("details", tag("summary", f"By the judge {judge} alone"), block)
        for judge, block in zip(judges[1:], blocks[1:], strict=True)
    ]
    return join(blocks[0], *folded)


def drawn_scores(rows: Sequence[Row], checkpoints: Sequence[str]) -> list[Scored]:
    """One voice's rows on all items as the figure draws them, the whole first."""
    order = {name: i for i, name in enumerate(checkpoints)}
    own = [row for row in rows if (row["slice"], row["policy"]) == ("all", "primary")]
    own.sort(
        key=lambda row: (
            order.get(row["checkpoint"], len(order)),
            row["criterion"] != WHOLE,
            row["criterion"],
        )
    )
    return [
        Scored(
            row["checkpoint"],
            MEAN if row["criterion"] == WHOLE else row["criterion"],
            row["value"],
            row["ci_low"],
            row["ci_high"],
        )
        for row in own
    ]


def _of_judge(tables: ReportTables, rows: Sequence[Row]) -> Markup:
    """Of one voice: what it gives on all items, drawn and told; its slices folded."""
    checkpoints = list(reversed(tables.checkpoints))
    first = rows[0]
    quarantined = any(row["quarantined"] for row in rows)
    whole = [row for row in rows if row["slice"] == "all"]
    sliced = [row for row in rows if row["slice"] != "all" and row["criterion"] == WHOLE]
    drawn = drawn_scores(whole, checkpoints)
    who = "the panel" if first["judge"] == PANEL else first["judge"]
    axis = f"mean score, {first['measured_in']}"
    return join(
        tag("p", badge("quarantined", "bad"), " rests on judges without a licence")
        if quarantined
        else None,
        data_table(
            [_told(name, whole) for name in _named(checkpoints, whole)],
            {
                "checkpoint": "Checkpoint",
                **{_column(name): _heading(name) for name in _criteria(whole)},
                "items": "Replies",
                "lost": "Not scored",
            },
            _caption(first, tables.panels.get("scores", "the panel")),
            (*map(_column, _criteria(whole)), "items", "lost"),
        ),
        _lost(whole),
        figure(
            score_figure(drawn, _marked(axis, quarantined), f"Mean scores by {who}"),
            "Dots with intervals: the mean over all replies, clustered. Black: the weighted mean "
            "of the criteria. Overlap does not mean equal: the same items stand behind each.",
        ),
        tag("details", tag("summary", "By slice"), _slices(sliced)) if sliced else None,
    )


def _told(checkpoint: str, rows: Sequence[Row]) -> dict[str, object]:
    by_criterion = {row["criterion"]: row for row in rows if row["checkpoint"] == checkpoint}
    whole = by_criterion[WHOLE]
    return {
        "checkpoint": checkpoint,
        **{
            _column(name): interval(row["value"], row["ci_low"], row["ci_high"])
            for name, row in by_criterion.items()
        },
        "items": whole["n_items"],
        "lost": sum(whole[key] for key in LOST),
    }


def _slices(rows: Sequence[Row]) -> Markup:
    shown = [
        {
            "slice": row["slice"],
            "checkpoint": row["checkpoint"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "items": row["n_items"],
            "lost": sum(row[key] for key in LOST),
            "note": row["reason"] if row["value"] is None else row["ci_method"],
        }
        for row in sorted(rows, key=lambda row: (row["slice"], row["checkpoint"]))
    ]
    columns = {
        "slice": "Slice",
        "checkpoint": "Checkpoint",
        "value": "Mean score",
        "items": "Replies",
        "lost": "Not scored",
        "note": "Interval",
    }
    return data_table(shown, columns, None, ("value", "items", "lost"))


def _lost(rows: Sequence[Row]) -> Markup | None:
    """What was not scored, and why; what has no number, and why."""
    said = []
    for row in rows:
        if row["criterion"] != WHOLE:
            continue
        parts = [f"{what} {row[key]}" for key, what in LOST.items() if row[key]]
        if row["value"] is None:
            parts.append(f"undefined, {row['reason']}")
        elif parts and row["bound_low"] is not None:
            parts.append(f"worst to best case {row['bound_low']:.3f} to {row['bound_high']:.3f}")
        if parts:
            said.append(f"{row['checkpoint']}: {', '.join(parts)}")
    return tag("p", f"Not scored. {'; '.join(said)}.", class_="quiet") if said else None


def _named(checkpoints: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """The checkpoints that have rows, the newest first."""
    there = {row["checkpoint"] for row in rows}
    return [name for name in checkpoints if name in there]


def _criteria(rows: Sequence[Row]) -> list[str]:
    """The whole, then each criterion."""
    return sorted({row["criterion"] for row in rows}, key=lambda name: (name != WHOLE, name))


def _column(criterion: str) -> str:
    """The key of its column: a criterion may be called as another column is."""
    return f"criterion {criterion}"


def _heading(criterion: str) -> str:
    return MEAN.capitalize() if criterion == WHOLE else criterion


def _caption(row: Row, panel: str) -> str:
    who = panel if row["judge"] == PANEL else f"{row['judge']} alone"
    return (
        f"Mean of {who}, {row['measured_in']}; contract {row['contract']} v{row['version']}; "
        f"averaged {row['aggregation']}; {row['confidence']:.0%} intervals over {row['unit']}; "
        f"instrument {row['instrument']}."
    )


def _marked(text: str, quarantined: bool) -> str:
    return f"QUARANTINED: {text}" if quarantined else text
