"""Expected calibration error and the diagram behind it.

Of two kinds, which differ on the same forecasts: the event's (`calibration_error` of p and y: how
often does the event follow a forecast of p) and the top label's (of the confidence in the label
that was chosen, and whether it was right). Never report either alone: see `calibration_report`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.calibration.bins import Rule, bin_index, edges
from eval_pipeline.metrics.inputs import (
    Floats,
    class_numbers,
    class_probabilities,
    outcomes,
    probabilities,
    same_length,
)
from eval_pipeline.metrics.sums import Deviations, Sums, checked_cells, ratio
from eval_pipeline.statistics.clustered import mean
from eval_pipeline.statistics.intervals import wilson

Values = ArrayLike | Iterable[Any]


def calibration_error(
    confidence: Values, correct: Values, bins: int = 10, rule: Rule = "equal_width"
) -> float:
    """Sum over bins of n_k / N * |mean confidence - share correct|, in [0, 1].

    confidence: in [0, 1]; correct: 0 or 1 (for the event's ECE: p and y), shape (samples,).
    Raises ValueError for empty or misaligned input and values outside these.
    Source: Naeini et al. 2015, AAAI; Guo et al. 2017, arXiv:1706.04599, section 2.
    """
    return calibration_error_sums(confidence, correct, bins, rule).value


def calibration_error_sums(
    confidence: Values, correct: Values, bins: int = 10, rule: Rule = "equal_width"
) -> Sums:
    """Sums of `calibration_error`, bins held as this sample has them.

    The ECE of a finite sample is biased upwards, and that of a resample more so: percentiles of
    replicates lie too high. `statistics.deviations` makes an interval that allows for it; see
    `reliability` for intervals of each bin.
    """
    p, y = _checked(confidence, correct)
    index = bin_index(p, bins, rule)
    checked_cells(len(p), bins + 1, "calibration bins")
    terms = np.zeros((len(p), bins + 1))
    terms[np.arange(len(p)), index] = p - y
    terms[:, bins] = 1
    gaps = Deviations(lambda s: ratio(s[..., :-1], s[..., -1:]), "absolute")
    return Sums(terms, lambda s: ratio(np.abs(s[..., :-1]).sum(axis=-1), s[..., -1]), gaps)


def top_label(p: Values, y: Values) -> tuple[Floats, Floats]:
    """Confidence in the most probable class, and 1 where it is what happened, else 0.

    p: shape (samples, classes), rows adding up to 1; y: class numbers from 0. The first of equally
    probable classes is taken.
    """
    table = class_probabilities(p, "p")
    label = class_numbers(y, "y", table.shape[1])
    same_length(p=table, y=label)
    return table.max(axis=1), (table.argmax(axis=1) == label).astype(np.float64)


def top_label_binary(p: Values, y: Values) -> tuple[Floats, Floats]:
    """`top_label` of an event and its opposite; a forecast of 0.5 speaks for the event.

    p: probabilities of the event; y: 0 or 1; both of shape (samples,).
    """
    event, outcome = probabilities(p, "p"), outcomes(y, "y")
    same_length(p=event, y=outcome)
    return np.maximum(event, 1 - event), ((event >= 0.5) == (outcome == 1)).astype(np.float64)


@dataclass(frozen=True)
class Reliability:
    """A reliability diagram, all arrays of shape (bins,).

    low, high: edges of the bin (of equal mass: its least and greatest forecast); n: samples in it;
    confidence: their mean forecast; accuracy: share of them that came true, with its interval;
    method: how the interval was made, None where there is none. NaN in bins without a sample.
    """

    low: Floats
    high: Floats
    n: Floats
    confidence: Floats
    accuracy: Floats
    ci_low: Floats
    ci_high: Floats
    method: tuple[str | None, ...]
    level: float


def reliability(
    confidence: Values,
    correct: Values,
    bins: int = 10,
    rule: Rule = "equal_width",
    *,
    clusters: Sequence[Any] | None = None,
    level: float = 0.95,
) -> Reliability:
    """What a reliability diagram shows, with an interval of each bin's accuracy.

    Wilson's where samples are independent; with `clusters`, as `statistics.clustered.mean`.
    Source: Murphy and Winkler 1977, Appl. Statist. 26:41.
    """
    p, y = _checked(confidence, correct)
    index = bin_index(p, bins, rule)
    n = np.bincount(index, minlength=bins).astype(np.float64)
    if rule == "equal_mass":
        low, high = np.full(bins, np.nan), np.full(bins, np.nan)
        np.fmin.at(low, index, p)
        np.fmax.at(high, index, p)
    else:
        low, high = edges(bins)[:-1], edges(bins)[1:]
    if clusters is not None:
        same_length(confidence=p, clusters=clusters)
    units = None if clusters is None else np.asarray(clusters)
    ends = np.full((bins, 2), np.nan)
    methods: list[str | None] = [None] * bins
    for k in np.flatnonzero(n):
        within = y[index == k]
        if units is None:
            ends[k], methods[k] = wilson(within.sum(), len(within), level), "wilson"
        else:
            found = mean(within, units[index == k], confidence=level)
            ends[k], methods[k] = (found.low, found.high), found.method
    return Reliability(
        low,
        high,
        n,
        ratio(np.bincount(index, p, bins).astype(np.float64), n),
        ratio(np.bincount(index, y, bins).astype(np.float64), n),
        ends[:, 0],
        ends[:, 1],
        tuple(methods),
        level,
    )


def _checked(confidence: Values, correct: Values) -> tuple[Floats, Floats]:
    p, y = probabilities(confidence, "confidence"), outcomes(correct, "correct")
    same_length(confidence=p, correct=y)
    return p, y
