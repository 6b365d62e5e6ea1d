"""Metrics that have no value of a single item: value and interval of a whole set of samples.

Calibration error, corpus scores, F1 and areas under curves are functions of all samples at once.
A macro value is the mean of the groups' values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval_pipeline.metrics.measures.forms import OfRanks, OfSet, OfSums, Options, SetMeasure
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Items, Labels
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, undefined
from eval_pipeline.statistics.deviations import size_interval
from eval_pipeline.statistics.jackknife import (
    MOST_BLOCKS,
    blocks_of_clusters,
    from_influence,
    jackknife,
    share_at_end,
    too_few_of_a_class,
)
from eval_pipeline.statistics.randomness import generator


@dataclass(frozen=True)
class Parts:
    """The samples of an estimate: their clusters as numbers from 0, and the groups they fall in.

    groups: masks of shape (samples,), one for the whole where the mean is not macro.
    """

    cluster: Ints
    n_clusters: int
    groups: Sequence[Bools]

    @classmethod
    def of(cls, view: View, items: Items, groups: Labels | None) -> "Parts":
        """groups: of each item, for a macro value."""
        item = view.columns.item[view.rows]
        distinct, cluster = np.unique(items.clusters[item], return_inverse=True)
        parts = [np.ones(len(view), dtype=bool)]
        if groups is not None:
            of_sample = groups[item]
            parts = [np.asarray(of_sample == name, dtype=bool) for name in sorted(set(of_sample))]
        return cls(cluster.astype(np.int64), len(distinct), parts)


def set_estimate(
    measure: SetMeasure,
    view: View,
    items: Items,
    options: Options,
    *,
    confidence: float,
    seed: int,
    groups: Labels | None = None,
    sums: Sums | None = None,
) -> Estimate:
    """The metric of the view's samples with its interval; undefined, with the reason, without.

    groups: of each item, for a macro value. sums: of the view's samples where they are at hand.
    """
    if not len(view):
        return undefined("no sample takes part", confidence)
    parts = Parts.of(view, items, groups)
    if isinstance(measure, OfRanks):
        return _from_ranks(measure, view, options, parts, confidence)
    rng = generator(seed, "metrics", "jackknife blocks")
    if isinstance(measure, OfSums):
        block = blocks_of_clusters(parts.n_clusters, rng, MOST_BLOCKS)[parts.cluster]
        made = measure.sums(view, options) if sums is None else sums
        noise = generator(seed, "metrics", "noise of deviations")
        return _from_sums(measure, view, made, block, parts, confidence, noise)
    block = blocks_of_clusters(parts.n_clusters, rng, max(measure.blocks, 1))[parts.cluster]
    values = _of_set(measure, view, options, block, parts)
    if not math.isfinite(values[0]):
        return undefined(measure.undefined_where, confidence, parts.n_clusters)
    if not measure.blocks:
        reason = "no interval: the value depends on the number of samples"
        return undefined(reason, confidence, parts.n_clusters, float(values[0]))
    return _jackknifed(values, view, parts, confidence)


def _from_ranks(
    measure: OfRanks, view: View, options: Options, parts: Parts, confidence: float
) -> Estimate:
    by_group = [measure.value(view.among(part), options) for part in parts.groups]
    value = float(np.mean([value for value, _ in by_group]))
    if not math.isfinite(value):
        return undefined(measure.undefined_where, confidence, parts.n_clusters)
    influence = np.zeros(len(view))
    for part, (_, apart) in zip(parts.groups, by_group, strict=True):
        influence[part] += apart / len(parts.groups)
    return from_influence(
        value,
        np.bincount(parts.cluster, influence, parts.n_clusters),
        confidence=confidence,
        least=view.metric.least,
        most=view.metric.most,
        scarcest=_scarcest(measure, view, parts),
    )


def _from_sums(
    measure: OfSums,
    view: View,
    sums: Sums,
    block: Ints,
    parts: Parts,
    confidence: float,
    noise: np.random.Generator,
) -> Estimate:
    totals = _totals(measure, view, sums, block, parts)
    values = np.mean([sums.of(total) for total in totals], axis=0)
    value, n = float(values[0]), parts.n_clusters
    if not math.isfinite(value):
        return undefined(measure.undefined_where, confidence, n)
    scarcest = _scarcest(measure, view, parts)
    if scarcest is not None and scarcest < FEW_CLUSTERS:
        return undefined(too_few_of_a_class(scarcest), confidence, n, value)
    if measure.share and value in (0.0, 1.0):
        with_units = np.isfinite(sums.of(sums.of_clusters(parts.cluster, n)))
        return share_at_end(value, int(with_units.sum()), confidence)
    if sums.deviations is None:
        return _jackknifed(values, view, parts, confidence)
    kind = sums.deviations.kind
    # the mean over groups of sizes is the size of all their deviations, made smaller
    smaller = len(totals) if kind == "absolute" else math.sqrt(len(totals))
    apart = np.concatenate([sums.deviations.of(total) / smaller for total in totals], axis=1)
    sized = size_interval(
        apart[0],
        apart[1:],
        kind,
        noise,
        n_clusters=n,
        confidence=confidence,
        most=view.metric.most,
    )
    return replace(sized, value=value)


def _jackknifed(values: Floats, view: View, parts: Parts, confidence: float) -> Estimate:
    """The value first, then those without each block."""
    return jackknife(
        float(values[0]),
        values[1:],
        n_clusters=parts.n_clusters,
        confidence=confidence,
        least=view.metric.least,
        most=view.metric.most,
    )


def _scarcest(measure: OfRanks | OfSums, view: View, parts: Parts) -> int | None:
    """Clusters of the class that has fewest, in the group where it has; None without classes."""
    if measure.classes is None:
        return None
    _, label = np.unique(measure.classes(view).astype(str), return_inverse=True)
    return min(
        int(np.unique(parts.cluster[part & (label == name)]).size)
        for part in parts.groups
        for name in np.unique(label[part])
    )


def item_weights_of(item: Ints) -> Floats:
    """A weight a sample that gives each item the same, whatever its draws; they sum to samples."""
    _, place, draws = np.unique(item, return_inverse=True, return_counts=True)
    return np.asarray(len(item) / (len(draws) * draws[place]))


def _totals(measure: OfSums, view: View, sums: Sums, block: Ints, parts: Parts) -> list[Floats]:
    """For each group the sums of all its samples, then those without each block."""
    item = view.columns.item[view.rows]
    n_blocks = int(block.max()) + 1
    found = []
    for part in parts.groups:
        terms = sums.terms[part]
        if not measure.pooled:
            terms = terms * item_weights_of(item[part])[:, None]
        by_block = Sums(terms, sums.of).of_clusters(block[part], n_blocks)
        total = by_block.sum(axis=0)
        found.append(np.vstack([total, total - by_block]))
    return found


def _of_set(measure: OfSet, view: View, options: Options, block: Ints, parts: Parts) -> Floats:
    """The value, then those without each block, shape (blocks + 1,): all work is done again."""
    n_blocks = int(block.max()) + 1 if measure.blocks else 0
    found = np.zeros(n_blocks + 1)
    for part in parts.groups:
        found[0] += measure.value(view.among(part), options)
        if math.isfinite(found[0]):
            for left_out in range(n_blocks):
                kept = part & (block != left_out)
                found[left_out + 1] += measure.value(view.among(kept), options)
    return found / len(parts.groups)
