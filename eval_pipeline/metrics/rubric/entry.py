"""Marks on several criteria as one score.

`marks` of a generation maps criteria to marks on the scale that the contract declares (from 1 to 5
where it declares none), `rubric` of an item the same criteria to weights that sum to 1.
"""

from collections.abc import Sequence

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

METRICS: Sequence[Metric] = (
    Metric(
        "rubric_score",
        1,
        "Weighted mean of a reply's marks on the criteria of its item.",
        "columns",
        (MetricColumn("generations.marks", "json"), MetricColumn("items.rubric", "json")),
        higher_is_better=True,
        family="rubric",
        unit="points, 1 to 5",
        least=1.0,
        most=5.0,
        source="sum of weight x mark, the weights summing to 1",
        options=(
            Option("lowest", 1, "lowest mark of the scale", least=-1000, most=1000),
            Option("highest", 5, "highest mark of the scale", least=-1000, most=1000),
        ),
        scale=("lowest", "highest"),
        note="whoever gave the marks must be held against people first",
    ),
)
