"""How each judge, jury and contract stands: the one place that says so.

A judge is licensed, refused, short of labels, suspended, run out, or its votes are pending. A jury
is the judges of one form; its panel is those of good standing, and where there is none all of
them, quarantined. What a quarantine reaches depends on the jury: that of the primary endpoint
takes the board and the decision with it, that of a guardrail the decision alone, and a single
judge its own rows. Tables hold no clock, so whether a licence has run out is asked with the day.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast

from eval_pipeline.rows.judgments import AwaitedVotesRow, JudgeLicencesRow

State = Literal["licensed", "refused", "not_enough_labels", "suspended", "run_out", "votes_pending"]
Form = Literal["pairs", "scores"]  # what a judge casts: votes on pairs, or scores of replies
Scope = Literal["decision", "board", "row"]
WHOLE = "all"  # the slice of a licence that is over all items


@dataclass(frozen=True)
class JudgeStanding:
    """A judge's state and why, in a sentence; until: the day of its next audit."""

    judge: str
    state: State
    reason: str
    until: date | None = None

    @property
    def counts(self) -> bool:
        """Whether a number may rest on it alone."""
        return self.state == "licensed"

    def __str__(self) -> str:
        return f"judge {self.judge}: {self.state.replace('_', ' ')}: {self.reason}"


@dataclass(frozen=True)
class Panel:
    """Whose votes make a jury's number, and whether none of them is licensed."""

    members: tuple[str, ...]
    quarantined: bool

    @property
    def words(self) -> str:
        """Who they are, for a sentence that begins `mean of`."""
        return "all judges, none of them licensed" if self.quarantined else "the licensed judges"


@dataclass(frozen=True)
class Jury:
    """The judges of one form, and what of the contract rests on them."""

    form: Form
    judges: tuple[str, ...]
    primary: bool  # whether the primary endpoint rests on them; else a guardrail does


@dataclass(frozen=True)
class Quarantine:
    """What a lack of licences takes out of use, and why."""

    scope: Scope
    reason: str


def judge_standings(
    licences: Iterable[JudgeLicencesRow],
    awaited: Iterable[AwaitedVotesRow] = (),
    today: date | None = None,
) -> dict[str, JudgeStanding]:
    """The standing of each judge over all items, by name.

    licences: rows of `judge_licences`. awaited: rows of `awaited_votes`; a judge that is pending
    on every checkpoint is pending as a whole. today: without it no licence runs out.
    """
    waits = _waiting(awaited)
    found = {
        row["judge"]: _standing(row, row["judge"] in waits, today)
        for row in licences
        if row["slice"] == WHOLE
    }
    return dict(sorted(found.items()))


def licensed(licences: Iterable[JudgeLicencesRow]) -> tuple[str, ...]:
    """The judges that are licensed over all items, sorted."""
    return tuple(one.judge for one in judge_standings(licences).values() if one.counts)


def panel_of(judges: Collection[str], licences: Iterable[JudgeLicencesRow]) -> Panel:
    """The panel of a jury: its licensed judges, or all of them, quarantined."""
    good = set(licensed(licences))
    members = tuple(sorted(good & set(judges)))
    return Panel(members or tuple(sorted(judges)), not members)


def quarantines(juries: Sequence[Jury], licences: Iterable[JudgeLicencesRow]) -> list[Quarantine]:
    """What the juries of a contract take out of use: the board, the decision, or nothing."""
    rows = list(licences)
    found = []
    for jury in juries:
        if not panel_of(jury.judges, rows).quarantined:
            continue
        who = "judge of pairs" if jury.form == "pairs" else "judge of single replies"
        reason = f"no {who} holds a licence"
        if jury.primary:
            found.append(Quarantine("board", reason))
        found.append(Quarantine("decision", reason if jury.primary else f"{reason}: {GUARDRAIL}"))
    return found


GUARDRAIL = "a guardrail rests on it"


def reason_of(found: Iterable[Quarantine], scope: Scope) -> str | None:
    """Why the scope is quarantined, in a sentence; None where it is not."""
    return "; ".join(one.reason for one in found if one.scope == scope) or None


def run_out(standings: Iterable[JudgeStanding]) -> str | None:
    """A sentence on the licences whose day of re-audit has passed; None where there is none.

    A panel is the mean of all its licensed judges, so one that ran out is one too many.
    """
    ended = [one for one in standings if one.state == "run_out"]
    if not ended:
        return None
    named = "; ".join(f"{one.judge} was to be audited again by {one.until}" for one in ended)
    return f"{named}: audit again and add a version with a later reaudit_by"


def in_force(until: date | None, today: date) -> bool:
    """Whether a licence holds on a day: up to and with the day of its next audit."""
    return until is None or today <= until


def _standing(row: JudgeLicencesRow, waits: bool, today: date | None) -> JudgeStanding:
    until = date.fromisoformat(row["reaudit_by"]) if row["reaudit_by"] else None
    outcome = cast(State, row["outcome"])
    if row["suspended_on"]:
        reason = row["reason"].removeprefix("suspended: ")
        return JudgeStanding(row["judge"], "suspended", reason, until)
    if waits and outcome != "licensed":
        return JudgeStanding(row["judge"], "votes_pending", "its votes are not cast yet", until)
    if outcome == "licensed" and today is not None and not in_force(until, today):
        reason = f"was to be audited again by {until}"
        return JudgeStanding(row["judge"], "run_out", reason, until)
    return JudgeStanding(row["judge"], outcome, row["reason"], until)


def _waiting(awaited: Iterable[AwaitedVotesRow]) -> set[str]:
    """Judges that are pending on every checkpoint on which something is due."""
    states: dict[str, list[bool]] = {}
    for row in awaited:
        if row["n_due"]:
            states.setdefault(row["judge"], []).append(row["pending"])
    return {judge for judge, found in states.items() if all(found)}
