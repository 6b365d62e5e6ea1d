"""How near a judge comes to people, in the measure of people's nearness to each other.

The measure is the same on both sides: one vote of the judge against one person's label, and one
person's label against another's, on the very same pairs. So a ratio of 1 says that the judge is as
good a stand-in for a person as another person is.
"""

import numpy as np

from eval_pipeline.judging.audits.kappas import kappa_ratio
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline.metrics.agreement.kappas import kappa_estimate, verdict_kappa
from eval_pipeline.statistics.clustered import mean, undefined
from eval_pipeline.statistics.clusters import cluster_codes

AUDITS = (
    "judge_human_agreement",
    "human_human_agreement",
    "judge_human_kappa",
    "human_human_kappa",
    "human_ratio",
)
NO_TWO_LABELS = "no pair has the labels of two people: have a second rater label the same pairs"
NOT_JUDGED = "no pair that two people labelled has usable votes in the orders that are due"


def agreement_findings(
    pairs: JudgedPairs, labels: LabelledPairs, confidence: float
) -> list[Finding]:
    """Agreement of one judge with people, of people with each other, and the ratio of the kappas.

    On the pairs that the judge saw, in each order that is due, and two people or more labelled;
    each order of a pair has the same weight. Raw agreement stands beside kappa:
    (observed - chance) / (1 - chance), chance from the marginals of judge and people.
    Source: Fleiss 1971 for the people; the judge is held against them with marginals of its own.
    """
    both, place = labels.matched(pairs)
    enough = pairs.heard[both] & (labels.n_labels[place] >= 2)
    both, place = both[enough], place[enough]
    if not len(both):
        labelled_twice = bool((labels.n_labels >= 2).any())
        none = undefined(NOT_JUDGED if labelled_twice else NO_TWO_LABELS, confidence)
        return [Finding(name, none, 0) for name in AUDITS]
    clusters = pairs.cluster_id[both]
    votes, said = pairs.counts[both], labels.counts[place]
    heard = votes.sum(axis=2, keepdims=True)  # an order without a vote has no weight
    judge = (votes / np.maximum(heard, 1)).sum(axis=1) / (heard > 0).sum(axis=1)
    n = said.sum(axis=1, keepdims=True)
    people = said / n
    with_people = (judge * people).sum(axis=1)
    among = ((said * (said - 1)) / (n * (n - 1))).sum(axis=1)
    judge_human = verdict_kappa(with_people, judge, people)
    human_human = verdict_kappa(among, people, people)
    codes, n_clusters = cluster_codes(clusters)
    estimates = (
        mean(with_people, clusters, confidence=confidence),
        mean(among, clusters, confidence=confidence),
        kappa_estimate(judge_human, codes, n_clusters, confidence),
        kappa_estimate(human_human, codes, n_clusters, confidence),
        kappa_ratio(judge_human, human_human, codes, n_clusters, confidence),
    )
    n_labels = int(said.sum())
    return [Finding(name, one, n_labels) for name, one in zip(AUDITS, estimates, strict=True)]
