"""Newton's method for a strictly concave function: one Cholesky factor a step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

Floats = NDArray[np.float64]
Objective = Callable[[Floats], tuple[float, Floats, Floats]]
"""From a point: the value, the gradient, and minus the matrix of second derivatives."""

STEP_TOLERANCE = 1e-10
"""A full step below this ends the search; steps shrink quadratically, so the error is far less."""
ITERATION_LIMIT = 100
SMALLEST_STEP = 2.0**-30
ROUNDING = 1e-12
"""Relative loss of value that is taken for rounding, not for a step too far."""


@dataclass(frozen=True)
class Optimum:
    """Where the search ended, and whether it may be believed."""

    point: Floats
    value: float
    gradient: Floats
    information: Floats
    iterations: int
    converged: bool

    @property
    def gradient_max(self) -> float:
        """Largest absolute slope at the end."""
        return float(np.abs(self.gradient).max(initial=0.0))


def maximise(objective: Objective, start: Floats) -> Optimum:
    """The maximum of a strictly concave function.

    A step that lowers the value is halved. Where the curvature vanishes or the steps do not
    shrink, the result says converged=False; there is no other sign, so look at it.
    """
    point = start
    value, gradient, information = objective(point)
    for iteration in range(1, ITERATION_LIMIT + 1):
        try:
            step = cho_solve(cho_factor(information), gradient)
        except LinAlgError:
            return Optimum(point, value, gradient, information, iteration, converged=False)
        scale = 1.0
        ahead = objective(point + step)
        while not ahead[0] >= value - ROUNDING * (1.0 + abs(value)):
            scale /= 2
            if scale < SMALLEST_STEP:
                return Optimum(point, value, gradient, information, iteration, converged=False)
            ahead = objective(point + scale * step)
        point = point + scale * step
        value, gradient, information = ahead
        if scale == 1.0 and np.abs(step).max(initial=0.0) <= STEP_TOLERANCE:
            return Optimum(point, value, gradient, information, iteration, converged=True)
    return Optimum(point, value, gradient, information, ITERATION_LIMIT, converged=False)
