"""Retrieval. A failed sample that counts as wrong found nothing: it gets 0. An item without a
relevant document has no value.
"""

from collections.abc import Callable, Mapping

from eval_pipeline.metrics.measures.forms import Measure, Options, PerSample, keywords
from eval_pipeline.metrics.retrieval.formula import (
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from eval_pipeline.metrics.samples import Floats
from eval_pipeline.metrics.view import View


def _queries(view: View) -> tuple[list[list[str]], list[Mapping[str, float]]]:
    """Documents of each sample, best first, and the grades of those judged for its item."""
    grades = view["items.relevance"].tolist()
    for i, known in enumerate(grades):
        if not isinstance(known, dict):
            raise ValueError(f"{view.name(i)}: items.relevance must map documents to grades")
    return view["generations.retrieved"].tolist(), grades


def _at_depth(rule: Callable[..., Floats]) -> PerSample:
    def values(view: View, options: Options) -> Floats:
        how = keywords(options)
        return rule(*_queries(view), how.pop("depth"), **how)

    return PerSample(values)


MEASURES: dict[str, Measure] = {
    "retrieval_recall": _at_depth(recall_at_k),
    "retrieval_precision": _at_depth(precision_at_k),
    "reciprocal_rank": _at_depth(reciprocal_rank),
    "ndcg": _at_depth(ndcg_at_k),
}
