"""What a judge's own family gains with it beyond what it gains with people."""

from collections.abc import Mapping

import numpy as np

from eval_pipeline.judging.contrast import Contrast, ContrastFit, coefficient
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.rows import Ints, Strings
from eval_pipeline.statistics.clustered import undefined
from eval_pipeline.statistics.paired import mean_difference


def own_side(
    model_a: Strings, model_b: Strings, judge_family: str, family: Mapping[str, str]
) -> Ints:
    """+1 where only model_a is of the judge's family, -1 where only model_b is, else 0.

    A model whose family is not known makes the pair 0: it is left out, never taken for a stranger.
    """
    one = [(family.get(a), family.get(b)) for a, b in zip(model_a, model_b, strict=True)]
    return np.array(
        [
            0 if a is None or b is None else int(a == judge_family) - int(b == judge_family)
            for a, b in one
        ],
        dtype=np.int64,
    )


def self_preference(
    fitted: ContrastFit | str, judge_family: str, family: Mapping[str, str], confidence: float
) -> Finding:
    """Points of win rate that the judge adds to its own family at equal length, over the people's.

    The mean of the contrast's pair terms, signed so that the own family's model comes first, over
    the pairs that hold one model of the family; pairs of models weigh by their judged replies.
    """
    name = "self_preference"
    if isinstance(fitted, str):
        return Finding(name, undefined(fitted, confidence), 0)
    rows = fitted.rows
    side = own_side(rows.model_a, rows.model_b, judge_family, family)
    if not side.any():
        return Finding(name, undefined(_no_own(judge_family), confidence), 0)
    weights = np.bincount(fitted.pair, side, len(fitted.intercepts)) / np.count_nonzero(side)
    value = float(weights @ fitted.intercepts)
    influence = fitted.intercept_influence(weights)
    estimate, p_value = coefficient(fitted, value, influence, confidence)
    return Finding(name, estimate, int(rows.n_votes[side != 0].sum()), p_value)


def self_preference_unadjusted(
    rows: Contrast, judge_family: str, family: Mapping[str, str], confidence: float
) -> Finding:
    """The own family's win rate with the judge minus with people, lengths as they are."""
    name = "self_preference_unadjusted"
    side = own_side(rows.model_a, rows.model_b, judge_family, family)
    used = side != 0
    if not used.any():
        return Finding(name, undefined(_no_own(judge_family), confidence), 0)
    signed = side[used] * rows.difference[used]
    found = mean_difference(signed, rows.cluster_id[used], confidence=confidence)
    return Finding(name, found.estimate, int(rows.n_votes[used].sum()), found.p_value)


def _no_own(judge_family: str) -> str:
    return f"no labelled pair is known to hold exactly one model of the family {judge_family!r}"
