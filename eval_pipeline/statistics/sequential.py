"""What looking early and often does to error rates."""

import numpy as np

from eval_pipeline.statistics.intervals import normal_quantile

_BATCH = 10_000  # simulated experiments at a time; memory is _BATCH x looks numbers


def peeking_error_rate(
    looks: int, alpha: float, rng: np.random.Generator, simulations: int = 100_000
) -> float:
    """Chance that any of equally spaced looks at a true null is significant at level alpha.

    By simulation of the normal limit; 0.193 for ten looks at 0.05.
    Source: Armitage, McPherson and Rowe 1969, J. R. Stat. Soc. A 132:235.
    """
    if looks < 1 or simulations < 1:
        raise ValueError(f"at least one look and one simulation are needed: {looks}, {simulations}")
    bar = normal_quantile(1 - alpha)
    root = np.sqrt(np.arange(1, looks + 1))
    false = 0
    for start in range(0, simulations, _BATCH):
        steps = rng.standard_normal((min(_BATCH, simulations - start), looks))
        false += int(np.sum((np.abs(np.cumsum(steps, axis=1)) / root).max(axis=1) > bar))
    return false / simulations
