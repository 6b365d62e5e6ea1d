"""A contest with a known winner, judged by a biased judge: would we have noticed?"""

from dataclasses import dataclass
from typing import Literal

from eval_pipeline.lab.judges import SEATS, Bias, Layout, additive_probability
from eval_pipeline.statistics.intervals import wilson
from eval_pipeline.statistics.randomness import generator

Standing = Literal["trustworthy", "noisy", "confidently_wrong"]


@dataclass(frozen=True)
class Contest:
    """What n judged pairs say of A against B, and how that lies to the truth."""

    true: float
    n_pairs: int
    estimate: float
    ci_low: float
    ci_high: float
    standing: Standing


def contest(
    true: float,
    bias: Bias,
    n_pairs: int,
    seed: int,
    layout: Layout = "random",
    dlen: float = 0.0,
    own: int = 0,
    confidence: float = 0.95,
) -> Contest:
    """Votes of an additive judge on n pairs, one vote a pair, with their Wilson interval.

    true: A's win rate without bias. layout: where A is seated. dlen: A's length minus B's, tokens.
    own: +1 where only A is of the judge's family, -1 where only B is, else 0.
    """
    if n_pairs < 1:
        raise ValueError(f"a contest needs at least one pair, got {n_pairs}")
    rng = generator(seed, "bias lab")
    seats = rng.choice(SEATS[layout], n_pairs)
    chance = additive_probability(true, bias, seats, dlen, own)
    wins = int((rng.random(n_pairs) < chance).sum())
    interval = wilson(wins, n_pairs, confidence)
    return Contest(
        true,
        n_pairs,
        wins / n_pairs,
        interval.low,
        interval.high,
        standing(true, interval.low, interval.high),
    )


def standing(true: float, low: float, high: float) -> Standing:
    """Whether an interval names the better model, the worse one, or neither.

    trustworthy: it lies on the true side of 1/2, or no model is better and it holds 1/2.
    confidently_wrong: it lies on the other side. noisy: it holds 1/2 though a model is better.
    """
    holds_half = low <= 0.5 <= high
    if true == 0.5:
        return "trustworthy" if holds_half else "confidently_wrong"
    if holds_half:
        return "noisy"
    return "trustworthy" if (low > 0.5) == (true > 0.5) else "confidently_wrong"
