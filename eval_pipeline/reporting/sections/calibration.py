"""How judges and raters were calibrated: licences by slice, probes, sentinels, agreement."""

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import badge
from eval_pipeline.reporting.tables import ReportTables
from eval_pipeline.rows.calibration import JudgeDriftRow, RaterAgreementRow, RaterQualityRow
from eval_pipeline.rows.judgments import JudgeAuditsRow, JudgeLicencesRow

KINDS = {"licensed": "good", "refused": "bad", "suspended": "bad"}


def by_slice(tables: ReportTables) -> Markup | None:
    """Licences on slices of the items, folded."""
    rows = [row for row in tables.rows_of(JudgeLicencesRow) if row["slice"] != "all"]
    if not rows:
        return None
    shown = [{**row, "outcome": _licence(row["outcome"])} for row in rows]
    columns = {"judge": "Judge", "slice": "Slice", "outcome": "Licence", "reason": "Why"}
    return tag("details", tag("summary", "Licences by slice"), data_table(shown, columns))


def probed(tables: ReportTables) -> Markup | None:
    """What each kind of probe shows, folded."""
    rows = [row for row in tables.rows_of(JudgeAuditsRow) if row["slice"].startswith("probe=")]
    if not rows:
        return None
    shown = [
        {
            "judge": row["judge"],
            "probe": row["slice"].removeprefix("probe="),
            "audit": row["audit"].replace("_", " "),
            "estimate": interval(row["estimate"], row["ci_low"], row["ci_high"]),
            "votes": row["n_votes"],
            "note": row["reason"],
        }
        for row in rows
    ]
    columns = {
        "judge": "Judge",
        "probe": "Probe",
        "audit": "Audit",
        "estimate": "Estimate",
        "votes": "Votes",
        "note": "Note",
    }
    table = data_table(shown, columns, None, ("estimate", "votes"))
    return tag("details", tag("summary", "Probes by kind: attacks, errors, flattery"), table)


def drift(tables: ReportTables) -> Markup | None:
    """How each judge moved on its sentinels, night by night."""
    rows = tables.rows_of(JudgeDriftRow)
    if not rows:
        return None
    kinds = {"drifted": "bad", "steady": "good"}
    shown = [
        {
            "judge": row["judge"],
            "night": row["night"],
            "measure": row["measure"].replace("_", " "),
            "estimate": interval(row["estimate"], row["ci_low"], row["ci_high"]),
            "outcome": badge(row["outcome"], kinds.get(row["outcome"], "wait")),
            "pairs": row["n_pairs"],
            "excluded": row["n_excluded"],
            "note": row["reason"],
        }
        for row in rows
    ]
    columns = {
        "judge": "Judge",
        "night": "Night",
        "measure": "Measure",
        "estimate": "Moved by",
        "outcome": "Outcome",
        "pairs": "Pairs",
        "excluded": "Excluded",
        "note": "Note",
    }
    caption = "Sentinels against the votes of the audit; drift suspends a licence."
    return data_table(shown, columns, caption, ("estimate", "pairs", "excluded"))


def raters(tables: ReportTables) -> Markup | None:
    """How far the people agree whom the judges are held against."""
    rows = tables.rows_of(RaterAgreementRow)
    if not rows:
        return None
    shown = [
        {
            "set": row["annotation_set"],
            "measure": row["measure"].replace("_", " "),
            "estimate": interval(row["estimate"], row["ci_low"], row["ci_high"]),
            "raters": row["n_raters"],
            "units": row["n_units"],
            "why": row["reason"] or row["chosen_because"],
        }
        for row in rows
    ]
    columns = {
        "set": "Labels",
        "measure": "Measure",
        "estimate": "Agreement",
        "raters": "Raters",
        "units": "Pairs",
        "why": "Why",
    }
    out = [row for row in tables.rows_of(RaterQualityRow) if row["outcome"] == "left_out"]
    left = "; ".join(f"{row['rater']}: {row['reason']}" for row in out)
    return join(
        data_table(shown, columns, "Agreement among raters.", ("estimate", "raters", "units")),
        tag("p", f"Labels left out. {left}") if left else None,
    )


def _licence(outcome: str) -> Markup:
    return badge(outcome.replace("_", " "), KINDS.get(outcome, "wait"))
