"""Labels against labels, and scores against events."""

from eval_pipeline.metrics.calibration.entry import CONFIDENCE
from eval_pipeline.metrics.entry import Metric, MetricColumn

LABELS = (
    MetricColumn("generations.label", "text"),
    MetricColumn("items.label", "text", instead="answer"),
)
EVENT = (MetricColumn("generations.event_score", "number"), MetricColumn("items.event", "flag"))
_RANKS = "Hanley and McNeil 1982, Radiology 143:29; interval: Obuchowski 1997, Biometrics 53:567"
_PRECISION = "Davis and Goadrich 2006, ICML; average precision, equal scores taken together"


def _of_labels(name: str, meaning: str, note: str = "", per_item: bool = False) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        LABELS,
        higher_is_better=True,
        family="classification",
        source="van Rijsbergen 1979, Information Retrieval, chapter 7",
        per_item=per_item,
        note=note,
    )


def _of_scores(name: str, meaning: str, source: str, columns: tuple[MetricColumn, ...]) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        columns,
        higher_is_better=True,
        family="classification",
        source=source,
        per_item=False,
    )


METRICS = (
    _of_labels("label_accuracy", "Share of samples whose label is the item's.", per_item=True),
    _of_labels(
        "macro_f1",
        "Mean over classes of F1, each class the same, however rare.",
        "classes are those that occur among truths and answers",
    ),
    _of_labels(
        "micro_f1",
        "F1 of all classes' counts together; accuracy where every sample has a label.",
    ),
    _of_scores(
        "confidence_auroc",
        "Chance that a right reply has a higher confidence than a wrong one, ties by half.",
        _RANKS,
        CONFIDENCE,
    ),
    _of_scores(
        "confidence_auprc",
        "Mean precision of picking right replies by confidence; read it against the prevalence.",
        _PRECISION,
        CONFIDENCE,
    ),
    _of_scores(
        "event_auroc",
        "Chance that an event's score is above another's, ties by half.",
        _RANKS,
        EVENT,
    ),
    _of_scores(
        "event_auprc",
        "Mean precision of finding events by score; read it against the prevalence.",
        _PRECISION,
        EVENT,
    ),
)
