"""Strengths of models from judged pairs: P(i beats j) = sigma(theta_i - theta_j + b * seat).

Ties are half wins: the model is of the expected score, and standard errors must come from
clusters, not from the curvature. Each group of models whose differences are finite is fitted
around its own mean; what lies between groups is infinite or unknown, and stays undefined.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from eval_pipeline.ranking.counts import SEATS, PairCounts
from eval_pipeline.ranking.identify import Connectivity, connectivity, order_effect_is_identified
from eval_pipeline.ranking.newton import maximise
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NO_ORDER_EFFECT = (
    "order effect not identifiable: it needs wins and losses from both seats that the strengths "
    "cannot explain; fitted without it"
)


@dataclass(frozen=True)
class BradleyTerryFit:
    """A fit, with the recipe that made it.

    strength: logits, mean 0 over each model's group, shape (n,); NaN for a model alone in its
    group. Differences exist within a group only.
    group: number of each model's group: its strong component, or, under a prior, its component.
    order_effect: logits for being shown first; NaN where not asked for or not identifiable, and
    then `order_effect_reason` says why.
    information: minus the second derivatives (and the prior's) at the end, with 1 added wherever
    two models share a group, which fixes each group's mean; shape (n, n), or one more with an
    order effect.
    gradient_max: largest slope of the (penalised) likelihood at the end.
    """

    models: tuple[str, ...]
    strength: Floats
    group: Ints
    connectivity: Connectivity
    order_effect: float
    order_effect_reason: str | None
    prior_sd: float | None
    tie_rule: str
    log_likelihood: float
    information: Floats
    converged: bool
    iterations: int
    gradient_max: float

    @property
    def standing(self) -> tuple[str, ...]:
        """Whether each model has a finite strength (see `Connectivity`); a prior gives it one."""
        if self.prior_sd is None:
            return self.connectivity.standing
        judged = ("unjudged" if s == "unjudged" else "ok" for s in self.connectivity.standing)
        return tuple(judged)

    @property
    def theta(self) -> Floats:
        """Strength in logits where it is finite, mean 0 in its component; else NaN."""
        ok = np.array([s == "ok" for s in self.standing], dtype=bool)
        return np.where(ok, self.strength, np.nan)

    @property
    def estimator(self) -> str:
        """`mle`, or `map` under a declared prior."""
        return "mle" if self.prior_sd is None else "map"

    @property
    def has_order_effect(self) -> bool:
        return not np.isnan(self.order_effect)

    @property
    def parameters(self) -> Floats:
        """Strengths (0 where alone) and, where fitted, the order effect."""
        strength = np.nan_to_num(self.strength)
        return np.append(strength, self.order_effect) if self.has_order_effect else strength

    @property
    def same_group(self) -> Bools:
        """Whether the difference of two models is finite, shape (n, n)."""
        same: Bools = self.group[:, None] == self.group[None, :]
        return same

    @property
    def win_probability(self) -> Floats:
        """Chance that i beats j with seating taken out, shape (n, n); NaN between groups."""
        gap = self.strength[:, None] - self.strength[None, :]
        return np.where(self.same_group, expit(gap), np.nan)


def fit_bradley_terry(
    counts: PairCounts, *, order_effect: bool = False, prior_sd: float | None = None
) -> BradleyTerryFit:
    """Maximum likelihood strengths by Newton's method, or the posterior mode under a prior.

    order_effect: also fits b, added to the logit of the model shown first (+b) and taken from
    the one shown second; battles without a seat have no b.
    prior_sd: standard deviation, in logits, of a declared Gaussian prior on each strength about
    its component's mean: the penalty is sum((theta - mean)^2) / (2 prior_sd^2).
    A fit that did not converge says so (`converged`).
    Tables of models by models are dense: on one core 3,000 models and 500,000 battles take 8 s and
    1.0 GB, counts included; time grows with the cube, memory with the square of the models (some
    4,000 in 2 GB).
    Raises ValueError where there is no battle, or prior_sd is not positive.
    Source: Bradley and Terry 1952; order effect: Davidson and Beaver 1977.
    """
    if not counts.wins.any():
        raise ValueError("there is no battle between any two models: nothing to fit")
    if prior_sd is not None and not (prior_sd > 0 and np.isfinite(prior_sd)):
        raise ValueError(f"prior_sd must be a positive number of logits, got {prior_sd}")
    connected = connectivity(counts)
    group = connected.strong if prior_sd is None else connected.component
    identified = order_effect and order_effect_is_identified(
        counts, group, prior=prior_sd is not None
    )
    likelihood = Likelihood(counts.wins, group, order_effect=identified, prior_sd=prior_sd)
    with one_blas_thread():
        optimum = maximise(likelihood, np.zeros(likelihood.n_parameters))
    n = len(counts.models)
    alone = np.bincount(group)[group] == 1
    strength = centred(optimum.point[:n], group)
    return BradleyTerryFit(
        models=counts.models,
        strength=np.where(alone, np.nan, strength),
        group=group,
        connectivity=connected,
        order_effect=float(optimum.point[n]) if identified else np.nan,
        order_effect_reason=NO_ORDER_EFFECT if order_effect and not identified else None,
        prior_sd=prior_sd,
        tie_rule="half_win",
        log_likelihood=likelihood.of_data(optimum.point),
        information=optimum.information,
        converged=optimum.converged,
        iterations=optimum.iterations,
        gradient_max=optimum.gradient_max,
    )


class Likelihood:
    """The log-likelihood of strengths, with its slope and curvature.

    wins: as in `PairCounts`, shape (3, n, n); battles between groups are left out, because they
    are certain in the limit. Parameters: n strengths, then b if there is an order effect.
    """

    def __init__(
        self, wins: Floats, group: Ints, *, order_effect: bool, prior_sd: float | None
    ) -> None:
        same = group[:, None] == group[None, :]
        within = wins * same
        self.n = len(group)
        self.order_effect = order_effect
        # Without an order effect the seats are one table, and cost one pass instead of three.
        self.tables = (
            [(seat, table) for seat, table in zip(SEATS, within, strict=True) if table.any()]
            if order_effect
            else [(0, within.sum(axis=0))]
        )
        self.gauge = same.astype(np.float64)
        self.prior = prior_precision(group, prior_sd)

    @property
    def n_parameters(self) -> int:
        return self.n + self.order_effect

    def of_data(self, parameters: Floats) -> float:
        """The log-likelihood without the prior."""
        terms = (t * log_expit(self._logits(parameters, seat)) for seat, t in self.tables)
        return float(sum(term.sum() for term in terms))

    def __call__(self, parameters: Floats) -> tuple[float, Floats, Floats]:
        """Value, slope, and minus the second derivatives with the gauge."""
        n, value = self.n, self.of_data(parameters)
        gradient, information = np.zeros(len(parameters)), np.zeros((len(parameters),) * 2)
        for seat, table in self.tables:
            miss = expit(-self._logits(parameters, seat))
            slope, curve = table * miss, table * miss * (1.0 - miss)
            both = curve + curve.T
            gradient[:n] += slope.sum(axis=1) - slope.sum(axis=0)
            information[:n, :n] += np.diag(both.sum(axis=1)) - both
            if seat:
                cross = seat * (curve.sum(axis=1) - curve.sum(axis=0))
                gradient[n] += seat * slope.sum()
                information[:n, n] += cross
                information[n, :n] += cross
                information[n, n] += curve.sum()
        pull = self.prior @ parameters[:n]
        gradient[:n] -= pull
        information[:n, :n] += self.gauge + self.prior
        return value - float(parameters[:n] @ pull) / 2, gradient, information

    def _logits(self, parameters: Floats, seat: int) -> Floats:
        theta = parameters[: self.n]
        logits: Floats = theta[:, None] - theta[None, :]
        return logits + seat * parameters[self.n] if self.order_effect else logits


def prior_precision(group: Ints, prior_sd: float | None) -> Floats:
    """What a prior adds to minus the second derivatives, shape (n, n); zeros without one."""
    if prior_sd is None:
        return np.zeros((len(group), len(group)))
    same = (group[:, None] == group[None, :]).astype(np.float64)
    precision: Floats = (np.eye(len(group)) - same / same.sum(axis=1)) / prior_sd**2
    return precision


def centred(strength: Floats, group: Ints) -> Floats:
    """Strengths minus the mean of their group."""
    mean = np.bincount(group, weights=strength) / np.bincount(group)
    shifted: Floats = strength - mean[group]
    return shifted
