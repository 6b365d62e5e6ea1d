"""Classification. A failed sample that counts as wrong names no class: its truth was missed, and
no class was claimed. A score that tells events from others needs a sample of its own.
"""

import math
from collections.abc import Callable

import numpy as np

from eval_pipeline.metrics.calibration.measure import forecasts
from eval_pipeline.metrics.classification.formula_classes import Average, classification_sums
from eval_pipeline.metrics.classification.formula_ranks import (
    auprc_influence,
    auroc_influence,
    discrimination,
)
from eval_pipeline.metrics.measures.forms import Measure, OfRanks, OfSums, Options, PerSample
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import OnFailure, View

Scores = Callable[[View], tuple[Floats, Floats]]
Ranked = Callable[[View, Options], tuple[float, Floats]]
ONE_CLASS = "only one class occurs"


def _hits(view: View, options: Options) -> Floats:
    said, wanted = view["generations.label"], view["items.label"]
    return np.array([a == b for a, b in zip(said, wanted, strict=True)], dtype=np.float64)


def _f1(average: Average) -> Callable[[View, Options], Sums]:
    def sums(view: View, options: Options) -> Sums:
        said = [
            None if failed else label
            for label, failed in zip(view["generations.label"], view.failed, strict=True)
        ]
        return classification_sums(view["items.label"].tolist(), said, average)

    return sums


def _events(view: View) -> tuple[Floats, Floats]:
    """Score, and 1 for an event."""
    return view["generations.event_score"], view["items.event"].astype(np.float64)


def _auroc(scores: Scores) -> Ranked:
    def value(view: View, options: Options) -> tuple[float, Floats]:
        x, y = scores(view)
        ranks = discrimination(y, x)
        if ranks.reason:
            return math.nan, np.zeros(len(view))
        return ranks.auroc, auroc_influence(y, x)

    return value


def _auprc(scores: Scores) -> Ranked:
    def value(view: View, options: Options) -> tuple[float, Floats]:
        x, y = scores(view)
        ranks = discrimination(y, x)
        if ranks.reason:
            return math.nan, np.zeros(len(view))
        return ranks.auprc, auprc_influence(y, x)

    return value


def _prevalence(scores: Scores) -> Callable[[View, Options], str]:
    return lambda view, options: f"prevalence {scores(view)[1].mean():.4f}"


def _of_ranks(
    area: Callable[[Scores], Ranked], scores: Scores, on_failure: OnFailure = "scored"
) -> OfRanks:
    return OfRanks(
        area(scores),
        ONE_CLASS,
        on_failure=on_failure,
        remark=_prevalence(scores),
        classes=lambda view: scores(view)[1],
    )


MEASURES: dict[str, Measure] = {
    "label_accuracy": PerSample(_hits),
    "macro_f1": OfSums(
        _f1("macro_f1"), on_failure="missed", classes=lambda view: view["items.label"]
    ),
    "micro_f1": OfSums(_f1("micro_f1"), on_failure="missed"),
    "confidence_auroc": _of_ranks(_auroc, forecasts),
    "confidence_auprc": _of_ranks(_auprc, forecasts),
    "event_auroc": _of_ranks(_auroc, _events, "left_out"),
    "event_auprc": _of_ranks(_auprc, _events, "left_out"),
}
