"""What k draws buy on each item.

The estimators average over every choice of k among the n recorded draws, so they are unbiased.
With n < k no unbiased estimate exists: the item is NaN, and the caller counts it.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import whole

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_DRAWS = 2**31  # of one item: a pair of counts below it fits one int64


def pass_at_k(n_draws: ArrayLike, n_correct: ArrayLike, k: int) -> Floats:
    """Chance that at least one of k draws is right: 1 - C(n - c, k) / C(n, k).

    n_draws, n_correct: whole numbers, shape (items,), 0 <= n_correct <= n_draws.
    Returns shape (items,), in [0, 1]; NaN where n_draws < k.
    Raises ValueError that names the first item with impossible counts.
    Source: Chen et al. 2021, arXiv:2107.03374, equation 1.
    """
    return _by_pair(n_draws, n_correct, k, lambda n, c: 1.0 - _all_within(n - c, n, k))


def pass_hat_k(n_draws: ArrayLike, n_correct: ArrayLike, k: int) -> Floats:
    """Chance that all k draws are right: C(c, k) / C(n, k); else as `pass_at_k`.

    Source: Yao et al. 2024, arXiv:2406.12045.
    """
    return _by_pair(n_draws, n_correct, k, lambda n, c: _all_within(c, n, k))


def pass_at_k_plugin(n_draws: ArrayLike, n_correct: ArrayLike, k: int) -> Floats:
    """1 - (1 - c/n)^k, biased low for k > 1: a diagnostic, never a headline; else as `pass_at_k`.

    Source: Chen et al. 2021, arXiv:2107.03374, appendix A, which shows the bias.
    """
    return _by_pair(
        n_draws,
        n_correct,
        k,
        lambda n, c: np.where(n >= k, 1.0 - (1.0 - c / np.maximum(n, 1)) ** k, np.nan),
    )


def pass_at_k_unbiased(n: int, c: int, k: int) -> float:
    """`pass_at_k` of one item with c of n draws right; raises ValueError where n < k."""
    _checked_k(k)
    if k > whole(n, "n", 0):
        raise ValueError(f"pass@{k} is undefined with n={n} draws: record at least {k} an item")
    return float(pass_at_k([whole(n, "n", 0)], [whole(c, "c", 0)], k)[0])


def all_right(chances: ArrayLike, k: int) -> float:
    """Mean over every choice of k draws of the product of their chances of being right.

    chances: shape (draws,), in [0, 1], draws taken as independent; NaN where there are fewer than
    k. With chances of 0 and 1 it is pass^k, and with 1 - chances it is 1 - pass@k; in between it
    is their expectation, as where a failed draw gets the credit of a guess.
    """
    p = np.asarray(chances, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise ValueError("chances must be a vector of numbers in [0, 1]")
    _checked_k(k)
    if len(p) < k:
        return float("nan")
    # mean[j] is the mean product over choices of j of the draws so far; it stays within [0, 1],
    # where the elementary symmetric polynomials themselves overflow.
    mean = np.zeros(k + 1)
    mean[0] = 1.0
    j = np.arange(1, k + 1)
    for t, chance in enumerate(p, start=1):
        share = np.minimum(j / t, 1.0)
        mean[1:] = (1.0 - share) * mean[1:] + share * chance * mean[:-1]
    return float(mean[k])


def _by_pair(
    n_draws: ArrayLike, n_correct: ArrayLike, k: int, rule: Callable[[Ints, Ints], Floats]
) -> Floats:
    """The rule at each distinct (n, c), handed back to the items.

    A benchmark has few distinct pairs: a million items with up to a hundred draws have 5,150.
    """
    n, c = _checked(n_draws, n_correct, k)
    if not n.size:
        return np.empty(0)
    width = int(c.max()) + 1
    pair = n * width + c
    if pair.max() < 4 * pair.size:  # a lookup table, where sorting would take most of the time
        seen = np.zeros(int(pair.max()) + 1, dtype=bool)
        seen[pair] = True
        distinct, place = np.flatnonzero(seen), (np.cumsum(seen) - 1)[pair]
    else:
        distinct, place = np.unique(pair, return_inverse=True)
    values = rule(distinct // width, distinct % width)
    return np.asarray(values[place])


def _all_within(subset: Ints, total: Ints, k: int) -> Floats:
    """C(subset, k) / C(total, k); NaN where total < k."""
    chance = np.where(total >= k, 1.0, np.nan)
    most = min(k, int(total.max(initial=0)))
    for i in range(most):  # a product of ratios: C(n, n // 2) overflows float64 from n = 1030
        chance *= np.maximum(subset - i, 0) / np.maximum(total - i, 1)
    return chance


def _checked(n_draws: ArrayLike, n_correct: ArrayLike, k: int) -> tuple[Ints, Ints]:
    _checked_k(k)
    _no_truth_values(n_draws, "n_draws")
    _no_truth_values(n_correct, "n_correct")
    n, c = np.asarray(n_draws), np.asarray(n_correct)
    if not n.size and not c.size:
        n, c = n.astype(np.int64), c.astype(np.int64)
    if n.ndim != 1 or n.shape != c.shape or {n.dtype.kind, c.dtype.kind} - {"i", "u"}:
        got = f"{n.dtype}{n.shape} and {c.dtype}{c.shape}"
        raise ValueError(f"n_draws and n_correct must be integer vectors of one length, got {got}")
    if n.size and n.max() >= MOST_DRAWS:
        raise ValueError(f"item {np.argmax(n)}: n_draws={n.max()} is more than can be recorded")
    if (bad := np.flatnonzero((c < 0) | (c > n))).size:
        i = bad[0]
        raise ValueError(f"item {i}: n_correct={c[i]} is outside 0..{n[i]} ({bad.size} such items)")
    return n.astype(np.int64), c.astype(np.int64)  # an unsigned n - c would wrap


def _no_truth_values(values: ArrayLike, name: str) -> None:
    """Among numbers of a list numpy would turn True into 1."""
    if isinstance(values, list | tuple):
        for i, value in enumerate(values):
            if isinstance(value, bool | np.bool_):
                raise ValueError(f"item {i}: {name} is {value}, must be a whole number")


def _checked_k(k: int) -> None:
    whole(k, "k", 1)
