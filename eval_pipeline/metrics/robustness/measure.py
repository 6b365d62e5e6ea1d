"""The drop from original to perturbed items. A failed sample that counts as wrong scores 0.

Original and perturbed must fall in one cluster: they move together, and an interval that left out
one of them alone would be no interval of the drop.
"""

from dataclasses import dataclass

import numpy as np

from eval_pipeline.metrics.measures.forms import Measure, OfSums, Options
from eval_pipeline.metrics.robustness.formula import drop_sums
from eval_pipeline.metrics.samples import Floats, Ints
from eval_pipeline.metrics.sums import Sums
from eval_pipeline.metrics.view import View


@dataclass(frozen=True)
class PairScores:
    """Perturbed items with a scored draw beside their originals': mean score of both.

    item: places of the perturbed items among all, rising, shape (pairs,); before, after: of the
    original and of the perturbed item, shape (pairs,). n_versions: perturbed items there are.
    """

    item: Ints
    before: Floats
    after: Floats
    n_versions: int


def pair_scores(view: View) -> PairScores:
    """A mean over draws of each item; raises ValueError for originals that are wrongly named."""
    item = view.columns.item[view.rows]
    before, paired = _score_before(view)
    distinct, place, draws = np.unique(item[paired], return_inverse=True, return_counts=True)
    first = np.full(len(distinct), np.nan)
    first[place] = before[paired]
    after = np.bincount(place, view.score[paired], len(distinct)) / draws
    return PairScores(distinct, first, after, int(np.sum(_originals(view) >= 0)))


def _drop(view: View, options: Options) -> Sums:
    """Both scores stand on the perturbed samples, so that a slice of these has a drop."""
    before, paired = _score_before(view)
    terms = np.zeros((len(view), 2))
    if not paired.any():
        return Sums(terms, lambda sums: np.full(sums.shape[:-1], np.nan))
    dropped = drop_sums(before[paired], view.score[paired])
    terms[paired] = dropped.terms
    return Sums(terms, dropped.of)


def _score_before(view: View) -> tuple[Floats, Floats]:
    """Mean score of the original of each sample's item, NaN without one; and where it is known."""
    item = view.columns.item[view.rows]
    n = len(view.columns.ids)
    drawn = np.bincount(item, minlength=n)
    total = np.bincount(item, view.score, n)
    mean = np.divide(total, drawn, out=np.full(n, np.nan), where=drawn > 0)
    original = _originals(view)
    before = np.where(original >= 0, mean[original], np.nan)[item]
    return before, ~np.isnan(before)


def _originals(view: View) -> Ints:
    """Place of each item's original among the items, -1 for those that are none's version."""
    ids = view.columns.ids.tolist()
    place = {name: i for i, name in enumerate(ids)}
    named = view.of_items("items.original")
    cluster = view.of_items("items.cluster_id")
    dropped = np.full(len(ids), -1, dtype=np.int64)
    for i, name in enumerate(named):
        if name is None:
            continue
        if name not in place:
            raise ValueError(
                f"item {ids[i]!r}: its original {name!r:.60} is no item: mend the name"
            )
        if name == ids[i] or named[place[name]] is not None:
            raise ValueError(
                f"item {ids[i]!r}: its original {name!r:.60} is itself a version of an item: name "
                "the first of them"
            )
        if cluster[i] != cluster[place[name]]:
            raise ValueError(
                f"item {ids[i]!r} and its original {name!r:.60} fall in different clusters: let "
                "unit.clustered_by name a key that they share"
            )
        dropped[i] = place[name]
    return dropped


def _pairs(view: View, options: Options) -> str:
    _, paired = _score_before(view)
    item = view.columns.item[view.rows]
    versions = np.unique(item[_originals(view)[item] >= 0])
    told = f"{len(np.unique(item[paired]))} perturbed items beside their originals"
    lost = len(versions) - len(np.unique(item[paired]))
    return told + (f"; {lost} whose original has no scored draw are left out" if lost else "")


MEASURES: dict[str, Measure] = {
    "robustness_drop": OfSums(
        _drop,
        "no original was right, or no perturbed item was answered beside its original",
        separable=False,
        remark=_pairs,
    ),
}
