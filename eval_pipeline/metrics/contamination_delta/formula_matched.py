"""Flagged items against clean ones of the same difficulty: what is left of the gap.

Flagged items may be easier or harder than the others, so the bare gap mixes leak and difficulty.
An item's difficulty is its facility: the mean of the metric over other checkpoints. Items are cut
into at most `STRATA` classes of facility, and within each the flagged are held against the clean;
classes weigh as they hold flagged items. What difficulty differs within a class is taken out by
the slope of the metric on it there. Where the other checkpoints saw the leak too, facility
takes up part of it, and the difference is too small. What the error of facility leaves of the
gap in difficulty is taken out too (`difficulty_error`).
Source: Rosenbaum and Rubin 1984, JASA 79:516 (subclassification, with adjustment within).
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from eval_pipeline.metrics.contamination_delta.formula_difficulty import Remainder, remainder
from eval_pipeline.metrics.samples import Bools, Floats, Ints
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, standard_error, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.rounding import NO_SPREAD

UNMATCHED = -1  # the class of items whose class lacks a clean one
STRATA = 5  # remove about 90 % of the bias of one covariate (Cochran 1968)


@dataclass(frozen=True)
class MatchedDelta:
    """Flagged minus clean at the same difficulty; n_unmatched: flagged items without a like."""

    n_flagged: int
    n_unmatched: int
    n_strata: int
    difference: Estimate


def facility(values: Sequence[ArrayLike]) -> Floats:
    """Mean of each item's metric over checkpoints, shape (items,); NaN where none has a value.

    values: a vector a checkpoint, NaN where an item has no score. Raises ValueError for none.
    """
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError("no checkpoint: difficulty needs the scores of one other at least")
    known = ~np.isnan(x)
    count = known.sum(axis=0)
    total = np.where(known, x, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def others_of(
    checkpoint: str, checkpoints: Sequence[str], families: Mapping[str, str], suspects: Set[str]
) -> tuple[list[str], str]:
    """The checkpoints whose scores say how hard an item is, and how they were chosen.

    suspects: checkpoints that score higher with flagged items than without; to them flagged items
    look easier than they are, so they are left out. Those of other families are taken where there
    are any, as a family shares its training data; else all others.
    """
    others = [name for name in checkpoints if name != checkpoint and name not in suspects]
    left_out = len(suspects - {checkpoint})
    own = families.get(checkpoint)
    strangers = [name for name in others if own is None or families.get(name) != own]
    apart = own is not None and bool(strangers)
    taken = strangers if apart else others
    how = f"facility over {len(taken)} {'of other families' if apart else 'other checkpoints'}"
    return taken, how + (f"; {left_out} left out that gain on flagged items" if left_out else "")


def matched_delta(
    values: ArrayLike,
    clusters: ArrayLike,
    clean: ArrayLike,
    difficulty: ArrayLike,
    *,
    confidence: float = 0.95,
    error: ArrayLike | None = None,
) -> MatchedDelta:
    """Mean over classes of difficulty of (flagged - clean), with a clustered interval.

    values, difficulty: shape (items,), NaN where unknown, and such items are left out. A class
    without a clean item leaves its flagged ones unmatched: counted, not guessed. error: variance
    of each item's difficulty, as `facility_error` gives it; None: it is known exactly. The interval
    is CR1 with t, the classes and the slope within them taken as given; where difficulty is too
    unreliable there is none, and the difference is left uncorrected.
    """
    x, keep = np.asarray(values, dtype=np.float64), np.asarray(clean, dtype=bool)
    facility_of = np.asarray(difficulty, dtype=np.float64)
    known = ~(np.isnan(x) | np.isnan(facility_of))
    n_flagged = int(np.sum(~keep & ~np.isnan(x)))
    x, keep, facility_of = x[known], keep[known], facility_of[known]
    unsure = np.zeros(len(x)) if error is None else np.asarray(error, dtype=np.float64)[known]
    ids = np.asarray(clusters)[known]
    unknown = n_flagged - int(np.sum(~keep))
    if not n_flagged or not keep.any() or unknown == n_flagged:
        reason = (
            "no scored item is flagged"
            if not n_flagged
            else (
                "no other checkpoint has scores"
                if unknown == n_flagged
                else "no scored item is clean"
            )
        )
        return MatchedDelta(n_flagged, n_flagged, 0, undefined(reason, confidence))
    stratum = _strata(facility_of, ~keep)
    sizes_clean = np.bincount(stratum[keep], minlength=stratum.max() + 1)
    matched = sizes_clean[stratum] > 0
    unmatched = unknown + int(np.sum(~keep & ~matched))
    if unmatched == n_flagged:
        reason = "no clean item is as hard as any flagged one"
        return MatchedDelta(n_flagged, unmatched, 0, undefined(reason, confidence))
    level = x - _slope(x, facility_of, 2 * stratum + keep) * facility_of
    return _estimate(
        level,
        ids,
        keep,
        np.where(matched, stratum, UNMATCHED),
        remainder(x, facility_of, unsure, keep),
        n_flagged,
        unmatched,
        confidence,
    )


def _strata(difficulty: Floats, flagged: Bools) -> Ints:
    """The class of each item: the flagged items' quantiles cut all of them; ties stay together."""
    edges = np.unique(np.quantile(difficulty[flagged], np.arange(1, STRATA) / STRATA))
    return np.searchsorted(edges, difficulty, side="left").astype(np.int64)


def _slope(x: Floats, difficulty: Floats, cells: Ints) -> float:
    """The metric's slope on difficulty within cells; 0 where difficulty does not vary in any."""
    _, cell = np.unique(cells, return_inverse=True)
    size = np.bincount(cell)
    d = difficulty - (np.bincount(cell, difficulty) / size)[cell]
    spread = float(np.sum(d**2))
    return float(np.sum(d * x)) / spread if spread > len(d) * NO_SPREAD**2 else 0.0


def _estimate(
    x: Floats,
    ids: ArrayLike,
    keep: Bools,
    stratum: Ints,
    left: Remainder,
    n_flagged: int,
    n_unmatched: int,
    confidence: float,
) -> MatchedDelta:
    used = np.unique(stratum[~keep & (stratum != UNMATCHED)])
    inside = np.isin(stratum, used)
    total = float(np.sum(~keep & inside))
    apart = -left.apart
    value = -left.value
    for s in used.tolist():
        for part, sign in ((~keep, 1.0), (keep, -1.0)):
            cell = part & (stratum == s)
            weight = sign * float(np.sum(~keep & (stratum == s))) / total
            mean = float(np.mean(x[cell]))
            value += weight * mean
            apart[cell] += weight * (x[cell] - mean) / np.sum(cell)
    used_at = inside | (left.apart != 0)
    codes, n_clusters = cluster_codes(np.asarray(ids)[used_at])
    apart = apart[used_at]
    touched, spotless = (len(np.unique(codes[(inside & part)[used_at]])) for part in (~keep, keep))
    df = n_clusters - 2 * len(used)
    if left.reason:
        none = undefined(left.reason, confidence, n_clusters, value)
        return MatchedDelta(n_flagged, n_unmatched, len(used), none)
    if min(touched, spotless, df + 1) < FEW_CLUSTERS:
        reason = (
            f"no interval: {spotless} clusters hold matched clean items and {touched} flagged "
            f"ones, and {FEW_CLUSTERS} of each are needed"
        )
        none = undefined(reason, confidence, n_clusters, value)
        return MatchedDelta(n_flagged, n_unmatched, len(used), none)
    se = standard_error(apart, codes, n_clusters, n_means=2 * len(used))
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    estimate = Estimate(value, se, value - half, value + half, "cr1_t", confidence, n_clusters, df)
    if not math.isfinite(se) or se == 0.0:
        reason = "no interval: matched items do not vary"
        estimate = undefined(reason, confidence, n_clusters, value)
    return MatchedDelta(n_flagged, n_unmatched, len(used), estimate)
