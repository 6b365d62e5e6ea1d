"""What a judge's own family gains with it beyond what it gains with people."""

from collections.abc import Collection, Mapping

import numpy as np

from eval_pipeline.judging.audits.contrast import NOT_BOTH, Contrast, ContrastFit, coefficient
from eval_pipeline.judging.audits.single_order import SEAT_IS_MODEL
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings, grouped, ratio
from eval_pipeline.statistics.clustered import mean, undefined
from eval_pipeline.statistics.paired import mean_difference


def own_side(
    model_a: Strings, model_b: Strings, judge_family: str, family: Mapping[str, str]
) -> Ints:
    """+1 where only model_a is of the judge's family, -1 where only model_b is, else 0.

    A model whose family is not known makes the pair 0: it is left out, never taken for a stranger.
    """
    own = {
        name: float(family[name] == judge_family) if name in family else np.nan
        for name in {*model_a, *model_b}
    }
    one, other = (
        np.fromiter(map(own.__getitem__, models), np.float64, len(models))
        for models in (model_a, model_b)
    )
    return np.nan_to_num(one - other).astype(np.int64)


def stranger_to(
    models: Collection[str], judge_family: str, family: Mapping[str, str]
) -> str | None:
    """A sentence where every model that the judge saw is known to be of another family."""
    families = [family.get(model) for model in models]
    if not families or None in families or judge_family in families:
        return None
    return f"no judged model is of the judge's family {judge_family!r}"


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
    if rows.seat_is_model:
        return Finding(name, undefined(SEAT_IS_MODEL, confidence), 0)
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
    if not len(rows):
        return Finding(name, undefined(NOT_BOTH, confidence), 0)
    side = own_side(rows.model_a, rows.model_b, judge_family, family)
    used = side != 0
    if not used.any():
        return Finding(name, undefined(_no_own(judge_family), confidence), 0)
    if rows.seat_is_model:
        return Finding(name, undefined(SEAT_IS_MODEL, confidence), 0)
    signed = side[used] * rows.difference[used]
    found = mean_difference(signed, rows.cluster_id[used], confidence=confidence)
    return Finding(name, found.estimate, int(rows.n_votes[used].sum()), found.p_value)


def self_preference_over_panel(
    pairs: JudgedPairs,
    panel: Floats,
    judge_family: str,
    family: Mapping[str, str],
    confidence: float,
) -> Finding:
    """The own family's win rate with the judge minus with judges of neither compared family.

    panel: what those judges make of model_a, of `panel_scores`. It needs no labels, and what all
    judges share it cannot see.
    """
    name = "self_preference_over_panel"
    side = own_side(pairs.model_a, pairs.model_b, judge_family, family)
    signed = side * (pairs.heard_score - panel)
    used = (side != 0) & ~np.isnan(signed)
    if not used.any():
        reason = (
            f"no pair with one model of the family {judge_family!r} was judged by a judge of "
            "neither model's family too"
        )
        return Finding(name, undefined(reason, confidence), 0)
    found = mean_difference(signed[used], pairs.cluster_id[used], confidence=confidence)
    return Finding(name, found.estimate, int(pairs.usable[used].sum()), found.p_value)


def panel_scores(
    pairs: JudgedPairs, judge_family: Mapping[str, str], model_family: Mapping[str, str]
) -> Floats:
    """For each row, the mean score of the pair by judges of neither model's family, shape (rows,).

    pairs: of all judges. A judge of the opponent's family may favour its own, and would make an
    honest one look partial; where a model's family is not known nobody can be held to be impartial.
    NaN where no such judge of another family saw the pair in each order that is due.
    """
    if not len(pairs):
        return np.zeros(0)
    firsts, pair = grouped([pairs.item_id, pairs.model_a, pairs.model_b])
    score, n = pairs.heard_score, len(firsts)
    usable = ~np.isnan(score) & _impartial(pairs, judge_family, model_family)
    known = np.where(usable, score, 0.0)
    sums, counts = np.bincount(pair, known, n), np.bincount(pair, usable, n)
    total, others = sums[pair], counts[pair].astype(np.int64)
    families = np.array([judge_family.get(judge, "") for judge in pairs.judge], dtype=object)
    for name in sorted(set(families)):
        mine = families == name
        total[mine] -= np.bincount(pair[mine], known[mine], n)[pair[mine]]
        others[mine] -= np.bincount(pair[mine], usable[mine], n)[pair[mine]].astype(np.int64)
    return ratio(total, others)


def _impartial(
    pairs: JudgedPairs, judge_family: Mapping[str, str], model_family: Mapping[str, str]
) -> Bools:
    """Whether the row's judge is known to be of neither model's family."""
    columns = (pairs.judge, pairs.model_a, pairs.model_b)
    families = [
        (judge_family.get(judge), model_family.get(a), model_family.get(b))
        for judge, a, b in zip(*columns, strict=True)
    ]
    return np.array([None not in one and one[0] not in one[1:] for one in families], dtype=bool)


def family_win_rates(
    pairs: JudgedPairs, family: Mapping[str, str], confidence: float
) -> list[tuple[str, Finding]]:
    """(family, win rate of its models against those of other families), by one judge, sorted.

    With a row a judge this is the crossed table of generator family and judge family.
    """
    names = sorted({family[m] for m in {*pairs.model_a, *pairs.model_b} if m in family})
    if len(names) < 2:
        return []
    found = []
    for name in names:
        side = own_side(pairs.model_a, pairs.model_b, name, family)
        score = np.where(side > 0, pairs.heard_score, 1.0 - pairs.heard_score)
        used = (side != 0) & ~np.isnan(score)
        if used.any():
            estimate = mean(score[used], pairs.cluster_id[used], confidence=confidence)
        else:
            estimate = undefined("no pair with one model of the family", confidence)
        found.append((name, Finding("family_win_rate", estimate, int(pairs.usable[used].sum()))))
    return found


def _no_own(judge_family: str) -> str:
    return f"no labelled pair is known to hold exactly one model of the family {judge_family!r}"
