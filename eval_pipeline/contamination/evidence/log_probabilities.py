"""What log-probabilities say of a model and a benchmark: evidence, never proof.

A model that was trained on a benchmark may find its items likelier than it should: in the order
of the file rather than another, or in these words rather than others. Every such sign has other
causes too, so nothing here makes an item contaminated.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from eval_pipeline.contamination.arrays import Floats, Longs
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, standard_error, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.rounding import NO_SPREAD

MIN_K_SHARE = 0.2  # of the tokens, the least likely


@dataclass(frozen=True)
class Exchangeability:
    """One-sided: p is small where the published order is likelier than others.

    t and df are NaN for the test by permutations; p is NaN with the reason where undefined.
    """

    p: float
    t: float
    df: float
    n: int
    reason: str | None = None


def order_p(canonical: float, permuted: ArrayLike) -> Exchangeability:
    """p = (1 + #{permuted >= canonical}) / (m + 1), of m random orders; never 0.

    canonical: log-probability of the items in the published order; permuted: in m others.
    Raises ValueError for no orders and for what is no finite number.
    Source: Oren et al. 2023, arXiv:2310.17623, section 3.
    """
    value = _numbers([canonical], "the canonical log-probability")[0]
    others = _numbers(permuted, "the permuted log-probabilities")
    if not others.size:
        raise ValueError("no permuted order: at least one is needed")
    p = (1 + int(np.sum(others >= value))) / (others.size + 1)
    return Exchangeability(p, math.nan, math.nan, int(others.size))


def sharded_order_p(differences: ArrayLike) -> Exchangeability:
    """A one-sided t test that shards are likelier in their published order.

    differences: of each shard, its log-probability in the published order minus the mean of those
    in random orders. Undefined for fewer than two shards, and where they do not vary.
    Raises ValueError for what is no finite number.
    Source: Oren et al. 2023, arXiv:2310.17623, section 4.
    """
    s = _numbers(differences, "the shards' differences")
    if s.size < 2:
        return _undefined_order(s.size, "the sharded test needs two shards at least")
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.std(s, ddof=1))
    if not math.isfinite(spread):
        raise ValueError("the shards' differences are too large to be squared")
    if spread <= NO_SPREAD * float(np.abs(s).max(initial=0.0)):
        return _undefined_order(s.size, "all shards show the same difference")
    t = float(np.mean(s)) / (spread / math.sqrt(s.size))
    df = s.size - 1
    return Exchangeability(float(stdtr(df, -t)), t, float(df), int(s.size))


def min_k(logprobs: ArrayLike, share: float = MIN_K_SHARE) -> float:
    """Mean log-probability of the least likely share of tokens, at least one; NaN for no tokens.

    Text that was seen in training has few surprising tokens. Raises ValueError for a share outside
    0..1 and for values that are no log-probabilities.
    Source: Shi et al. 2023, arXiv:2310.16789, equation 1.
    """
    if isinstance(share, bool) or not 0 < share <= 1:
        raise ValueError(f"share must lie in (0, 1], got {share!r}")
    x = _numbers(logprobs, "the token log-probabilities")
    if (bad := np.flatnonzero(x > 0)).size:
        raise ValueError(f"token {bad[0]}: {x[bad[0]]} is above 0, so no log-probability")
    count = max(1, int(share * x.size))
    return float(np.mean(np.sort(x)[:count])) if x.size else math.nan


def gap(
    values: ArrayLike, clusters: ArrayLike | Sequence[str], confidence: float = 0.95
) -> Estimate:
    """Mean of differences within pairs, such as original minus paraphrase, with CR1 and t.

    values: shape (pairs,), any unit; NaN pairs are left out.
    """
    x, ids = np.asarray(values, dtype=np.float64), np.asarray(clusters)
    known = ~np.isnan(x)
    x, ids = x[known], ids[known]
    if not x.size:
        return undefined("no pair has both values", confidence)
    codes, n_clusters = cluster_codes(ids)
    value = float(np.mean(x))
    return _with_interval((x - value) / x.size, codes, n_clusters, 1, value, confidence)


def difference(
    values: ArrayLike,
    flagged: ArrayLike,
    clusters: ArrayLike | Sequence[str],
    confidence: float = 0.95,
) -> Estimate:
    """Mean over flagged items minus mean over the others, with CR1 and t.

    values: shape (items,), any unit; NaN items are left out.
    """
    x, yes, ids = np.asarray(values, dtype=np.float64), np.asarray(flagged, bool), clusters
    known = ~np.isnan(x)
    x, yes, ids = x[known], yes[known], np.asarray(ids)[known]
    if not yes.any() or yes.all():
        which = "flagged" if not yes.any() else "other"
        return undefined(f"no {which} item has log-probabilities", confidence)
    means = np.where(yes, x[yes].mean(), x[~yes].mean())
    sizes = np.where(yes, yes.sum(), -(~yes).sum())
    codes, n_clusters = cluster_codes(ids)
    value = float(x[yes].mean() - x[~yes].mean())
    return _with_interval((x - means) / sizes, codes, n_clusters, 2, value, confidence)


def one_sided_p(estimate: Estimate) -> float:
    """p of the hypothesis that the value is 0 or less; NaN where there is no interval."""
    if not estimate.has_interval or not estimate.se > 0:
        return math.nan
    return float(stdtr(estimate.df, -estimate.value / estimate.se))


def _with_interval(
    apart: Floats,
    codes: Longs,
    n_clusters: int,
    n_means: int,
    value: float,
    confidence: float,
) -> Estimate:
    df = n_clusters - n_means
    if df + 1 < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few"
        return undefined(reason, confidence, n_clusters, value)
    se = standard_error(apart, codes, n_clusters, n_means=n_means)
    if se <= NO_SPREAD * max(1.0, abs(value)):
        return undefined("no interval: the values do not vary", confidence, n_clusters, value)
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    return Estimate(value, se, value - half, value + half, "cr1_t", confidence, n_clusters, df)


def _undefined_order(n: int, reason: str) -> Exchangeability:
    return Exchangeability(math.nan, math.nan, math.nan, int(n), reason)


def _numbers(values: ArrayLike, what: str) -> Floats:
    raw = np.asarray(values)
    if raw.ndim != 1:
        raise ValueError(f"{what} must be a list of numbers, got {values!r}")
    truths = isinstance(values, list | tuple) and any(isinstance(v, bool) for v in values)
    if truths or (raw.size and raw.dtype.kind not in "iuf"):
        raise ValueError(f"{what} must be numbers, got {values!r}")
    x = raw.astype(np.float64)
    if (bad := np.flatnonzero(~np.isfinite(x))).size:
        raise ValueError(f"{what}: value {bad[0]} is {x[bad[0]]}, not a finite number")
    return x
