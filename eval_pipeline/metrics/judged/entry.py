"""What judges say of two replies to one item, and of single replies."""

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

WHOLE = "all"  # stands for the weighted mean of the criteria
METRICS = (
    Metric(
        "win_rate",
        1,
        "Mean score against the baseline, both seating orders; a tie is one half.",
        "judge",
        (MetricColumn("pair_outcomes.score_a", "score"),),
        higher_is_better=True,
        family="judged",
        source="Zheng et al. 2023, arXiv:2306.05685, both orders averaged",
    ),
    Metric(
        "length_controlled_win_rate",
        1,
        "Win rate against the baseline at equal length.",
        "judge",
        (MetricColumn("length_controlled_win_rates.length_controlled", "share"),),
        higher_is_better=True,
        family="judged",
        source="Dubois et al. 2024, arXiv:2404.04475",
    ),
    Metric(
        "judge_score",
        1,
        "Mean score of the replies by the licensed judges, each judge weighing the same.",
        "scores",
        (MetricColumn("reply_scores.score", "number"),),
        higher_is_better=True,
        family="judged",
        unit="points of the rubric's scale",
        least=1.0,
        most=5.0,
        source="rubric: sum of weight x score; mean of repeats, of judges, of items",
        options=(
            Option("criterion", WHOLE, "a criterion of the rubric; all: their weighted mean"),
        ),
    ),
)
