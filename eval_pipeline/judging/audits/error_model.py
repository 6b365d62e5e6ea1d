"""What a judge with a seat bias in logits would do: P(A wins) = sigma(delta + b pos).

delta: how much better A is, logits; b: the seat bias, logits; pos: +1 where A is shown first, -1
where it is shown second.
"""

import math

from eval_pipeline.metrics.inputs import number


def win_probability(delta: float, b: float = 0.0, pos: int = 0) -> float:
    """P(A wins); pos 0 is the mean of both orders of the probabilities, not of the logits.

    Raises ValueError for what is no finite number, and another pos.
    """
    delta, b = number(delta, "delta"), number(b, "b")
    if isinstance(pos, bool) or pos not in (-1, 0, 1):
        raise ValueError(f"pos must be +1 (first), -1 (second) or 0 (both orders), got {pos}")
    if pos:
        return _sigma(delta + b * pos)
    return (_sigma(delta + b) + _sigma(delta - b)) / 2


def seat_bias(p_first: float) -> float:
    """The b of a judge who picks the first of two equal replies at this rate: its logit."""
    p_first = number(p_first, "p_first")
    if not 0 < p_first < 1:
        raise ValueError(f"p_first must lie inside 0..1, got {p_first}")
    return math.log(p_first / (1 - p_first))


def expected_flip_rate(delta: float, b: float = 0.0) -> float:
    """Chance that two independent votes, one an order, name different models.

    It is 1/2 for equal replies and no bias at all: flips mix noise with bias, and only the excess
    over repeats in the same order tells of bias.
    """
    first, second = win_probability(delta, b, 1), win_probability(delta, b, -1)
    return first * (1 - second) + second * (1 - first)


def _sigma(logit: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * logit))  # no overflow at large logits
