"""The seat's effect where each pair was judged in one order only, drawn at random.

Nothing cancels within such a pair. But over many items the pairs of two models that were judged
with model_a first deserve the same as those judged with it second, so that the seat is what sets
their scores apart:
    score = alpha_p + b pos + noise,
pos +1 where model_a was shown first and -1 where second, alpha_p a term for each pair of models.
It rests on the orders having been drawn at random; where an order follows the model, there is no
estimate, and where one seat was seen on a few clusters only, no interval: the squares of so few
say too little of how clusters differ.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.rows import Floats, Ints, grouped
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, standard_error, undefined
from eval_pipeline.statistics.clusters import cluster_codes

NAME = "position_effect_single_order"
UNRECORDED_ORDERS = "nobody recorded which reply was shown first: judge the pairs in both orders"
SEAT_IS_MODEL = (
    "each pair of models was shown in one order throughout, so seat and model are one: draw the "
    "order anew for each item, or judge both orders"
)


def single_order_effect(pairs: JudgedPairs, confidence: float) -> Finding:
    """The seat's effect over the pairs of one judge that have votes in one order only."""
    if pairs.orders == "unrecorded":
        return Finding(NAME, undefined(UNRECORDED_ORDERS, confidence), 0)
    return _over_orders(NAME, pairs.where(pairs.category == "single_order"), confidence)


def position_effect_by_design(pairs: JudgedPairs, confidence: float) -> Finding:
    """`position_effect` of one judge where one order is due: over every order that has a vote.

    The same quantity as (P1 - P2) / 2 of pairs judged in both orders.
    """
    return _over_orders("position_effect", pairs, confidence)


def _over_orders(name: str, pairs: JudgedPairs, confidence: float) -> Finding:
    """A row an order that has a usable vote; both of a pair lie in one cluster."""
    pair, order = np.nonzero(pairs.usable)
    if not len(pair):
        return Finding(name, undefined("no pair was judged in one order only", confidence), 0)
    _, block = grouped([pairs.model_a, pairs.model_b])
    estimate, p_value = seat_effect(
        pairs.order_scores[pair, order],
        order == 0,
        block[pair],
        pairs.cluster_id[pair],
        confidence,
    )
    return Finding(name, estimate, int(pairs.usable.sum()), p_value)


def seat_effect(
    score: ArrayLike, first: ArrayLike, block: Ints, clusters: ArrayLike, confidence: float
) -> tuple[Estimate, float]:
    """What the first seat adds to a model's score, (P1 - P2) / 2, with the p-value of nothing.

    score: of the model that is followed, shape (votes,), 0 to 1; first: whether it was shown
    first; block: what the comparison is made within, numbered, such as its pair of models. CR1
    over clusters, t(Q - 1), as in `contrast.coefficient`.
    Raises ValueError for scores that are not in 0..1, and vectors of different lengths.
    """
    y, seat = _checked(score), np.where(np.asarray(first, dtype=bool), 1.0, -1.0)
    if not len(y) == len(seat) == len(block):
        raise ValueError(f"{len(y)} scores, {len(seat)} seats and {len(block)} blocks")
    codes, n_clusters = cluster_codes(clusters)
    if len(codes) != len(y):
        raise ValueError(f"{len(y)} scores but {len(codes)} clusters")
    n_blocks = int(block.max(initial=-1)) + 1
    sizes = np.bincount(block, minlength=n_blocks)
    within = seat - (np.bincount(block, seat, n_blocks) / sizes)[block]
    spread = float((within**2).sum())
    if not spread > 0:
        return undefined(SEAT_IS_MODEL, confidence, n_clusters), math.nan
    effect = float((within * y).sum()) / spread
    apart = y - (np.bincount(block, y, n_blocks) / sizes)[block] - effect * within
    told = within != 0  # a block seen from one seat says nothing
    fewest = min(len(np.unique(codes[told & (seat == side)])) for side in (-1.0, 1.0))
    if fewest < FEW_CLUSTERS:
        reason = f"no interval: {fewest} clusters show the rarer order, {FEW_CLUSTERS} are needed"
        return undefined(reason, confidence, n_clusters, effect), math.nan
    if len(y) <= n_blocks + 1:
        reason = f"no interval: {n_clusters} clusters, {len(y)} votes for {n_blocks + 1} terms"
        return undefined(reason, confidence, n_clusters, effect), math.nan
    se = standard_error(within * apart / spread, codes, n_clusters)
    se *= math.sqrt((len(y) - 1) / (len(y) - n_blocks - 1))
    if not se > 0:
        reason = "no interval: no vote differs from another of its seat"
        return undefined(reason, confidence, n_clusters, effect), math.nan
    df = n_clusters - 1
    half = float(stdtrit(df, 0.5 + confidence / 2)) * se
    estimate = Estimate(
        effect, se, effect - half, effect + half, "cr1_t", confidence, n_clusters, df
    )
    return estimate, float(2 * stdtr(df, -abs(effect) / se))


def _checked(score: ArrayLike) -> Floats:
    y = np.asarray(score, dtype=np.float64)
    if y.ndim != 1 or (bad := np.flatnonzero(~((y >= 0) & (y <= 1)))).size:
        where = f"vote {bad[0]}: {y[bad[0]]}" if y.ndim == 1 else f"shape {y.shape}"
        raise ValueError(f"scores must be a vector of numbers in 0..1, got {where}")
    return y
