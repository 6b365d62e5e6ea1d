"""How well images and texts agree in the space of a model that was trained on both."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats, number, numbers, rows
from eval_pipeline.metrics.matrices import matrix, unit_rows


def clip_scores(images: ArrayLike, texts: ArrayLike, w: float) -> Floats:
    """max(0, w * cosine) of each pair, in [0, w], shape (pairs,); the metric is their mean.

    images, texts: embeddings, shape (pairs, features); one image (features,) is held against all
    texts. w: the scale, 2.5 in the source; it has no default, since scores of two w differ.
    Raises ValueError for w that is not positive, pairs that do not match, and an embedding of
    length 0, which has no direction.
    Source: Hessel et al. 2021, arXiv:2104.08718, equation 1. Blind to word order: "horse on
    astronaut" scores as its converse does.
    """
    number(w, "w", least=float(np.nextafter(0.0, 1.0)))
    image, text = _rows(images, "images"), _rows(texts, "texts")
    if len(image) == 1:
        image = np.broadcast_to(image, (len(text), image.shape[1]))
    if image.shape != text.shape:
        raise ValueError(f"one image a text is needed, got shapes {image.shape}, {text.shape}")
    cosine = np.einsum("ij,ij->i", unit_rows(image, "images"), unit_rows(text, "texts"))
    return np.asarray(np.clip(w * cosine, 0.0, w) + 0.0)  # + 0.0: no negative zero


def _rows(embeddings: Any, name: str) -> Floats:
    given = embeddings if isinstance(embeddings, np.ndarray) else rows(embeddings, name)
    single = not any(isinstance(row, list | tuple | np.ndarray) for row in given)
    return numbers(given, name)[None, :] if single else matrix(given, name)
