"""The Brier score taken apart: what is miscalibrated, what is resolved, what was never certain.

REL - RES + UNC is the Brier score only where the forecasts of a bin are equal. With forecasts
that vary inside their bin two more terms are needed, and with these the sum is exact.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, counts, outcomes, probabilities, same_length
from eval_pipeline.metrics.sums import Deviations, Sums, checked_cells, ratio

Values = ArrayLike | Iterable[Any]
Component = Literal[
    "reliability", "resolution", "uncertainty", "within_bin_variance", "within_bin_covariance"
]


@dataclass(frozen=True)
class Murphy:
    """brier = reliability - resolution + uncertainty + within_bin_variance - within_bin_covariance.

    reliability: 0 is best; resolution: more is better; uncertainty: of the outcomes alone.
    within_bin_covariance holds the 2 of its formula.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float

    @property
    def three_term_sum(self) -> float:
        """What circulates as the Brier score; off by the two terms within bins."""
        return self.reliability - self.resolution + self.uncertainty


def murphy_decomposition(p: Values, y: Values, bins: Values | None = None) -> Murphy:
    """The five terms of the binary Brier score.

    p: probabilities; y: 0 or 1; bins: number of each sample's bin (see `bins.bin_index`), or None
    for a bin of each distinct forecast; all of shape (samples,).
    Source: Murphy 1973, J. Appl. Meteor. 12:595; Stephenson et al. 2008, Weather Forecast. 23:752.
    """
    forecast, outcome, index, n_bins = _checked(p, y, bins)
    columns = (np.ones(len(index)), forecast, outcome, forecast**2, forecast * outcome)
    sums = np.concatenate([np.bincount(index, column, n_bins) for column in columns])
    parts = _components(sums)
    brier = float(np.mean((forecast - outcome) ** 2))
    return Murphy(brier, **{name: float(value) for name, value in parts.items()})


def murphy_sums(p: Values, y: Values, component: Component, bins: Values | None = None) -> Sums:
    """Sums of one term of `murphy_decomposition`, bins held as this sample has them."""
    forecast, outcome, index, n_bins = _checked(p, y, bins)
    checked_cells(len(index), 5 * n_bins, "forecast bins")
    member = np.zeros((len(index), n_bins))
    member[np.arange(len(index)), index] = 1
    columns = (np.ones(len(index)), forecast, outcome, forecast**2, forecast * outcome)
    terms = np.hstack([member * column[:, None] for column in columns])
    return Sums(terms, lambda sums: _components(sums)[component], _DEVIATIONS.get(component))


def _off(sums: Floats) -> Floats:
    """What each bin's mean forecast is off, times the root of its share: REL is their square."""
    n, p, y, _, _ = np.split(sums, 5, axis=-1)
    return np.nan_to_num(ratio(p - y, np.sqrt(n * n.sum(axis=-1, keepdims=True))))


def _resolved(sums: Floats) -> Floats:
    """What each bin's rate differs from the base rate, times that root: RES is their square."""
    n, _, y, _, _ = np.split(sums, 5, axis=-1)
    total = n.sum(axis=-1, keepdims=True)
    base = ratio(y.sum(axis=-1, keepdims=True), total)
    return np.nan_to_num(ratio(y - n * base, np.sqrt(n * total)))


_DEVIATIONS: dict[Component, Deviations] = {
    "reliability": Deviations(_off, "squared"),
    "resolution": Deviations(_resolved, "squared"),
}


def _components(sums: Floats) -> dict[Component, Floats]:
    """The terms from sums of 1, p, y, p^2 and p y in each bin, shape (..., 5 * bins)."""
    n, p, y, pp, py = np.split(sums, 5, axis=-1)
    total = n.sum(axis=-1)
    base = ratio(y.sum(axis=-1), total)
    # a bin without samples adds nothing: its means may be anything
    forecast, rate = (np.nan_to_num(ratio(s, n)) for s in (p, y))

    def over(x: Floats) -> Floats:
        return ratio(x.sum(axis=-1), total)

    # the variance within a bin is never negative, whatever rounding does to its two sums
    return {
        "reliability": over(n * (forecast - rate) ** 2),
        "resolution": over(n * (rate - base[..., None]) ** 2),
        "uncertainty": base * (1 - base),
        "within_bin_variance": over(np.maximum(pp - n * forecast**2, 0.0)),
        "within_bin_covariance": 2 * over(py - n * forecast * rate),
    }


def _checked(
    p: Values, y: Values, bins: Values | None
) -> tuple[Floats, Floats, np.ndarray[Any, np.dtype[np.intp]], int]:
    forecast, outcome = probabilities(p, "p"), outcomes(y, "y")
    same_length(p=forecast, y=outcome)
    groups = forecast if bins is None else counts(bins, "bins")
    same_length(p=forecast, bins=groups)
    distinct, index = np.unique(groups, return_inverse=True)
    return forecast, outcome, index, len(distinct)
