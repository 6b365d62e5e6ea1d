"""Bars that disqualify before any quality is compared.

A guardrail holds where its whole interval lies on the right side of the bar (touching it is
allowed), is violated where the whole interval lies beyond, and is undecided in between: a small
sample that happens to look safe is not shown to be safe.
"""

from dataclasses import dataclass
from typing import Literal

from eval_pipeline.decision.rule import Estimated, n_needed

Standing = Literal["satisfied", "violated", "undecided"]


@dataclass(frozen=True)
class Bar:
    """A bound on one metric; exactly one of the two sides is set."""

    metric: str
    at_most: float | None = None
    at_least: float | None = None

    def __post_init__(self) -> None:
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError(f"guardrail {self.metric}: give either at_most or at_least")

    @property
    def words(self) -> str:
        if self.at_most is not None:
            return f"{self.metric} at most {self.at_most:g}"
        return f"{self.metric} at least {self.at_least:g}"


@dataclass(frozen=True)
class BarCheck:
    """How a checkpoint's estimate lies to a bar."""

    bar: Bar
    finding: Estimated | None
    standing: Standing
    reason: str
    n_needed: int | None = None


def check(bar: Bar, finding: Estimated | None) -> BarCheck:
    """Whether the estimate's interval clears the bar; without an estimate it is undecided."""
    if finding is None:
        return BarCheck(bar, None, "undecided", f"{bar.words}: {bar.metric} was not estimated")
    if not finding.has_interval:
        why = finding.reason or "no interval"
        return BarCheck(bar, finding, "undecided", f"{bar.words}: {why}")
    said = f"{bar.words}: {finding.value:.4f} [{finding.low:.4f}, {finding.high:.4f}]"
    if bar.at_most is not None:
        limit = bar.at_most
        holds, fails = finding.high <= limit, finding.low > limit
    else:
        limit = bar.at_least if bar.at_least is not None else float("nan")
        holds, fails = finding.low >= limit, finding.high < limit
    if holds:
        return BarCheck(bar, finding, "satisfied", said)
    if fails:
        return BarCheck(bar, finding, "violated", said)
    return BarCheck(bar, finding, "undecided", said, n_needed(finding.value - limit, finding))
