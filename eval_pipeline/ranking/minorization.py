"""The classical fixed point of Bradley-Terry: slow and obvious, the check on Newton's method."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.statistics.given import table, vector

Floats = NDArray[np.float64]


def mm_step(wins: ArrayLike, strengths: ArrayLike) -> Floats:
    """One step: s_i becomes W_i / sum_j n_ij / (s_i + s_j), scaled to sum 1.

    wins: wins[i][j] is what i took from j, shape (n, n). strengths: positive, shape (n,).
    Raises ValueError where a strength is not positive or a model never met another.
    Source: Hunter 2004, The Annals of Statistics 32(1), equation 3.
    """
    won, s = table(wins, "wins"), vector(strengths, "strengths")
    if won.shape != (len(s), len(s)):
        raise ValueError(f"{len(s)} strengths need as many rows and columns of wins: {won.shape}")
    if not ((s > 0) & np.isfinite(s)).all():
        raise ValueError(f"strengths must be positive, got {s.tolist()}")
    met = won + won.T
    if not met.any(axis=1).all():
        raise ValueError(f"model {int(np.flatnonzero(~met.any(axis=1))[0])} never met another")
    new = won.sum(axis=1) / (met / (s[:, None] + s[None, :])).sum(axis=1)
    scaled: Floats = new / new.sum()
    return scaled
