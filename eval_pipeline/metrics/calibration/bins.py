"""Which bin a probability falls into.

Three rules, named because they differ where it hurts: at the edges and under ties.
`equal_width` bins are [i/bins, (i+1)/bins), the last one closed; `equal_width_right` bins are
(i/bins, (i+1)/bins], the first one closed, as in Guo et al. 2017, arXiv:1706.04599;
`equal_mass` bins hold about the same number of samples, and equal forecasts are never parted.
"""

from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, Ints, probabilities, whole

Rule = Literal["equal_width", "equal_width_right", "equal_mass"]


def bin_index(p: ArrayLike | Iterable[Any], bins: int, rule: Rule = "equal_width") -> Ints:
    """The bin of each probability, in 0..bins - 1, shape (samples,).

    Edges are the floats nearest to i / bins: floor(p * bins) would put 0.29 into bin 28 of 100.
    Raises ValueError for values outside [0, 1] and for bins that are no whole number above 0.
    """
    x = probabilities(p, "p")
    bins = whole(bins, "bins", 1)
    if rule == "equal_mass":
        below = np.searchsorted(np.sort(x), x, side="left")
        return np.asarray(below * bins // len(x), dtype=np.int64)
    if rule not in get_args(Rule):
        raise ValueError(f"unknown rule {rule!r} of binning: use {', '.join(get_args(Rule))}")
    side: Literal["left", "right"] = "right" if rule == "equal_width" else "left"
    place = np.searchsorted(edges(bins), x, side=side) - 1
    return np.clip(place, 0, bins - 1).astype(np.int64)


def edges(bins: int) -> Floats:
    """Edges of bins of equal width, shape (bins + 1,)."""
    return np.arange(bins + 1) / bins
