"""The chance of a right answer as a curve over ability, under the logistic item models.

Source: Lord 1980, Applications of Item Response Theory to Practical Testing Problems, chapter 2;
the logistic form without the constant 1.7.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from eval_pipeline.metrics.inputs import Floats, number, numbers


def item_curve(ability: ArrayLike, a: float, b: float, c: float = 0.0) -> Floats:
    """c + (1 - c) / (1 + exp(-a (ability - b))), shape (abilities,).

    a: discrimination, not 0; b: difficulty, on the scale of ability; c: chance of a right guess,
    in [0, 1), 0 in the two-parameter model. At ability b the chance is (1 + c) / 2, which is one
    half only without guessing. Raises ValueError that names the number outside its range.
    """
    theta = numbers(ability, "ability")
    slope, place, guess = _checked(a, b, c)
    return np.asarray(guess + (1 - guess) * expit(slope * (theta - place)))


def slope_at_difficulty(a: float, c: float = 0.0) -> float:
    """The curve's slope where ability equals difficulty: a (1 - c) / 4, not a."""
    slope, _, guess = _checked(a, 0.0, c)
    return slope * (1 - guess) / 4


def _checked(a: float, b: float, c: float) -> tuple[float, float, float]:
    number(a, "a")
    if a == 0:
        raise ValueError("a must not be 0: such an item does not depend on ability")
    number(c, "c", least=0.0, most=float(np.nextafter(1.0, 0.0)))
    return float(a), number(b, "b"), float(c)
