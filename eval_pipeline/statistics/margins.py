"""Tests against a margin: superiority, non-inferiority, equivalence."""

from dataclasses import dataclass

from scipy.special import ndtr


@dataclass(frozen=True)
class MarginTests:
    """One-sided p-values of each claim about a difference."""

    superiority: float
    non_inferiority: float
    equivalence: float


def margin_tests(difference: float, standard_error: float, margin: float) -> MarginTests:
    """Normal one-sided p-values: difference > 0; > -margin; within +/- margin (the larger of two).

    A claim at one-sided alpha is the same as an interval of confidence 1 - 2 alpha beyond the bar.
    Source: Schuirmann 1987, J. Pharmacokinet. Biopharm. 15:657.
    """
    if not standard_error > 0 or margin < 0:
        raise ValueError(
            f"a positive standard error and a margin of 0 or more are needed: "
            f"{standard_error}, {margin}"
        )
    above_low = float(ndtr(-(difference + margin) / standard_error))
    below_high = float(ndtr((difference - margin) / standard_error))
    return MarginTests(
        float(ndtr(-difference / standard_error)), above_low, max(above_low, below_high)
    )
