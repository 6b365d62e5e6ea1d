"""Whether one line of strengths describes the judgments at all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, xlogy
from scipy.stats import chi2

from eval_pipeline.ranking.bradley_terry import BradleyTerryFit
from eval_pipeline.ranking.counts import PairCounts
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Misfit:
    """How far a fit lies from free pairwise rates: the deviance, or Pearson's X2.

    p_value: by chi-square with df degrees of freedom; NaN where df is 0. It takes battles for
    independent and ties for rare; read it as a sign, not as a test, where prompts are shared.
    """

    statistic: float
    df: int
    p_value: float


def deviance(fit: BradleyTerryFit, counts: PairCounts) -> Misfit:
    """Deviance of the fit against a rate of its own for each pair (and seat, with an order effect).

    df: pairs judged minus free strengths (and the order effect); battles between groups fit
    exactly in the limit and are left out.
    """
    theta = np.nan_to_num(fit.strength)
    value, cells = 0.0, 0
    for won, met, shift in _cells(fit, counts):
        chance = expit(theta[:, None] - theta[None, :] + shift)
        rate = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
        gain = xlogy(rate, rate / chance) + xlogy(1 - rate, (1 - rate) / (1 - chance))
        value += 2 * float((met * gain).sum())
        cells += int(np.count_nonzero(met))
    free = int((np.bincount(fit.group) - 1).sum()) + fit.has_order_effect
    df = cells - free
    value = max(value, 0.0)  # rounding, where the fit is exact
    return Misfit(value, df, float(chi2.sf(value, df)) if df > 0 else np.nan)


def pearson(fit: BradleyTerryFit, counts: PairCounts) -> Misfit:
    """Pearson's X2 in place of the deviance; df as there. Steadier where pairs met rarely."""
    value = 0.0
    for won, met, shift in _cells(fit, counts):
        theta = np.nan_to_num(fit.strength)
        chance = expit(theta[:, None] - theta[None, :] + shift)
        expected = met * chance
        spread = np.where(met > 0, met * chance * (1 - chance), 1.0)
        value += float((np.where(met > 0, won - expected, 0.0) ** 2 / spread).sum())
    df = deviance(fit, counts).df
    return Misfit(value, df, float(chi2.sf(value, df)) if df > 0 else np.nan)


def cyclic_triads(wins: ArrayLike) -> int:
    """Number of triples in which each model takes more than half from the next, in a circle.

    wins: wins[i][j] is what i took from j, shape (n, n).
    """
    won = np.asarray(wins, dtype=np.float64)
    beats = (won > won.T).astype(np.int64)
    return int(np.trace(beats @ beats @ beats)) // 3  # a circle is walked from each of its three


def cyclic_share(wins: ArrayLike) -> float:
    """Share of the preferences that no line of strengths can hold, 0 to 1.

    The log odds of each pair, weighted by its battles, are projected on differences of a
    potential; the share is what remains, squared and weighted, over all.
    NaN where a pair's odds are infinite (one model took all) or no model is preferred at all.
    Source: Jiang, Lim, Yao and Ye 2011, Mathematical Programming 127, section 3.
    """
    won = np.asarray(wins, dtype=np.float64)
    n = len(won)
    one, two = np.nonzero(np.triu(won + won.T > 0, k=1))
    forth, back = won[one, two], won[two, one]
    if not (forth > 0).all() or not (back > 0).all():
        return np.nan
    flow, weight = np.log(forth / back), forth + back
    whole = float(weight @ flow**2)
    if whole == 0.0:
        return np.nan
    # Normal equations: a row a pair would be as large as models times pairs.
    laplacian = np.zeros((n, n))
    laplacian[one, two] = laplacian[two, one] = -weight
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    joined = connected_components(csr_array(laplacian), directed=False)[1]
    laplacian += joined[:, None] == joined  # fixes each component's mean
    pull = np.bincount(one, weight * flow, n) - np.bincount(two, weight * flow, n)
    with one_blas_thread():
        potential = cho_solve(cho_factor(laplacian, overwrite_a=True), pull)
    left = flow - (potential[one] - potential[two])
    return float(weight @ left**2) / whole


def _cells(fit: BradleyTerryFit, counts: PairCounts) -> list[tuple[Floats, Floats, float]]:
    """Tables of what was won, of how often the two met, and the order effect there.

    A pair without seats stands in both halves of its table, and is counted in the upper one; with
    seats, each cell is a pair and an order.
    """
    unseated, first, second = counts.wins * fit.same_group
    if fit.has_order_effect:
        return [
            (unseated, np.triu(unseated + unseated.T), 0.0),
            (first, first + second.T, fit.order_effect),
        ]
    total = unseated + first + second
    return [(total, np.triu(total + total.T), 0.0)]
