"""A decision as an exit code, for programs that ship checkpoints."""

from dataclasses import dataclass

from eval_pipeline.decision.reasons import REASONS, Outcome
from eval_pipeline.rows.estimates import DecisionsRow

EXIT_CODES: dict[Outcome, int] = {
    "ship": 0,
    "reject": 10,
    "not_enough_data": 11,
    "blocked": 12,
    "reference": 12,  # nothing was held against anything, so nothing was shown
}


@dataclass(frozen=True)
class Gate:
    """What a program reads: the exit code, and why."""

    exit_code: int
    outcome: Outcome
    reason_code: str
    reason: str


def gate(
    decision: DecisionsRow | None,
    stale: str | None = None,
    expired: str | None = None,
    gone: str | None = None,
) -> Gate:
    """The exit code of one row of `decisions`: 0 ship, 10 reject, 11 not enough data, 12 blocked.

    stale: why the row no longer rests on what is on disk, or None; a stale row never ships, nor
    does a missing one. A draft or quarantined row is blocked whatever its outcome says.
    expired: which licence, on which the row rests, has run out, or None; tables hold no clock.
    gone: what became of the checkpoint, where it is no longer on disk; it never ships.
    Raises ValueError for a row whose outcome and reason do not belong together.
    """
    if gone is not None:
        return _blocked("gone", f"{REASONS['gone'][1]}: {gone}")
    if decision is None:
        return _blocked("not_run", stale)
    code = decision["reason_code"]
    if code not in REASONS or REASONS[code][0] != decision["outcome"]:
        raise ValueError(
            f"decision on {decision['checkpoint']}: outcome {decision['outcome']!r} does not go "
            f"with reason {code!r}: run the contract again"
        )
    if stale is not None:
        return _blocked("stale", stale)
    outcome = decision["outcome"]
    if outcome in ("ship", "reject", "not_enough_data"):
        if decision["draft"]:
            return _blocked("draft", None)
        if decision["quarantined"]:
            return _blocked("quarantine", None)
        if expired is not None:
            return _blocked("licence_expired", expired)
    return Gate(EXIT_CODES[outcome], outcome, code, decision["reason"])


def _blocked(reason_code: str, reason: str | None) -> Gate:
    outcome, meaning = REASONS[reason_code]
    return Gate(EXIT_CODES[outcome], outcome, reason_code, reason or meaning)
