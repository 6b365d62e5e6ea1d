"""Metrics that have no value of a single item: value and interval of a whole set of samples.

Calibration error, corpus scores, F1 and areas under curves are functions of all samples at once.
A macro value is the mean of the groups' values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.measures.form import OfRanks, OfSet, OfSums, Options, SetMeasure
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Items, Labels
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View
from eval_pipeline.statistics.clustered import FEW_CLUSTERS, Estimate, undefined
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
        found = [measure.value(view.among(part), options) for part in parts.groups]
        value = float(np.mean([value for value, _ in found]))
        if not math.isfinite(value):
            return undefined(measure.undefined_where, confidence, parts.n_clusters)
        influence = np.zeros(len(view))
        for part, (_, apart) in zip(parts.groups, found, strict=True):
            influence[part] += apart / len(parts.groups)
        return from_influence(
            value,
            np.bincount(parts.cluster, influence, parts.n_clusters),
            confidence=confidence,
            least=view.metric.least,
            most=view.metric.most,
            scarcest=_scarcest(measure, view, parts),
        )
    most_blocks = MOST_BLOCKS if isinstance(measure, OfSums) else measure.blocks
    rng = generator(seed, "metrics", "jackknife blocks")
    blocks = blocks_of_clusters(parts.n_clusters, rng, max(most_blocks, 1))
    block = blocks[parts.cluster]
    if isinstance(measure, OfSums):
        at_hand = measure.sums(view, options) if sums is None else sums
        values = _of_sums(measure, view, at_hand, block, parts)
    else:
        values = _of_set(measure, view, options, block, parts)
    if not math.isfinite(values[0]):
        return undefined(measure.undefined_where, confidence, parts.n_clusters)
    if not most_blocks:
        reason = "no interval: the value depends on the number of samples"
        return undefined(reason, confidence, parts.n_clusters, float(values[0]))
    if isinstance(measure, OfSums):
        scarcest = _scarcest(measure, view, parts)
        if scarcest is not None and scarcest < FEW_CLUSTERS:
            few = too_few_of_a_class(scarcest)
            return undefined(few, confidence, parts.n_clusters, float(values[0]))
    if isinstance(measure, OfSums) and measure.share and values[0] in (0.0, 1.0):
        with_units = np.isfinite(at_hand.of(at_hand.of_clusters(parts.cluster, parts.n_clusters)))
        return share_at_end(float(values[0]), int(with_units.sum()), confidence)
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
        int(np.unique(parts.cluster[part & (label == one)]).size)
        for part in parts.groups
        for one in np.unique(label[part])
    )


def item_weights_of(item: Ints) -> Floats:
    """A weight a sample that gives each item the same, whatever its draws; they sum to samples."""
    _, place, draws = np.unique(item, return_inverse=True, return_counts=True)
    return np.asarray(len(item) / (len(draws) * draws[place]))


def _of_sums(measure: OfSums, view: View, sums: Sums, block: Ints, parts: Parts) -> Floats:
    """The value, then those without each block, shape (blocks + 1,)."""
    item = view.columns.item[view.rows]
    n_blocks = int(block.max()) + 1
    found = np.zeros(n_blocks + 1)
    for part in parts.groups:
        terms = sums.terms[part]
        if not measure.pooled:
            terms = terms * item_weights_of(item[part])[:, None]
        by_block = Sums(terms, sums.of).of_clusters(block[part], n_blocks)
        total = by_block.sum(axis=0)
        found += sums.of(np.vstack([total, total - by_block]))
    return found / len(parts.groups)


def _of_set(measure: OfSet, view: View, options: Options, block: Ints, parts: Parts) -> Floats:
    """As `_of_sums`, with the whole work done again for each block."""
    n_blocks = int(block.max()) + 1 if measure.blocks else 0
    found = np.zeros(n_blocks + 1)
    for part in parts.groups:
        found[0] += measure.value(view.among(part), options)
        if math.isfinite(found[0]):
            for left_out in range(n_blocks):
                kept = part & (block != left_out)
                found[left_out + 1] += measure.value(view.among(kept), options)
    return found / len(parts.groups)
