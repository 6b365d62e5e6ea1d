"""Scores of verified answers: the leaderboard, counts by status, slices, comparisons."""

from collections.abc import Sequence

from eval_pipeline.reporting.figures.boards import board_figure
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
from eval_pipeline.reporting.unjudged import MUCH, WORTH_SAYING, Unjudged, unjudged
from eval_pipeline.rows.estimates import MetricEstimatesRow, PairedComparisonsRow
from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.rows.samples import IngestFilesRow

MOST_ITEMS = 40  # named in each cell of the list of items won and lost
SCOPES = {"board": "the whole board", "decision": "the decisions", "row": "some rows"}
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
    rows = tables.leaderboard
    if not rows:
        return None
    first = rows[0]
    quantity, grader = first["quantity"], first["recorded_by"]
    shares = {row["checkpoint"]: unjudged(row) for row in rows}
    said = any(share and share.is_worth_saying for share in shares.values())
    refused = any(row["rejected"] > WORTH_SAYING for row in rows)
    shown = [
        {
            "checkpoint": join(
                row["checkpoint"], *([" ", badge("gone", "bad")] if row["gone"] else [])
            ),
            "value": _value(row),
            "unjudged": _share(shares[row["checkpoint"]]),
            "rejected": _alarm(row["rejected"], f"{row['rejected']:.1%}"),
            "bounds": _bounds(row),
            "worst": _worst(row),
            "items": _with(row["n_items"], row["n_units"]),
            "samples": _with(row["n_samples"], row["n_excluded"]),
            "n_excluded": row["n_excluded"],
            "reason": row["reason"],
        }
        for row in rows
    ]
    methods = ", ".join(sorted({row["ci_method"] for row in rows if row["ci_method"]}))
    sampled = any(row["n_samples"] is not None for row in rows)
    columns = {
        "checkpoint": "Checkpoint",
        "value": quantity,
        **({"unjudged": "Draws not judged"} if said else {}),
        **({"rejected": "Rows refused"} if refused else {}),
        "bounds": "Worst to best case of the missing",
        **({"worst": "Worst slice"} if any(row["worst_slice"] for row in rows) else {}),
        "items": f"Items of {first['n_total']} (clusters)",
        **({"samples": "Samples (excluded)"} if sampled else {"n_excluded": "Excluded"}),
        **({"reason": "Note"} if any(row["reason"] for row in rows) else {}),
    }
    caption = (
        f"{quantity}, contract {first['contract']} v{first['version']}; {first['terms']}; "
        f"intervals by {methods or 'no method'}."
    )
    drawn = board_figure(rows)
    return join(
        *_quarantines(rows),
        tag("p", badge("recorded", "wait"), f" graded by {grader}: nothing here judged the replies")
        if grader
        else None,
        data_table(shown, columns, caption, ("value", "items", "samples", "n_excluded")),
        _of_the_gone(rows),
        figure(
            drawn,
            f"{quantity} with {first['confidence']:.0%} intervals. Overlap does not mean equal: "
            "see the paired differences.",
        )
        if drawn
        else None,
        _curves(tables),
    )


def _quarantines(rows: Sequence[LeaderboardRow]) -> list[Markup]:
    """What of the board may not be believed, and why, once each."""
    found = {(row["quarantine_scope"], row["quarantine_reason"]) for row in rows}
    return [
        tag("p", badge("quarantined", "bad"), f" {SCOPES[scope]}: {reason}")
        for scope, reason in sorted((scope, why or "") for scope, why in found if scope)
    ]


def _of_the_gone(rows: Sequence[LeaderboardRow]) -> Markup | None:
    gone = ", ".join(row["checkpoint"] for row in rows if row["gone"])
    if not gone:
        return None
    return tag("p", badge("gone", "bad"), f" no longer on disk: {gone}. Results stay as history.")


def _value(row: LeaderboardRow) -> Markup:
    if row["value"] is None and row["outcome"] == "reference":
        return tag("span", "the reference", class_="quiet")
    return interval(row["value"], row["ci_low"], row["ci_high"])


def _share(unread: Unjudged | None) -> Markup | None:
    return None if unread is None else _alarm(unread.share, str(unread))


def _alarm(share: float, text: str) -> Markup:
    """A share, in a frame where it is large."""
    return badge(text, "bad") if share > MUCH else join(text)


def _with(number: int | None, beside: int | None) -> str | None:
    return None if number is None else f"{number} ({beside})"


def _worst(row: LeaderboardRow) -> Markup | None:
    if row["worst_slice"] is None:
        return None
    value = interval(row["worst_value"], row["worst_low"], row["worst_high"])
    return join(row["worst_slice"], " ", value)


def statuses(tables: ReportTables) -> Markup | None:
    """How many samples of each checkpoint are in each status; files and rejects beside them."""
    rows = tables.of("status_counts")
    if not rows:
        return None
    counts: dict[str, dict[str, int]] = {name: {} for name in tables.checkpoints}
    for row in rows:
        counts.setdefault(row["checkpoint"], {})[row["status"]] = row["n"]
    files: dict[str, list[int]] = {}
    for row in tables.rows_of(IngestFilesRow):
        sums = files.setdefault(row["checkpoint"], [0, 0, 0])
        for i, number in enumerate((row["lines"], row["accepted"], row["rejected"])):
            sums[i] += number
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
    compared = _by_pair(tables.rows_of(PairedComparisonsRow))
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
    rows = tables.rows_of(MetricEstimatesRow)
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
    found = curves(tables.rows_of(MetricEstimatesRow))
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
