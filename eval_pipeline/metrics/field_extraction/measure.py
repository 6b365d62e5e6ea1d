"""Fields of documents. A failed sample that counts as wrong said no field."""

import json
from collections.abc import Callable

import numpy as np

from eval_pipeline.metrics.field_extraction.documents import FieldCounts, document_counts
from eval_pipeline.metrics.field_extraction.formula import FieldMetric, field_sums
from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options
from eval_pipeline.metrics.samples import Ints
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View

_NONE = FieldCounts(0, 0, 0)


def _counts(view: View, options: Options) -> tuple[list[str], Ints]:
    """Names of the fields, and said, wanted, right of each document, (3, documents, fields)."""
    policy = str(options["texts"])
    documents = []
    extracted, answers = view["verifier_scores.extracted"], view["items.answer"]
    for i, failed in enumerate(view.failed):
        wanted = _object(view, i, "items.answer", answers[i])
        said = {} if failed else _object(view, i, "verifier_scores.extracted", extracted[i])
        documents.append(document_counts(said, wanted, policy))
    names = sorted({name for document in documents for name in document})
    rows = [[document.get(name, _NONE) for name in names] for document in documents]
    table = [[(one.said, one.wanted, one.right) for one in row] for row in rows]
    return names, np.array(table, dtype=np.int64).reshape(len(rows), len(names), 3)


def _object(view: View, i: int, column: str, text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"{view.name(i)}: {column} is {text!r:.60}: it must be a JSON object; extract it by "
            "json_field@1"
        )
    return found


def _fields(metric: FieldMetric) -> Callable[[View, Options], Sums]:
    def sums(view: View, options: Options) -> Sums:
        names, counts = _counts(view, options)
        said, wanted, right = np.moveaxis(counts, 2, 0)
        return field_sums(names, said, wanted, right, metric)

    return sums


def _of_fields(metric: FieldMetric) -> OfSums:
    share = metric in ("precision", "recall", "task_success")
    none = "no field was said or is wanted"
    return OfSums(_fields(metric), none, share=share, on_failure="missed")


MEASURES: dict[str, Measure] = {
    "field_precision": _of_fields("precision"),
    "field_recall": _of_fields("recall"),
    "field_micro_f1": _of_fields("micro_f1"),
    "field_macro_f1": _of_fields("macro_f1"),
    "field_task_success": _of_fields("task_success"),
}
