"""What judging costs, by people and by a model."""

from eval_pipeline.metrics.inputs import number, whole


def judging_cost(pairs: int, raters: int, usd: float) -> float:
    """pairs * raters * price of one judgment, in dollars.

    Raises ValueError for negative counts or prices, and for no rater.
    """
    judgments = whole(pairs, "pairs", 0) * whole(raters, "raters", 1)
    return number(judgments * number(usd, "usd", least=0.0), "the cost")


def cost_ratio(human: float, judge: float) -> float:
    """How many times as much people cost as the judge does, for the same judgments.

    Raises ValueError where the judge costs nothing.
    """
    cheap = number(judge, "judge", least=0.0)
    if not cheap:
        raise ValueError("the judge costs 0: a ratio to nothing is undefined")
    return number(number(human, "human", least=0.0) / cheap, "the ratio")
