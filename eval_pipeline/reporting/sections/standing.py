"""The head of the report and what was decided."""

import json
from collections.abc import Mapping

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import badge, banner
from eval_pipeline.reporting.tables import JUDGED_RATES, ReportTables, difference_of
from eval_pipeline.rows.estimates import DecisionsRow
from eval_pipeline.rows.leaderboard import LeaderboardRow
from eval_pipeline.rows.samples import RunManifestRow

_KINDS = {"ship": "good", "reject": "bad", "blocked": "bad"}
AT_ANY_LOOK = (
    "Looked at early: the intervals and tests of scores and of paired differences hold at whatever "
    "look they are read, and are wider for it. Those of fits (ratings, rates at equal length) and "
    "of the judges hold at one planned look."
)

_TEN = ("targets", "prompt", "decoding", "budget", "decision")


def head(tables: ReportTables) -> Markup:
    """Title, question, identity, and every banner that must not be overlooked."""
    contract = tables.one("contract")
    body = tables.body
    if contract is None:
        raise ValueError("a report needs the contract's own row")
    return join(
        tag("h1", f"{body['contract']} v{body['version']}"),
        tag("p", body["question"]["text"]),
        banner("DRAFT.", "The contract may still change: these numbers never gate.", "draft")
        if contract["status"] == "draft"
        else None,
        _reading(tables),
        *_quarantines(tables),
        tag(
            "p",
            "Primary endpoint ",
            tag("strong", contract["primary_endpoint"]),
            f" on {body['task']['benchmark']} ({body['task']['population']}), by ",
            tag("strong", body["evaluator"]["kind"]),
            f": {body['evaluator']['reason']}. Not covered: {body['evaluator']['uncovered']}.",
            _instruments(tables),
        ),
        *(
            tag("p", tag("strong", f"{name} unknown: "), body[name]["unknown"])
            for name in _TEN
            if isinstance(body.get(name), Mapping) and "unknown" in body[name]
        ),
        tag("p", AT_ANY_LOOK) if body.get("statistics", {}).get("sequential") else None,
        tag("p", _origin(tables), class_="quiet"),
        tag("p", "Identity ", tag("span", contract["identity"], class_="mono"), class_="quiet"),
    )


READINGS = {
    "read": "A program chose the instruments, and they read the replies; nobody has looked.",
    "read, in part": "A program chose the instruments, and they read a part of the replies only.",
    "unsure": "A program chose the instruments and is not sure: other readings differ.",
    "cannot tell": "The instruments do not read most of the replies: there is no number.",
}


def _instruments(tables: ReportTables) -> str | None:
    """How replies are read and judged, as the contract names it: nobody need write it there."""
    asked = tables.body.get("verification")
    if asked is None:
        return None
    return f" Replies are read by {asked['extraction']} and judged by {asked['verifier']}."


def _reading(tables: ReportTables) -> Markup | None:
    """How sure the program was that chose the instruments, until a person has looked."""
    found = {row["reading"] for row in tables.rows_of(LeaderboardRow) if row["reading"]}
    return next((banner(f"{one.upper()}.", READINGS[one], "draft") for one in found), None)


def decisions(tables: ReportTables) -> Markup | None:
    """What the contract's rule says of each checkpoint."""
    rows = tables.rows_of(DecisionsRow)
    if not rows:
        return None
    order = {name: i for i, name in enumerate(tables.checkpoints)}
    shown = [
        {
            "checkpoint": row["checkpoint"],
            "outcome": badge(row["outcome"].replace("_", " "), _KINDS.get(row["outcome"], "wait")),
            "difference": interval(row["difference"], row["ci_low"], row["ci_high"])
            if row["reference"]
            else None,
            "reference": row["reference"],
            "why": join(
                row["reason"],
                _guardrails(row["guardrails"]),
                *beside(tables.on_board(row["checkpoint"])),
            ),
        }
        for row in sorted(rows, key=lambda r: order.get(r["checkpoint"], 0), reverse=True)
    ]
    first = rows[0]
    rule = (
        f"Rule: {first['rule']}, margin {first['margin']}, on {difference_of(first['metric'])} "
        f"with {first['confidence']:.0%} intervals of {_held(first['metric'])}."
        if first["rule"]
        else "The contract states no decision rule."
    )
    return join(
        tag("p", rule),
        data_table(
            shown,
            {
                "checkpoint": "Checkpoint",
                "outcome": "Decision",
                "difference": "Difference",
                "reference": "Reference",
                "why": "Why",
            },
            numeric=("difference",),
        ),
    )


def beside(row: LeaderboardRow | None) -> list[Markup]:
    """What the leaderboard says of a checkpoint besides its number and its decision."""
    if row is None:
        return []
    said = [
        *row["remarks"],
        *(words for words in (row["leak_note"], row["votes_pending"]) if words),
    ]
    return [tag("p", badge("note", "wait"), f" {remark}") for remark in said]


def _held(metric: str) -> str:
    judged = metric in JUDGED_RATES
    return "the candidate against the reference" if judged else "candidate minus reference"


def _origin(tables: ReportTables) -> str:
    """Which contract version, unit and data the page is about.

    The day is that of the newest checkpoint, not of the run: the same data give the same page.
    """
    body = tables.body
    said = [f"Every number belongs to contract {body['contract']} v{body['version']}"]
    if unit := body.get("unit"):
        said.append(f"unit of analysis: {unit['of_analysis']}, clustered by {unit['clustered_by']}")
    dated = [
        row for row in tables.rows_of(RunManifestRow) if row["field"] == "date" and row["value"]
    ]
    if dated:
        newest = max(dated, key=lambda row: (row["value"], row["checkpoint"]))
        said.append(
            f"data up to {newest['value']}, the day of {newest['checkpoint']}, the newest of "
            f"{len(tables.checkpoints)}"
        )
    if primary := [
        row for row in tables.leaderboard if row["n_samples"] is not None and not row["gone"]
    ]:
        lost = sum(row["n_excluded"] or 0 for row in primary)
        kept = sum(row["n_samples"] or 0 for row in primary)
        said.append(f"excluded from the primary endpoint: {lost} of {kept + lost} samples")
    return "; ".join(said) + "."


def _quarantines(tables: ReportTables) -> list[Markup]:
    """What may not be believed, and which judges nothing may rest on."""
    placed = {row["quarantine_scope"]: row["quarantine_reason"] for row in tables.leaderboard}
    said = [
        banner(lead, f"{placed[scope]}: {meaning}.")
        for scope, lead, meaning in SCOPES
        if scope in placed
    ]
    doubtful = [
        f"{judge} ({state.replace('_', ' ')})"
        for judge, (state, _) in tables.standings.items()
        if state != "licensed"
    ]
    if doubtful:
        names = ", ".join(doubtful)
        text = f"Without a licence: {names}. Rows that rest on them alone are marked."
        said.append(banner("JUDGES.", text))
    return said


SCOPES = (
    ("board", "QUARANTINED.", "nothing below that rests on judging can be believed"),
    ("decision", "DECISIONS QUARANTINED.", "the numbers stand, and nothing is decided"),
)


def _guardrails(text: str) -> Markup | None:
    rails: list[Mapping[str, object]] = json.loads(text)
    if not rails:
        return None
    items = []
    for rail in rails:
        bound = (
            f"at most {rail['at_most']}"
            if rail.get("at_most") is not None
            else f"at least {rail.get('at_least')}"
        )
        items.append(tag("li", f"{rail['metric']} {bound}: {rail.get('verdict', '')}"))
    return tag("ul", *items)
