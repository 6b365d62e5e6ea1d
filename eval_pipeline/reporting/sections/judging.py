"""Judged contracts: ratings, length control, and whether the judges may be believed."""

from collections.abc import Sequence
from typing import Any

from eval_pipeline.layout import PANEL
from eval_pipeline.reporting.figures.audits import AuditRow, JudgePanel, audit_figure
from eval_pipeline.reporting.figures.charts import MOST_WITH_RANGES, matrix_figure
from eval_pipeline.reporting.figures.drawn_rows import chance_ranges, chances, cyclic, moved, ranked
from eval_pipeline.reporting.figures.ranking import (
    change_figure,
    cyclic_figure,
    leaderboard_figure,
    rank_text,
)
from eval_pipeline.reporting.markup import Markup, data_table, interval, join, p_value, tag
from eval_pipeline.reporting.page import badge, figure
from eval_pipeline.reporting.sections import calibration
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.judgments import JudgeAuditsRow, JudgeLicencesRow
from eval_pipeline.rows.rankings import (
    ContrastsRow,
    FitDiagnosticsRow,
    LengthControlledWinRatesRow,
    RankSetsRow,
    RatingsRow,
)

_KINDS = calibration.KINDS | {"within": "good", "outside": "bad"}
CHANCE_RANGES = "below it the interval of that pair alone, clustered as the strengths are."
FLOORS = ("human_ratio", "label_accuracy", "score_agreement", "errors_found", "harmless_ignored")
COUNTED = "counted over every planned vote: no sample, so the share itself is held against the bar"


def ratings(tables: ReportTables) -> Markup | None:
    """Bradley-Terry strengths with rank sets, the panel first, each judge folded below it."""
    judges = sorted(
        {row["judge"] for row in tables.rows_of(RatingsRow)}, key=lambda j: (j != PANEL, j)
    )
    if not judges:
        return None
    blocks = [_ratings_of(tables, judge) for judge in judges]
    folded = [
        tag("details", tag("summary", f"By the judge {judge} alone"), block)
        for judge, block in zip(judges[1:], blocks[1:], strict=True)
    ]
    fits = cyclic(tables.rows_of(FitDiagnosticsRow))
    circles = (
        figure(
            cyclic_figure(fits, "Cyclic share of each judge's preference"),
            "What no order of the checkpoints can explain: A before B, B before C, C before A. A "
            "small p-value says that one strength a checkpoint does not fit.",
        )
        if fits
        else None
    )
    return join(blocks[0], circles, *folded)


def length_control(tables: ReportTables) -> Markup | None:
    """Win rates before and after length and seating order are taken out."""
    rows = [row for row in tables.rows_of(LengthControlledWinRatesRow) if row["judge"] == PANEL]
    if not rows:
        return None
    rows = sorted(rows, key=lambda row: -(row["length_controlled"] or -1.0))
    shown = [
        {
            "model": row["model"],
            "raw": interval(row["raw"], row.get("raw_low"), row.get("raw_high")),
            "controlled": interval(row["length_controlled"], row["ci_low"], row["ci_high"]),
            "length": row["length_coefficient"],
            "position": row["position_coefficient"],
            "style": _numbers(row["style_coefficients"]),
            "n": row["n_items"],
            "missing": row["n_missing"],
            "note": join(
                "moved by more than ten points; " if row["extreme_change"] else None,
                row["reason"] or row["notes"] or _without_interval(row),
            ),
        }
        for row in rows
    ]
    drawn = moved(rows)
    first = rows[0]
    quarantined = any(row["quarantined"] for row in rows)
    return join(
        _quarantine() if quarantined else None,
        data_table(
            shown,
            {
                "model": "Checkpoint",
                "raw": "Win rate",
                "controlled": "Length-controlled",
                "length": "Length, logits",
                "position": "Position, logits",
                **({"style": "Style, logits"} if any(r["style"] for r in shown) else {}),
                "n": "Items",
                "missing": "Missing",
                "note": "Note",
            },
            f"Against {first['baseline']}; at equal length and without a seat. Contract "
            f"{first['contract']} v{first['version']}; {first['confidence']:.0%} intervals over "
            f"clusters ({first['ci_method'] or 'none'}); missing: pairs without a usable vote.",
            ("raw", "controlled", "length", "position", "n", "missing"),
        ),
        figure(
            change_figure(
                drawn,
                _marked(f"win rate against {first['baseline']}", quarantined),
                "Win rate of each checkpoint before and after length control",
            ),
            "Diamonds: as judged. Dots with intervals: at equal length, the seats evened out.",
        )
        if drawn
        else None,
    )


def licences(tables: ReportTables) -> Markup | None:
    """The licence of each judge, and the audits that decided it against their bars."""
    licence_rows = [row for row in tables.rows_of(JudgeLicencesRow) if row["slice"] == "all"]
    if not licence_rows:
        return None
    shown = [
        {
            "judge": row["judge"],
            "outcome": _state(tables, row),
            "reason": tables.standings.get(row["judge"], (None, row["reason"]))[1],
            "labels": row["n_labels"],
            "needed": row["n_needed"],
            "until": row["reaudit_by"],
        }
        for row in licence_rows
    ]
    audits = [row for row in tables.rows_of(JudgeAuditsRow) if row["slice"] == "all"]
    barred = [row for row in audits if row["bar"] is not None]
    plain = [row for row in audits if row["bar"] is None]
    panels = [
        JudgePanel(
            row["judge"],
            row["outcome"],
            [_audit_row(one) for one in barred if one["judge"] == row["judge"]],
        )
        for row in licence_rows
    ]
    return join(
        data_table(
            shown,
            {
                "judge": "Judge",
                "outcome": "Licence",
                "reason": "Why",
                "labels": "Human labels",
                "needed": "Units that would decide",
                "until": "Audit again by",
            },
            "A licence needs every bias shown to be small, not merely not significant.",
            ("labels", "needed"),
        ),
        figure(
            audit_figure(
                [panel for panel in panels if panel.rows],
                "Each judge's audits against the contract's bars, and its licence",
            ),
            "Grey: what the contract allows. A judge passes where each whole interval lies inside; "
            "the missing rate is a count of all votes, and passes by its value. "
            "Agreement with people is drawn by what it lacks to that among people.",
        )
        if any(panel.rows for panel in panels)
        else None,
        _audit_table(barred, "Audits with a bar"),
        tag(
            "details",
            tag("summary", "Swap report and other descriptive audits"),
            _audit_table(plain, None),
        )
        if plain
        else None,
        calibration.by_slice(tables),
        calibration.probed(tables),
        calibration.drift(tables),
        calibration.raters(tables),
    )


def _state(tables: ReportTables, row: Row) -> Markup:
    state = tables.standings.get(row["judge"], (row["outcome"], None))[0]
    return badge(state.replace("_", " "), _KINDS.get(state, "wait"))


def _audit_row(row: Row) -> AuditRow:
    return AuditRow(
        row["audit"],
        row["estimate"],
        row["ci_low"],
        row["ci_high"],
        row["bar"],
        row["outcome"],
        is_floor=row["audit"] in FLOORS,
    )


def _ratings_of(tables: ReportTables, judge: str) -> Markup:
    rows = [row for row in tables.rows_of(RatingsRow) if row["judge"] == judge]
    ranks = {row["model"]: row for row in tables.rows_of(RankSetsRow) if row["judge"] == judge}
    rows = sorted(rows, key=lambda row: (row["theta"] is None, -(row["theta"] or 0.0)))
    shown = [
        {
            "rank": _rank(ranks.get(row["model"])),
            "model": row["model"],
            "theta": interval(row["theta"], row["ci_low"], row["ci_high"]),
            "elo": _elo(row),
            "se": row["se"],
            "se_two_way": row["se_two_way"],
            "equal": _with_error(row["theta_covariates"], row["se_covariates"]),
            "battles": row["n_battles"],
            "ties": row["n_ties"],
            "missing": row["n_missing"],
            "note": row["reason"] or ("" if row["standing"] == "ok" else row["standing"]),
        }
        for row in rows
    ]
    fit = next((row for row in tables.rows_of(FitDiagnosticsRow) if row["judge"] == judge), None)
    contrasts = [row for row in tables.rows_of(ContrastsRow) if row["judge"] == judge]
    board = ranked(rows, contrasts, ranks.values())
    quarantined = any(row["quarantined"] for row in rows)
    return join(
        _quarantine() if quarantined else None,
        data_table(
            shown,
            {
                "rank": "Rank set",
                "model": "Checkpoint",
                "theta": "Strength, logits",
                "elo": "Elo",
                **_beside(rows),
                "battles": "Pairs",
                "ties": "Ties",
                "missing": "Missing",
                "note": "Note",
            },
            _signature(rows, fit),
            ("theta", "elo", "se", "se_two_way", "equal", "battles", "ties", "missing"),
        ),
        figure(
            leaderboard_figure(board, f"Strengths behind the leader and rank sets by {judge}"),
            _marked(
                "Left: strength behind the leader; the intervals hold for all pairs at once. "
                "Right: the ranks that the data do not exclude, with the rank of the estimate.",
                quarantined,
            ),
        ),
        figure(
            matrix_figure(
                [row["model"] for row in rows],
                chances(contrasts),
                f"Chance that the row beats the column, by {judge}",
                chance_ranges(contrasts),
            ),
            _marked(
                f"Chance that the row beats the column; {CHANCE_RANGES}"
                if len(rows) <= MOST_WITH_RANGES
                else "Chance that the row beats the column; no intervals for want of room: the "
                "columns win_low and win_high of contrasts have them.",
                quarantined,
            ),
        )
        if len(rows) > 1
        else None,
    )


def _quarantine() -> Markup:
    return tag("p", badge("quarantined", "bad"), " rests on judges without a licence")


def _marked(text: str, quarantined: bool) -> str:
    """What stands at a figure, and whether the figure may be believed."""
    return f"QUARANTINED: {text}" if quarantined else text


def _beside(rows: Sequence[Row]) -> dict[str, str]:
    """Headings of the columns that only some contracts ask for."""
    headings: dict[str, str] = {}
    if any(row["se_two_way"] is not None for row in rows):
        headings |= {"se": "Error by prompt", "se_two_way": "Error by prompt and judge"}
    if any(row["theta_covariates"] is not None for row in rows):
        headings["equal"] = "At equal covariates"
    return headings


def _with_error(value: float | None, se: float | None) -> str | None:
    if value is None:
        return None
    return f"{value:.3f}" if se is None else f"{value:.3f} ± {se:.3f}"


def _numbers(entries: Any) -> str:
    """`length +0.18, lists -0.02` of a map column."""
    return ", ".join(f"{name} {value:+.3f}" for name, value in entries or () if value is not None)


def _without_interval(row: Row) -> str:
    """How a number came about that has no interval, such as the baseline against itself."""
    return "" if row["ci_low"] is not None else row["ci_method"] or ""


def _elo(row: Row) -> Markup | None:
    """The rating above its interval: that of the strength, moved as the strength is."""
    if row["elo"] is None:
        return None
    low, high = row.get("elo_low"), row.get("elo_high")
    ends = "no interval" if low is None or high is None else f"[{low:.0f}, {high:.0f}]"
    quiet = "quiet" if low is None else "interval"
    return join(tag("strong", f"{row['elo']:.0f}"), " ", tag("span", ends, class_=quiet))


def _rank(row: Row | None) -> str | None:
    if row is None or row["rank_low"] is None:
        return None
    return rank_text(row["rank_low"], row["rank_high"])


def _signature(rows: Sequence[Row], fit: Row | None) -> str:
    first = rows[0]
    text = f"Contract {first['contract']} v{first['version']}; {first['estimator']}, "
    text += f"{first['confidence']:.0%} intervals ({first['ci_method'] or 'none'})"
    text += "; Elo only moves the strengths and their intervals to another scale"
    if fit is None:
        return text + "."
    text += f"; ties: {fit['tie_rule']}; {fit['iterations']} Newton steps"
    if not fit["converged"]:
        text += ", NOT CONVERGED"
    if fit["order_effect"] is not None:
        text += f"; order effect {fit['order_effect']:+.3f} logits"
    if fit["cyclic_share"] is not None:
        text += f"; cyclic share {fit['cyclic_share']:.3f}"
    if fit["n_judges"] is not None:
        text += f"; errors by prompt and judge over {fit['n_judges']} judges"
    if fit["covariates"]:
        text += f"; covariates, logits a standard deviation: {_numbers(fit['covariates'])}"
        text += ", ± is one clustered standard error"
    if fit["covariates_notes"]:
        text += f"; covariates: {fit['covariates_notes']}"
    return text + "."


def _audit_table(rows: Sequence[Row], caption: str | None) -> Markup:
    shown = [
        {
            "judge": row["judge"],
            "audit": row["audit"].replace("_", " "),
            "estimate": interval(row["estimate"], row["ci_low"], row["ci_high"]),
            "bar": row["bar"],
            "outcome": badge(row["outcome"].replace("_", " "), _KINDS.get(row["outcome"], "wait")),
            "p": p_value(row["p_value"]),
            "units": row["n_units"],
            "note": row["reason"] or (COUNTED if row["audit"] == "missing_rate" else None),
        }
        for row in rows
    ]
    return data_table(
        shown,
        {
            "judge": "Judge",
            "audit": "Audit",
            "estimate": "Estimate",
            "bar": "Bar",
            "outcome": "Outcome",
            "p": "p",
            "units": "Clusters",
            "note": "Note",
        },
        caption,
        ("estimate", "bar", "p", "units"),
    )
