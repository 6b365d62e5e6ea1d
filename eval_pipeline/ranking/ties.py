"""Ties as an outcome of their own: other estimands, for sensitivity beside half wins.

Half wins answer "what score to expect"; these two answer "who wins a vote that is decided", each
with its own account of how ties arise. Flips between orders are not ties and never belong here.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit, xlogy

from eval_pipeline.ranking.bradley_terry import fit_bradley_terry
from eval_pipeline.ranking.counts import counts_of_wins
from eval_pipeline.ranking.newton import Objective, Optimum, maximise
from eval_pipeline.statistics.given import scalar
from eval_pipeline.statistics.given import table as table_of
from eval_pipeline.statistics.threads import one_blas_thread

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TieFit:
    """Strengths beside a tie parameter.

    theta: logits, mean 0, shape (n,); NaN, like the rest, where the fit did not converge (ties
    only, or a model that never won or lost a decided vote).
    tie_parameter: Davidson's nu, or Rao and Kupper's eta (a threshold in logits); 0 without ties,
    where both models are that of Bradley and Terry.
    """

    theta: Floats
    tie_parameter: float
    log_likelihood: float
    rule: str
    converged: bool
    iterations: int


def davidson_probabilities(difference: float, nu: float) -> dict[str, float]:
    """Chances of `win`, `tie`, `loss`, and the `expected_score` (win + tie / 2).

    difference: theta_i - theta_j, logits. P(tie) = nu sqrt(p_i p_j) / (p_i + p_j + nu sqrt(...)).
    Raises ValueError for numbers that are not finite, and nu below 0.
    Source: Davidson 1970, JASA 65(329), equation 2.1.
    """
    scalar(difference, "difference")
    if scalar(nu, "nu") < 0:
        raise ValueError(f"nu must be at least 0, got {nu}")
    # over the larger of win and loss, so that neither overflows
    far = abs(difference) / 2
    ahead, behind, tied = 1.0, float(np.exp(-2 * far)), float(nu * np.exp(-far))
    win, loss = (ahead, behind) if difference >= 0 else (behind, ahead)
    total = win + loss + tied
    return {
        "win": win / total,
        "tie": tied / total,
        "loss": loss / total,
        "expected_score": (win + tied / 2) / total,
    }


def fit_davidson(wins: ArrayLike, ties: ArrayLike) -> TieFit:
    """Maximum likelihood of Davidson's model; `wins` and `ties` as in `counts_of_wins`."""
    won, drawn = _checked(wins, ties)
    if not drawn.any():
        return _without_ties(won, "davidson")
    n = len(won)
    met = won + won.T + drawn

    def objective(parameters: Floats) -> tuple[float, Floats, Floats]:
        theta, log_nu = parameters[:n], parameters[n]
        half = (theta[:, None] - theta[None, :]) / 2
        top = np.maximum(np.abs(half), log_nu)
        log_total = top + np.log(np.exp(half - top) + np.exp(-half - top) + np.exp(log_nu - top))
        win, tie = np.exp(half - log_total), np.exp(log_nu - log_total)
        lead = (win - win.T) / 2  # expected half of (won minus lost)
        value = (won * (half - log_total)).sum() + np.triu(drawn * (log_nu - log_total)).sum()
        slope = ((won - won.T) / 2 - met * lead).sum(axis=1)
        slope_nu = np.triu(drawn - met * tie).sum()
        curve = met * ((win + win.T) / 4 - lead**2)
        cross = -(met * lead * tie).sum(axis=1)
        return (
            float(value),
            np.append(slope, slope_nu),
            _information(curve, cross, float(np.triu(met * tie * (1 - tie)).sum())),
        )

    optimum = _maximised(objective, np.append(np.zeros(n), 0.0))
    return _tie_fit(optimum, n, "davidson", float(np.exp(optimum.point[n])))


def fit_rao_kupper(wins: ArrayLike, ties: ArrayLike) -> TieFit:
    """Maximum likelihood of P(i wins) = sigma(theta_i - theta_j - eta), eta above 0.

    `wins` and `ties` as in `counts_of_wins`.
    Source: Rao and Kupper 1967, JASA 62(317), equation 2.1.
    """
    won, drawn = _checked(wins, ties)
    if not drawn.any():
        return _without_ties(won, "rao_kupper")
    n = len(won)
    # A tie is short of a win from both sides: log P(tie) = log sigma(d + eta)
    # + log sigma(-d + eta) + log(1 - exp(-2 eta)).
    n_ties = float(np.triu(drawn).sum())

    def objective(parameters: Floats) -> tuple[float, Floats, Floats]:
        theta, eta = parameters[:n], parameters[n]
        if eta <= 0:
            return -np.inf, np.zeros(n + 1), np.eye(n + 1)
        d = theta[:, None] - theta[None, :]
        value = (won * log_expit(d - eta)).sum() + (drawn * log_expit(d + eta)).sum()
        value += float(xlogy(n_ties, -np.expm1(-2 * eta)))
        miss, late = expit(eta - d), expit(-d - eta)
        pull, push = won * miss, drawn * late
        slope = (pull + push).sum(axis=1) - (pull + push).sum(axis=0)
        slope_eta = push.sum() - pull.sum() + n_ties * 2 / np.expm1(2 * eta)
        curve_win, curve_tie = pull * (1 - miss), push * (1 - late)
        curve, tilt = curve_win + curve_tie, curve_tie - curve_win
        cross = tilt.sum(axis=1) - tilt.sum(axis=0)
        own = curve.sum() + n_ties / np.sinh(eta) ** 2
        return (
            float(value),
            np.append(slope, slope_eta),
            _information(curve + curve.T, cross, float(own)),
        )

    optimum = _maximised(objective, np.append(np.zeros(n), 1.0))
    return _tie_fit(optimum, n, "rao_kupper", float(optimum.point[n]))


def _checked(wins: ArrayLike, ties: ArrayLike) -> tuple[Floats, Floats]:
    """Wins, and ties made symmetric."""
    won, drawn = table_of(wins, "wins"), table_of(ties, "ties")
    if won.ndim != 2 or won.shape[0] != won.shape[1] or drawn.shape != won.shape:
        raise ValueError(f"wins and ties must be square and alike: {won.shape}, {drawn.shape}")
    for name, table in (("wins", won), ("ties", drawn)):
        if not (np.isfinite(table) & (table >= 0)).all() or np.diag(table).any():
            raise ValueError(f"{name} must be counts, not negative, with nothing on the diagonal")
    return won, drawn + drawn.T


def _without_ties(won: Floats, rule: str) -> TieFit:
    """The likelihood is highest at the end of its range, where no vote is tied."""
    n = len(won)
    if not won.any():
        nothing = np.full(n, np.nan)
        return TieFit(nothing, np.nan, np.nan, rule, converged=False, iterations=0)
    fit = fit_bradley_terry(counts_of_wins([str(i) for i in range(n)], won))
    finite = fit.converged and fit.connectivity.n_strong == 1
    known = 1.0 if finite else np.nan
    return TieFit(
        theta=fit.theta * known,
        tie_parameter=0.0 * known,
        log_likelihood=fit.log_likelihood * known,
        rule=rule,
        converged=finite,
        iterations=fit.iterations,
    )


def _information(curve: Floats, cross: Floats, own: float) -> Floats:
    n = len(curve)
    information = np.empty((n + 1, n + 1))
    information[:n, :n] = np.diag(curve.sum(axis=1)) - curve + 1.0  # 1.0 fixes the mean
    information[:n, n] = information[n, :n] = cross
    information[n, n] = own
    return information


def _maximised(objective: Objective, start: Floats) -> Optimum:
    with one_blas_thread():
        return maximise(objective, start)


def _tie_fit(optimum: Optimum, n: int, rule: str, tie_parameter: float) -> TieFit:
    known = np.nan if not optimum.converged else 1.0
    theta = optimum.point[:n] - optimum.point[:n].mean()
    return TieFit(
        theta=theta * known,
        tie_parameter=tie_parameter * known,
        log_likelihood=optimum.value * known,
        rule=rule,
        converged=optimum.converged,
        iterations=optimum.iterations,
    )
