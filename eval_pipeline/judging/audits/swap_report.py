"""The swap report: how often the orders agree, and what the seat does to the verdict.

The judged pair is the unit of every rate and its item's cluster the unit of every interval: both
orders and all repeats move together. Flips alone do not show bias, since a judge who is not sure
flips too; the excess over flips between repeats in the same order does.
"""

import math

import numpy as np

from eval_pipeline.judging.audits.single_order import UNRECORDED_ORDERS, position_effect_by_design
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.rows import Bools, Floats, Ints
from eval_pipeline.statistics.clustered import Estimate, mean, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.paired import mean_difference, sign_test

CATEGORIES = (
    "consistent_a",
    "consistent_b",
    "tie",
    "flipped",
    "mixed",
    "single_order",
    "missing",
)
NO_BOTH_ORDERS = "no pair has a usable vote in both orders"
NO_REPEATS = "no pair was repeated in both orders: set judging.repeats to 2 or more"
ONE_ORDER = (
    "it needs both orders and the contract asks for one: set judging.orders to both and "
    "judging.repeats to 2 or more, or leave its bar out"
)


def swap_findings(pairs: JudgedPairs, confidence: float) -> list[Finding]:
    """Rate of each category, flips, flip excess, position effect, missing votes: of one judge.

    Rates are over all judged pairs, missing ones included; the rest over pairs with a usable vote
    in both orders, and what needs repeats over pairs repeated in both.
    """
    category = pairs.category
    rates = [(f"rate_{name}", (category == name).astype(np.float64)) for name in CATEGORIES]
    flips = [("flip_rate", pairs.swap_flip), ("repeat_flip_rate", pairs.repeat_flip)]
    return [
        *(_share(name, values, pairs, confidence) for name, values in (*rates, *flips)),
        flip_excess(pairs, confidence),
        position_effect(pairs, confidence),
        _seat_of_flips(pairs, confidence),
        missing_rate(pairs, confidence),
    ]


def preference_findings(pairs: JudgedPairs, confidence: float) -> list[Finding]:
    """Who wins, of one judge on one pair of models.

    The debiased win rate of model_a, (P1 + P2) / 2; the exact sign test where the orders agree.
    """
    category = pairs.category
    favours = (category == "consistent_a").astype(np.int64) - (category == "consistent_b")
    sign = _sign(
        "sign_preference", favours, pairs, confidence, "no pair has one winner in both orders"
    )
    return [_share("debiased_win_rate", pairs.score, pairs, confidence), sign]


def flip_excess(pairs: JudgedPairs, confidence: float) -> Finding:
    """Flips between orders beyond flips between repeats: (P1 - P2)^2 on average without ties.

    Unbiased on each pair that was repeated in both orders; 0 where the seat does nothing.
    """
    excess = pairs.swap_flip - pairs.repeat_flip
    reason = NO_REPEATS if pairs.both_orders.any() else NO_BOTH_ORDERS
    found = _difference("flip_excess", excess, pairs, confidence, 1.0, reason)
    if pairs.one_order and not found.n_votes:
        told = pairs.orders != "unrecorded"
        estimate = undefined(ONE_ORDER if told else UNRECORDED_ORDERS, confidence)
        return Finding(found.audit, estimate, 0, could_run=False)
    return found


def position_effect(pairs: JudgedPairs, confidence: float) -> Finding:
    """What the first seat adds to a model's score: mean of (P1 - P2) / 2.

    Where one order is due by design nothing cancels within a pair, and the seats are held against
    each other over items.
    """
    if pairs.orders == "unrecorded":
        none = undefined(UNRECORDED_ORDERS, confidence)
        return Finding("position_effect", none, 0, could_run=False)
    if pairs.one_order:
        return position_effect_by_design(pairs, confidence)
    return _difference("position_effect", pairs.position, pairs, confidence, 0.5, NO_BOTH_ORDERS)


def missing_rate(pairs: JudgedPairs, confidence: float) -> Finding:
    """Votes that are not there over votes that should be: counted, so it needs no interval."""
    expected = int(pairs.n_expected.sum())
    if not expected:
        return Finding("missing_rate", undefined("no votes", confidence), 0)
    share = int(pairs.n_missing.sum()) / expected
    _, n_clusters = cluster_codes(pairs.cluster_id)
    return Finding("missing_rate", _counted(share, n_clusters, confidence), expected)


def _share(name: str, values: Floats, pairs: JudgedPairs, confidence: float) -> Finding:
    """Mean of values in 0..1 over the pairs that have one."""
    known = ~np.isnan(values)
    repeats_lack = name.startswith("repeat") and pairs.both_orders.any()
    reason = NO_REPEATS if repeats_lack else NO_BOTH_ORDERS
    if not known.any():
        return Finding(name, undefined(reason, confidence), 0)
    estimate = mean(values[known], pairs.cluster_id[known], confidence=confidence)
    return Finding(name, estimate, _votes(pairs, known))


def _difference(
    name: str, values: Floats, pairs: JudgedPairs, confidence: float, most: float, reason: str
) -> Finding:
    """Mean of values around 0 over the pairs that have one, with its test."""
    known = ~np.isnan(values)
    if not known.any():
        return Finding(name, undefined(reason, confidence), 0)
    found = mean_difference(
        values[known], pairs.cluster_id[known], confidence=confidence, most=most
    )
    return Finding(name, found.estimate, _votes(pairs, known), found.p_value)


def _seat_of_flips(pairs: JudgedPairs, confidence: float) -> Finding:
    """McNemar's exact test on the flipped pairs: do they follow the first seat, or the second?

    It tests position bias, and says nothing of which model is better.
    """
    return _sign("mcnemar_position", pairs.flips_to_seat, pairs, confidence, "no pair flipped")


def _sign(name: str, signs: Ints, pairs: JudgedPairs, confidence: float, reason: str) -> Finding:
    """Share of +1 among the signs, and the exact test that +1 and -1 are equally likely.

    The test counts clusters by the sign of their sum, as the pairs of a cluster move together.
    """
    used = signs != 0
    if not used.any():
        return Finding(name, undefined(reason, confidence), 0)
    codes, n_clusters = cluster_codes(pairs.cluster_id[used])
    sums = np.bincount(codes, signs[used], n_clusters)
    p_value = sign_test(int((sums > 0).sum()), int((sums < 0).sum()))
    share = float((signs[used] > 0).mean())
    return Finding(name, _counted(share, n_clusters, confidence), _votes(pairs, used), p_value)


def _counted(share: float, n_clusters: int, confidence: float) -> Estimate:
    nan = math.nan
    return Estimate(share, nan, nan, nan, None, confidence, n_clusters, nan)


def _votes(pairs: JudgedPairs, used: Bools) -> int:
    return int(pairs.usable[used].sum())
