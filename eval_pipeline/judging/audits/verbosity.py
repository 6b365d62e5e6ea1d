"""What a longer reply gains with a judge beyond what it gains with people."""

from collections.abc import Sequence

from eval_pipeline.judging.audits.contrast import Contrast, ContrastFit, coefficient
from eval_pipeline.judging.findings import Finding
from eval_pipeline.metrics.inputs import numbers, probabilities, same_length
from eval_pipeline.statistics.clustered import undefined


def verbosity_per_100_tokens(fitted: ContrastFit | str, confidence: float) -> Finding:
    """Points of win rate that 100 more tokens add to the judge's score, over the people's.

    The slope of the contrast: both scores are of the same pair, so real gains of length cancel,
    and each pair of models has a term of its own, so a liking for one model's manner cancels too.
    """
    name = "verbosity_per_100_tokens"
    if isinstance(fitted, str):
        return Finding(name, undefined(fitted, confidence), 0)
    estimate, p_value = coefficient(fitted, fitted.slope, fitted.slope_influence(), confidence)
    return Finding(name, estimate, _votes(fitted.rows), p_value)


def verbosity_slope(added_tokens: Sequence[float], win_rate_of_padded: Sequence[float]) -> float:
    """Win rate per 100 tokens of padding, same content: least squares; 0 is indifference.

    NaN where the padding does not vary. Raises ValueError for no lengths, another number of rates,
    a length that is not finite and a rate outside [0, 1].
    """
    x = numbers(added_tokens, "added_tokens")
    y = probabilities(win_rate_of_padded, "win_rate_of_padded")
    same_length(added_tokens=x, win_rate_of_padded=y)
    apart = x - x.mean()
    spread = float((apart**2).sum())
    return 100 * float((apart * y).sum()) / spread if spread > 0 else float("nan")


def _votes(rows: Contrast) -> int:
    return int(rows.n_votes.sum())
