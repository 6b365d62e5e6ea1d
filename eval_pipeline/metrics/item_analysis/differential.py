"""Whether an item favours one group among respondents of equal ability (differential functioning).

A raw gap between groups may be ability; only within strata of equal ability is it the item.
Source: Mantel and Haenszel 1959, JNCI 22:719; Holland and Thayer 1988, in Test Validity.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr

from eval_pipeline.metrics.inputs import Floats, flags, numbers, same_length
from eval_pipeline.metrics.matrices import MOST_COUNTED, matrix

DELTA = -2.35  # turns a log odds ratio into the ETS delta scale
SIGNIFICANT = 0.05

Size = Literal["A", "B", "C"]


@dataclass(frozen=True)
class DifferentialFunction:
    """Odds of a right answer, reference over focal group, at equal ability; and its test.

    ets_delta: -2.35 log(odds_ratio), below 0 where the item is harder for the focal group.
    chi_squared has one degree of freedom and the continuity correction. size: A negligible, B
    moderate, C large. NaN (size None) and a reason where no stratum tells the groups apart.
    """

    odds_ratio: float
    ets_delta: float
    ets_delta_se: float
    chi_squared: float
    p_value: float
    size: Size | None
    n_strata: int
    n_strata_used: int
    reason: str | None = None


def mantel_haenszel(strata: ArrayLike) -> DifferentialFunction:
    """The common odds ratio over strata: sum(A D / N) / sum(B C / N).

    strata: counts, shape (strata, 4): reference right (A), reference wrong (B), focal right (C),
    focal wrong (D). Strata that lack a group, or in which all or none are right, say nothing and
    are not used. The standard error of the log is that of Robins, Breslow and Greenland 1986,
    Biometrics 42:311; sizes follow Dorans and Holland 1993.
    Raises ValueError for counts that are negative or not whole, and for no respondents at all.
    """
    table = matrix(strata, "strata", 0.0, MOST_COUNTED)
    if table.shape[1] != 4:
        raise ValueError(
            "strata must be rows of reference right, reference wrong, focal right, focal wrong; "
            f"got {table.shape[1]} columns"
        )
    if (bad := np.argwhere(table != np.floor(table))).size:
        i, j = bad[0]
        raise ValueError(f"strata[{i}, {j}] is {table[i, j]:g}: it must be a whole number")
    if not table.any():
        raise ValueError("the strata hold no respondents")
    a, b, c, d = table.T
    used = (a + b > 0) & (c + d > 0) & (a + c > 0) & (b + d > 0)
    a, b, c, d = table[used].T
    n = a + b + c + d
    favour, against = a * d / n, b * c / n
    chi = _chi_squared(a, b, c, d)
    p = math.nan if math.isnan(chi) else float(chdtrc(1.0, chi))
    if not favour.sum() or not against.sum():
        reason = _reason(int(used.sum()), float(favour.sum()))
        nan = math.nan
        return DifferentialFunction(nan, nan, nan, chi, p, None, len(table), len(n), reason)
    ratio = float(favour.sum() / against.sum())
    delta, se = DELTA * math.log(ratio), -DELTA * _log_error(a, b, c, d)
    size = _size(delta, se, p)
    return DifferentialFunction(ratio, delta, se, chi, p, size, len(table), len(n))


def strata_of(right: ArrayLike, focal: ArrayLike, ability: ArrayLike) -> Floats:
    """Counts for `mantel_haenszel`, a row for each value of ability that occurs, in its order.

    right, focal: bool, shape (respondents,); ability: the score that they are matched on, such as
    the number of right answers with this item among them.
    """
    was_right, is_focal = flags(right, "right"), flags(focal, "focal")
    score = numbers(ability, "ability")
    same_length(right=was_right, focal=is_focal, ability=score)
    values, place = np.unique(score, return_inverse=True)
    cell = 2 * is_focal.astype(np.int64) + ~was_right
    counts = np.bincount(4 * place + cell, minlength=4 * len(values))
    return counts.reshape(len(values), 4).astype(np.float64)


def _chi_squared(a: Floats, b: Floats, c: Floats, d: Floats) -> float:
    """(|sum(A - E A)| - 1/2)^2 / sum(Var A), not below 0; NaN where nothing varies."""
    n = a + b + c + d
    expected = (a + b) * (a + c) / n
    variance = float(np.sum((a + b) * (c + d) * (a + c) * (b + d) / (n**2 * (n - 1))))
    if not variance:
        return math.nan
    return float(max(abs(np.sum(a - expected)) - 0.5, 0.0) ** 2 / variance)


def _log_error(a: Floats, b: Floats, c: Floats, d: Floats) -> float:
    n = a + b + c + d
    agree, differ = (a + d) / n, (b + c) / n
    favour, against = a * d / n, b * c / n
    r, s = favour.sum(), against.sum()
    variance = (
        np.sum(agree * favour) / (2 * r**2)
        + np.sum(agree * against + differ * favour) / (2 * r * s)
        + np.sum(differ * against) / (2 * s**2)
    )
    return float(np.sqrt(variance))


def _size(delta: float, se: float, p: float) -> Size:
    """C: at least 1.5 and significantly above 1; A: below 1, or not significantly other than 0."""
    if abs(delta) < 1 or p >= SIGNIFICANT:
        return "A"
    above_one = 1 - float(ndtr((abs(delta) - 1) / se))
    return "C" if abs(delta) >= 1.5 and above_one < SIGNIFICANT else "B"


def _reason(n_used: int, favour: float) -> str:
    if not n_used:
        return "no stratum holds both groups with right and wrong answers"
    kept = "reference wrong and focal right" if favour else "reference right and focal wrong"
    return f"no stratum holds both {kept}: the odds ratio is unbounded or 0"
