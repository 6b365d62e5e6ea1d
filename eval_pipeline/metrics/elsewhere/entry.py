"""Metrics whose values were computed elsewhere and come as a column of the generations."""

import math

from eval_pipeline.metrics.entry import Metric, MetricColumn


def _entry(
    name: str, meaning: str, source: str, unit: str, least: float = 0.0, most: float = 1.0
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        (MetricColumn(f"generations.{name}", "number"),),
        higher_is_better=True,
        family="elsewhere",
        unit=unit,
        least=least,
        most=most,
        source=source,
        per_item=math.isfinite(least) and math.isfinite(most),
        note="computed elsewhere: record there how",
    )


METRICS = (
    _entry(
        "meteor",
        "Agreement of words, stems and synonyms with a reference, in order.",
        "Banerjee and Lavie 2005, ACL workshop on evaluation measures",
        "share",
    ),
    _entry(
        "bertscore",
        "F1 of matched token embeddings of reply and reference.",
        "Zhang et al. 2020, arXiv:1904.09675",
        "cosine",
        -1.0,
    ),
    _entry(
        "comet",
        "Quality that a model trained on human ratings predicts for a translation.",
        "Rei et al. 2020, arXiv:2009.09025",
        "rating",
        -math.inf,
        math.inf,
    ),
    _entry(
        "spice",
        "F1 of the statements of a caption, parsed elsewhere, against its references'.",
        "Anderson et al. 2016, arXiv:1607.08822",
        "share",
    ),
)
