"""How far probabilities are from what happened: Brier scores and the negative log-likelihood.

Forecasts `p` are probabilities of the event, outcomes `y` the numbers 0 and 1. Brier scores of two
kinds circulate under one name: the binary one lies in [0, 1], the one summed over classes in
[0, 2] and is twice as large for two classes. They are apart here and in every table.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.calibration.bins import Rule, bin_index
from eval_pipeline.metrics.calibration.formula_ece import calibration_error
from eval_pipeline.metrics.calibration.formula_murphy import Murphy, murphy_decomposition
from eval_pipeline.metrics.inputs import (
    Floats,
    Ints,
    class_numbers,
    class_probabilities,
    number,
    outcomes,
    probabilities,
    same_length,
)
from eval_pipeline.metrics.sums import Sums, mean_sums

Values = ArrayLike | Iterable[Any]

CLIP = 1e-12  # the least probability that the log-likelihood takes


def brier_binary(p: Values, y: Values, *, graded: bool = False) -> float:
    """Mean of (p - y)^2, in [0, 1].

    p: probabilities of the event; y: 0 or 1, or where `graded` says so anything between, such as
    one half for a draw; both of shape (samples,). Raises ValueError for empty or misaligned input
    and for values outside these.
    Source: Brier 1950, Mon. Weather Rev. 78:1, the half of it that circulates today.
    """
    return brier_binary_sums(p, y, graded=graded).value


def brier_binary_sums(p: Values, y: Values, *, graded: bool = False) -> Sums:
    """Sums of `brier_binary`."""
    forecast, outcome = probabilities(p, "p"), (probabilities if graded else outcomes)(y, "y")
    same_length(p=forecast, y=outcome)
    return mean_sums((forecast - outcome) ** 2)


def brier_sum(p: Values, y: Values) -> float:
    """Mean over samples of the sum over classes of (p_c - 1[y = c])^2, in [0, 2].

    p: shape (samples, classes), rows adding up to 1; y: class numbers from 0, shape (samples,).
    Source: Brier 1950, Mon. Weather Rev. 78:1.
    """
    return brier_sum_sums(p, y).value


def brier_sum_sums(p: Values, y: Values) -> Sums:
    """Sums of `brier_sum`."""
    forecast, label = _classified(p, y)
    missed = forecast.copy()
    missed[np.arange(len(label)), label] -= 1
    return mean_sums((missed**2).sum(axis=1))


@dataclass(frozen=True)
class LogLoss:
    """value: mean -ln of the probability given to what happened, in nats.

    n_clipped: samples whose probability was below `clip`, so that `clip` stood in for it: without
    it one certain and wrong forecast makes the mean infinite. Above 1 - clip, that stands in, so
    that certainty costs the same whichever outcome it is read from.
    """

    value: float
    n_clipped: int
    clip: float


def nll_binary(p: Values, y: Values, clip: float = CLIP) -> LogLoss:
    """Negative log-likelihood of outcomes 0 and 1 under probabilities of 1."""
    forecast, outcome = _forecasts(p, y)
    return _log_loss(_given(forecast, outcome), clip)


def nll_binary_sums(p: Values, y: Values, clip: float = CLIP) -> Sums:
    """Sums of `nll_binary`."""
    forecast, outcome = _forecasts(p, y)
    return mean_sums(_clipped_log(_given(forecast, outcome), clip))


def nll(p: Values, y: Values, clip: float = CLIP) -> LogLoss:
    """Negative log-likelihood of class numbers under class probabilities, as `brier_sum` takes."""
    forecast, label = _classified(p, y)
    return _log_loss(forecast[np.arange(len(label)), label], clip)


def nll_sums(p: Values, y: Values, clip: float = CLIP) -> Sums:
    """Sums of `nll`."""
    forecast, label = _classified(p, y)
    return mean_sums(_clipped_log(forecast[np.arange(len(label)), label], clip))


@dataclass(frozen=True)
class CalibrationReport:
    """An ECE is never read alone: 0 is reached by always forecasting the base rate."""

    brier: float
    nll: LogLoss
    ece: float
    murphy: Murphy
    n: int
    bins: int
    rule: Rule


def calibration_report(
    p: Values, y: Values, bins: int = 10, rule: Rule = "equal_width"
) -> CalibrationReport:
    """Brier score, log-likelihood, event ECE and Murphy's terms of the same bins."""
    forecast, outcome = _forecasts(p, y)
    index = bin_index(forecast, bins, rule)
    return CalibrationReport(
        brier_binary(forecast, outcome),
        nll_binary(forecast, outcome),
        calibration_error(forecast, outcome, bins, rule),
        murphy_decomposition(forecast, outcome, index),
        len(forecast),
        bins,
        rule,
    )


def _forecasts(p: Values, y: Values) -> tuple[Floats, Floats]:
    """Probabilities and outcomes of the same samples, checked."""
    forecast, outcome = probabilities(p, "p"), outcomes(y, "y")
    same_length(p=forecast, y=outcome)
    return forecast, outcome


def _classified(p: Values, y: Values) -> tuple[Floats, Ints]:
    """Class probabilities and class numbers of the same samples, checked."""
    forecast = class_probabilities(p, "p")
    label = class_numbers(y, "y", forecast.shape[1])
    same_length(p=forecast, y=label)
    return forecast, label


def _given(forecast: Floats, outcome: Floats) -> Floats:
    """The probability that was given to what happened."""
    return np.where(outcome == 1, forecast, 1 - forecast)


def _clipped_log(given: Floats, clip: float) -> Floats:
    if not 0 < number(clip, "clip") < 0.5:
        raise ValueError(f"clip must lie between 0 and 0.5, got {clip}")
    return np.asarray(-np.log(np.clip(given, clip, 1 - clip)) + 0.0)  # + 0.0: no negative zero


def _log_loss(given: Floats, clip: float) -> LogLoss:
    losses = _clipped_log(given, clip)
    return LogLoss(float(losses.mean()), int(np.sum(given < clip)), clip)
