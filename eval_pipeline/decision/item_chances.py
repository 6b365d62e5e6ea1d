"""The chances of single draws behind a score: how items spread about a true mean, in logits."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Kind = Literal["any of k", "all of k", "win rate"]

_NODES = np.linspace(-8.5, 8.5, 1025)  # equal steps: exact to rounding for smooth functions
_WEIGHTS = np.exp(-(_NODES**2) / 2)
_HALVINGS = 60
_MOST_LOGITS = 100.0
_MOST_SD = 20.0  # beyond, items are all or nothing


def spread_in_logits(share: float, variance: float) -> float:
    """The sd of logits at which items' chances have that variance about their mean `share`.

    Raises ValueError for a variance that chances of such a mean cannot have.
    """
    if not 0 < share < 1 or not 0 <= variance < share * (1 - share):
        raise ValueError(f"chances of mean {share:.4g} cannot have a variance of {variance:.4g}")

    def excess(sd: float) -> float:
        p = chance(centre_of(share, sd, "any of k", 1) + sd * _NODES)
        return float(_mean((p - share) ** 2)) - variance

    if excess(_MOST_SD) < 0:
        raise ValueError(f"items are all or nothing: variance {variance:.4g} about {share:.4g}")
    return _root(excess, 0.0, _MOST_SD)


def chance_variance(share: float, variance: float, draws: int) -> float:
    """What of the variance of items' scores, each a mean of `draws`, lies in their chances.

    Var(score) = Var(p) + E[p (1 - p)] / draws, solved for Var(p); 0 where the draws alone explain
    it. Raises ValueError for a single draw, which tells nothing of it.
    """
    if draws < 2:
        raise ValueError("two draws of an item or more are needed to tell noise from chances")
    noise = share * (1 - share) / draws
    return max((variance - noise) / (1 - 1 / draws), 0.0)


def true_score(share: float, sd: float, kind: Kind, k: int) -> float:
    """The mean score of items whose draws are right with the mean chance `share`, sd in logits."""
    centre = centre_of(share, sd, "any of k", 1)
    return float(_mean(_score(centre + sd * _NODES, kind, k)))


def centre_of(share: float, sd: float, kind: Kind, k: int) -> float:
    """The logit about which items lie whose true scores have the mean `share`."""
    return _root(
        lambda centre: float(_mean(_score(centre + sd * _NODES, kind, k))) - share,
        -_MOST_LOGITS,
        _MOST_LOGITS,
    )


def _score(logits: Floats, kind: Kind, k: int) -> Floats:
    """The true score of items: the chance that any, or all, of k draws are right."""
    p = chance(logits)
    return p**k if kind == "all of k" else 1 - (1 - p) ** k


def chance(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)


def _mean(values: Floats) -> Floats:
    """Over a standard normal, by quadrature."""
    return np.asarray(_WEIGHTS @ values / _WEIGHTS.sum())


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0, by halving."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
