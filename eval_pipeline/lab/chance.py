"""Draws from lists, and rates that are planted."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def pick(choices: Sequence[T], rng: np.random.Generator) -> T:
    """One of the choices, each as likely as the others."""
    return choices[int(rng.integers(len(choices)))]


def weighted(chances: Mapping[str, float], otherwise: str, rng: np.random.Generator) -> str:
    """One of the names, each with its chance; `otherwise` takes what is left of 1.

    Raises ValueError where the chances add up to more than 1.
    """
    left = 1.0 - sum(chances.values())
    if left < 0.0 or min(chances.values(), default=0.0) < 0.0:
        raise ValueError(f"chances must be positive and add up to at most 1, got {dict(chances)}")
    drawn = rng.random()
    for name, chance in chances.items():
        if drawn < chance:
            return name
        drawn -= chance
    return otherwise


def logistic(x: float) -> float:
    """sigma(x) = 1 / (1 + exp(-x))."""
    return float(0.5 * (1.0 + np.tanh(0.5 * x)))
