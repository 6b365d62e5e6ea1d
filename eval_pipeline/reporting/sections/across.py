"""What several checkpoints say together: of items, metrics, safety and robustness."""

from collections.abc import Sequence

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, p_value, tag
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.across import (
    DifferentialFunctioningRow,
    ItemAnalysisRow,
    MetricValidityRow,
    RobustnessDropsRow,
    SafetyFrontierRow,
)

MOST_ITEMS = 15  # rows of items: those that tell least, and those that favour a group most
SIGNIFICANT = 0.05
TELLING_CHECKPOINTS = 10  # from so many on, a negative correlation is seldom luck


def items(tables: ReportTables) -> Markup | None:
    """Items that tell least or the wrong way, then those that favour one group of families."""
    rows = tables.rows_of(ItemAnalysisRow)
    if not rows:
        return None
    known = [row for row in rows if row["discrimination"] is not None]
    doubtful = sorted(known, key=lambda row: (row["discrimination"], row["item_id"]))[:MOST_ITEMS]
    has_curves = any(row["slope"] is not None for row in rows)
    shown = [
        {
            "item": row["item_id"],
            "facility": row["facility"],
            "discrimination": row["discrimination"],
            **(_curve(row) if has_curves else {}),
        }
        for row in doubtful
    ]
    columns = {"item": "Item", "facility": "Facility", "discrimination": "Discrimination"}
    if has_curves:
        columns |= {"slope": "Slope", "difficulty": "Difficulty", "note": "Note on the curve"}
    sentences = [
        f"The {len(shown)} of {len(rows)} items that tell least." if known else None,
        _meaning_of_negative(known) if known else None,
        _without(rows),
        None if has_curves else f"No curves: {_most_common(rows, 'curve_reason')}.",
    ]
    caption = " ".join(filter(None, sentences))
    numeric = ("facility", "discrimination", "slope", "difficulty")
    least = data_table(shown, columns, caption, numeric) if shown else tag("p", caption)
    return join(least, _functioning(tables))


def validity(tables: ReportTables) -> Markup | None:
    """How each metric's differences rank with what people prefer."""
    rows = tables.rows_of(MetricValidityRow)
    if not rows:
        return None
    shown = [
        {
            "metric": row["metric"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "bar": row["at_least"],
            "outcome": row["outcome"],
            "pairs": row["n_pairs"],
            "unscored": row["n_unscored"],
            "units": row["n_units"],
            "note": row["reason"] or row["ci_method"],
        }
        for row in rows
    ]
    columns = {
        "metric": "Metric",
        "value": f"{rows[0]['coefficient'].capitalize()} correlation",
        "bar": "At least",
        "outcome": "Outcome",
        "pairs": "Labelled pairs",
        "unscored": "without a value",
        "units": "Clusters",
        "note": "Interval",
    }
    caption = "Difference of two replies in the metric against people's preference between them."
    return data_table(shown, columns, caption, ("value", "bar", "pairs", "unscored", "units"))


def frontier(tables: ReportTables) -> Markup | None:
    """Attack success and false refusals of each checkpoint, the best within the budget first."""
    rows = tables.rows_of(SafetyFrontierRow)
    if not rows:
        return None
    rows = sorted(rows, key=lambda row: (not row["best"], not row["within_budget"]))
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "attack": interval(row["attack_success_rate"], row["attack_low"], row["attack_high"]),
            "refusal": row["false_refusal_rate"],
            "high": row["false_refusal_high"],
            "within": row["within_budget"],
            "best": row["best"],
            "note": row["reason"],
        }
        for row in rows
    ]
    columns = {
        "checkpoint": "Checkpoint",
        "attack": "Attack success",
        "refusal": "False refusals",
        "high": "their upper end",
        "within": "Within the budget",
        "best": "Least attack success",
        "note": "Note",
    }
    judged = "rate" if rows[0]["judged_by"] == "value" else "upper end of the rate"
    caption = f"Budget of false refusals {rows[0]['budget']:g}, judged by the {judged}."
    return data_table(shown, columns, caption, ("attack", "refusal", "high"))


def robustness(tables: ReportTables) -> Markup | None:
    """What each checkpoint loses on perturbed items, and what of it the others do not lose."""
    rows = tables.rows_of(RobustnessDropsRow)
    if not rows:
        return None
    known = [row for row in rows if row["excess"] is not None]
    ordered = sorted(known, key=lambda row: (-(row["excess"] or 0.0), row["checkpoint"]))
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "own": row["own_drop"],
            "panel": row["panel_drop"],
            "excess": interval(row["excess"], row["ci_low"], row["ci_high"]),
            "others": row["n_panel"],
            "pairs": row["n_pairs"],
            "note": row["reason"] or row["ci_method"],
        }
        for row in (*ordered, *(row for row in rows if row["excess"] is None))
    ]
    columns = {
        "checkpoint": "Checkpoint",
        "own": "Share lost",
        "panel": "Others lose",
        "excess": "Beyond them",
        "others": "Others",
        "pairs": "Pairs",
        "note": "Interval",
    }
    caption = (
        "Share of the score on original items that is lost on their perturbed versions; what all "
        "lose is a harder test, what one loses beyond it a frailer checkpoint."
    )
    return data_table(shown, columns, caption, ("own", "panel", "excess", "others", "pairs"))


def _functioning(tables: ReportTables) -> Markup | None:
    rows = tables.rows_of(DifferentialFunctioningRow)
    if not rows:
        return None
    tested = [(p, row) for row in rows if (p := row["p_adjusted"]) is not None]
    told_apart = [(p, row) for p, row in tested if p < SIGNIFICANT and row["size"] != "A"]
    told_apart.sort(key=lambda one: (one[0], one[1]["item_id"]))
    found = [row for _, row in told_apart[:MOST_ITEMS]]
    shown = [
        {
            "item": row["item_id"],
            "odds": row["odds_ratio"],
            "delta": _estimate(row["ets_delta"], row["ets_delta_se"]),
            "size": row["size"],
            "p": p_value(row["p_adjusted"]),
            "strata": f"{row['n_strata_used']} of {row['n_strata']}",
        }
        for row in found
    ]
    said = f"{rows[0]['reference']} (reference) and {rows[0]['focal']} (focal) at equal ability"
    columns = {
        "item": "Item",
        "odds": "Odds ratio",
        "delta": "ETS delta",
        "size": "Size",
        "p": "p, adjusted",
        "strata": "Strata used",
    }
    most = (max(row["n_reference"] for row in rows), max(row["n_focal"] for row in rows))
    told = (
        f"{said}: {len(found)} of {len(tested)} items tested favour one of the groups, by "
        f"{most[0]} and {most[1]} respondents."
    )
    if not shown:
        return tag("p", told)
    return data_table(shown, columns, told, ("odds", "delta", "p"))


def _estimate(value: float | None, error: float | None) -> str | None:
    if value is None:
        return None
    return f"{value:.2f}" if error is None else f"{value:.2f} ± {error:.2f}"


def _curve(row: Row) -> dict[str, str | None]:
    return {
        "slope": _estimate(row["slope"], row["slope_se"]),
        "difficulty": _estimate(row["difficulty"], row["difficulty_se"]),
        "note": row["curve_reason"],
    }


def _meaning_of_negative(known: Sequence[Row]) -> str:
    """What a negative discrimination says over so many checkpoints."""
    n = max(row["n_checkpoints"] for row in known)
    if n >= TELLING_CHECKPOINTS:
        return "A negative discrimination is a likely error in the key."
    negative = sum(row["discrimination"] < 0 for row in known)
    return (
        f"A negative discrimination may be an error in the key, or luck: {negative} of "
        f"{len(known)} items have one, and over {n} checkpoints chance alone gives many items one."
    )


def _without(rows: Sequence[Row]) -> str | None:
    """How many items have no discrimination, and why most of them."""
    n = sum(row["discrimination"] is None for row in rows)
    if not n:
        return None
    return f"{n} {'item has' if n == 1 else 'items have'} none ({_most_common(rows, 'reason')})."


def _most_common(rows: Sequence[Row], key: str) -> str:
    """The reason that most of the items share."""
    reasons = sorted(row[key] for row in rows if row[key])
    return max(reasons, key=reasons.count) if reasons else "no reason is kept"
