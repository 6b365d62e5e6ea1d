"""What the scores of single replies show of one judge, in points of the rubric's scale.

A longer reply, or one of the judge's own family, may really be better. Where people scored the
same replies, real quality cancels in the judge's score minus theirs (`contrast`), and only that is
held against a bar; what needs no people is described beside it. Agreement is the quadratically
weighted kappa: the design is crossed, each judge (or person) scores the very same replies, and a
near miss is nearly right.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from eval_pipeline.judging.audits.contrast import (
    CHARACTERS_PER_TOKEN,
    NOBODY,
    Contrast,
    ContrastFit,
    coefficient,
    fit,
)
from eval_pipeline.judging.audits.kappas import kappa_ratio, score_kappa
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.prompts.rubric import Rubric
from eval_pipeline.judging.rows import Bools, Floats, Ints, Strings
from eval_pipeline.judging.scoring.scored_replies import ScoredReplies
from eval_pipeline.metrics.agreement.kappas import Kappa, kappa_estimate
from eval_pipeline.statistics.clustered import Estimate, mean, undefined
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.paired import mean_difference

NO_PEOPLE = "no scored reply has scores of people"
ALONE = "no other judge scored its replies"


@dataclass(frozen=True)
class Compared:
    """The replies that one judge scored, and what others say of the same ones; a row a reply.

    others: mean and mean square of the other judges' scores; strangers: mean of judges of other
    families; people: mean, mean square, variance among people and their number. NaN, or 0, where
    nobody did. length: of the reply, hundreds of tokens, NaN where unknown.
    """

    mine: ScoredReplies
    others: Floats
    others_square: Floats
    strangers: Floats
    people: Floats
    people_square: Floats
    people_variance: Floats
    n_people: Ints
    length: Floats

    def __len__(self) -> int:
        return len(self.mine)

    def where(self, mask: Bools) -> "Compared":
        """The rows that the mask keeps."""
        rest = {f.name: getattr(self, f.name)[mask] for f in fields(self) if f.name != "mine"}
        return Compared(self.mine.where(mask), **rest)


@dataclass(frozen=True)
class Reading:
    """How scores are read: the rubric, whose family the judge is of, and the confidence."""

    rubric: Rubric
    judge_family: str
    model_family: Mapping[str, str]  # checkpoints whose family is known
    confidence: float


def score_findings(some: Compared, reading: Reading) -> list[Finding]:
    """Every audit of one judge on some of its replies."""
    return [
        *plain_findings(some, reading),
        agreement_of_judges(some, reading.confidence),
        repeat_spread(some.mine, reading),
        *people_findings(some, reading.confidence),
        *contrast_findings(some, reading),
        _slope("score_verbosity_unadjusted", _rows(some, np.zeros(len(some))), reading),
        self_preference_over_panel(some, reading),
    ]


def plain_findings(some: Compared, reading: Reading) -> list[Finding]:
    """What is missing, what lies at the scale's ends, and the offset from people."""
    mine, confidence = some.mine, reading.confidence
    return [
        missing_scores(mine, confidence),
        _share("score_at_floor", mine.at_low, mine, confidence),
        _share("score_at_ceiling", mine.at_high, mine, confidence),
        offset(some, reading),
    ]


def missing_scores(mine: ScoredReplies, confidence: float) -> Finding:
    """Scores that are not there over those that should be: counted, so it needs no interval."""
    asked = int(mine.asked.sum())
    if not asked:
        return Finding("missing_rate", undefined("no scores", confidence), 0)
    share = 1.0 - int(mine.usable.sum()) / asked
    _, n_clusters = cluster_codes(mine.cluster_id)
    counted = undefined("", confidence, n_clusters, share)
    return Finding("missing_rate", replace(counted, reason=None), asked)


def offset(some: Compared, reading: Reading) -> Finding:
    """Points that the judge gives beyond the people who scored the same replies."""
    name, mine = "score_offset", some.mine
    apart = mine.mean - some.people
    used = ~np.isnan(apart)
    if not used.any():
        return Finding(name, undefined(NO_PEOPLE, reading.confidence), 0)
    found = mean_difference(
        apart[used],
        mine.cluster_id[used],
        confidence=reading.confidence,
        most=float(reading.rubric.width),
    )
    return Finding(name, found.estimate, _n(some, used), found.p_value)


def repeat_spread(mine: ScoredReplies, reading: Reading) -> Finding:
    """Standard deviation of a reply's score over repeats of the very same prompt, points.

    The root of the mean variance of the replies scored twice or more; the ends of its interval are
    the roots of the variance's.
    """
    name, used = "score_repeat_spread", ~np.isnan(mine.variance)
    if not used.any():
        return Finding(name, undefined("no reply was scored twice", reading.confidence), 0)
    widest = reading.rubric.width**2 / 2  # variance of two scores at both ends
    found = mean(
        np.minimum(mine.variance[used] / widest, 1.0),
        mine.cluster_id[used],
        confidence=reading.confidence,
    )
    value = math.sqrt(widest * found.value)
    estimate = replace(
        found,
        value=value,
        se=widest * found.se / (2 * value) if value > 0 else 0.0,
        low=math.sqrt(widest * max(found.low, 0.0)) if found.has_interval else math.nan,
        high=math.sqrt(widest * found.high) if found.has_interval else math.nan,
    )
    return Finding(name, estimate, int(mine.usable[used].sum()))


def agreement_of_judges(some: Compared, confidence: float) -> Finding:
    """Quadratically weighted kappa of one score of the judge with one of another judge."""
    name, mine = "score_agreement", some.mine
    used = ~np.isnan(mine.mean) & ~np.isnan(some.others)
    if not used.any():
        return Finding(name, undefined(ALONE, confidence), 0)
    kappa = _between(some, used, some.others, some.others_square)
    codes, n_clusters = cluster_codes(mine.cluster_id[used])
    estimate = kappa_estimate(kappa, codes, n_clusters, confidence)
    return Finding(name, estimate, int(mine.usable[used].sum()))


def people_findings(some: Compared, confidence: float) -> list[Finding]:
    """Agreement with people, people's with each other, and the ratio of the two.

    On the replies that two people or more scored: one score of the judge against one person's,
    one person's against another's. So 1 says that the judge stands in for a person as well as
    another person would.
    """
    names = ("judge_human_kappa", "human_human_kappa", "human_ratio")
    mine = some.mine
    used = ~np.isnan(mine.mean) & (some.n_people >= 2)
    if not used.any():
        none = undefined("no scored reply has the scores of two people", confidence)
        return [Finding(name, none, 0) for name in names]
    with_people = _between(some, used, some.people, some.people_square)
    people = (some.people[used], some.people_square[used])
    among = score_kappa(2.0 * some.people_variance[used], people, people)
    codes, n_clusters = cluster_codes(mine.cluster_id[used])
    estimates = (
        kappa_estimate(with_people, codes, n_clusters, confidence),
        kappa_estimate(among, codes, n_clusters, confidence),
        kappa_ratio(with_people, among, codes, n_clusters, confidence),
    )
    n_labels = int(some.n_people[used].sum())
    return [Finding(name, one, n_labels) for name, one in zip(names, estimates, strict=True)]


def contrast_findings(some: Compared, reading: Reading) -> list[Finding]:
    """Verbosity and self-preference beyond people's: the judge's score minus theirs on length.

    A term for each checkpoint. Self-preference is the mean term of the judge's own family minus
    that of the others: an offset that it gives to all cancels.
    """
    own = "score_self_preference"
    rows = _rows(some, some.people)
    slope = _slope("score_verbosity_per_100_tokens", rows, reading)
    fitted = fit(rows)
    if isinstance(fitted, str):
        return [slope, Finding(own, undefined(fitted, reading.confidence), 0)]
    side = _own_side(fitted.rows.model_a, reading)
    if not ((side > 0).any() and (side < 0).any()):
        none = undefined(_no_contrast(reading), reading.confidence)
        return [slope, Finding(own, none, 0)]
    weights = _weights(side, fitted)
    influence = fitted.intercept_influence(weights)
    value = float(weights @ fitted.intercepts)
    estimate, p_value = coefficient(fitted, value, influence, reading.confidence)
    n_votes = int(fitted.rows.n_votes[side != 0].sum())
    return [slope, Finding(own, estimate, n_votes, p_value)]


def self_preference_over_panel(some: Compared, reading: Reading) -> Finding:
    """Points of the own family over the others, beyond what judges of neither family give.

    It needs no people, and what all judges share it cannot see.
    """
    name, mine = "score_self_preference_over_panel", some.mine
    apart = mine.mean - some.strangers
    side = _own_side(mine.checkpoint, reading)
    used = ~np.isnan(apart) & (side != 0)
    apart, side = apart[used], side[used]
    if not ((side > 0).any() and (side < 0).any()):
        reason = "no judge of a third family scored its own family's replies and others"
        return Finding(name, undefined(reason, reading.confidence), 0)
    own, other = apart[side > 0].mean(), apart[side < 0].mean()
    sizes = np.where(side > 0, np.sum(side > 0), -np.sum(side < 0))
    influence = (apart - np.where(side > 0, own, other)) / sizes
    codes, n_clusters = cluster_codes(mine.cluster_id[used])
    estimate = kappa_estimate(Kappa(own - other, influence), codes, n_clusters, reading.confidence)
    return Finding(name, estimate, int(mine.usable[used].sum()))


def _between(some: Compared, used: Bools, other: Floats, other_square: Floats) -> Kappa:
    """One score of the judge against one of the other side, whichever of theirs."""
    x, xx, y, yy = (
        values[used] for values in (some.mine.mean, some.mine.square, other, other_square)
    )
    return score_kappa(xx + yy - 2 * x * y, (x, xx), (y, yy))


def _rows(some: Compared, other: Floats) -> Contrast:
    """The judge's score minus another one of each reply that has both, and the reply's length."""
    mine = some.mine
    apart = mine.mean - other
    used = ~np.isnan(apart)
    nobody = np.full(int(used.sum()), NOBODY, dtype=object)
    n_votes = mine.usable[used] + some.n_people[used]
    return Contrast(
        mine.cluster_id[used],
        mine.checkpoint[used],
        nobody,
        apart[used],
        some.length[used],
        n_votes,
        np.zeros(len(nobody)),
    )


def _slope(name: str, rows: Contrast, reading: Reading) -> Finding:
    """Points that 100 more tokens add within a checkpoint."""
    fitted = fit(rows)
    if isinstance(fitted, str):
        return Finding(name, undefined(fitted, reading.confidence), 0)
    influence = fitted.slope_influence()
    estimate, p_value = coefficient(fitted, fitted.slope, influence, reading.confidence)
    return Finding(name, estimate, int(fitted.rows.n_votes.sum()), p_value)


def _own_side(checkpoints: Strings, reading: Reading) -> Ints:
    """+1 for the judge's own family, -1 for another, 0 where it is not known."""
    known = reading.model_family
    return np.array(
        [
            0 if (family := known.get(one)) is None else 1 if family == reading.judge_family else -1
            for one in checkpoints
        ],
        dtype=np.int64,
    )


def _weights(side: Ints, fitted: ContrastFit) -> Floats:
    """Of each checkpoint's term: its share of the own family's replies, minus that of others'."""
    n = len(fitted.intercepts)
    own, other = (np.bincount(fitted.pair, side == one, n) for one in (1, -1))
    return np.asarray(own / own.sum() - other / other.sum())


def _no_contrast(reading: Reading) -> str:
    return (
        f"people scored no reply of the family {reading.judge_family!r} beside one of another "
        "family"
    )


def _share(name: str, values: Floats, mine: ScoredReplies, confidence: float) -> Finding:
    """Mean share of a reply's scores, over the replies that have one."""
    used = ~np.isnan(values)
    if not used.any():
        return Finding(name, undefined("no usable score", confidence), 0)
    estimate: Estimate = mean(values[used], mine.cluster_id[used], confidence=confidence)
    return Finding(name, estimate, int(mine.usable[used].sum()))


def _n(some: Compared, used: Bools) -> int:
    return int(some.mine.usable[used].sum() + some.n_people[used].sum())


def lengths(mine: ScoredReplies, n_chars: Mapping[tuple[str, str], int]) -> Floats:
    """Length of each reply in hundreds of tokens, NaN where unknown; n_chars: (model, item)."""
    known = [n_chars.get(reply, math.nan) for reply in mine.replies]
    return np.array(known, dtype=np.float64) / (100 * CHARACTERS_PER_TOKEN)
