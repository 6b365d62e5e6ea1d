"""Sets of generated images, from features that a named network made of them elsewhere."""

import math

from eval_pipeline.metrics.entry import Metric, MetricColumn, Option

_FEATURES = (
    MetricColumn("generations.features", "features"),
    MetricColumn("items.features", "features"),
)
_NETWORK = Option(
    "network", "inception-v3-pool3", "name the network that made the features",
    required=True,
)  # fmt: skip


def _entry(
    name: str,
    meaning: str,
    source: str,
    columns: tuple[MetricColumn, ...] = _FEATURES,
    *options: Option,
    unit: str = "share",
    higher_is_better: bool = True,
    least: float = 0.0,
    most: float = 1.0,
    note: str = "",
) -> Metric:
    return Metric(
        name,
        1,
        meaning,
        "columns",
        columns,
        higher_is_better,
        "images",
        unit=unit,
        least=least,
        most=most,
        source=source,
        options=options,
        per_item=False,
        note=note,
    )


METRICS = (
    _entry(
        "fid",
        "Frechet distance of the generated images' features from the items' real ones.",
        "Heusel et al. 2017, arXiv:1706.08500, equation 6",
        _FEATURES,
        _NETWORK,
        unit="squared distance",
        higher_is_better=False,
        most=math.inf,
        note="its bias falls with the number of images: compare at equal numbers",
    ),
    _entry(
        "inception_score",
        "How sure a classifier is of each image, and how varied all of them are.",
        "Salimans et al. 2016, arXiv:1606.03498, section 4, without splits",
        (MetricColumn("generations.class_probabilities", "numbers"),),
        _NETWORK,
        unit="classes",
        least=1.0,
        most=math.inf,
        note="never sees a real image",
    ),
    _entry(
        "image_precision",
        "Share of generated images that lie within the manifold of the real ones.",
        "Kynkaanniemi et al. 2019, arXiv:1904.06991, section 2",
        _FEATURES,
        _NETWORK,
        Option("neighbours", 3, "which neighbour bounds the manifold", least=1, most=1000),
    ),
    _entry(
        "image_recall",
        "Share of real images that lie within the manifold of the generated ones.",
        "Kynkaanniemi et al. 2019, arXiv:1904.06991, section 2",
        _FEATURES,
        _NETWORK,
        Option("neighbours", 3, "which neighbour bounds the manifold", least=1, most=1000),
    ),
    _entry(
        "clip_score",
        "Mean of max(0, w * cosine) of an image's embedding and its text's.",
        "Hessel et al. 2021, arXiv:2104.08718, equation 1",
        (
            MetricColumn("generations.image_embedding", "numbers"),
            MetricColumn("items.text_embedding", "numbers"),
        ),
        _NETWORK,
        Option(
            "w", 2.5, "scale of the score, 2.5 in the source", least=1e-9, most=1e9, required=True
        ),
        unit="w * cosine",
        most=math.inf,
        note="blind to word order",
    ),
)
