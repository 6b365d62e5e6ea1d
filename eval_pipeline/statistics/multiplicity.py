"""p-values corrected for how many questions were asked."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.given import vector

Rule = Literal["holm", "bonferroni", "bh", "by"]
Floats = NDArray[np.float64]


def adjusted(p_values: ArrayLike, rule: Rule) -> Floats:
    """Adjusted p-values in the order given: reject where one is at most alpha.

    Holm and Bonferroni bound the chance of any false finding; BH (under positive dependence) and
    BY (under any) bound the share of false ones among the findings. NaN stays NaN and is not
    counted: no test was made. Rounded to 15 digits, as many as a product keeps: p-values that lie
    at a bar of decimal digits are not lifted over it.
    Raises ValueError for other rules and for p-values outside [0, 1].
    Source: Holm 1979; Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001.
    """
    p = vector(p_values, "p_values")
    tested = ~np.isnan(p)
    if ((p[tested] < 0) | (p[tested] > 1)).any():
        raise ValueError("p_values must be a vector of numbers in [0, 1] or NaN")
    if rule not in ("holm", "bonferroni", "bh", "by"):
        raise ValueError(f"unknown multiplicity rule {rule!r}: use holm, bonferroni, bh or by")
    out = np.full(p.shape, np.nan)
    out[tested] = [float(f"{value:.15g}") for value in _adjusted(p[tested], rule)]
    return out


def _adjusted(p: Floats, rule: Rule) -> Floats:
    m = p.size
    if not m:
        return p
    if rule == "bonferroni":
        return np.minimum(p * m, 1.0)
    order = np.argsort(p, kind="stable")
    rank = np.arange(1, m + 1)
    if rule == "holm":
        ordered = np.maximum.accumulate(p[order] * (m - rank + 1))
    else:
        penalty = float(np.sum(1.0 / rank)) if rule == "by" else 1.0
        ordered = np.minimum.accumulate((p[order] * penalty * m / rank)[::-1])[::-1]
    out = np.empty(m)
    out[order] = np.minimum(ordered, 1.0)
    return out
