"""The one-word reasons of decisions, each said once, and the outcome that each belongs to."""

from typing import Literal

Outcome = Literal["ship", "reject", "not_enough_data", "blocked", "reference"]

REASONS: dict[str, tuple[Outcome, str]] = {
    "superior": ("ship", "better than the reference by more than the margin"),
    "non_inferior": ("ship", "not worse than the reference by the margin"),
    "equivalent": ("ship", "within the margin of the reference"),
    "not_superior": ("reject", "shown not to be better by more than the margin"),
    "inferior": ("reject", "shown to be worse by more than the margin"),
    "not_equivalent": ("reject", "shown to differ by more than the margin"),
    "guardrail_violated": ("reject", "a guardrail is shown to be violated"),
    "undecided": ("not_enough_data", "the interval holds the bar"),
    "no_interval": ("not_enough_data", "the difference has no interval"),
    "missing_could_reverse": (
        "not_enough_data",
        "what is missing could put the difference on the other side of the bar",
    ),
    "votes_pending": ("not_enough_data", "its judges have not cast all their votes yet"),
    "guardrail_undecided": ("not_enough_data", "a guardrail is not shown to hold"),
    "draft": ("blocked", "the contract is a draft, and drafts decide nothing"),
    "quarantine": ("blocked", "no judge of this contract holds a licence"),
    "no_rule": ("blocked", "the contract states no decision rule"),
    "no_comparison": ("blocked", "there is no comparison with the reference"),
    "stale": ("blocked", "what the decision rests on has changed since"),
    "licence_expired": ("blocked", "the day by which a judge is to be audited again has passed"),
    "gone": ("blocked", "the checkpoint is gone from disk"),
    "not_run": ("blocked", "no decision is recorded"),
    "is_reference": ("reference", "the reference is not held against itself"),
}


def outcome_of(reason_code: str) -> Outcome:
    """The outcome that a reason belongs to; KeyError for a code that is not in the list."""
    return REASONS[reason_code][0]
