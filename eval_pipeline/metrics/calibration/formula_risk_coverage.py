"""What is risked by answering only where confidence is high.

Samples of equal confidence are accepted together: any other order among them would be made up.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, numbers, same_length

Values = ArrayLike | Iterable[Any]


@dataclass(frozen=True)
class RiskCoverage:
    """One point a distinct confidence, highest first; all of shape (points,).

    threshold: samples of at least this confidence are accepted; coverage: share of samples that
    are; risk: their mean loss. area: mean risk over coverage, each sample accepted at its own
    threshold; it lies within the losses and equals the usual AURC where no confidences tie.
    """

    threshold: Floats
    coverage: Floats
    risk: Floats
    area: float


def risk_coverage(confidence: Values, loss: Values) -> RiskCoverage:
    """The curve of selective prediction.

    confidence: any finite numbers; loss: finite numbers, such as 0 for right and 1 for wrong; both
    of shape (samples,). Raises ValueError for empty or misaligned input and undefined values.
    Source: Geifman and El-Yaniv 2017, arXiv:1705.08500; area: Geifman et al. 2018,
    arXiv:1805.08206.
    """
    threshold, size, lost, _ = _levels(confidence, loss)
    accepted = np.cumsum(size)
    risk = np.cumsum(lost) / accepted
    area = float(np.sum(size * risk) / accepted[-1])
    return RiskCoverage(threshold, accepted / accepted[-1], risk, area)


def risk_coverage_influence(confidence: Values, loss: Values) -> Floats:
    """What each sample adds to the area, shape (samples,), adding up to 0.

    Summed within clusters and squared it gives the area's standard error: see
    `statistics.clustered.standard_error`.
    """
    _, size, lost, level = _levels(confidence, loss)
    x = numbers(loss, "loss")
    n = len(x)
    accepted = np.cumsum(size)
    risk = np.cumsum(lost) / accepted
    area = float(np.sum(size * risk) / n)
    # a sample stands in the accepted set of its own threshold and of each lower one
    from_below = np.cumsum((size / accepted)[::-1])[::-1]
    risk_from_below = np.cumsum((size * risk / accepted)[::-1])[::-1]
    own = risk[level] - area + x * from_below[level] - risk_from_below[level]
    return np.asarray(own / n)


def _levels(confidence: Values, loss: Values) -> tuple[Floats, Floats, Floats, Any]:
    """Distinct confidences, highest first, samples and losses at each, and each sample's level."""
    c, x = numbers(confidence, "confidence"), numbers(loss, "loss")
    same_length(confidence=c, loss=x)
    negated, level = np.unique(-c, return_inverse=True)
    return (
        -negated,
        np.bincount(level).astype(np.float64),
        np.bincount(level, x).astype(np.float64),
        level,
    )
