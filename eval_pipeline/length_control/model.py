"""Win rate at equal length: logit P = theta + phi tanh(delta / sd) + b seat + psi difficulty.

The rate is read at delta = 0 and seat = 0. Lengths are scaled and never centred, so that the
rate of a against b and of b against a add up to 1. Style (lists, headers, bold) enters as length
does. This takes length out of the number, not out of the judge: where replies never come close in
length, it extrapolates, and says so.
Source: Dubois et al. 2024, arXiv:2404.04475, equation 2; here unpenalised and with a seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logit
from scipy.stats import t as student

from eval_pipeline.length_control.bootstrap import rate_replicates
from eval_pipeline.length_control.design import STYLE, DesignMatrix, VerdictRows, design
from eval_pipeline.length_control.gamed import GamedBaseline
from eval_pipeline.length_control.separation import is_separated
from eval_pipeline.ranking.newton import Optimum, maximise
from eval_pipeline.statistics.clustered import FEW_CLUSTERS
from eval_pipeline.statistics.rounding import NO_SPREAD
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]

EXTREME_CHANGE = 0.10
"""A move from the raw rate by more than this asks for a look at the replies."""
DOMINANT_SHARE = 0.5
"""A cluster that makes more than this share of the variance decides the rate alone."""
FARTHEST = 15.0
"""Logits beyond which the fit says no more than 0 or 1."""
METHOD = "cr1_t_logit"


@dataclass(frozen=True)
class LengthControlled:
    """A win rate with length and seating taken out; `reason` says why it, or its interval, is NaN.

    length_controlled, low, high: the rate at equal length, 0 to 1; se by the delta method over
    clusters (CR1, t(Q - 1) on the logit scale), as `method` says; None without an interval.
    se_bootstrap: the same by refits under resampled clusters; NaN where it was not asked for, or
    where more than 1 % of the refits (`replicates_nonfinite`) have no finite fit.
    raw, raw_se: the plain mean of preferences.
    theta, length_coefficient, position_coefficient, difficulty_coefficient: logits; NaN where
    the term was not asked for or dropped, and `notes` says which were dropped.
    style_coefficients: logits of each style term that was kept.
    length_sd: scale of the length difference, in its own unit: the standard deviation over
    comparisons with ddof 1, so that judging both orders does not change it.
    largest_cluster, largest_share: the cluster that moves the rate most, and its share of the
    variance, 0 to 1.
    influence: what each cluster adds to theta and the difficulty coefficient, by cluster name.
    """

    length_controlled: float = np.nan
    se: float = np.nan
    low: float = np.nan
    high: float = np.nan
    method: str | None = None
    raw: float = np.nan
    raw_se: float = np.nan
    theta: float = np.nan
    length_coefficient: float = np.nan
    position_coefficient: float = np.nan
    difficulty_coefficient: float = np.nan
    style_coefficients: Mapping[str, float] = field(default_factory=dict)
    length_sd: float = np.nan
    se_bootstrap: float = np.nan
    replicates: int = 0
    replicates_nonfinite: int = 0
    largest_cluster: str | None = None
    largest_share: float = np.nan
    influence: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    n_clusters: int = 0
    converged: bool = False
    iterations: int = 0
    gradient_max: float = np.nan
    notes: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def extreme_change(self) -> bool:
        """Whether the rate moved by more than `EXTREME_CHANGE`."""
        return bool(abs(self.length_controlled - self.raw) > EXTREME_CHANGE)

    @property
    def dominated(self) -> bool:
        """Whether one cluster makes more than `DOMINANT_SHARE` of the variance."""
        return self.largest_share > DOMINANT_SHARE


def length_controlled_win_rate(
    length_difference: ArrayLike,
    preference: ArrayLike,
    seat: ArrayLike | None = None,
    *,
    difficulty: ArrayLike | None = None,
    style: Mapping[str, ArrayLike] | None = None,
    forfeit: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    gamed: GamedBaseline | None = None,
    confidence: float = 0.95,
    replicates: int = 0,
    rng: np.random.Generator | None = None,
) -> LengthControlled:
    """The win rate of a model against a baseline at equal length; one row a verdict.

    length_difference: model minus baseline, any unit, shape (rows,).
    preference: for the model, 0 to 1; 0.5 is a tie.
    seat: +1 where the model was shown first, -1 where second, 0 where that is not known.
    difficulty: of each item. style: further differences, model minus baseline, by name; the rate
    is read where they are 0 too.
    forfeit: rows in which one side gave no reply: the outcome counts as it is, at any length.
    weight: comparisons that a row stands for; 1 by default, and one half where seats are given,
    because a pair is then judged in both orders.
    cluster: sampling unit of each row; without it each row is its own.
    gamed: what the baseline does against gamed versions of itself, as a regulariser.
    replicates: refits under resampled clusters, for which `rng` must be given.
    No rows, or a fit at infinity (all preferences equal, or explained without exception), give
    NaN with the reason.
    Raises ValueError that names the first row with a value that is not finite or out of range.
    """
    rows = VerdictRows.checked(
        length_difference, preference, seat, difficulty, style, forfeit, weight, cluster
    )
    if replicates and rng is None:
        raise ValueError(f"{replicates} replicates need a generator")
    if not len(rows.preference):
        return LengthControlled(reason="0 comparisons")
    total = float(rows.weight.sum())
    raw = float(rows.weight @ rows.preference) / total
    raw_se = rows.clustered_se(rows.weight * (rows.preference - raw) / total)
    known = LengthControlled(raw=raw, raw_se=raw_se, n_clusters=rows.n_clusters)
    held = ~rows.forfeit
    if not held.any():
        return replace(known, reason="every comparison is a forfeit")
    y, w = rows.preference[held], rows.weight[held]
    if (y == y[0]).all() and y[0] in (0.0, 1.0):
        return replace(known, reason=f"all preferences equal {y[0]:g}")
    terms = design(rows)
    known = replace(known, length_sd=terms.length_sd, notes=terms.dropped)
    if _runs_away(terms, y, gamed):
        return replace(known, reason="separated: length or seat explains every outcome")
    with one_blas_thread():
        fit = _fitted(terms, y, w, gamed, np.zeros(len(terms.names)))
        if not fit.converged:
            return replace(known, reason="the fit did not converge")
        rate, influence, moves = _rate_and_influence(rows, terms, fit)
    if not abs(logit(rate)) < FARTHEST:
        return replace(known, reason="equal length lies too far off: a rate of 0 or 1")
    se = rows.clustered_se(influence)
    low, high, method, reason = rate_interval(rate, se, rows.n_clusters, confidence)
    coefficients = dict(zip(terms.names, fit.point.tolist(), strict=True))
    if replicates and rng is not None and method is not None:
        with one_blas_thread():
            drawn = rate_replicates(
                rows, terms, fit.point, _Refit(terms, y, gamed), gamed, replicates, rng
            )
        known = replace(
            known,
            se_bootstrap=drawn.se,
            replicates=replicates,
            replicates_nonfinite=drawn.n_nonfinite,
        )
    largest_cluster, largest_share = _largest(rows, influence)
    return replace(
        known,
        largest_cluster=largest_cluster,
        largest_share=largest_share,
        length_controlled=rate,
        se=se if method else np.nan,
        low=low,
        high=high,
        method=method,
        reason=reason,
        theta=coefficients["theta"],
        length_coefficient=coefficients.get("length", np.nan),
        position_coefficient=coefficients.get("position", np.nan),
        difficulty_coefficient=coefficients.get("difficulty", np.nan),
        style_coefficients={
            name.removeprefix(STYLE): value
            for name, value in coefficients.items()
            if name.startswith(STYLE)
        },
        influence=moves,
        converged=fit.converged,
        iterations=fit.iterations,
        gradient_max=fit.gradient_max,
    )


def log_likelihood(
    beta: Floats, design: Floats, preference: Floats, weight: Floats
) -> tuple[float, Floats, Floats]:
    """Value, slope and minus the second derivatives of the weighted logistic likelihood.

    beta: shape (columns,); design: (rows, columns); preference (0 to 1) and weight: (rows,).
    """
    eta = design @ beta
    value = weight @ (preference * log_expit(eta) + (1 - preference) * log_expit(-eta))
    chance = expit(eta)
    gradient = design.T @ (weight * (preference - chance))
    information = design.T @ ((weight * chance * (1 - chance))[:, None] * design)
    return float(value), gradient, information


@dataclass(frozen=True)
class _Refit:
    """The fit under other weights of the rows that are no forfeit; None where it runs away."""

    terms: DesignMatrix
    preference: Floats
    gamed: GamedBaseline | None

    def __call__(self, weight: Floats) -> Floats | None:
        kept = weight > 0
        part = DesignMatrix(
            self.terms.matrix[kept],
            self.terms.names,
            self.terms.at_equal[kept],
            self.terms.dropped,
            self.terms.length_sd,
        )
        y = self.preference[kept]
        full_rank = np.linalg.matrix_rank(_with_gamed(part.matrix, part, self.gamed))
        if full_rank < len(part.names) or _runs_away(part, y, self.gamed):
            return None
        fit = _fitted(part, y, weight[kept], self.gamed, np.zeros(len(part.names)))
        return fit.point if fit.converged else None


def _fitted(
    terms: DesignMatrix, y: Floats, weight: Floats, gamed: GamedBaseline | None, start: Floats
) -> Optimum:
    def objective(beta: Floats) -> tuple[float, Floats, Floats]:
        own = log_likelihood(beta, terms.matrix, y, weight)
        if gamed is None:
            return own
        more = gamed.log_likelihood(beta, terms.names)
        return own[0] + more[0], own[1] + more[1], own[2] + more[2]

    return maximise(objective, start)


def _runs_away(terms: DesignMatrix, y: Floats, gamed: GamedBaseline | None) -> bool:
    """Whether some direction explains all; gamed rows hold back each direction they know of."""
    level = np.full(0 if gamed is None else len(gamed.length), 0.5)
    return is_separated(_with_gamed(terms.matrix, terms, gamed), np.concatenate([y, level]))


def _with_gamed(matrix: Floats, terms: DesignMatrix, gamed: GamedBaseline | None) -> Floats:
    return matrix if gamed is None else np.vstack([matrix, gamed.matrix(terms.names)])


def _rate_and_influence(
    rows: VerdictRows, terms: DesignMatrix, fit: Optimum
) -> tuple[float, Floats, dict[str, tuple[float, float]]]:
    """The rate, forfeits as they are; what each row adds to it (delta method), and each cluster
    to theta and the difficulty coefficient.
    """
    held = ~rows.forfeit
    chance = rows.preference.copy()
    chance[held] = expit(terms.at_equal @ fit.point)
    total = float(rows.weight.sum())
    share = rows.weight / total
    rate = float(rows.weight @ chance) / total
    slope = (share[held] * chance[held] * (1 - chance[held])) @ terms.at_equal
    residual = rows.weight[held] * (rows.preference[held] - expit(terms.matrix @ fit.point))
    moved = residual[:, None] * np.linalg.solve(fit.information, terms.matrix.T).T
    influence = share * (chance - rate)
    influence[held] += moved @ slope
    by_cluster = np.zeros((rows.n_clusters, 2))
    for place, name in enumerate(("theta", "difficulty")):
        if name in terms.names:
            column = moved[:, terms.names.index(name)]
            by_cluster[:, place] = np.bincount(rows.cluster[held], column, rows.n_clusters)
    moves = [(float(one), float(two)) for one, two in by_cluster]
    return rate, influence, dict(zip(rows.cluster_names, moves, strict=True))


def _largest(rows: VerdictRows, influence: Floats) -> tuple[str | None, float]:
    """The cluster that moves the rate most, and its share of the variance; None and NaN of none."""
    squares = np.bincount(rows.cluster, influence, rows.n_clusters) ** 2
    whole = float(squares.sum())
    if whole < NO_SPREAD**2:
        return None, np.nan
    k = int(squares.argmax())
    return rows.cluster_names[k], float(squares[k]) / whole


def rate_interval(
    rate: float, se: float, n_clusters: int, confidence: float
) -> tuple[float, float, str | None, str | None]:
    """Ends, method, and why there is none.

    On the logit scale, so that it stays inside 0 to 1 and turns over with the models.
    """
    if not se >= NO_SPREAD:
        few = n_clusters < FEW_CLUSTERS
        why = (
            f"{n_clusters} clusters, {FEW_CLUSTERS} needed" if few else "the clusters do not differ"
        )
        return np.nan, np.nan, None, f"no interval: {why}"
    reach = student.ppf(0.5 + confidence / 2, n_clusters - 1) * se / (rate * (1 - rate))
    middle = logit(rate)
    return float(expit(middle - reach)), float(expit(middle + reach)), METHOD, None
