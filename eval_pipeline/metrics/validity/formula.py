"""Whether a surface metric ranks samples as people do: the gate before it stands for quality.

A rank correlation, because the metric's own scale means nothing; with an interval, because a high
one on forty samples may be luck; by cluster, because samples of one item resemble each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import kendalltau, rankdata

from eval_pipeline.metrics.inputs import Floats, numbers, same_length
from eval_pipeline.statistics.bootstrap import Percentiles, percentile_interval
from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.clusters import cluster_codes

Coefficient = Literal["spearman", "kendall"]


@dataclass(frozen=True)
class RankCorrelation:
    """The correlation in [-1, 1] and its cluster-bootstrap interval.

    value is NaN, with a reason, where the metric or the labels do not vary. The interval's ends
    are NaN, with the reason in `interval`, where clusters are too few or replicates fail.
    """

    value: float
    interval: Percentiles
    coefficient: Coefficient
    n_samples: int
    n_clusters: int
    reason: str | None = None


def rank_correlation(
    metric: ArrayLike,
    human: ArrayLike,
    clusters: ArrayLike | Sequence[Any],
    rng: np.random.Generator,
    *,
    coefficient: Coefficient = "spearman",
    replicates: int = 2000,
    confidence: float = 0.95,
) -> RankCorrelation:
    """Spearman's rho or Kendall's tau-b of a metric with human labels, both shape (samples,).

    clusters: the unit of each sample; all samples of one are drawn together. Ties share their
    mean rank (rho) or are taken out of the norm (tau-b). Below ten clusters there is no interval.
    Raises ValueError that names the first value that is not finite or sample without a cluster,
    for lengths that differ, fewer than three samples, and an unknown coefficient.
    Source: Kendall and Gibbons 1990, Rank Correlation Methods, chapters 1 to 3.
    """
    if coefficient not in ("spearman", "kendall"):
        raise ValueError(f"unknown coefficient {coefficient!r}: spearman or kendall")
    x, y = numbers(metric, "metric"), numbers(human, "human")
    codes, n_clusters = cluster_codes(clusters)
    if same_length(metric=x, human=y, clusters=codes) < 3:
        raise ValueError(f"a rank correlation needs at least three samples, got {len(x)}")
    value = _correlation(x, y, coefficient)

    def result(interval: Percentiles, reason: str | None = None) -> RankCorrelation:
        return RankCorrelation(value, interval, coefficient, len(x), n_clusters, reason)

    def none(reason: str) -> Percentiles:
        return Percentiles(math.nan, math.nan, confidence, 0, 0, reason)

    if math.isnan(value):
        flat = "metric" if np.ptp(x) == 0 else "human labels"
        reason = f"the {flat} do not vary" if flat == "human labels" else "the metric does not vary"
        return result(none(reason), reason)
    if n_clusters < FEW_CLUSTERS:
        return result(none(f"{n_clusters} clusters are too few: {FEW_CLUSTERS} are needed"))
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes, minlength=n_clusters)
    starts = np.cumsum(sizes) - sizes
    drawn = np.empty(replicates)
    for b in range(replicates):
        chosen = rng.integers(0, n_clusters, n_clusters)
        lengths = sizes[chosen]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        rows = order[np.repeat(starts[chosen], lengths) + within]
        drawn[b] = _correlation(x[rows], y[rows], coefficient)
    return result(percentile_interval(drawn, confidence))


def _correlation(x: Floats, y: Floats, coefficient: Coefficient) -> float:
    """NaN where either does not vary."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    if coefficient == "kendall":
        return float(kendalltau(x, y, variant="b").statistic)
    ranks = np.stack([rankdata(x), rankdata(y)])
    ranks -= ranks.mean(axis=1, keepdims=True)
    return float(np.clip(ranks[0] @ ranks[1] / np.prod(np.linalg.norm(ranks, axis=1)), -1.0, 1.0))
