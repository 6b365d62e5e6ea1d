"""How many items it takes, and what a number of items can show.

All counts are real numbers; round up to plan. A half-width equal to the effect gives a power of
one half only, so the functions with `power` are the ones to plan by.
"""

import math

from scipy.special import expit, ndtri

from eval_pipeline.statistics.given import scalar
from eval_pipeline.statistics.intervals import normal_quantile


def items_for_half_width(
    half_width: float, share: float = 0.5, confidence: float = 0.95, z: float | None = None
) -> float:
    """Items at which one share's Wald interval is +/- half_width: z^2 p(1 - p) / half_width^2."""
    _positive(half_width=half_width)
    quantile = normal_quantile(confidence) if z is None else z
    _positive(z=quantile)
    ratio = quantile / half_width
    return _number_of_items(_share(share) * (1 - share) * ratio * ratio)


def win_probability(elo_gap: float) -> float:
    """Chance that the stronger wins, Elo scale: 1 / (1 + 10^(-gap / 400))."""
    return float(expit(scalar(elo_gap, "elo_gap") * math.log(10.0) / 400.0))


def items_for_share(
    share: float, null: float = 0.5, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Items at which a two-sided test of one share against `null` has that power.

    Source: Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions.
    """
    effect = _share(share) - _share(null)
    _positive(effect=abs(effect))
    at_null = math.sqrt(null * (1 - null))
    at_share = math.sqrt(share * (1 - share))
    za, zb = _quantiles(alpha, power)
    ratio = (za * at_null + zb * at_share) / effect
    return _number_of_items(ratio * ratio)


def detectable_share(n: int, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest distance from 1/2 at which so many scores in 0..1 show a share.

    (z_a + z_b) / (2 sqrt(n)): at the widest spread that scores in 0..1 can have. Above 1/2, no
    share is shown.
    """
    _positive(n=n)
    return sum(_quantiles(alpha, power)) / (2 * math.sqrt(n))


def items_per_arm(
    difference: float, share: float, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Items each of two independent models needs: 2 p(1 - p) ((z_a + z_b) / d)^2.

    Source: Fleiss, Levin and Paik 2003, with one variance for both.
    """
    _positive(difference=abs(scalar(difference, "difference")))
    ratio = sum(_quantiles(alpha, power)) / difference
    return _number_of_items(2 * _share(share) * (1 - share) * ratio * ratio)


def items_per_arm_for_half_width(
    half_width: float, share: float, confidence: float = 0.95
) -> float:
    """Items each of two independent models needs for a difference known to +/- half_width."""
    return 2 * items_for_half_width(half_width, share, confidence)


def paired_items(
    difference: float, discordant: float, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Shared items at which a paired test of 0/1 scores has that power, psi discordant.

    ((z_a sqrt(psi) + z_b sqrt(psi - d^2)) / d)^2. Source: Connor 1987, Biometrics 43:207.
    """
    _positive(difference=abs(scalar(difference, "difference")))
    if not abs(difference) <= scalar(discordant, "discordant") <= 1:
        raise ValueError(f"the discordant share must lie between {difference} and 1: {discordant}")
    za, zb = _quantiles(alpha, power)
    spread = math.sqrt(discordant - difference**2)
    ratio = (za * math.sqrt(discordant) + zb * spread) / difference
    return _number_of_items(ratio * ratio)


def items_to_detect(
    difference: float,
    standard_error: float,
    n_items: int,
    *,
    confidence: float = 0.95,
    power: float = 0.8,
) -> float:
    """Items that would show a difference, from a pilot's clustered standard error.

    n ((z_a + z_b) se / d)^2: the variance an item, clusters included, is taken from the pilot's
    `standard_error` on `n_items`, and is assumed to stay. NaN where the difference is 0, infinite
    where it is so small that no number of items is one.
    Source: Miller 2024, arXiv:2411.00640.
    """
    _positive(standard_error=standard_error, n_items=n_items)
    if difference == 0:
        return math.nan
    ratio = sum(_quantiles(1 - confidence, power)) * standard_error / difference
    return n_items * ratio * ratio  # a product overflows to infinity, a power raises


def detectable_difference(
    standard_error: float,
    n_items: int,
    n_planned: int,
    *,
    confidence: float = 0.95,
    power: float = 0.8,
) -> float:
    """The smallest difference that `n_planned` items would show; inverse of `items_to_detect`."""
    _positive(standard_error=standard_error, n_items=n_items, n_planned=n_planned)
    scaled = standard_error * math.sqrt(n_items / n_planned)
    return sum(_quantiles(1 - confidence, power)) * scaled


def _number_of_items(found: float) -> float:
    """It, unless no finite number of items is enough: a product overflows where a power raises."""
    if math.isinf(found):
        raise ValueError("no finite number of items shows a difference so small")
    return found


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    if not 0 < scalar(alpha, "alpha") < 1 or not 0 < scalar(power, "power") < 1:
        raise ValueError(f"alpha and power must lie between 0 and 1, got {alpha} and {power}")
    return float(ndtri(1 - alpha / 2)), float(ndtri(power))


def _share(share: float) -> float:
    if not 0 <= scalar(share, "share") <= 1:
        raise ValueError(f"a share must lie between 0 and 1, got {share}")
    return share


def _positive(**named: float) -> None:
    for name, value in named.items():
        if not scalar(value, name) > 0:
            raise ValueError(f"{name} must be a finite number above 0, got {value}")
