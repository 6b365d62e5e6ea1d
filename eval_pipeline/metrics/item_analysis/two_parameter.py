"""Difficulty and discrimination of items from who answered what, by the two-parameter model.

Marginal maximum likelihood: abilities are standard normal and integrated out on a grid, so the
number of parameters does not grow with the respondents, as it does in joint estimation, whose
estimates are inconsistent. The scale is fixed by that normal; the sign by a positive mean slope.
Source: Bock and Aitkin 1981, Psychometrika 46:443.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit, logsumexp

from eval_pipeline.metrics.inputs import Bools, Floats
from eval_pipeline.metrics.matrices import matrix
from eval_pipeline.statistics.threads import one_blas_thread

LEAST_RESPONDENTS = 50  # below this slopes run away; see classical_items
STEEPEST = 8.0  # slopes beyond mean that no finite one fits best
FLATTEST = 1e-6  # below this a slope is 0, and difficulty is anywhere
TOLERANCE = 1e-5  # of slopes and intercepts
MOST_STEPS = 2000

_NODES = np.linspace(-6.0, 6.0, 61)
_PRIOR = -(_NODES**2) / 2 - logsumexp(-(_NODES**2) / 2)
_NEWTON_STEPS = 3
_LONGEST = 1.0  # a Newton step further than this overshoots

Reasons = tuple[str | None, ...]


@dataclass(frozen=True)
class TwoParameterFit:
    """Of each item, shape (items,): chance right = 1 / (1 + exp(-a (ability - b))).

    Standard errors are from the observed information (cross products of the respondents' scores);
    NaN where there are fewer respondents than parameters. ability, ability_sd: posterior mean and
    deviation of each respondent, shape (respondents,). An item without a finite estimate is NaN
    and has a reason; `converged` is False where the steps ran out, and then nothing is to be used.
    """

    discrimination: Floats
    difficulty: Floats
    discrimination_se: Floats
    difficulty_se: Floats
    ability: Floats
    ability_sd: Floats
    log_likelihood: float
    steps: int
    converged: bool
    reasons: Reasons


def fit_two_parameter(answers: ArrayLike) -> TwoParameterFit:
    """Marginal maximum-likelihood fit of a (discrimination) and b (difficulty) of each item.

    answers: 0 or 1, shape (items, respondents); NaN where a respondent was not asked or nothing
    came back, whatever the answer would have been. Items that all or none got right are left out
    of the fit; there must be three others or more, for two say nothing about their slopes apart.
    Raises ValueError that names the first answer that is not 0 or 1, for fewer than 50
    respondents, and for fewer than three items with both right and wrong answers.
    """
    u = matrix(answers, "answers", 0.0, 1.0, undefined=True)
    asked = ~np.isnan(u)
    if (bad := np.argwhere(asked & (u != 0) & (u != 1))).size:
        i, j = bad[0]
        raise ValueError(f"answers[{i}, {j}] is {u[i, j]:g}, but must be 0 or 1")
    if u.shape[1] < LEAST_RESPONDENTS:
        raise ValueError(
            f"{u.shape[1]} respondents are too few for a two-parameter fit: it needs "
            f"{LEAST_RESPONDENTS}; facility and discrimination need no fit"
        )
    u = np.where(asked, u, 0.0)
    n_right, n_asked = u.sum(axis=1), asked.sum(axis=1)
    mixed: Bools = (n_right > 0) & (n_right < n_asked)
    if mixed.sum() < 3:
        raise ValueError(
            f"{int(mixed.sum())} of {len(u)} items have both right and wrong answers: three are "
            "needed"
        )
    with one_blas_thread():
        return _fit(u, asked.astype(np.float64), mixed)


def _fit(u: Floats, every_asked: Floats, mixed: Bools) -> TwoParameterFit:
    right, asked = u[mixed], every_asked[mixed]
    share = right.sum(axis=1) / asked.sum(axis=1)
    slope, intercept = np.ones(len(right)), np.log(share / (1 - share))
    steps, converged = 0, False
    while steps < MOST_STEPS and not converged:
        posterior, _ = _posterior(right, asked, slope, intercept)
        new_slope, new_intercept = _item_steps(right, asked, posterior, slope, intercept)
        moved = max(np.abs(new_slope - slope).max(), np.abs(new_intercept - intercept).max())
        slope, intercept, steps = new_slope, new_intercept, steps + 1
        converged = bool(moved < TOLERANCE)
    if slope.mean() < 0:
        slope = -slope
    posterior, likelihood = _posterior(right, asked, slope, intercept)
    ability = posterior @ _NODES
    spread = np.sqrt(np.maximum(posterior @ _NODES**2 - ability**2, 0.0))
    runaway, flat = np.abs(slope) >= STEEPEST, np.abs(slope) < FLATTEST
    fitted = ~runaway & ~flat
    slope_se, place_se = _standard_errors(right, asked, posterior, slope, intercept, fitted)
    place = -intercept / np.where(flat, np.nan, slope)
    reasons = [_left_out(m, n) for m, n in zip(mixed, every_asked.sum(axis=1), strict=True)]
    for i in np.flatnonzero(mixed)[runaway]:
        reasons[i] = f"its slope has no finite best value (beyond {STEEPEST:g})"
    for i in np.flatnonzero(mixed)[flat]:
        reasons[i] = "its slope is 0, so it has no difficulty"
    kept = mixed.copy()
    kept[mixed] = fitted

    def column(values: Floats) -> Floats:
        every = np.full(len(u), np.nan)
        every[kept] = values[fitted]
        return every

    return TwoParameterFit(
        column(slope),
        column(place),
        column(slope_se),
        column(place_se),
        ability,
        spread,
        likelihood,
        steps,
        converged,
        tuple(reasons),
    )


def _left_out(mixed: bool, n_asked: float) -> str | None:
    if mixed:
        return None
    return "all respondents answered it the same" if n_asked else "no respondent answered it"


def _posterior(
    right: Floats, asked: Floats, slope: Floats, intercept: Floats
) -> tuple[Floats, float]:
    """Weight of each grid point for each respondent, shape (respondents, nodes); log likelihood."""
    logit = slope[:, None] * _NODES + intercept[:, None]
    joint = right.T @ logit + asked.T @ log_expit(-logit) + _PRIOR
    marginal = logsumexp(joint, axis=1, keepdims=True)
    return np.exp(joint - marginal), float(marginal.sum())


def _item_steps(
    right: Floats, asked: Floats, posterior: Floats, slope: Floats, intercept: Floats
) -> tuple[Floats, Floats]:
    """Newton steps of each item's logistic regression on the grid, all items at once."""
    at_node = asked @ posterior
    right_at_node = right @ posterior
    a, d = slope.copy(), intercept.copy()
    for _ in range(_NEWTON_STEPS):
        p = expit(a[:, None] * _NODES + d[:, None])
        residual = right_at_node - at_node * p
        weight = at_node * p * (1 - p)
        ga, gd = residual @ _NODES, residual.sum(axis=1)
        haa, had, hdd = weight @ _NODES**2, weight @ _NODES, weight.sum(axis=1)
        det = haa * hdd - had**2
        step_a, step_d = (hdd * ga - had * gd) / det, (haa * gd - had * ga) / det
        shrink = np.minimum(1.0, _LONGEST / np.maximum(np.abs(step_a), np.abs(step_d)).clip(1e-300))
        a = np.clip(a + shrink * step_a, -STEEPEST, STEEPEST)
        d += shrink * step_d
    return a, d


def _standard_errors(
    right: Floats,
    asked: Floats,
    posterior: Floats,
    slope: Floats,
    intercept: Floats,
    kept: Bools,
) -> tuple[Floats, Floats]:
    """Of slopes and of difficulties, shape (items,); NaN where the information is not invertible.

    Difficulty is -d / a, so its error is by the delta method.
    """
    items, n = len(right), right.shape[1]
    nan = np.full(items, np.nan)
    p = expit(slope[kept, None] * _NODES + intercept[kept, None])
    was_asked = asked[kept].T
    score_d = right[kept].T - was_asked * (posterior @ p.T)
    score_a = right[kept].T * (posterior @ _NODES)[:, None]
    score_a -= was_asked * (posterior @ (p * _NODES).T)
    scores = np.concatenate([score_a, score_d], axis=1)
    if n <= scores.shape[1] or not scores.shape[1]:
        return nan, nan.copy()
    information = scores.T @ scores
    if np.linalg.matrix_rank(information, hermitian=True) < len(information):
        return nan, nan.copy()
    covariance = np.linalg.inv(information)
    m = int(kept.sum())
    var_a, var_d = np.diag(covariance)[:m], np.diag(covariance)[m:]
    cov = np.diag(covariance[:m, m:])
    a, d = slope[kept], intercept[kept]
    slope_se, place_se = nan.copy(), nan.copy()
    slope_se[kept] = np.sqrt(var_a)
    place_se[kept] = np.sqrt(var_d / a**2 + d**2 * var_a / a**4 - 2 * d * cov / a**3)
    return slope_se, place_se
