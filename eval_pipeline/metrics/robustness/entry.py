"""What a perturbation of the items costs: each perturbed item names its original.

`original` of an item is the item_id of the one that it was made from.
"""

import math

from eval_pipeline.metrics.entry import Metric, MetricColumn

METRICS = (
    Metric(
        "robustness_drop",
        1,
        "Share of the score on original items that is lost on their perturbed versions.",
        "columns",
        (
            MetricColumn("verifier_scores.score", "score"),
            MetricColumn("items.original", "text", needed=False),
            MetricColumn("items.cluster_id", "text", needed=False),
        ),
        higher_is_better=False,
        family="robustness",
        unit="share lost",
        least=-math.inf,
        source="score lost over score; Hendrycks and Dietterich 2019, arXiv:1903.12261, section 4",
        per_item=False,
        note="a harder test is no frailer model: robustness_drops holds it against the others'",
    ),
)
