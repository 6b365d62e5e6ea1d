"""Judges and raters whose every bias is known, as votes and labels in arrays.

The additive error model: P(model_a wins) = q + b pos + gamma dlen / 100 + s self. Its q is drawn
anew for each pair of replies, and longer replies are really better, so that an audit that took
quality for bias would be found out.
"""

from dataclasses import dataclass, replace

import numpy as np

from eval_pipeline.judging.audits.self_preference import own_side
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline.lab.judges import Bias, additive_probability

FAMILY = {"heron@1": "heron", "heron@2": "heron", "tern@1": "tern", "tern@2": "tern"}
MODELS = sorted(FAMILY)
PAIRS = [(a, b) for i, a in enumerate(MODELS) for b in MODELS[i + 1 :]]


@dataclass(frozen=True)
class Planted:
    """What one judge of the family tern and three raters say of all pairs of four models."""

    pairs: JudgedPairs
    labels: LabelledPairs
    n_chars: dict[tuple[str, str], int]


def planted(bias: Bias, n_items: int, rng: np.random.Generator, lost: float = 0.0) -> Planted:
    """Two repeats in both orders on every item and pair; items of two share a cluster.

    lost: chance that a vote comes back without a verdict.
    """
    item = np.repeat(np.arange(n_items), len(PAIRS))
    a, b = (np.tile([pair[side] for pair in PAIRS], n_items).astype(object) for side in (0, 1))
    tokens = {model: rng.uniform(50, 250, n_items) for model in MODELS}
    length = np.array([tokens[x][i] - tokens[y][i] for x, y, i in zip(a, b, item, strict=True)])
    own = own_side(a, b, "tern", FAMILY)
    luck = {model: rng.normal(0, 0.2, n_items) for model in MODELS}
    quality = np.array([luck[x][i] - luck[y][i] for x, y, i in zip(a, b, item, strict=True)])
    q = np.clip(0.5 + quality + 0.05 * length / 100, 0.3, 0.7)  # longer is better, to everyone
    counts = np.zeros((item.size, 2, 3), dtype=np.int64)
    asked = np.full((item.size, 2), 2, dtype=np.int64)
    for order, pos in enumerate((1, -1)):
        chance = additive_probability(q, bias, pos, length, own)
        usable = rng.binomial(2, 1 - lost, item.size)
        counts[:, order, 0] = rng.binomial(usable, chance)
        counts[:, order, 1] = usable - counts[:, order, 0]
    wins = rng.binomial(3, q)
    names = np.array([f"i{i:05d}" for i in item], dtype=object)
    clusters = np.array([f"c{i // 2:05d}" for i in item], dtype=object)
    judge = np.full(item.size, "judge", dtype=object)
    people = np.stack([wins, 3 - wins, np.zeros_like(wins)], axis=1).astype(np.int64)
    return Planted(
        JudgedPairs(judge, names, clusters, a, b, counts, asked),
        LabelledPairs(names, clusters, a, b, people),
        {
            (model, f"i{i:05d}"): round(4 * tokens[model][i])
            for model in MODELS
            for i in range(n_items)
        },
    )


def in_one_order(made: Planted, first: np.ndarray) -> Planted:
    """The same votes, of each pair only those with model_a shown first, or second.

    first: whether model_a was shown first, shape (pairs,).
    """
    heard = np.stack([first, ~first], axis=1).astype(np.int64)
    pairs = made.pairs
    return replace(
        made,
        pairs=replace(
            pairs,
            counts=pairs.counts * heard[:, :, None],
            asked=pairs.asked * heard,
            orders="one",
        ),
    )
