"""Whether a logistic fit exists, or runs off because some direction explains every outcome."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Floats = NDArray[np.float64]

_FOUND = 1e-7


def is_separated(design: Floats, preference: Floats) -> bool:
    """Whether the maximum likelihood of a logistic model lies at infinity.

    design: shape (rows, columns), of full column rank; preference: shape (rows,), 0 to 1.
    A direction separates if it points up at every 1, down at every 0, and is level at every
    preference between them, without being level everywhere; a linear program looks for it.
    Source: Konis 2007, Linear programming algorithms for detecting separated data, section 4.
    """
    won, lost = preference == 1.0, preference == 0.0
    between = ~(won | lost)
    outcomes = np.vstack([design[won], -design[lost]])
    if not len(outcomes):
        return False
    level = np.unique(design[between], axis=0)
    program = linprog(
        -outcomes.sum(axis=0),
        A_ub=-outcomes,
        b_ub=np.zeros(len(outcomes)),
        A_eq=level if len(level) else None,
        b_eq=np.zeros(len(level)) if len(level) else None,
        bounds=(-1.0, 1.0),
        method="highs",
    )
    if program.fun is None:
        raise ValueError(f"the linear program for separation failed: {program.message}")
    return bool(-program.fun > _FOUND)
