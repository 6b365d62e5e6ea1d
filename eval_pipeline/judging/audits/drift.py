"""Whether a judge is still the one that was audited: the same pairs, judged again each night.

Sentinels are pairs that were voted on when the judge was audited. A night's votes on them are held
against those votes, never against another night's, so that small steps add up. Three measures:
    changed_votes: share of vote pairs (audit, night; same order) that name different models, beyond
        the flips between repeats at the audit. On average it is the mean of (p_night - p_audit)^2
        where there are no ties: whichever way it moved, it shows. It needs repeats at the audit.
    position_shift: what the first seat adds now, minus what it added then.
    tie_shift: share of ties now, minus then.
A judge is asked every night, so the error is spent: of night k the intervals have the confidence
1 - alpha / (m k (k + 1)), m the measures. All nights together then suspend a steady judge with a
chance of at most alpha (union bound; the sum of 1 / (k (k + 1)) is 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.pairs.swap import TIE, A, B, JudgedPairs, combine_votes
from eval_pipeline.judging.rows import Floats, Ints, ratio
from eval_pipeline.statistics.clustered import Estimate, undefined
from eval_pipeline.statistics.paired import mean_difference
from eval_pipeline.statistics.randomness import generator

MEASURES = ("changed_votes", "position_shift", "tie_shift")
PairKey = tuple[str, str, str]  # item, model_a, model_b


@dataclass(frozen=True)
class Night:
    """The votes of one judge on its sentinels in one night."""

    date: str
    pairs: JudgedPairs


def sentinel_pairs(planned: Sequence[PairKey], n: int, seed: int) -> list[PairKey]:
    """At most n of the planned pairs, drawn at random once and for all, sorted.

    They are asked each night in both orders, past every cache. Raises ValueError for n below 1.
    """
    if n < 1:
        raise ValueError(f"sentinels need at least one pair, got {n}")
    known = sorted(set(planned))
    if len(known) <= n:
        return known
    chosen = generator(seed, "sentinels").choice(len(known), n, replace=False)
    return [known[i] for i in np.sort(chosen)]


def drift_rows(
    votes: pa.Table, sentinels: pa.Table, judges: Sequence[str], confidence: float
) -> list[dict[str, object]]:
    """Rows of `judge_drift`, sorted by judge, night and measure.

    votes: `judge_votes` of the audit; sentinels: `judge_sentinel_votes`.
    """
    rows: list[dict[str, object]] = []
    for judge in sorted(judges):
        mine = sentinels.filter(pc.equal(sentinels["judge"], judge))
        nights = [
            Night(date, combine_votes(mine.filter(pc.equal(mine["night"], date))))
            for date in sorted(set(mine["night"].to_pylist()))
        ]
        if nights:
            audit = combine_votes(votes.filter(pc.equal(votes["judge"], judge)))
            rows += judge_drift(judge, audit, nights, confidence)
    return rows


def judge_drift(
    judge: str, audit: JudgedPairs, nights: Sequence[Night], confidence: float
) -> list[dict[str, object]]:
    """The drift of one judge, night by night in the order given; audit: its votes then."""
    place = {key: i for i, key in enumerate(_keys(audit))}
    rows = []
    for number, night in enumerate(nights, start=1):
        found = [(place[key], i) for i, key in enumerate(_keys(night.pairs)) if key in place]
        both = np.array(found, dtype=np.int64).reshape(-1, 2)
        then, now = audit.where(both[:, 0]), night.pairs.where(both[:, 1])
        spent = (1.0 - confidence) / (len(MEASURES) * number * (number + 1))
        for measure, values, most in _moves(then, now):
            row = _row(judge, night.date, measure, values, then, 1.0 - spent, most)
            n_pairs = int((~np.isnan(values)).sum())
            rows.append({**row, "n_pairs": n_pairs, "n_excluded": len(night.pairs) - n_pairs})
    return sorted(rows, key=lambda row: (str(row["night"]), str(row["measure"])))


def _moves(then: JudgedPairs, now: JudgedPairs) -> list[tuple[str, Floats, float]]:
    """Each measure with its value on every pair, NaN where it has none, and the most it can be."""
    changed = _changed(then.counts, now.counts).mean(axis=1) - then.repeat_flip
    ties = _ties(now) - _ties(then)
    shift = now.position - then.position
    return [("changed_votes", changed, 1.0), ("position_shift", shift, 1.0), ("tie_shift", ties, 1)]


def _changed(then: Ints, now: Ints) -> Floats:
    """Share of vote pairs of one order that name different models, shape (pairs, 2 orders)."""
    flips = then[:, :, A] * now[:, :, B] + then[:, :, B] * now[:, :, A]
    return ratio(flips, then.sum(axis=2) * now.sum(axis=2))


def _ties(pairs: JudgedPairs) -> Floats:
    return np.asarray(ratio(pairs.counts[:, :, TIE], pairs.usable).mean(axis=1))


def _row(
    judge: str,
    night: str,
    measure: str,
    values: Floats,
    pairs: JudgedPairs,
    confidence: float,
    most: float,
) -> dict[str, object]:
    known = ~np.isnan(values)
    if known.any():
        clusters = pairs.cluster_id[known]
        estimate = mean_difference(
            values[known], clusters, confidence=confidence, most=most
        ).estimate
    else:
        estimate = undefined(_nothing(measure, len(pairs)), confidence)
    return {
        "judge": judge,
        "night": night,
        "measure": measure,
        "estimate": estimate.value,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "ci_method": estimate.method,
        "confidence": confidence,
        "outcome": _outcome(measure, estimate),
        "n_units": estimate.n_clusters,
        "status": "undefined" if np.isnan(estimate.value) else "ok",
        "reason": estimate.reason,
    }


def _nothing(measure: str, n_pairs: int) -> str:
    if not n_pairs:
        return "no sentinel was voted on at the audit"
    if measure == "changed_votes":
        return "no sentinel was repeated in both orders at the audit"
    return "no sentinel has a usable vote in both orders, then and now"


def _outcome(measure: str, estimate: Estimate) -> str:
    """drifted where the interval excludes 0; fewer changes than by chance are no drift."""
    if not estimate.has_interval:
        return "undecided"
    below = measure != "changed_votes" and estimate.high < 0
    return "drifted" if estimate.low > 0 or below else "steady"


def _keys(pairs: JudgedPairs) -> list[PairKey]:
    return list(zip(pairs.item_id, pairs.model_a, pairs.model_b, strict=True))
