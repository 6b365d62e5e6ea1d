"""What estimators of pass@k do when the chance p of a right draw is known.

For lessons, tests and the lab; `pass_at_k` is what tables hold.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from eval_pipeline.metrics.draws.formula_at_k import pass_at_k
from eval_pipeline.metrics.inputs import number, whole

Floats = NDArray[np.float64]

MOST_DRAWS = 100_000  # over whose counts an expectation is summed


def true_pass_at_k(p: float, k: int) -> float:
    """1 - (1 - p)^k, for 0 <= p <= 1 and k >= 1."""
    _check(p, k)
    # a small p is not lost against 1
    return -math.expm1(k * math.log1p(-p)) + 0.0 if p < 1 else 1.0  # + 0.0: no negative zero


def direct_variance(p: float, k: int) -> float:
    """Variance of running k draws once and asking whether any is right: q(1 - q), q = pass@k."""
    chance = true_pass_at_k(p, k)
    return chance * (1.0 - chance)


def plugin_pass_at_k(n: int, c: int, k: int) -> float:
    """1 - (1 - c/n)^k, which is biased low for k > 1: a diagnostic, never a headline."""
    if not whole(c, "c", 0) <= whole(n, "n", 1):
        raise ValueError(f"c={c} is outside 0..{n}")
    return true_pass_at_k(c / n, k)


def plugin_expectation(n: int, p: float, k: int) -> float:
    """Mean of the plug-in over c ~ Binomial(n, p)."""
    _check(p, k)
    _check_draws(n)
    values = 1.0 - (1.0 - np.arange(n + 1) / n) ** k
    return float(_binomial(n, p) @ values)


def unbiased_expectation(n: int, p: float, k: int) -> float:
    """Mean of the unbiased estimator over c ~ Binomial(n, p): the true pass@k, for n >= k."""
    values = _estimates(n, p, k)
    return float(_binomial(n, p) @ values)


def unbiased_variance(n: int, p: float, k: int) -> float:
    """Variance of the unbiased estimator over c ~ Binomial(n, p)."""
    values = _estimates(n, p, k)
    weights = _binomial(n, p)
    mean = weights @ values
    return float(weights @ (values - mean) ** 2)


def plugin_worst_k(n: int, p: float) -> int:
    """The k in 1..n at which the plug-in's bias is largest in size; the smaller one of equals."""
    _check_draws(n)
    biases = [abs(plugin_expectation(n, p, k) - true_pass_at_k(p, k)) for k in range(1, n + 1)]
    return int(np.argmax(biases)) + 1


def _estimates(n: int, p: float, k: int) -> Floats:
    _check(p, k)
    _check_draws(n)
    if n < k:
        raise ValueError(f"pass@{k} is undefined with n={n} draws")
    return pass_at_k(np.full(n + 1, n), np.arange(n + 1), k)


def _binomial(n: int, p: float) -> Floats:
    c = np.arange(n + 1)
    choices = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
    return np.asarray(np.exp(choices + xlogy(c, p) + xlog1py(n - c, -p)))


def _check(p: float, k: int) -> None:
    number(p, "p", 0.0, 1.0)
    whole(k, "k", 1)


def _check_draws(n: int) -> None:
    if whole(n, "n", 1) > MOST_DRAWS:
        raise ValueError(f"n={n} is too large: a sum over all counts goes up to {MOST_DRAWS}")
