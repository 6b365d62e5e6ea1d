"""What judges say of two replies to one item."""

from eval_pipeline.metrics.catalogue.entry import Column, Metric

METRICS = (
    Metric(
        "win_rate",
        1,
        "Mean score against the baseline, both seating orders; a tie is one half.",
        "judge",
        (Column("pair_outcomes.score_a", "score"),),
        higher_is_better=True,
        family="judged",
        source="Zheng et al. 2023, arXiv:2306.05685, both orders averaged",
    ),
    Metric(
        "length_controlled_win_rate",
        1,
        "Win rate against the baseline at equal length.",
        "judge",
        (Column("length_controlled_win_rates.length_controlled", "share"),),
        higher_is_better=True,
        family="judged",
        source="Dubois et al. 2024, arXiv:2404.04475",
    ),
)
