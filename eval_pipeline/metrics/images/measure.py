"""Sets of generated images. A failed sample made no image and is left out.

The real images are those of all items, answered or not. Distances and manifolds depend on the
number of images, so that leaving some out says nothing of their spread: they get no interval.
"""

from collections.abc import Callable, Iterator

import numpy as np

from eval_pipeline.metrics.images.formula_clip import clip_scores
from eval_pipeline.metrics.images.formula_frechet import BLOCK, frechet_distance, moments
from eval_pipeline.metrics.images.formula_inception import inception_sums
from eval_pipeline.metrics.images.formula_neighbours import PrecisionRecall, precision_recall
from eval_pipeline.metrics.measures.forms import Measure, OfSet, OfSums, Options
from eval_pipeline.metrics.samples import Floats, Labels
from eval_pipeline.metrics.sums import Sums, mean_sums
from eval_pipeline.metrics.view import View


def _features(view: View) -> tuple[Labels, Labels]:
    """Of the real and the generated images, a vector an item and a sample, each of one length."""
    real, generated = view.of_items("items.features"), view["generations.features"]
    there = np.flatnonzero([row is not None for row in real])
    ids = view.columns.ids
    return (
        _alike(real[there], lambda i: f"item {ids[there[i]]!r}"),
        _alike(generated, view.name),
    )


def _alike(rows: Labels, name: Callable[[int], str]) -> Labels:
    """The vectors, if all are of one length; ValueError that names the first of another."""
    sizes = [len(row) for row in rows]
    if odd := [i for i, size in enumerate(sizes) if size != sizes[0]]:
        raise ValueError(
            f"{name(odd[0])}: {sizes[odd[0]]} numbers, but {name(0)} has {sizes[0]} "
            f"({len(odd)} such images): use one network for all"
        )
    return rows


def _stacked(rows: Labels, name: Callable[[int], str]) -> Floats:
    return np.stack(list(_alike(rows, name)))


def _blocks(rows: Labels) -> Iterator[Floats]:
    """The vectors in blocks, so that those of files need not lie in memory together."""
    for start in range(0, len(rows), BLOCK):
        yield np.stack(list(rows[start : start + BLOCK]))


def _fid(view: View, options: Options) -> float:
    real, generated = (moments(_blocks(rows)) for rows in _features(view))
    return frechet_distance(real, generated, str(options["network"])).value


def _counts(view: View, options: Options) -> str:
    real, generated = _features(view)
    told = f"{len(real)} real and {len(generated)} generated images, {options['network']}"
    width = len(real[0])
    if min(len(real), len(generated)) <= width:
        told += f"; no more images than the {width} features: a covariance is singular"
    return told


def _manifolds(view: View, options: Options) -> PrecisionRecall:
    real, generated = (np.stack(list(rows)) for rows in _features(view))
    network, k = str(options["network"]), int(options["neighbours"])
    return precision_recall(real, generated, network, k=k)


def _precision(view: View, options: Options) -> float:
    return _manifolds(view, options).precision


def _recall(view: View, options: Options) -> float:
    return _manifolds(view, options).recall


def _inception(view: View, options: Options) -> Sums:
    return inception_sums(_stacked(view["generations.class_probabilities"], view.name))


def _network(view: View, options: Options) -> str:
    return str(options["network"])


def _clip(view: View, options: Options) -> Sums:
    images, texts = (
        _stacked(view[name], view.name)
        for name in ("generations.image_embedding", "items.text_embedding")
    )
    return mean_sums(clip_scores(images, texts, float(options["w"])))


MEASURES: dict[str, Measure] = {
    "fid": OfSet(_fid, blocks=0, on_failure="left_out", remark=_counts),
    "inception_score": OfSums(_inception, pooled=True, on_failure="left_out", remark=_network),
    "image_precision": OfSet(_precision, blocks=0, on_failure="left_out", remark=_counts),
    "image_recall": OfSet(_recall, blocks=0, on_failure="left_out", remark=_counts),
    "clip_score": OfSums(_clip, on_failure="left_out", remark=_network),
}
