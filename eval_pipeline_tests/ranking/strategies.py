"""Battles as hypothesis draws them, and the slow, obvious twins of what we compute from them."""

import numpy as np
from hypothesis import strategies as st

from eval_pipeline.ranking.encode import Battles, encode_battles

NAMES = ("ant", "bee", "cat", "dog", "elk")

rows = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from((0.0, 0.25, 0.5, 1.0)),
    st.sampled_from((0.5, 1.0)),
    st.booleans(),
    st.sampled_from("pqrst"),
).filter(lambda row: row[0] != row[1])
some_rows = st.lists(rows, min_size=1, max_size=40)
Row = tuple[str, str, float, float, bool, str]


def battles_of(drawn: list[Row], *, seats: bool = True) -> Battles:
    first, second, score, weight, seated, cluster = zip(*drawn, strict=True)
    return encode_battles(
        first,
        second,
        score,
        weight=weight,
        seated=seated if seats else None,
        cluster=cluster,
    )


def simulated(
    rng: np.random.Generator,
    theta: np.ndarray,
    prompts: int,
    *,
    order_effect: float = 0.0,
    prompt_sd: float = 0.0,
    ties: float = 0.0,
) -> Battles:
    """Every pair of models on every prompt in both orders; ability moves with the prompt."""
    n = len(theta)
    i, j = (np.tile(k, 2) for k in np.triu_indices(n, k=1))
    turn = np.repeat([False, True], len(i) // 2)
    first, second = np.where(turn, j, i), np.where(turn, i, j)
    names = [f"m{k}" for k in range(n)]
    one, two, scores, clusters = [], [], [], []
    for prompt in range(prompts):
        ability = theta + prompt_sd * rng.standard_normal(n)
        chance = 1 / (1 + np.exp(-(ability[first] - ability[second] + order_effect)))
        score = (rng.random(len(first)) < chance).astype(float)
        score[rng.random(len(first)) < ties] = 0.5
        one += [names[k] for k in first]
        two += [names[k] for k in second]
        scores += score.tolist()
        clusters += [f"p{prompt:04}"] * len(first)
    return encode_battles(
        one,
        two,
        scores,
        cluster=clusters,
        weight=np.full(len(scores), 0.5),
        seated=np.ones(len(scores), dtype=bool),
    )
