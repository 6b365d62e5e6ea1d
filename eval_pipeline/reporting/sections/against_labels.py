"""Judges against labels that are the truth: how often each is right, and in which way it errs."""

from collections.abc import Sequence

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.tables import ReportTables
from eval_pipeline.rows.judgments import LabelAccuraciesRow, LabelConfusionsRow

READINGS = {
    "a_first": "Model a shown first",
    "b_first": "Model b shown first",
    "mean": "Mean of the orders",
    "sum": "Sum of the orders above 0",
    "both": "Right in each order",
}
VERDICTS = ("model_a", "model_b", "tie", "missing")


def against_labels(tables: ReportTables) -> Markup | None:
    """Accuracy of each judge by order and rule, its slices, and its votes by label."""
    rows = tables.rows_of(LabelAccuraciesRow)
    if not rows:
        return None
    whole = [row for row in rows if row["slice"] == "all"]
    sliced = [row for row in rows if row["slice"] != "all" and row["decides"]]
    first = rows[0]
    shown = [
        {
            "judge": row["judge"],
            "reading": READINGS[row["reading"]] + (" (the contract's rule)" * row["decides"]),
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "kappa": row["kappa"],
            "pairs": row["n_pairs"],
            "units": row["n_units"],
            "note": row["reason"] or row["ci_method"],
        }
        for row in sorted(
            whole, key=lambda row: (row["judge"], list(READINGS).index(row["reading"]))
        )
    ]
    split = max((row["n_split"] or 0 for row in whole), default=0)
    left_out = f" {split:,} pairs are left out: their labels are split." if split else ""
    return join(
        data_table(
            shown,
            {
                "judge": "Judge",
                "reading": "Read as",
                "value": "Accuracy",
                "kappa": "Cohen's kappa",
                "pairs": "Pairs",
                "units": "Clusters",
                "note": "Interval",
            },
            f"Share of pairs on which the judge says what the label says; contract "
            f"{first['contract']} v{first['version']}; {first['confidence']:.0%} intervals over "
            f"clusters. A tie that the label does not say, and a missing verdict, are wrong; kappa "
            f"is over usable votes.{left_out}",
            ("value", "kappa", "pairs", "units"),
        ),
        tag("details", tag("summary", "By slice"), _slices(sliced)) if sliced else None,
        _confusions(tables.rows_of(LabelConfusionsRow)),
    )


def _slices(rows: Sequence[LabelAccuraciesRow]) -> Markup:
    shown = [
        {
            "slice": row["slice"],
            "judge": row["judge"],
            "value": interval(row["value"], row["ci_low"], row["ci_high"]),
            "pairs": row["n_pairs"],
            "note": row["reason"] or row["ci_method"],
        }
        for row in sorted(rows, key=lambda row: (row["slice"], row["judge"]))
    ]
    columns = {
        "slice": "Slice",
        "judge": "Judge",
        "value": "Accuracy",
        "pairs": "Pairs",
        "note": "Interval",
    }
    return data_table(shown, columns, None, ("value", "pairs"))


def _confusions(rows: Sequence[LabelConfusionsRow]) -> Markup | None:
    """Votes by label and verdict, a line for each label that occurs, of each judge and order."""
    found: dict[tuple[str, str, str], dict[str, int]] = {}
    for row in rows:
        place = (row["judge"], row["slot_order"], row["label"])
        found.setdefault(place, {})[row["verdict"]] = row["n_votes"]
    shown = [
        {"judge": judge, "order": READINGS[order], "label": label, **votes}
        for (judge, order, label), votes in sorted(found.items())
        if any(votes.values())
    ]
    if not shown:
        return None
    columns = {"judge": "Judge", "order": "Order", "label": "Label"}
    columns |= {verdict: f"Says {verdict.replace('_', ' ')}" for verdict in VERDICTS}
    table = data_table(shown, columns, None, VERDICTS)
    return tag("details", tag("summary", "Votes by label and verdict"), table)
