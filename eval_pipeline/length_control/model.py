"""Win rate at equal length: logit P = theta + phi tanh(delta / sd) + b seat + psi difficulty.

The rate is read at delta = 0 and seat = 0. Lengths are scaled and never centred, so that the
rate of a against b and of b against a add up to 1. This takes length out of the number, not out
of the judge: where replies never come close in length, it extrapolates, and says so.
Source: Dubois et al. 2024, arXiv:2404.04475, equation 2; here unpenalised and with a seat.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, logit
from scipy.stats import t as student

from eval_pipeline.length_control.separation import is_separated
from eval_pipeline.ranking.newton import Optimum, maximise
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, cluster_codes, standard_error
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

EXTREME_CHANGE = 0.10
"""A move from the raw rate by more than this asks for a look at the replies."""
LEAST_SPREAD = 0.01
"""Least range of a term (tanh, seat, or difficulty in standard deviations) that the other terms
leave to it; below, it is as good as constant, and its coefficient stretched a hundredfold."""
FARTHEST = 15.0
"""Logits beyond which the fit says no more than 0 or 1."""
METHOD = "cr1_t_logit"
LENGTH_DROPPED = "length_not_identifiable"
POSITION_DROPPED = "position_not_identifiable"
EXTRAPOLATED = "extrapolated: the longer reply is always of the same side"
_NO_SPREAD = 1e-12


@dataclass(frozen=True)
class LengthControlled:
    """A win rate with length and seating taken out; `reason` says why it, or its interval, is NaN.

    length_controlled, low, high: the rate at equal length, 0 to 1; se by the delta method over
    clusters (CR1, t(Q - 1) on the logit scale), as `method` says; None without an interval.
    raw, raw_se: the plain mean of preferences.
    theta, length_coefficient, position_coefficient, difficulty_coefficient: logits; NaN where
    the term was not asked for or dropped, and `notes` says which were dropped.
    length_sd: scale of the length difference, in its own unit: the standard deviation over
    comparisons with ddof 1, so that judging both orders does not change it.
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
    length_sd: float = np.nan
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


def length_controlled_win_rate(
    length_difference: ArrayLike,
    preference: ArrayLike,
    seat: ArrayLike | None = None,
    *,
    difficulty: ArrayLike | None = None,
    forfeit: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    confidence: float = 0.95,
) -> LengthControlled:
    """The win rate of a model against a baseline at equal length; one row a verdict.

    length_difference: model minus baseline, any unit, shape (rows,).
    preference: for the model, 0 to 1; 0.5 is a tie.
    seat: +1 where the model was shown first, -1 where second, 0 where that is not known.
    difficulty: of each item.
    forfeit: rows in which one side gave no reply: the outcome counts as it is, at any length.
    weight: comparisons that a row stands for; 1 by default, and one half where seats are given,
    because a pair is then judged in both orders.
    cluster: sampling unit of each row; without it each row is its own.
    No rows, or a fit at infinity (all preferences equal, or explained without exception), give
    NaN with the reason.
    Raises ValueError that names the first row with a value that is not finite or out of range.
    """
    rows = _Rows.checked(length_difference, preference, seat, difficulty, forfeit, weight, cluster)
    if not len(rows.preference):
        return LengthControlled(reason="0 comparisons")
    total = float(rows.weight.sum())
    raw = float(rows.weight @ rows.preference) / total
    raw_se = rows.clustered_se(rows.weight * (rows.preference - raw) / total)
    known: dict[str, Any] = {"raw": raw, "raw_se": raw_se, "n_clusters": rows.n_clusters}
    held = ~rows.forfeit
    if not held.any():
        return LengthControlled(**known, reason="every comparison is a forfeit")
    y, w = rows.preference[held], rows.weight[held]
    if (y == y[0]).all() and y[0] in (0.0, 1.0):
        return LengthControlled(**known, reason=f"all preferences equal {y[0]:g}")
    design, names, notes, sd = _design(rows, held)
    known |= {"length_sd": sd, "notes": notes}
    if is_separated(design, y):
        return LengthControlled(**known, reason="separated: length or seat explains every outcome")
    with one_blas_thread():
        fit = maximise(lambda beta: log_likelihood(beta, design, y, w), np.zeros(len(names)))
        if not fit.converged:
            return LengthControlled(**known, reason="the fit did not converge")
        at_equal = design.copy()
        at_equal[:, [i for i, name in enumerate(names) if name in ("length", "position")]] = 0.0
        rate, influence = _rate_and_influence(rows, held, design, at_equal, fit)
    if not abs(logit(rate)) < FARTHEST:
        return LengthControlled(**known, reason="equal length lies too far off: a rate of 0 or 1")
    se = rows.clustered_se(influence)
    se = np.nan if se < _NO_SPREAD else se
    low, high, method, reason = _interval(rate, se, rows.n_clusters, confidence)
    found = dict(zip(names, fit.point.tolist(), strict=True))
    return LengthControlled(
        **known,
        length_controlled=rate,
        se=se,
        low=low,
        high=high,
        method=method,
        reason=reason,
        theta=found["theta"],
        length_coefficient=found.get("length", np.nan),
        position_coefficient=found.get("position", np.nan),
        difficulty_coefficient=found.get("difficulty", np.nan),
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
class _Rows:
    length_difference: Floats
    preference: Floats
    seat: Floats | None
    difficulty: Floats | None
    forfeit: Bools
    weight: Floats
    cluster: Ints
    n_clusters: int

    @classmethod
    def checked(
        cls,
        length_difference: ArrayLike,
        preference: ArrayLike,
        seat: ArrayLike | None,
        difficulty: ArrayLike | None,
        forfeit: ArrayLike | None,
        weight: ArrayLike | None,
        cluster: ArrayLike | None,
    ) -> "_Rows":
        y = np.asarray(preference, dtype=np.float64)
        n = len(y)
        lost = np.zeros(n, dtype=bool) if forfeit is None else np.asarray(forfeit, dtype=bool)
        delta = np.asarray(length_difference, dtype=np.float64)
        share = 1.0 if seat is None else 0.5
        w = np.full(n, share) if weight is None else np.asarray(weight, dtype=np.float64)
        side = None if seat is None else np.asarray(seat, dtype=np.float64)
        hard = None if difficulty is None else np.asarray(difficulty, dtype=np.float64)
        codes, n_clusters = cluster_codes(np.arange(n) if cluster is None else cluster)
        given = [("length_difference", delta), ("forfeit", lost), ("weight", w), ("cluster", codes)]
        given += [(k, v) for k, v in (("seat", side), ("difficulty", hard)) if v is not None]
        for name, column in given:
            if column.shape != (n,):
                raise ValueError(
                    f"{name} must have shape {(n,)} like preference, not {column.shape}"
                )
        _refuse(~((y >= 0) & (y <= 1)), "preference must lie in 0 to 1", y)
        _refuse(~np.isfinite(delta) & ~lost, "length_difference must be finite", delta)
        _refuse(~(np.isfinite(w) & (w > 0)), "weight must be positive", w)
        if side is not None:
            _refuse(~np.isin(side, (-1.0, 0.0, 1.0)), "seat must be +1, -1 or 0", side)
        if hard is not None:
            _refuse(~np.isfinite(hard), "difficulty must be finite", hard)
        return cls(delta, y, side, hard, lost, w, codes, n_clusters)

    def clustered_se(self, influence: Floats) -> float:
        """CR1 standard error from each row's influence; NaN below `FEW_CLUSTERS`."""
        if self.n_clusters < FEW_CLUSTERS:
            return np.nan
        return standard_error(influence, self.cluster, self.n_clusters)


def _design(rows: _Rows, held: Bools) -> tuple[Floats, list[str], tuple[str, ...], float]:
    """Columns of the model that the data can tell apart, their names, notes, and the sd."""
    delta = rows.length_difference[held]
    sd = _standard_deviation(delta, rows.weight[held])
    columns, names, notes = [np.ones(len(delta))], ["theta"], []
    if sd > 0 and (delta.min() > 0 or delta.max() < 0):
        notes.append(EXTRAPOLATED)
    # Difficulty and seat first: where terms cannot be told apart, it is length that is dropped.
    for name, values, dropped in (
        ("difficulty", rows.difficulty, "difficulty_not_identifiable"),
        ("position", rows.seat, POSITION_DROPPED),
        ("length", np.tanh(rows.length_difference / sd) if sd > 0 else None, LENGTH_DROPPED),
    ):
        if values is None:
            notes += [dropped] if name == "length" else []
            continue
        scale = float(np.std(values[held])) if name == "difficulty" else 1.0
        before = np.column_stack(columns)
        own = values[held] - before @ np.linalg.lstsq(before, values[held], rcond=None)[0]
        if np.ptp(own) >= LEAST_SPREAD * scale > 0:
            columns.append(values[held])
            names.append(name)
        else:
            notes.append(dropped)
    return np.column_stack(columns), names, tuple(notes), sd


def _standard_deviation(values: Floats, weight: Floats) -> float:
    """With ddof 1, each value counted by its weight; 0 where all are equal or one is there."""
    total = float(weight.sum())
    if total <= 1.0 or (values == values[0]).all():
        return 0.0
    return float(np.sqrt(weight @ (values - weight @ values / total) ** 2 / (total - 1.0)))


def _rate_and_influence(
    rows: _Rows, held: Bools, design: Floats, at_equal: Floats, fit: Optimum
) -> tuple[float, Floats]:
    """The rate, forfeits as they are, and what each row adds to it (delta method)."""
    chance = rows.preference.copy()
    chance[held] = expit(at_equal @ fit.point)
    total = float(rows.weight.sum())
    share = rows.weight / total
    rate = float(rows.weight @ chance) / total
    slope = (share[held] * chance[held] * (1 - chance[held])) @ at_equal
    residual = rows.weight[held] * (rows.preference[held] - expit(design @ fit.point))
    influence = share * (chance - rate)
    influence[held] += residual * (design @ np.linalg.solve(fit.information, slope))
    return rate, influence


def _interval(
    rate: float, se: float, n_clusters: int, confidence: float
) -> tuple[float, float, str | None, str | None]:
    """Ends, method, and why there is none.

    On the logit scale, so that it stays inside 0 to 1 and turns over with the models.
    """
    if np.isnan(se):
        few = n_clusters < FEW_CLUSTERS
        why = (
            f"{n_clusters} clusters, {FEW_CLUSTERS} needed" if few else "the clusters do not differ"
        )
        return np.nan, np.nan, None, f"no interval: {why}"
    reach = student.ppf(0.5 + confidence / 2, n_clusters - 1) * se / (rate * (1 - rate))
    middle = logit(rate)
    return float(expit(middle - reach)), float(expit(middle + reach)), METHOD, None


def _refuse(bad: Bools, what: str, values: Floats) -> None:
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(f"row {i}: {what}, got {values[i]} ({int(bad.sum())} such rows)")
