"""Judges' scores of single replies. A failed reply that counts as wrong gets the lowest score."""

from eval_pipeline.metrics.measures.forms import Measure, Options, PerSample
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.view import View


def _scores(view: View, options: Options) -> Floats:
    scores: Floats = view["reply_scores.score"]
    return scores


MEASURES: dict[str, Measure] = {"judge_score": PerSample(_scores)}
