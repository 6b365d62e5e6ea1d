"""What is left of a gap in difficulty when difficulty is measured with error.

Items that look equally hard are not: a flagged item and a clean one of the same facility each lie
nearer to the mean of their own kind than they look. With reliability r of facility among clean
items and b the slope of the metric on it there, b (1 - r) / r times the gap of mean facility stays
in a matched difference. r is Cronbach's alpha over the checkpoints (the Spearman-Brown formula for
more than two parts): what checkpoints say differently of an item is error.
The relation is taken as a line: where the others are far stronger or weaker than the checkpoint
itself it is bent, and a part of the gap may stay.
Source: Lord 1960, JASA 55:307; Fuller 1987, Measurement Error Models, section 1.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.samples import Bools, Floats

LEAST_RELIABILITY = 0.5  # below, the correction is larger than what it corrects


@dataclass(frozen=True)
class Remainder:
    """What error of difficulty leaves in flagged minus clean.

    apart: each item's influence on it, shape (items,); reliability: of facility among the clean.
    reason: why it cannot be told, or None; then value and apart are 0.
    """

    value: float
    apart: Floats
    reliability: float
    reason: str | None = None


def facility_error(values: Sequence[ArrayLike]) -> Floats:
    """Variance of each item's mean over checkpoints, shape (items,); NaN where none can tell.

    values: a vector a checkpoint, NaN where an item has no score. Each checkpoint's own level is
    taken out first. An item that one checkpoint scores has the mean variance of the others.
    """
    x = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(x)
    count = known.sum(axis=0)
    paired = known & (count >= 2)
    if not paired.any():
        return np.full(x.shape[1], np.nan)
    n_paired = np.maximum(paired.sum(axis=1, keepdims=True), 1)
    level = np.where(paired, x, 0.0).sum(axis=1, keepdims=True) / n_paired
    own = np.where(paired, x - level, 0.0)
    apart = np.where(paired, own - own.sum(axis=0) / np.maximum(count, 1), 0.0)
    variance = np.full(x.shape[1], np.nan)
    several = count >= 2
    variance[several] = (apart**2).sum(axis=0)[several] / (count[several] - 1)
    variance[count == 1] = np.mean(variance[several])
    error: Floats = variance / np.maximum(count, 1)
    return error


def remainder(x: Floats, difficulty: Floats, error: Floats, clean: Bools) -> Remainder:
    """What error of difficulty leaves in the difference of items at the same difficulty.

    x: the metric; error: variance of each item's difficulty, all of shape (items,).
    """
    nothing = np.zeros(len(x))
    if np.isnan(error).any():
        reason = "no interval: one other checkpoint cannot say how reliable facility is: score two"
        return Remainder(0.0, nothing, np.nan, reason)
    n_clean, n_flagged = int(clean.sum()), int((~clean).sum())
    own, d = x - x[clean].mean(), difficulty - difficulty[clean].mean()
    noise = float(error[clean].mean())
    if noise == 0.0:
        return Remainder(0.0, nothing, 1.0)
    shared, spread = float(np.mean((own * d)[clean])), float(np.mean((d**2)[clean]))
    true = spread - noise
    reliability = true / spread if spread > 0 else 0.0
    if reliability < LEAST_RELIABILITY:
        reason = (
            f"no interval: facility over the other checkpoints has reliability "
            f"{max(reliability, 0.0):.2f} among clean items, and {LEAST_RELIABILITY} is needed"
        )
        return Remainder(0.0, nothing, reliability, reason)
    factor = shared / true - shared / spread
    gap = float(difficulty[~clean].mean() - difficulty[clean].mean())
    of_factor = (
        (own * d - shared) * (1 / true - 1 / spread)
        - shared / true**2 * (d**2 - spread - (error - noise))
        + shared / spread**2 * (d**2 - spread)
    )
    apart = np.where(
        clean,
        (gap * of_factor - factor * d) / n_clean,
        factor * (difficulty - difficulty[~clean].mean()) / n_flagged,
    )
    return Remainder(factor * gap, apart, reliability)
