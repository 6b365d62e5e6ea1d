"""What several draws an item say: pass@k and its kin, majority vote, accuracy."""

from eval_pipeline.metrics.entry import Metric, MetricColumn

_SCORE = MetricColumn("verifier_scores.score", "score")
_ANSWER = MetricColumn("verifier_scores.extracted", "text")


def _draws(
    name: str,
    meaning: str,
    source: str = "",
    *,
    needs_k: bool = True,
    columns: tuple[MetricColumn, ...] = (_SCORE,),
    higher_is_better: bool = True,
    diagnostic: bool = False,
    note: str = "",
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "verifier",
        columns,
        higher_is_better,
        "draws",
        needs_k=needs_k,
        source=source,
        diagnostic=diagnostic,
        note=note,
    )


METRICS = (
    _draws(
        "pass_at_k",
        "Chance that at least one of k draws is right.",
        "Chen et al. 2021, arXiv:2107.03374, equation 1",
    ),
    _draws(
        "pass_hat_k", "Chance that all of k draws are right.", "Yao et al. 2024, arXiv:2406.12045"
    ),
    _draws(
        "majority_vote",
        "Expected credit of the most frequent answer of k draws.",
        "Wang et al. 2022, arXiv:2203.11171; ties share the credit",
        columns=(_SCORE, _ANSWER),
    ),
    _draws(
        "pass_majority_gap",
        "pass@k minus majority@k: what a perfect choice among the draws would add to a vote.",
        "difference of the two estimates on the same choices of k draws",
        columns=(_SCORE, _ANSWER),
        higher_is_better=False,
    ),
    _draws(
        "pass_at_k_direct",
        "Share of items with a right answer among their first k draws.",
        "Chen et al. 2021, arXiv:2107.03374, section 2.1",
        note="the first k draws only: unbiased, with more variance than pass@k",
    ),
    _draws(
        "pass_hat_k_by_run",
        "Share of items whose first k draws are all right.",
        "Yao et al. 2024, arXiv:2406.12045, by run",
        note="the first k draws only: unbiased, with more variance than pass^k",
    ),
    _draws(
        "pass_at_k_plugin",
        "1 - (1 - c/n)^k: what many scripts print as pass@k.",
        "Chen et al. 2021, arXiv:2107.03374, appendix A, which shows its bias",
        diagnostic=True,
        note="diagnostic only: biased low for k > 1",
    ),
    _draws(
        "accuracy",
        "Share of draws that are right; verdicts must be right or wrong.",
        "mean over draws, then over items",
        needs_k=False,
    ),
    _draws(
        "mean_score",
        "Mean score of the draws; partial credit is allowed.",
        "mean over draws, then over items",
        needs_k=False,
    ),
)
