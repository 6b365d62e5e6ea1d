"""The classical fixed point of Bradley-Terry: slow and obvious, the check on Newton's method."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def mm_step(wins: ArrayLike, strengths: ArrayLike) -> Floats:
    """One step: s_i becomes W_i / sum_j n_ij / (s_i + s_j), scaled to sum 1.

    wins: wins[i][j] is what i took from j, shape (n, n). strengths: positive, shape (n,).
    Raises ValueError where a strength is not positive or a model never met another.
    Source: Hunter 2004, The Annals of Statistics 32(1), equation 3.
    """
    won = np.asarray(wins, dtype=np.float64)
    s = np.asarray(strengths, dtype=np.float64)
    if not (s > 0).all():
        raise ValueError(f"strengths must be positive, got {s.tolist()}")
    met = won + won.T
    if not met.any(axis=1).all():
        raise ValueError(f"model {int(np.flatnonzero(~met.any(axis=1))[0])} never met another")
    new = won.sum(axis=1) / (met / (s[:, None] + s[None, :])).sum(axis=1)
    scaled: Floats = new / new.sum()
    return scaled
