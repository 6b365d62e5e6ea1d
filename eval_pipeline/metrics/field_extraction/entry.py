"""Fields read out of documents: the JSON object that was extracted against the item's answer."""

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

_FIELDS = (MetricColumn("verifier_scores.extracted", "text"), MetricColumn("items.answer", "text"))
_TEXTS = Option(
    "texts",
    "identity",
    "how texts are compared",
    choices=("identity", "stripped", "casefold", "squad"),
)


def _entry(name: str, meaning: str, source: str) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        _FIELDS,
        higher_is_better=True,
        family="field_extraction",
        source=source,
        options=(_TEXTS,),
        per_item=False,
    )


_RIJSBERGEN = "van Rijsbergen 1979, Information Retrieval, chapter 7"

METRICS = (
    _entry("field_precision", "Right fields over all fields that were said.", _RIJSBERGEN),
    _entry("field_recall", "Right fields over all fields that are wanted.", _RIJSBERGEN),
    _entry("field_micro_f1", "F1 of all fields' counts together.", _RIJSBERGEN),
    _entry("field_macro_f1", "Mean over fields of F1, each field the same.", _RIJSBERGEN),
    _entry(
        "field_task_success",
        "Share of documents with every wanted field right and nothing else said.",
        "all fields of a document at once",
    ),
)
