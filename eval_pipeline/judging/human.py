"""What people say of the judged pairs, and how near a judge comes to them.

The measure is the same on both sides: one vote of the judge against one person's label, and one
person's label against another's, on the very same pairs. So a ratio of 1 says that the judge is as
good a stand-in for a person as another person is.
"""

import math
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.rows import (
    Bools,
    Floats,
    Ints,
    Strings,
    grouped,
    places,
    text_column,
)
from eval_pipeline.judging.swap import TIE, VERDICTS, A, JudgedPairs
from eval_pipeline.metrics.agreement import ceiling_ratio
from eval_pipeline.statistics.bootstrap import percentile_interval
from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    cluster_codes,
    mean,
    undefined,
)

PAIR = ("item_id", "model_a", "model_b")


@dataclass(frozen=True)
class LabelledPairs:
    """One row a pair of replies that people labelled, sorted by item, model_a, model_b."""

    item_id: Strings
    cluster_id: Strings
    model_a: Strings
    model_b: Strings
    counts: Ints  # labels, shape (pairs, 3 verdicts)

    def __len__(self) -> int:
        return len(self.item_id)

    def where(self, mask: Bools) -> "LabelledPairs":
        """The rows that the mask keeps."""
        return LabelledPairs(**{f.name: getattr(self, f.name)[mask] for f in fields(self)})

    @property
    def n_labels(self) -> Ints:
        """Labels on each pair."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def score(self) -> Floats:
        """model_a's mean score by the raters: win 1, tie 1/2, loss 0."""
        return np.asarray((self.counts[:, A] + 0.5 * self.counts[:, TIE]) / self.n_labels)

    def matched(self, pairs: JudgedPairs) -> tuple[Ints, Ints]:
        """Rows of `pairs`, of one judge, that people labelled, and the rows here that hold them."""
        names = zip(self.item_id, self.model_a, self.model_b, strict=True)
        place = {key: i for i, key in enumerate(names)}
        theirs = zip(pairs.item_id, pairs.model_a, pairs.model_b, strict=True)
        found = [(i, place[key]) for i, key in enumerate(theirs) if key in place]
        both = np.array(found, dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]


def combine_labels(annotations: pa.Table) -> LabelledPairs:
    """The labels of an `annotations` table, one row a pair; honeypots test raters, not judges."""
    kept = annotations.filter(pc.invert(annotations["honeypot"]))
    columns = {name: text_column(kept, name) for name in (*PAIR, "cluster_id", "rater")}
    label = places(text_column(kept, "label"), VERDICTS, "label", columns)
    firsts, group = grouped([columns[name] for name in PAIR])
    n = len(firsts)
    first = {name: values[firsts] for name, values in columns.items()}
    return LabelledPairs(
        first["item_id"],
        first["cluster_id"],
        first["model_a"],
        first["model_b"],
        counts=np.bincount(group * 3 + label, minlength=n * 3).reshape(n, 3).astype(np.int64),
    )


def agreement_findings(
    pairs: JudgedPairs,
    labels: LabelledPairs,
    rng: np.random.Generator,
    replicates: int,
    confidence: float,
) -> list[Finding]:
    """Agreement of one judge with people, of people with each other, and the ratio of the kappas.

    On the pairs that the judge saw in both orders and two people or more labelled. Intervals of
    the kappas and of `human_ratio` are percentiles over resampled item clusters.
    Source: Fleiss 1971 for the people; the judge is held against them with marginals of its own.
    """
    both, place = labels.matched(pairs)
    enough = pairs.both_orders[both] & (labels.n_labels[place] >= 2)
    both, place = both[enough], place[enough]
    if not len(both):
        none = undefined("no judged pair has the labels of two people", confidence)
        return [Finding(name, none, 0) for name in (*RAW, *KAPPAS)]
    clusters = pairs.cluster_id[both]
    n_labels = int(labels.n_labels[place].sum())
    terms = _terms(pairs.counts[both], labels.counts[place])
    raw = [mean(terms[:, column], clusters, confidence=confidence) for column in (1, 2)]
    codes, n_clusters = cluster_codes(clusters)
    sums = np.zeros((n_clusters, terms.shape[1]))
    np.add.at(sums, codes, terms)
    points = _kappas(sums.sum(axis=0))
    drawn = np.array(
        [sums[rng.integers(0, n_clusters, n_clusters)].sum(axis=0) for _ in range(replicates)]
    )
    kappas = [
        _resampled(float(point), spread, n_clusters, confidence)
        for point, spread in zip(points, _kappas(drawn), strict=True)
    ]
    return [
        Finding(name, estimate, n_labels)
        for name, estimate in zip((*RAW, *KAPPAS), (*raw, *kappas), strict=True)
    ]


RAW = ("judge_human_agreement", "human_human_agreement")
KAPPAS = ("judge_human_kappa", "human_human_kappa", "human_ratio")


def _terms(votes: Ints, labels: Ints) -> Floats:
    """What each pair adds to the sums from which every agreement follows, shape (pairs, 9).

    Columns: 1; agreeing share of vote-label pairs; of label-label pairs; shares of the judge's
    votes on model_a, model_b, tie, each order with the same weight; shares of the labels.
    """
    judge = (votes / votes.sum(axis=2, keepdims=True)).mean(axis=1)
    n = labels.sum(axis=1, keepdims=True)
    human = labels / n
    with_human = (judge * human).sum(axis=1, keepdims=True)
    among = (labels * (labels - 1)).sum(axis=1, keepdims=True) / (n * (n - 1))
    return np.hstack([np.ones((len(n), 1)), with_human, among, judge, human])


def _kappas(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Judge-human kappa, human-human kappa and their ratio, from sums of shape (..., 9)."""
    means = sums[..., 1:] / sums[..., :1]
    judge, human = means[..., 2:5], means[..., 5:8]
    judge_human = _beyond_chance(means[..., 0], (judge * human).sum(axis=-1))
    human_human = _beyond_chance(means[..., 1], (human**2).sum(axis=-1))
    return judge_human, human_human, ceiling_ratio(judge_human, human_human)


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    room = 1.0 - expected
    out = np.full(np.shape(room), np.nan)
    np.divide(observed - expected, room, out=out, where=room > CHANCE_ONLY)
    return out


CHANCE_ONLY = 1e-12  # room above chance below which chance alone explains full agreement


def _resampled(value: float, drawn: Floats, n_clusters: int, confidence: float) -> Estimate:
    """A value with the percentile interval of its replicates."""
    if math.isnan(value):
        reason = "people do not agree beyond chance, or only one verdict occurs"
        return undefined(reason, confidence, n_clusters)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: percentiles of {n_clusters} clusters cover too little"
        return undefined(reason, confidence, n_clusters, value)
    ends = percentile_interval(drawn, confidence)
    if ends.reason is not None:
        return undefined(f"no interval: {ends.reason}", confidence, n_clusters, value)
    se = float(np.std(drawn[np.isfinite(drawn)], ddof=1))
    method = "cluster_bootstrap_percentile"
    return Estimate(value, se, ends.low, ends.high, method, confidence, n_clusters, math.nan)
