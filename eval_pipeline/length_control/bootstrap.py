"""The rate refitted under resampled clusters: hundreds of refits of a few columns at once.

Scales and gamed rows stay as they are; what is resampled is the verdicts.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from eval_pipeline.length_control.design import DesignMatrix, VerdictRows
from eval_pipeline.length_control.gamed import GamedBaseline

Floats = NDArray[np.float64]

TOLERANCE = 1e-8
STEP_LIMIT = 25
LONGEST_STEP = 8.0
"""Logits; a longer step means that the fit runs away."""
CHUNK_CELLS = 2_000_000
NONFINITE_LIMIT = 0.01
"""Share of replicates without a finite fit above which no error is read from them."""

Refit = Callable[[Floats], Floats | None]
"""From the weights of the rows: the coefficients, None where there is no finite fit."""


@dataclass(frozen=True)
class RateReplicates:
    """Rates at equal length under resampled clusters; NaN without a finite fit."""

    rates: Floats

    @property
    def n_nonfinite(self) -> int:
        return int(np.isnan(self.rates).sum())

    @property
    def se(self) -> float:
        """Their standard deviation; NaN where more than `NONFINITE_LIMIT` have no finite fit."""
        if not len(self.rates) or self.n_nonfinite > NONFINITE_LIMIT * len(self.rates):
            return np.nan
        return float(np.nanstd(self.rates, ddof=1)) if len(self.rates) > 1 else np.nan


def rate_replicates(
    rows: VerdictRows,
    terms: DesignMatrix,
    start: Floats,
    refit: Refit,
    gamed: GamedBaseline | None,
    replicates: int,
    rng: np.random.Generator,
) -> RateReplicates:
    """Replicates of the rate, clusters drawn with replacement.

    start: coefficients of the full data. refit: finds what the joint steps do not, one replicate
    at a time. Memory: some arrays of `CHUNK_CELLS`.
    """
    rates, q = np.empty(replicates), rows.n_clusters
    batch = max(1, CHUNK_CELLS // max(1, len(rows.weight)))
    for first in range(0, replicates, batch):
        last = min(first + batch, replicates)
        draws = (rng.integers(0, q, q) for _ in range(first, last))
        drawn = np.stack([np.bincount(one, minlength=q) for one in draws])
        weight = drawn[:, rows.cluster] * rows.weight
        rates[first:last] = _rates(rows, terms, start, refit, gamed, weight)
    return RateReplicates(rates)


def _rates(
    rows: VerdictRows,
    terms: DesignMatrix,
    start: Floats,
    refit: Refit,
    gamed: GamedBaseline | None,
    weight: Floats,
) -> Floats:
    held = ~rows.forfeit
    own, y = weight[:, held], rows.preference[held]
    beta, home = _newton(terms, start, gamed, own, y)
    for k in np.flatnonzero(~home):
        found = refit(own[k])
        beta[k] = np.nan if found is None else found
    chance = expit(beta @ terms.at_equal.T)
    total = (own * chance).sum(axis=1) + weight[:, ~held] @ rows.preference[~held]
    rates: Floats = total / weight.sum(axis=1)
    return rates


def _newton(
    terms: DesignMatrix, start: Floats, gamed: GamedBaseline | None, weight: Floats, y: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Newton for all replicates together; which of them came home."""
    x = terms.matrix
    k = x.shape[1]
    squares = (x[:, :, None] * x[:, None, :]).reshape(len(x), k * k)
    beta = np.tile(start, (len(weight), 1))
    home = np.zeros(len(weight), dtype=bool)
    lost = np.zeros(len(weight), dtype=bool)
    for _ in range(STEP_LIMIT):
        chance = expit(beta @ x.T)
        slope = (weight * (y - chance)) @ x
        curve = ((weight * chance * (1 - chance)) @ squares).reshape(-1, k, k)
        if gamed is not None:
            more, bend = _of_gamed(gamed, terms, beta)
            slope, curve = slope + more, curve + bend
        lost |= ~(np.linalg.cond(curve) < 1e12)
        curve[lost] = np.eye(k)
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        size = np.abs(step).max(axis=1)
        lost |= ~(size <= LONGEST_STEP)
        step[lost | home] = 0.0
        beta += step
        home |= ~lost & (size <= TOLERANCE)
        if (home | lost).all():
            break
    return beta, home


def _of_gamed(gamed: GamedBaseline, terms: DesignMatrix, beta: Floats) -> tuple[Floats, Floats]:
    matrix = gamed.matrix(terms.names)
    chance = expit(beta @ matrix.T)
    slope = gamed.won(terms.names) - (gamed.weight * chance) @ matrix
    bend = np.einsum("bi,ij,ik->bjk", gamed.weight * chance * (1 - chance), matrix, matrix)
    return slope, bend
