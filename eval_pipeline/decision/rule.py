"""What an interval of a difference shows against a margin.

The bar must lie outside the interval on the right side; an interval that holds its bar decides
nothing. A two-sided interval of confidence c is a one-sided claim at (1 - c) / 2. The sign is
candidate minus reference; where lower values are better, gain is its negative.
"""

import math
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.decision.reasons import Outcome, outcome_of
from eval_pipeline.statistics.intervals import normal_quantile
from eval_pipeline.statistics.power import items_to_detect

Rule = Literal["superior", "non_inferior", "equivalent"]

POWER = 0.8  # of the number of items that would decide, if the difference stays as observed
_MOST_ITEMS = 2**53


@dataclass(frozen=True)
class Estimated:
    """An estimate with its interval; NaN ends and the reason where it has none."""

    value: float
    low: float
    high: float
    n_items: int
    confidence: float
    reason: str | None = None

    @property
    def has_interval(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def spread(self) -> float:
        """The standard error that the interval's width amounts to."""
        return (self.high - self.low) / (2 * normal_quantile(self.confidence))


@dataclass(frozen=True)
class RuleVerdict:
    """An outcome with its reason: a word for programs and a sentence for people."""

    reason_code: str
    reason: str
    n_needed: int | None = None

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.reason_code)


def holds_at_worst(
    rule: Rule, margin: float, worst: float, best: float, *, higher_is_better: bool
) -> bool:
    """Whether the rule's bar is cleared by the difference itself, whatever the missing hold.

    worst, best: the bounds of the difference over all that is missing.
    """
    if not higher_is_better:
        worst, best = -best, -worst
    if rule == "equivalent":
        return -margin < worst and best < margin
    return worst > (margin if rule == "superior" else -margin)


def verdict(
    rule: Rule, margin: float, finding: Estimated, *, higher_is_better: bool
) -> RuleVerdict:
    """What the rule says of a difference, candidate minus reference.

    superior: the gain lies above the margin; non_inferior: above -margin; equivalent: within
    +/- margin. Shown otherwise is a rejection; neither is not enough data, with the items that
    would decide at a power of 0.8. Raises ValueError for a negative margin.
    """
    if not margin >= 0:
        raise ValueError(f"a margin must be 0 or more, got {margin}")
    if not finding.has_interval:
        reason = finding.reason or "the difference has no interval"
        return RuleVerdict("no_interval", reason)
    gain, low, high = finding.value, finding.low, finding.high
    if not higher_is_better:
        gain, low, high = -gain, -high, -low
    shown = (
        f"{finding.value:+.4f} [{finding.low:+.4f}, {finding.high:+.4f}] at "
        f"{finding.confidence:.0%} on {finding.n_items} items"
    )
    worse = "" if higher_is_better else ", where lower is better"
    if rule == "equivalent":
        return _equivalent(margin, gain, low, high, finding, shown + worse)
    bar = margin if rule == "superior" else -margin
    met, missed = (
        ("superior", "not_superior") if rule == "superior" else ("non_inferior", "inferior")
    )
    said = f"{shown}{worse}; the bar is {bar:+.4f}"
    if low > bar:
        return RuleVerdict(met, said)
    if high < bar:
        return RuleVerdict(missed, said)
    return RuleVerdict("undecided", said, n_needed(gain - bar, finding))


def n_needed(distance: float, finding: Estimated) -> int | None:
    """Items at which a bar this far from the estimate would be cleared, at a power of 0.8.

    Assumes that the estimate and the variance an item stay. None where it lies on the bar.
    """
    if distance == 0 or not finding.has_interval or not finding.spread > 0 or not finding.n_items:
        return None
    needed = items_to_detect(
        abs(distance),
        finding.spread,
        finding.n_items,
        confidence=finding.confidence,
        power=POWER,
    )
    return max(math.ceil(needed), finding.n_items + 1) if needed < _MOST_ITEMS else None


def _equivalent(
    margin: float, gain: float, low: float, high: float, finding: Estimated, shown: str
) -> RuleVerdict:
    said = f"{shown}; the bars are +/- {margin:.4f}"
    if -margin < low and high < margin:
        return RuleVerdict("equivalent", said)
    if low > margin or high < -margin:
        return RuleVerdict("not_equivalent", said)
    return RuleVerdict("undecided", said, n_needed(margin - abs(gain), finding))
