"""The forms in which a metric made from columns is computed.

Intervals, slices, the failure policy, counts and bounds follow from the form. Each form holds one
function of (view, options), which calls the pure functions of its family.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from eval_pipeline.metrics.entry import OptionValue
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import OnFailure, View

Options = Mapping[str, OptionValue]
Remark = Callable[[View, Options], str | None]  # what must be known of the value, such as clips

Classes = Callable[[View], NDArray[Any]]


def keywords(options: Options) -> dict[str, Any]:
    """The options as keywords of a formula, which knows their types: the entry has checked them."""
    return dict(options)


def nothing_to_say(view: View, options: Options) -> str | None:
    """For a measure whose value needs no remark."""
    return None


@dataclass(frozen=True)
class PerSample:
    """A value a sample; the metric is their mean over draws, then over items.

    values: shape (samples,), within the entry's range; NaN for a sample that has none. on_failure:
    what a failed sample that the policy counts as wrong becomes. remark: what stands beside the
    value.
    """

    values: Callable[[View, Options], Floats]
    on_failure: OnFailure = "worst"
    remark: Remark = nothing_to_say


@dataclass(frozen=True)
class OfSums:
    """A value of sums over samples; its interval leaves out blocks of clusters.

    sums: the terms of each sample and the metric of their sums. pooled: each sample weighs the
    same; else each item does, whatever its draws. separable: a sample's terms do not depend on
    the other samples. share: the value is a share of units that the sums count, and has an interval
    at 0 and 1 as well. undefined_where: why there may be no value. classes: as in `OfRanks`, of a
    value in which each class weighs the same.
    """

    sums: Callable[[View, Options], Sums]
    undefined_where: str = "the value is not defined for these samples"
    pooled: bool = False
    separable: bool = True
    share: bool = False
    on_failure: OnFailure = "scored"
    remark: Remark = nothing_to_say
    classes: Classes | None = None


@dataclass(frozen=True)
class OfRanks:
    """A value with each sample's influence on it; its interval sums these within clusters.

    value: (value, influence of shape (samples,) that adds up to 0); NaN and anything where there
    is no value. classes: the class of each sample, of a value that holds classes against each
    other: it has an interval only where each has clusters enough. Samples weigh the same.
    """

    value: Callable[[View, Options], tuple[float, Floats]]
    undefined_where: str = "the value is not defined for these samples"
    on_failure: OnFailure = "scored"
    remark: Remark = nothing_to_say
    classes: Classes | None = None


@dataclass(frozen=True)
class OfSet:
    """A value of the whole set, computed again without each of `blocks` blocks of clusters.

    value: NaN where there is none. blocks: 0 for a value too dear, or too dependent on the number
    of samples, to compute again: it gets no interval. Samples weigh the same.
    """

    value: Callable[[View, Options], float]
    blocks: int = 20
    undefined_where: str = "the value is not defined for these samples"
    on_failure: OnFailure = "scored"
    remark: Remark = nothing_to_say


SetMeasure = OfSums | OfRanks | OfSet
Measure = PerSample | SetMeasure


def depends_on_policy(measure: Measure) -> bool:
    """Whether the failure policy can change the value."""
    return measure.on_failure not in ("left_out", "every")
