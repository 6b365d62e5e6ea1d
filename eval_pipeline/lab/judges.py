"""Judges whose every bias is known, and what their votes come to on average.

Additive form: P(a beats b) = q + b pos + gamma dlen / 100 + s self.
Logit form:    P(a beats b) = sigma(delta + b pos + gamma dlen / 100 + s self).
q is the true win rate of a, delta its logit; pos is +1 where a is shown first and -1 where it is
shown second; dlen is a's length minus b's in tokens; self is +1 where only a is of the judge's
family, -1 where only b is, else 0.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval_pipeline.metrics.inputs import number, whole

Floats = NDArray[np.float64]
Layout = Literal["A_first", "A_second", "random"]

MOST_JUDGES = 1001
SEATS: dict[str, tuple[int, ...]] = {"A_first": (1,), "A_second": (-1,), "random": (1, -1)}


@dataclass(frozen=True)
class Bias:
    """What a judge adds to the true win rate: points of probability, or logits."""

    position: float = 0.0
    verbosity_per_100_tokens: float = 0.0
    self_preference: float = 0.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            number(value, name)

    def effect(self, pos: ArrayLike, dlen: ArrayLike, own: ArrayLike) -> Floats:
        """b pos + gamma dlen / 100 + s self, shape as the arguments broadcast."""
        return np.asarray(
            self.position * np.asarray(pos, dtype=np.float64)
            + self.verbosity_per_100_tokens * np.asarray(dlen, dtype=np.float64) / 100.0
            + self.self_preference * np.asarray(own, dtype=np.float64)
        )


def additive_probability(
    q: ArrayLike, bias: Bias, pos: ArrayLike = 0, dlen: ArrayLike = 0, own: ArrayLike = 0
) -> Floats:
    """P(a beats b) of the additive form, shape as the arguments broadcast.

    Raises ValueError where a sum leaves [0, 1]: a clipped effect would no longer be the planted
    one, and the mean of both orders would no longer be free of the position bias.
    """
    chance = np.asarray(q, dtype=np.float64) + bias.effect(pos, dlen, own)
    outside = np.flatnonzero(~((chance >= 0.0) & (chance <= 1.0)))
    if outside.size:
        i = int(outside[0])
        raise ValueError(
            f"vote {i}: q plus the judge's effects is {chance.ravel()[i]:.4g}, outside 0..1 "
            f"({outside.size} such votes): plant smaller effects or a q nearer to 0.5"
        )
    return chance


def logit_probability(
    delta: ArrayLike, bias: Bias, pos: ArrayLike = 0, dlen: ArrayLike = 0, own: ArrayLike = 0
) -> Floats:
    """P(a beats b) of the logit form, shape as the arguments broadcast."""
    logit = np.asarray(delta, dtype=np.float64) + bias.effect(pos, dlen, own)
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logit)))  # no overflow at large logits


def expected_win_rate(
    true: float, bias: Bias, layout: Layout = "random", dlen: float = 0.0, own: int = 0
) -> float:
    """Mean additive win rate of A under a seating rule: A always first, always second, or random.

    Random seats, or both orders of each pair, cancel the position bias and nothing else.
    """
    if not isinstance(layout, str) or layout not in SEATS:
        raise ValueError(f"layout {layout!r} is unknown: use one of {sorted(SEATS)}")
    number(true, "the true win rate", 0.0, 1.0)
    return float(np.mean(additive_probability(true, bias, SEATS[layout], dlen, own)))


def flip_threshold(true: float) -> float:
    """The position bias b* = |true - 1/2| at which the better model loses from the worse seat."""
    return abs(number(true, "the true win rate", 0.0, 1.0) - 0.5)


def majority_probability(chances: ArrayLike) -> float:
    """Chance that more than half of independent judges vote for a model.

    chances: each judge's chance, shape (judges,), an odd number of them.
    Raises ValueError for an even jury: it can tie, and a tie is no majority.
    """
    p = np.asarray(chances, dtype=np.float64)
    if p.ndim != 1 or p.size % 2 == 0:
        raise ValueError(f"a majority needs an odd number of judges, got shape {p.shape}")
    if not np.all((p >= 0.0) & (p <= 1.0)):
        raise ValueError(f"every judge's chance must lie in 0..1, got {p.tolist()}")
    votes = np.array([1.0])  # votes[k] = chance of exactly k votes among the judges so far
    for chance in p:
        votes = np.convolve(votes, [1.0 - chance, chance])
    return float(votes[p.size // 2 + 1 :].sum())


def jury_majority(p_true: float, biased_members: int, s: float, n_judges: int) -> dict[str, float]:
    """Majority of a jury without bias, and with some members who each lose s on the model.

    A majority is another estimand than the mean vote, and a shared or single bias stays in it.
    Raises ValueError for counts that are not whole numbers, and chances outside 0..1.
    """
    if whole(n_judges, "n_judges", 1) > MOST_JUDGES:
        raise ValueError(f"n_judges={n_judges} is above {MOST_JUDGES}: that is no jury")
    if whole(biased_members, "biased_members", 0) > n_judges:
        raise ValueError(f"biased_members={biased_members} is outside 0..{n_judges}")
    number(p_true, "p_true", 0.0, 1.0)
    number(s, "s")
    fair = [p_true] * (n_judges - biased_members)
    return {
        "majority_unbiased": majority_probability([p_true] * n_judges),
        "majority_one_biased": majority_probability(fair + [p_true - s] * biased_members),
    }


@dataclass(frozen=True)
class Voter:
    """How a voter (a judge or a person) comes to an opinion on a pair.

    consensus: chance of holding the opinion that the pair deserves, else one of their own.
    noise: chance that one single vote is drawn afresh, so that it may differ from the last.
    tie_share: chance of a tie, taken evenly from both sides.
    The three shape agreement and flips; none moves a mean vote, so the planted biases stay exact.
    """

    consensus: float
    noise: float
    tie_share: float


def opinions(voter: Voter, deserved: Floats, n_votes: int, rng: np.random.Generator) -> Floats:
    """Where each vote lies on the scale 0..1 on which P cuts a from b, shape (pairs, n_votes).

    deserved: the opinion that each pair deserves, uniform on 0..1, shape (pairs,).
    Every column is again uniform on 0..1: a vote for a is an opinion below P, so its chance is P.
    """
    return single_votes(voter, standing_opinions(voter, deserved, rng), n_votes, rng)


def standing_opinions(voter: Voter, deserved: Floats, rng: np.random.Generator) -> Floats:
    """The opinion that the voter holds on each pair whenever it is asked, shape (pairs,)."""
    own = rng.random(deserved.size)
    return np.where(rng.random(deserved.size) < voter.consensus, deserved, own)


def single_votes(voter: Voter, standing: Floats, n_votes: int, rng: np.random.Generator) -> Floats:
    """Where single votes lie around standing opinions, shape (pairs, n_votes)."""
    fresh = rng.random((standing.size, n_votes))
    return np.where(rng.random(fresh.shape) < voter.noise, fresh, standing[:, None])


def verdicts(opinion: Floats, chance: Floats, tie_share: float) -> NDArray[np.str_]:
    """`model_a` where the opinion lies below the chance of a, `model_b` above, `tie` near it.

    The mean score (1, 1/2, 0) equals the chance as long as that lies tie_share / 2 inside 0..1.
    """
    margin = opinion - chance
    half = tie_share / 2.0
    return np.where(margin < -half, "model_a", np.where(margin > half, "model_b", "tie"))
