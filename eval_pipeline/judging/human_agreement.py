"""How near a judge comes to people, in the measure of people's nearness to each other.

The measure is the same on both sides: one vote of the judge against one person's label, and one
person's label against another's, on the very same pairs. So a ratio of 1 says that the judge is as
good a stand-in for a person as another person is.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.labels import LabelledPairs
from eval_pipeline.judging.rows import Floats, Ints
from eval_pipeline.judging.swap import JudgedPairs
from eval_pipeline.metrics.agreement import ceiling_ratio
from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    cluster_codes,
    mean,
    standard_error,
    undefined,
)

AUDITS = (
    "judge_human_agreement",
    "human_human_agreement",
    "judge_human_kappa",
    "human_human_kappa",
    "human_ratio",
)
CHANCE_ONLY = 1e-12  # room above chance below which chance alone explains full agreement


def agreement_findings(
    pairs: JudgedPairs, labels: LabelledPairs, confidence: float
) -> list[Finding]:
    """Agreement of one judge with people, of people with each other, and the ratio of the kappas.

    On the pairs that the judge saw in both orders and two people or more labelled; each order of a
    pair has the same weight. Raw agreement stands beside kappa: (observed - chance) / (1 - chance),
    chance from the marginals of judge and people.
    Source: Fleiss 1971 for the people; the judge is held against them with marginals of its own.
    """
    both, place = labels.matched(pairs)
    enough = pairs.both_orders[both] & (labels.n_labels[place] >= 2)
    both, place = both[enough], place[enough]
    if not len(both):
        none = undefined("no judged pair has the labels of two people", confidence)
        return [Finding(name, none, 0) for name in AUDITS]
    clusters = pairs.cluster_id[both]
    votes, said = pairs.counts[both], labels.counts[place]
    judge = (votes / votes.sum(axis=2, keepdims=True)).mean(axis=1)
    n = said.sum(axis=1, keepdims=True)
    people = said / n
    with_people = (judge * people).sum(axis=1)
    among = ((said * (said - 1)) / (n * (n - 1))).sum(axis=1)
    judge_human, human_human = _kappa(with_people, judge, people), _kappa(among, people, people)
    codes, n_clusters = cluster_codes(clusters)
    estimates = (
        mean(with_people, clusters, confidence=confidence),
        mean(among, clusters, confidence=confidence),
        _estimate(judge_human.value, judge_human.influence, codes, n_clusters, confidence),
        _estimate(human_human.value, human_human.influence, codes, n_clusters, confidence),
        _ratio(judge_human, human_human, codes, n_clusters, confidence),
    )
    n_labels = int(said.sum())
    return [Finding(name, one, n_labels) for name, one in zip(AUDITS, estimates, strict=True)]


@dataclass(frozen=True)
class Kappa:
    """A coefficient, NaN where undefined, and what each pair adds to it (delta method)."""

    value: float
    influence: Floats


def _kappa(agreeing: Floats, one: Floats, other: Floats) -> Kappa:
    """agreeing: share of agreeing votes of each pair; one, other: verdict shares of each side,
    shape (pairs, 3), whose means are the marginals that chance is made of."""
    observed, first, second = agreeing.mean(), one.mean(axis=0), other.mean(axis=0)
    expected = first @ second
    room = 1.0 - expected
    if room <= CHANCE_ONLY:
        return Kappa(math.nan, np.zeros(len(agreeing)))
    by_chance = (one - first) @ second + (other - second) @ first
    influence = (agreeing - observed) / room - by_chance * (1.0 - observed) / room**2
    return Kappa(float((observed - expected) / room), influence / len(agreeing))


def _ratio(
    judge_human: Kappa, human_human: Kappa, codes: Ints, n_clusters: int, confidence: float
) -> Estimate:
    """The ratio of two kappas, its interval made on the log scale.

    A ratio is skewed. In simulations of 20 to 300 clusters the log scale misses on either side as
    often as it should (0.02 to 0.03 for 0.025); percentiles of a cluster bootstrap come out too
    high too often (0.03 to 0.05), and the licence rests on the lower end. Where people may not
    agree beyond chance at all, the ratio has no bound (Fieller 1954) and is undefined.
    """
    people = _estimate(human_human.value, human_human.influence, codes, n_clusters, confidence)
    ratio = float(ceiling_ratio(judge_human.value, human_human.value))
    if math.isnan(ratio) or people.low <= 0:
        reason = "people are not shown to agree beyond chance"
        return undefined(reason, confidence, n_clusters)
    influence = judge_human.influence - ratio * human_human.influence
    plain = _estimate(ratio, influence / human_human.value, codes, n_clusters, confidence)
    if not plain.has_interval or plain.low <= 0:  # so near 0 the log scale breaks down
        return plain
    reach = math.exp((plain.high - ratio) / ratio)
    low, high = ratio / reach, ratio * reach
    return Estimate(ratio, plain.se, low, high, "cr1_t_log", confidence, n_clusters, n_clusters - 1)


def _estimate(
    value: float, influence: Floats, codes: Ints, n_clusters: int, confidence: float
) -> Estimate:
    """A value with the CR1 interval of its influences, t(Q - 1)."""
    if math.isnan(value):
        return undefined("only one verdict occurs: chance explains it", confidence, n_clusters)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few"
        return undefined(reason, confidence, n_clusters, value)
    se = standard_error(influence, codes, n_clusters)
    if se <= CHANCE_ONLY:
        reason = "no interval: no pair differs from another"
        return undefined(reason, confidence, n_clusters, value)
    half = float(stdtrit(n_clusters - 1, 0.5 + confidence / 2)) * se
    return Estimate(
        value, se, value - half, value + half, "cr1_t", confidence, n_clusters, n_clusters - 1
    )
