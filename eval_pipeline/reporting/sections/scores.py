"""Scores of verified answers: the leaderboard, counts by status, slices, comparisons."""

from collections.abc import Sequence

from eval_pipeline.reporting.figures.charts import (
    Whisker,
    curve_figure,
    interval_figure,
    stacked_figure,
)
from eval_pipeline.reporting.figures.drawn_rows import curves
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, p_value, tag
from eval_pipeline.reporting.page import badge, figure
from eval_pipeline.reporting.tables import JUDGED_RATES, ReportTables, Row, difference_of
from eval_pipeline.reporting.unjudged import unjudged

MOST_ITEMS = 40  # named in each cell of the list of items won and lost
_UNBROKEN = "\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}"
STATUS_ORDER = (
    "ok",
    "parser_failure",
    "model_refusal",
    "timeout",
    "permission_denied",
    "infra_error",
    "invalid_sample",
    "undecided",
)


def leaderboard(tables: ReportTables) -> Markup | None:
    """The primary endpoint of each checkpoint, with interval, counts and bounds."""
    rows = tables.primary_estimates
    if not rows:
        return None
    label = rows[0]["metric"]
    sign = 1.0 if rows[0]["higher_is_better"] is False else -1.0
    rows.sort(key=lambda r: (r["value"] is None, sign * (r["value"] or 0.0), r["checkpoint"]))
    first = rows[0]
    verified = first in tables.of("metric_estimates")
    shares = unjudged(tables.of("metric_estimates")) if verified else {}
    grader = tables.recorded_by if verified else None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "unjudged": str(shares.get(row["checkpoint"], "")) or None,
            "bounds": _bounds(row),
            "n_items": row["n_items"],
            "n_units": row["n_units"],
            "n_samples": row["n_samples"],
            "n_excluded": row["n_excluded"],
            "reason": row["reason"] or row["ci_method"],
        }
        for row in rows
    ]
    caption = (
        f"{label}, contract {first['contract']} v{first['version']}; "
        f"averaged {first['aggregation']}; {first['confidence']:.0%} intervals over "
        f"{first['unit']}; instrument {first['instrument']}"
        f"{f', of verdicts recorded by {grader}' if grader else ''}."
    )
    columns = {
        "checkpoint": "Checkpoint",
        "value": label,
        **(
            {"unjudged": "Draws not judged"}
            if any(one.is_worth_saying for one in shares.values())
            else {}
        ),
        "bounds": "Worst to best case of the missing",
        "n_items": "Items",
        "n_units": "Clusters",
        "n_samples": "Samples",
        "n_excluded": "Excluded",
        "reason": "Interval",
    }
    axis = f"QUARANTINED: {label}" if any(r.get("quarantined") for r in rows) else label
    whiskers = [
        Whisker(
            row["checkpoint"],
            row["value"],
            row["ci_low"],
            row["ci_high"],
            emphasis=bool(row.get("quarantined")),
        )
        for row in rows
    ]
    return join(
        tag("p", badge("quarantined", "bad"), " rests on judges without a licence")
        if axis != label
        else None,
        tag("p", badge("recorded", "wait"), f" graded by {grader}: nothing here judged the replies")
        if grader
        else None,
        data_table(
            shown, columns, caption, ("value", "n_items", "n_units", "n_samples", "n_excluded")
        ),
        figure(
            interval_figure(whiskers, axis, f"{label} of each checkpoint with its interval"),
            f"{label} with {first['confidence']:.0%} intervals. Overlap does not mean equal: see "
            "the paired differences.",
        ),
        _curves(tables),
    )


def statuses(tables: ReportTables) -> Markup | None:
    """How many samples of each checkpoint are in each status; files and rejects beside them."""
    rows = tables.of("status_counts")
    if not rows:
        return None
    counts: dict[str, dict[str, int]] = {name: {} for name in tables.checkpoints}
    for row in rows:
        counts.setdefault(row["checkpoint"], {})[row["status"]] = row["n"]
    files: dict[str, list[int]] = {}
    for row in tables.of("ingest_files"):
        sums = files.setdefault(row["checkpoint"], [0, 0, 0])
        for i, key in enumerate(("lines", "accepted", "rejected")):
            sums[i] += row[key]
    shown = []
    for name in counts:
        lines, accepted, rejected = files.get(name, [0, 0, 0])
        shown.append(
            {
                "checkpoint": name,
                **{status: counts[name].get(status, 0) for status in STATUS_ORDER},
                "lines": lines,
                "accepted": accepted,
                "rejected": rejected,
            }
        )
    columns = {
        "checkpoint": "Checkpoint",
        **{status: status.replace("_", " ") for status in STATUS_ORDER},
        "lines": "Lines read",
        "accepted": "accepted",
        "rejected": "rejected",
    }
    failed = {name: {s: n for s, n in row.items() if s != "ok"} for name, row in counts.items()}
    chart = (
        figure(
            stacked_figure(
                failed, STATUS_ORDER, "samples", "Failed samples of each checkpoint by status"
            ),
            "Samples that are not ok. What each counts as is fixed by the contract.",
        )
        if any(sum(row.values()) for row in failed.values())
        else None
    )
    return join(
        data_table(
            shown,
            columns,
            "Each sample has exactly one status; accepted + rejected = lines read.",
            (*STATUS_ORDER, "lines", "accepted", "rejected"),
        ),
        chart,
    )


def comparisons(tables: ReportTables) -> Markup | None:
    """Candidate minus baseline on shared items."""
    compared = _by_pair(tables.of("paired_comparisons"))
    rows = [row for row in compared if row["slice"] == "all"]
    if not rows:
        return None
    whiskers = [
        Whisker(
            f"{row['checkpoint']} − {row['baseline']}",
            row["difference"],
            row["ci_low"],
            row["ci_high"],
        )
        for row in rows
    ]
    shown = [_comparison(row) for row in rows]
    sliced = [_comparison(row) for row in compared if row["slice"] != "all"]
    columns = {
        "checkpoint": "Checkpoint",
        "baseline": "Held against",
        "difference": "Difference",
        "p": "p, adjusted",
        "items": "Items shared",
        "won": "Won – lost",
        "note": "Note",
    }
    numeric = ("difference", "p", "items", "won")
    return join(
        data_table(
            shown,
            columns,
            f"{_compared(rows[0]['metric'])}; "
            f"contract {rows[0]['contract']} v{rows[0]['version']}; {rows[0]['confidence']:.0%} "
            "intervals, clustered over the contract's unit.",
            numeric,
        ),
        figure(
            interval_figure(
                whiskers,
                _axis(rows[0]["metric"]),
                "Paired differences with their intervals",
                reference=0.0,
            ),
            "Right of the dashed line the candidate is better.",
        ),
        _folded("Items won and lost", _items_table(rows)),
        _folded("Slices", data_table(sliced, {"slice": "Slice", **columns}, None, numeric))
        if sliced
        else None,
    )


def metrics(tables: ReportTables) -> Markup | None:
    """Every metric, slice and policy, folded away."""
    rows = tables.of("metric_estimates")
    if not rows:
        return None
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "metric": row["metric"],
            "slice": row["slice"],
            "policy": row["policy"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "unit": row["measured_in"],
            "n_items": row["n_items"],
            "note": row["reason"],
        }
        for row in rows
    ]
    columns = {
        "checkpoint": "Checkpoint",
        "metric": "Metric",
        "slice": "Slice",
        "policy": "Policy",
        "value": "Value",
        "unit": "Unit",
        "n_items": "Items",
        "note": "Note",
    }
    return _folded(
        f"All {len(rows)} estimates, with slices and sensitivity rows",
        data_table(shown, columns, None, ("value", "n_items")),
    )


def _curves(tables: ReportTables) -> Markup | None:
    found = curves(tables.of("metric_estimates"))
    if not found:
        return None
    return figure(
        curve_figure(found, "pass@k", "pass@k against k for each checkpoint"),
        "pass@k, unbiased per item and then averaged; bands are clustered intervals.",
    )


def _compared(metric: str) -> str:
    if metric in JUDGED_RATES:
        return f"{difference_of(metric)}, of the checkpoint against the baseline on judged items"
    return f"{metric}, candidate minus baseline on the items that both answered"


def _axis(metric: str) -> str:
    return difference_of(metric) if metric in JUDGED_RATES else f"difference in {metric}"


def _by_pair(rows: Sequence[Row]) -> list[Row]:
    """A row a pair and slice: where the reference is the parent too, both roles stand in one."""
    found: dict[tuple[str, str, str, str], Row] = {}
    for row in rows:
        key = (row["checkpoint"], row["baseline"], row["metric"], row["slice"])
        roles = {row["role"], *([found[key]["role"]] if key in found else [])}
        found[key] = {**row, "role": " and ".join(sorted(roles, reverse=True))}
    return list(found.values())


def _comparison(row: Row) -> dict[str, object]:
    left_out = f", {row['n_unshared']} left out" if row["n_unshared"] else ""
    return {
        "slice": row["slice"],
        "checkpoint": row["checkpoint"],
        "baseline": join(row["baseline"], " ", tag("span", f"({row['role']})", class_="quiet")),
        "difference": interval(row["difference"], row["ci_low"], row["ci_high"]),
        "p": p_value(row["p_adjusted"]),
        "items": f"{row['n_shared']}{left_out}",
        "won": _UNBROKEN.join(str(len(row[side])) for side in ("items_won", "items_lost")),
        "note": join(
            row["ci_method"] or "no interval", f"; {row['reason']}" if row["reason"] else ""
        ),
    }


def _items_table(rows: Sequence[Row]) -> Markup:
    """Which items each candidate wins and loses; the first of them where they are many."""
    shown = [
        {
            "pair": f"{row['checkpoint']} − {row['baseline']} ({row['role']})",
            "won": _named(row["items_won"]),
            "lost": _named(row["items_lost"]),
        }
        for row in rows
    ]
    columns = {"pair": "Compared", "won": "Won", "lost": "Lost"}
    return data_table(
        shown, columns, "Items on which the candidate, or the baseline, scores higher."
    )


def _named(items: Sequence[str]) -> str:
    beyond = len(items) - MOST_ITEMS
    more = f" and {beyond} more (`eval-pipeline compare` lists them)" if beyond > 0 else ""
    return ", ".join(items[:MOST_ITEMS]) + more


def _bounds(row: Row) -> Markup | None:
    if row["bound_low"] is None or row["bound_high"] is None:
        return None
    return tag("span", f"{row['bound_low']:.4f} to {row['bound_high']:.4f}", class_="interval")


def _folded(summary: str, body: Markup) -> Markup:
    return tag("details", tag("summary", summary), body)
