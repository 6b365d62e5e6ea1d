"""How well a score tells events from the rest, whatever the threshold: AUROC and AUPRC.

Both are undefined where all samples are of one class. An AUPRC is read against the prevalence,
which is what a score without any knowledge reaches; the AUROC of such a score is one half.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import Floats, numbers, outcomes, same_length

Values = ArrayLike | Iterable[Any]


@dataclass(frozen=True)
class Discrimination:
    """auroc, auprc: NaN with `reason` where only one class occurs; prevalence: share of events."""

    auroc: float
    auprc: float
    prevalence: float
    n: int
    reason: str | None = None


def discrimination(y: Values, score: Values) -> Discrimination:
    """AUROC and AUPRC of a score.

    y: 0 or 1; score: finite numbers, higher for events; both of shape (samples,). AUROC: chance
    that an event's score is above another's, ties counting half. AUPRC: mean over events of the
    precision at their score, samples of equal score taken together (average precision).
    Raises ValueError for empty or misaligned input and undefined values.
    Source: Hanley and McNeil 1982, Radiology 143:29; Davis and Goadrich 2006, ICML.
    """
    outcome, x = _checked(y, score)
    prevalence = float(outcome.mean())
    if reason := _one_class(outcome):
        return Discrimination(math.nan, math.nan, prevalence, len(x), reason)
    levels = _Levels.of(outcome, x)
    auroc = float(np.sum(levels.placement * outcome) / outcome.sum())
    return Discrimination(auroc, levels.average_precision, prevalence, len(x))


def auroc_influence(y: Values, score: Values) -> Floats:
    """What each sample adds to the AUROC, shape (samples,), adding up to 0.

    Summed within clusters and squared it gives the standard error of the AUROC under clustering
    (`statistics.clustered.standard_error`); with each sample a cluster it is DeLong's with
    denominators m and n in place of m - 1 and n - 1. Raises ValueError for one class.
    Source: DeLong et al. 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567.
    """
    outcome, x = _two_classes(y, score)
    placement = _Levels.of(outcome, x).placement
    auroc = np.sum(placement * outcome) / outcome.sum()
    size = np.where(outcome == 1, outcome.sum(), len(x) - outcome.sum())
    return np.asarray((placement - auroc) / size)


def auprc_influence(y: Values, score: Values) -> Floats:
    """What each sample adds to the AUPRC, shape (samples,), adding up to 0: else as the AUROC's.

    The derivative of average precision by the weight of each sample.
    """
    outcome, x = _two_classes(y, score)
    levels = _Levels.of(outcome, x)
    # an event stands at its own score; every sample stands in the sets of all scores below
    below = np.cumsum((levels.events / levels.taken)[::-1])[::-1]
    spoilt = np.cumsum((levels.events * levels.precision / levels.taken)[::-1])[::-1]
    own = outcome * (levels.precision[levels.level] - levels.average_precision)
    others = outcome * below[levels.level] - spoilt[levels.level]
    return np.asarray((own + others) / outcome.sum())


def delong_standard_error(y: Values, score: Values) -> float:
    """DeLong's standard error of the AUROC of independent samples; NaN below two of a class."""
    outcome, x = _two_classes(y, score)
    placement = _Levels.of(outcome, x).placement
    groups = [placement[outcome == label] for label in (0, 1)]
    if min(map(len, groups)) < 2:
        return math.nan
    return math.sqrt(sum(float(np.var(group, ddof=1)) / len(group) for group in groups))


@dataclass(frozen=True)
class _Levels:
    """Distinct scores, highest first, and what lies at and above each.

    events: events at the score; taken: samples at it or above; precision: share of events among
    these; level: each sample's score; placement: each sample's share of the other class that it is
    on the right side of, ties counting half.
    """

    events: Floats
    taken: Floats
    precision: Floats
    level: NDArray[np.intp]
    placement: Floats

    @classmethod
    def of(cls, outcome: Floats, score: Floats) -> "_Levels":
        distinct, level = np.unique(-score, return_inverse=True)
        events = np.bincount(level, outcome, len(distinct)).astype(np.float64)
        others = np.bincount(level, minlength=len(distinct)) - events
        taken = np.cumsum(events + others)
        rest_above = np.cumsum(others) - others / 2  # ties by half
        events_above = np.cumsum(events) - events / 2
        placement = np.where(
            outcome == 1,
            1 - rest_above[level] / others.sum(),
            events_above[level] / events.sum(),
        )
        return cls(events, taken, np.cumsum(events) / taken, level, placement)

    @property
    def average_precision(self) -> float:
        return float(np.sum(self.events * self.precision) / self.events.sum())


def _checked(y: Values, score: Values) -> tuple[Floats, Floats]:
    outcome, x = outcomes(y, "y"), numbers(score, "score")
    same_length(y=outcome, score=x)
    return outcome, x


def _two_classes(y: Values, score: Values) -> tuple[Floats, Floats]:
    outcome, x = _checked(y, score)
    if reason := _one_class(outcome):
        raise ValueError(f"{reason}: discrimination needs events and others")
    return outcome, x


def _one_class(outcome: Floats) -> str | None:
    if outcome.min() == outcome.max():
        return f"all {len(outcome)} samples are of class {outcome[0]:g}"
    return None
