"""What an audit found, and how it lies to the contract's bar.

A bias is small only where its whole interval lies inside +/- the bar: an estimate that is merely
not significant shows nothing. Human ratio has a floor in place of a bar around zero.
"""

import math
from dataclasses import dataclass
from typing import Literal

from eval_pipeline.statistics.clustered import Estimate

Outcome = Literal["within", "outside", "undecided", "not_audited", "descriptive"]


@dataclass(frozen=True)
class Finding:
    """One audit of one judge on one slice."""

    audit: str
    estimate: Estimate
    n_votes: int  # votes, or labels, used
    p_value: float = math.nan
    could_run: bool = True  # False where nothing was asked that it could rest on


def bias_outcome(estimate: Estimate, bar: float) -> Outcome:
    """within if the interval lies inside +/- bar, outside if wholly beyond it, else undecided."""
    if not estimate.has_interval:
        return "undecided"
    if -bar <= estimate.low and estimate.high <= bar:
        return "within"
    return "outside" if estimate.low > bar or estimate.high < -bar else "undecided"


def floor_outcome(estimate: Estimate, floor: float) -> Outcome:
    """within if the interval reaches no lower than the floor, outside if wholly below it."""
    if not estimate.has_interval:
        return "undecided"
    if estimate.low >= floor:
        return "within"
    return "outside" if estimate.high < floor else "undecided"


def count_outcome(share: float, bar: float) -> Outcome:
    """within if a share that was counted, not estimated, is no more than the bar."""
    if math.isnan(share):
        return "undecided"
    return "within" if share <= bar else "outside"


ROUNDING = 1e-9  # relative; some roundings of floating point are far below it


def units_to_decide_bias(estimate: Estimate, bar: float) -> int | None:
    """Clusters at which the interval would leave +/- bar or fit inside, were the estimate to stay.

    Widths shrink with the root of the count. None without an interval, or on the bar itself.
    """
    room = abs(bar - abs(estimate.value))
    return _units(estimate, (estimate.high - estimate.low) / 2, room)


def units_to_decide_floor(estimate: Estimate, floor: float) -> int | None:
    """The same for a floor: the side of the interval that still reaches across it must shrink."""
    above = estimate.value >= floor
    reach = estimate.value - estimate.low if above else estimate.high - estimate.value
    return _units(estimate, reach, abs(estimate.value - floor))


def _units(estimate: Estimate, reach: float, room: float) -> int | None:
    if not estimate.has_interval or not room > 0:
        return None
    # One more than what lands on the bar, also where that comes out a hair below a whole number:
    # whether an end on the bar itself fits is for rounding.
    on_the_bar = estimate.n_clusters * (reach / room) ** 2 * (1 + ROUNDING)
    return max(math.floor(on_the_bar), estimate.n_clusters) + 1
