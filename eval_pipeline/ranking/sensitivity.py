"""Strengths under other accounts of ties, beside the half wins of the main fit.

Only pairs of which every vote says the same count here: won, lost, or a tie. A judge that follows
the seat is not undecided, so flips never stand for ties.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ranking.pairs import PairColumns
from eval_pipeline.ranking.ties import TieFit, fit_davidson, fit_rao_kupper

Floats = NDArray[np.float64]

WON = ("consistent_a", "forfeit_b")
LOST = ("consistent_b", "forfeit_a")
TIED = ("tie",)


@dataclass(frozen=True)
class TieSensitivity:
    """Both tie models over the pairs that are of one mind; NaN where a fit is not finite."""

    davidson: TieFit
    rao_kupper: TieFit


def tie_sensitivity(pairs: PairColumns) -> TieSensitivity:
    """Davidson's and Rao and Kupper's fits; models in the order of `pairs.models`.

    Without any tie, or without a decided pair, neither has a finite fit.
    """
    models = pairs.models
    place = {model: i for i, model in enumerate(models)}
    wins, ties = np.zeros((2, len(models), len(models)))
    for a, b, category in zip(pairs.model_a, pairs.model_b, pairs.category, strict=True):
        i, j = place[a], place[b]
        if category in WON:
            wins[i, j] += 1
        elif category in LOST:
            wins[j, i] += 1
        elif category in TIED:
            ties[i, j] += 1
    return TieSensitivity(fit_davidson(wins, ties), fit_rao_kupper(wins, ties))
