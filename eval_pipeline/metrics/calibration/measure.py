"""Calibration: the stated chance of being right, against being right.

A failed sample that counts as wrong keeps its confidence and is wrong; without one it is left out.
Where options have probabilities, the right option is known without the reply, so that such a
sample counts as any other.
"""

from collections.abc import Callable
from string import ascii_uppercase

import numpy as np

from eval_pipeline.metrics.calibration import formula_scoring as calibration
from eval_pipeline.metrics.calibration.bins import Rule, bin_index
from eval_pipeline.metrics.calibration.formula_ece import calibration_error_sums, top_label
from eval_pipeline.metrics.calibration.formula_murphy import Component, murphy_sums
from eval_pipeline.metrics.calibration.formula_risk_coverage import (
    risk_coverage,
    risk_coverage_influence,
)
from eval_pipeline.metrics.inputs import SUM_TOLERANCE
from eval_pipeline.metrics.measures.forms import Measure, OfRanks, OfSums, Options, PerSample
from eval_pipeline.metrics.samples import Floats, Ints
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View


def forecasts(view: View) -> tuple[Floats, Floats]:
    """Confidence, and 1 where right, of each sample."""
    return view["generations.confidence"], view.right().astype(np.float64)


def option_forecasts(view: View) -> tuple[Floats, Ints]:
    """Probability of each option, shape (samples, options), and the number of the right one.

    Items may have different numbers of options: those beyond an item's own have probability 0.
    Raises ValueError that names a sample with a wrong number of probabilities, a sum that is not
    1, or an answer that is no option.
    """
    rows = view["generations.probabilities"]
    options, answers = view["items.options"], view["items.answer"]
    p = np.zeros((len(view), max(map(len, options))))
    right = np.empty(len(view), dtype=np.int64)
    for i, row in enumerate(rows):
        if len(row) != len(options[i]):
            raise ValueError(
                f"{view.name(i)}: {len(row)} probabilities for {len(options[i])} options"
            )
        if row.min() < 0 or row.max() > 1:
            outside = row[(row < 0) | (row > 1)][0]
            raise ValueError(f"{view.name(i)}: a probability is {outside:g}, outside [0, 1]")
        if abs(row.sum() - 1) > SUM_TOLERANCE:
            raise ValueError(f"{view.name(i)}: probabilities add up to {row.sum():g}, not 1")
        p[i, : len(row)] = row
        right[i] = _place(view.name(i), answers[i], options[i])
    return p, right


def _place(name: str, answer: str, options: list[str]) -> int:
    """Which option is right: the one written as the answer, or the one of its letter."""
    if answer in options:
        return options.index(answer)
    letter = ascii_uppercase.find(answer.strip()) if len(answer.strip()) == 1 else -1
    if not 0 <= letter < len(options):
        raise ValueError(f"{name}: the answer {answer!r:.40} is none of the item's options")
    return letter


def binned(options: Options) -> tuple[int, Rule]:
    """How many bins, and which rule, the options ask for."""
    rule: Rule = options["rule"]  # type: ignore[assignment]  # one of the entry's choices
    return int(options["bins"]), rule


def _brier(view: View, options: Options) -> Floats:
    return calibration.brier_binary_sums(*forecasts(view)).terms[:, 0]


def _brier_of_options(view: View, options: Options) -> Floats:
    return calibration.brier_sum_sums(*option_forecasts(view)).terms[:, 0]


def _surprise(view: View, options: Options) -> Floats:
    return calibration.nll_binary_sums(*forecasts(view)).terms[:, 0]


def _surprise_of_options(view: View, options: Options) -> Floats:
    return calibration.nll_sums(*option_forecasts(view)).terms[:, 0]


def _clips(view: View, options: Options) -> str | None:
    return _clipped(calibration.nll_binary(*forecasts(view)), len(view))


def _clips_of_options(view: View, options: Options) -> str | None:
    return _clipped(calibration.nll(*option_forecasts(view)), len(view))


def _clipped(loss: calibration.LogLoss, n: int) -> str | None:
    if not loss.n_clipped:
        return None
    return f"{loss.n_clipped} of {n} probabilities of what happened were raised to {loss.clip:g}"


def _overconfidence(view: View, options: Options) -> Floats:
    p, y = forecasts(view)
    return np.asarray(p - y)


def _event_error(view: View, options: Options) -> Sums:
    return calibration_error_sums(*forecasts(view), *binned(options))


def _top_label_error(view: View, options: Options) -> Sums:
    return calibration_error_sums(*top_label(*option_forecasts(view)), *binned(options))


def _murphy(component: Component) -> Callable[[View, Options], Sums]:
    def sums(view: View, options: Options) -> Sums:
        p, y = forecasts(view)
        return murphy_sums(p, y, component, bin_index(p, *binned(options)))

    return sums


def _risk_coverage_area(view: View, options: Options) -> tuple[float, Floats]:
    p, y = forecasts(view)
    return risk_coverage(p, 1 - y).area, risk_coverage_influence(p, 1 - y)


MEASURES: dict[str, Measure] = {
    "brier_binary": PerSample(_brier, on_failure="scored"),
    "brier_sum": PerSample(_brier_of_options, on_failure="scored"),
    "nll_binary": PerSample(_surprise, on_failure="scored", remark=_clips),
    "nll_options": PerSample(_surprise_of_options, on_failure="scored", remark=_clips_of_options),
    "overconfidence": PerSample(_overconfidence, on_failure="scored"),
    "ece_event": OfSums(_event_error, separable=False),
    "ece_top_label": OfSums(_top_label_error, separable=False),
    "murphy_reliability": OfSums(_murphy("reliability"), separable=False),
    "murphy_resolution": OfSums(_murphy("resolution"), separable=False),
    "murphy_uncertainty": OfSums(_murphy("uncertainty"), separable=False),
    "murphy_within_variance": OfSums(_murphy("within_bin_variance"), separable=False),
    "murphy_within_covariance": OfSums(_murphy("within_bin_covariance"), separable=False),
    "risk_coverage_area": OfRanks(_risk_coverage_area),
}
