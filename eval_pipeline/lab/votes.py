"""Votes of the lab's judges and labels of its raters on pairs of replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from eval_pipeline.lab.chance import logistic
from eval_pipeline.lab.files import Line
from eval_pipeline.lab.judges import (
    Voter,
    additive_probability,
    opinions,
    single_votes,
    standing_opinions,
    verdicts,
)
from eval_pipeline.lab.planted import (
    ANCHORS,
    DECOY,
    HONEYPOTS,
    LABELLED_PER_PAIR,
    NEAREST,
    RATERS,
    REPEATED_PER_PAIR,
    SHARED_TASTE,
    Checkpoint,
    PlantedJudge,
)
from eval_pipeline.statistics.randomness import generator

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

ORDERS = (("model_a", 1), ("model_b", -1))  # who is shown first, and pos of model_a


@dataclass(frozen=True)
class ComparedPair:
    """Two checkpoints whose replies are compared; the votes belong to the later one.

    win_rate: q, the chance that model_a deserves to win. deserved: the opinion that each item's
    pair deserves, uniform on 0..1, shape (items,). length: model_a's reply minus model_b's,
    tokens, shape (items,).
    """

    later: str
    model_a: Checkpoint
    model_b: Checkpoint
    win_rate: float
    deserved: Floats
    length: Floats

    @property
    def name(self) -> str:
        return f"{self.model_a.name} over {self.model_b.name}"

    def own(self, family: str) -> int:
        """+1 where only model_a is of the family, -1 where only model_b is, else 0."""
        return int(self.model_a.family == family) - int(self.model_b.family == family)

    def chances(self, judge: PlantedJudge) -> tuple[Floats, ...]:
        """The judge's chance of model_a on each item, in each of ORDERS."""
        own = self.own(judge.family)
        return tuple(
            additive_probability(self.win_rate, judge.bias, pos, self.length, own)
            for _, pos in ORDERS
        )


def judged_pairs(
    checkpoints: Sequence[Checkpoint], tokens: Mapping[str, Floats], seed: int
) -> list[ComparedPair]:
    """The pairs that the contract's pairing asks for, sorted by their later checkpoint.

    checkpoints: in the order in which they landed. tokens: each one's reply lengths.
    """
    made = []
    for n, later in enumerate(checkpoints):
        near = checkpoints[max(0, n - NEAREST) : n]
        for earlier in checkpoints[:n]:
            if earlier in near or ANCHORS & {earlier.name, later.name}:
                a, b = sorted((later, earlier), key=lambda one: one.name)
                length = tokens[a.name] - tokens[b.name]
                deserved = _deserved(a.name, b.name, length.size, seed)
                win_rate = logistic(a.strength - b.strength)
                made.append(ComparedPair(later.name, a, b, win_rate, deserved, length))
    return made


def votes(
    judge: PlantedJudge, pair: ComparedPair, item_ids: Sequence[str], seed: int
) -> list[Line]:
    """The judge's votes on a pair: both orders of every item, twice on a sample of items."""
    repeated, standing, rng = _begun(judge, pair, len(item_ids), seed)
    opinion = single_votes(judge.voter, standing, 2 * len(ORDERS), rng)
    lost = rng.random(opinion.shape)
    rows: list[Line] = []
    tie = judge.voter.tie_share
    cast = [
        verdicts(opinion[:, 2 * order : 2 * order + 2], chance[:, None], tie)
        for order, chance in enumerate(pair.chances(judge))
    ]
    for i, item_id in enumerate(item_ids):
        for order, (first, _) in enumerate(ORDERS):
            for repeat in range(2 if repeated[i] else 1):
                row = {"item_id": item_id, **_names(pair), "shown_first": first, "repeat": repeat}
                vote = vote_row(cast[order][i, repeat], lost[i, 2 * order + repeat], judge)
                rows.append(row | vote)
    return rows


def standing(judge: PlantedJudge, pair: ComparedPair, n_items: int, seed: int) -> Floats:
    """What the judge of `votes` thinks of each item's pair on any day, shape (items,)."""
    return _begun(judge, pair, n_items, seed)[1]


def vote_row(verdict: str, lost: float, judge: PlantedJudge) -> Line:
    """The verdict, or what came back in its place; lost: uniform on 0..1."""
    if lost < judge.unknown:
        return {"verdict": None, "raw": "Each of the replies has something to be said for it."}
    if lost < judge.unknown + judge.error:
        return {"verdict": None, "error": "no reply after three tries"}
    return {"verdict": str(verdict)}


def labels(
    pair: ComparedPair, item_ids: Sequence[str], seed: int, n_labelled: int = LABELLED_PER_PAIR
) -> list[Line]:
    """What every rater says of the pair on a sample of items."""
    rng = generator(seed, "lab", "labels", pair.name)
    n = len(item_ids)
    chosen = np.sort(rng.choice(n, min(n, n_labelled), replace=False))
    rows: list[Line] = []
    for rater in RATERS:
        opinion = opinions(rater.voter, pair.deserved[chosen], 1, rng)[:, 0]
        given = verdicts(opinion, np.full(chosen.size, pair.win_rate), rater.voter.tie_share)
        for i, label in zip(chosen, given, strict=True):
            row = {"item_id": item_ids[i], **_names(pair), "rater": rater.name}
            rows.append(row | {"label": str(label), "honeypot": False})
    return rows


def honeypots(item_ids: Sequence[str], checkpoint: str, seed: int) -> list[Line]:
    """Pairs whose right label is plain: a reply against one to another prompt."""
    rng = generator(seed, "lab", "honeypots")
    chosen = np.sort(rng.choice(len(item_ids), HONEYPOTS, replace=False))
    model_a, model_b = sorted((DECOY, checkpoint))
    right, wrong = ("model_a", "model_b") if model_b == DECOY else ("model_b", "model_a")
    rows: list[Line] = []
    for rater in RATERS:
        attentive = rng.random(HONEYPOTS) < rater.attentive
        for i, awake in zip(chosen, attentive, strict=True):
            row = {"item_id": item_ids[i], "model_a": model_a, "model_b": model_b}
            row |= {"rater": rater.name, "label": right if awake else wrong}
            rows.append(row | {"honeypot": True, "expected": right})
    return rows


def expected_flip_excess(judge: PlantedJudge, pairs: Sequence[ComparedPair]) -> float:
    """Flips between the orders less flips between repeats in one order, mean over items and pairs.

    Closed form of the error model: standing opinions flip only where the seat moves the chance
    past them; votes drawn afresh flip as independent ones do, in and between orders.
    """
    excess = []
    for pair in pairs:
        first, second = pair.chances(judge)
        same = (flips(judge.voter, first, first) + flips(judge.voter, second, second)) / 2
        excess.append(flips(judge.voter, first, second) - same)
    return float(np.mean(excess))


def flips(voter: Voter, p: Floats, r: Floats) -> Floats:
    """Chance that two votes on one pair name different models, whose chances of a are p and r."""
    steady, half = (1.0 - voter.noise) ** 2, voter.tie_share / 2.0
    moved = np.maximum(np.abs(p - r) - 2.0 * half, 0.0)
    independent = (p - half) * (1.0 - r - half) + (r - half) * (1.0 - p - half)
    return np.asarray(steady * moved + (1.0 - steady) * independent)


def _begun(
    judge: PlantedJudge, pair: ComparedPair, n: int, seed: int
) -> tuple[Bools, Floats, np.random.Generator]:
    """Which items are voted on twice, the judge's standing opinions, and the draws to come."""
    rng = generator(seed, "lab", "votes", judge.name, pair.name)
    repeated = np.zeros(n, dtype=bool)
    repeated[rng.choice(n, min(n, REPEATED_PER_PAIR), replace=False)] = True
    return repeated, standing_opinions(judge.voter, pair.deserved, rng), rng


def luck_of_replies(checkpoint: str, n_items: int, seed: int) -> Floats:
    """How well each reply turned out for its checkpoint, standard normal, shape (items,)."""
    return generator(seed, "lab", "luck of replies", checkpoint).normal(size=n_items)


def _names(pair: ComparedPair) -> Line:
    return {"model_a": pair.model_a.name, "model_b": pair.model_b.name}


def _deserved(model_a: str, model_b: str, n_items: int, seed: int) -> Floats:
    """Opinions that the items' pairs deserve, shape (items,).

    A reply that turned out well for its checkpoint does so in each of its pairs; the rest belongs
    to the pair alone.
    """
    own = [luck_of_replies(name, n_items, seed) for name in (model_a, model_b)]
    shared = (own[1] - own[0]) / np.sqrt(2.0)
    apart = generator(seed, "lab", "luck of pairs", model_a, model_b).normal(size=n_items)
    mixed = np.sqrt(SHARED_TASTE) * shared + np.sqrt(1.0 - SHARED_TASTE) * apart
    return np.asarray(ndtr(mixed))
