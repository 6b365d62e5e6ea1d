"""Rubrics. A failed sample that counts as wrong gets the lowest mark."""

from typing import Any

import numpy as np

from eval_pipeline.metrics.measures.forms import Measure, Options, PerSample
from eval_pipeline.metrics.rubric.formula import rubric_scores
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.view import View


def _scores(view: View, options: Options) -> Floats:
    marks, rubrics = view["generations.marks"], view["items.rubric"]
    scale = (float(options["lowest"]), float(options["highest"]))
    found = np.empty(len(view))
    for i, (given, weights) in enumerate(zip(marks, rubrics, strict=True)):
        try:
            _check_object(given, "generations.marks", "criteria to marks")
            _check_object(weights, "items.rubric", "criteria to weights")
            marked = {name: [mark] for name, mark in given.items()}
            found[i] = rubric_scores(weights, marked, scale)[0]
        except ValueError as fault:
            raise ValueError(f"{view.name(i)}: {fault}") from fault
    return found


def _check_object(value: Any, where: str, holds: str) -> None:
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{where} is {value!r:.60}: it must map {holds}")


MEASURES: dict[str, Measure] = {"rubric_score": PerSample(_scores)}
