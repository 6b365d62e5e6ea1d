"""Answers about images: visual questions, objects that are not there, captions."""

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

_ANSWER = MetricColumn("generations.answer", "text", instead="text")
_REFERENCES = MetricColumn("items.references", "texts", instead="answer")


def _probe(name: str, meaning: str, *, higher_is_better: bool | None = True) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        (MetricColumn("generations.said_yes", "flag"), MetricColumn("items.present", "flag")),
        higher_is_better,
        "vision_language",
        source="Li et al. 2023, arXiv:2305.10355",
        per_item=False,
    )


METRICS = (
    Metric(
        "vqa_accuracy",
        1,
        "Credit of an answer by how many humans gave it: three are enough.",
        "columns",
        (_ANSWER, MetricColumn("items.human_answers", "texts")),
        higher_is_better=True,
        family="vision_language",
        source="Antol et al. 2015, arXiv:1505.00468, section 5; official: leave one human out",
        options=(
            Option(
                "rule",
                "official",
                "min(m/3, 1) of all humans, or its mean with one left out",
                choices=("official", "simple"),
            ),
            Option("policy", "vqa@1", "how answers are written before they are compared"),
        ),
    ),
    _probe("pope_accuracy", "Share of probes on present and absent objects answered rightly."),
    _probe("pope_precision", "Share of answers yes on objects that are there."),
    _probe("pope_recall", "Share of present objects that were seen."),
    _probe("pope_f1", "Harmonic mean of precision and recall of the answer yes."),
    _probe(
        "pope_yes_rate",
        "Share of probes answered yes; one half on balanced probes.",
        higher_is_better=None,
    ),
    Metric(
        "cider",
        1,
        "Cosine of the caption's n-grams with its references', rare ones weighing more, times 10.",
        "columns",
        (MetricColumn("generations.text", "text"), _REFERENCES),
        higher_is_better=True,
        family="vision_language",
        unit="CIDEr, 0 to 10",
        most=10.0,
        source="Vedantam et al. 2015, arXiv:1411.5726; document frequencies of the benchmark",
        options=(
            Option(
                "kind",
                "cider_d",
                "cider_d lets repetition and length earn nothing",
                choices=("cider_d", "cider"),
            ),
        ),
        note="relative to its corpus: the references of this benchmark",
    ),
    Metric(
        "statement_f1",
        1,
        "F1 of a caption's statements against those of its references, parsed elsewhere.",
        "columns",
        (MetricColumn("generations.statements", "json"), MetricColumn("items.statements", "json")),
        higher_is_better=True,
        family="vision_language",
        source="Anderson et al. 2016, arXiv:1607.08822 (SPICE), exact matches",
    ),
)
