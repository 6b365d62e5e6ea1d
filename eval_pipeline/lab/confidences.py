"""How sure the lab's checkpoints say they are, and what calibration metrics should find of it."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DECIMALS = 2  # of a stated confidence
LEAST = 0.01  # nobody states certainty


def stated_confidence(chance: Floats, boldness: float) -> Floats:
    """What a checkpoint says where it is right with that chance, shape (items,).

    boldness: added to the chance in logits; 0 states the chance itself.
    """
    odds = np.log(chance / (1.0 - chance)) + boldness
    return np.clip(np.round(1.0 / (1.0 + np.exp(-odds)), DECIMALS), LEAST, 1.0 - LEAST)


def expected_brier(chance: Floats, stated: Floats) -> float:
    """Mean over items of the squared distance of what is stated from what happens."""
    return float(np.mean(chance * (1.0 - stated) ** 2 + (1.0 - chance) * stated**2))


def expected_auroc(chance: Floats, stated: Floats) -> float:
    """Chance that a right answer was stated with more confidence than a wrong one, ties by half."""
    above = np.sign(stated[:, None] - stated[None, :]) / 2 + 0.5
    weight = np.outer(chance, 1.0 - chance)
    return float(np.sum(weight * above) / weight.sum())


def expected_ece(chance: Floats, stated: Floats, bins: int) -> float:
    """Share-weighted distance of what is stated from the chance, in bins of equal width."""
    place = np.minimum((stated * bins).astype(np.int64), bins - 1)
    apart = np.bincount(place, stated - chance, bins)
    return float(np.abs(apart).sum() / len(stated))
