"""BERTScore: each token is matched with the most similar one of the other text.

The embeddings are made elsewhere; model and layer are part of the number and stand in the contract.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats

_ROUNDING = 1e-6  # how far beyond 1 a cosine may be rounded


@dataclass(frozen=True)
class BertScore:
    """f1 is NaN where precision + recall is not above 0."""

    precision: float
    recall: float
    f1: float


def bertscore(similarity: ArrayLike) -> BertScore:
    """Greedy matching on cosines, shape (candidate tokens, reference tokens).

    precision: mean over the candidate's tokens of their best match; recall: over the reference's.
    Raises ValueError for an empty table and values that are no cosines, with their place.
    Source: Zhang et al. 2020, arXiv:1904.09675, section 3.
    """
    table = _table(similarity, "similarity")
    if (bad := np.argwhere(~(np.abs(table) <= 1 + _ROUNDING))).size:
        i, j = bad[0]
        raise ValueError(f"similarity[{i}][{j}] is {table[i, j]:g}: cosines lie in [-1, 1]")
    precision, recall = float(table.max(axis=1).mean()), float(table.max(axis=0).mean())
    both = precision + recall
    return BertScore(precision, recall, 2 * precision * recall / both if both > 0 else float("nan"))


def cosines(candidate: ArrayLike, reference: ArrayLike) -> Floats:
    """Cosine of each two embeddings, shape (candidate tokens, reference tokens).

    Each input has shape (tokens, dimensions). Raises ValueError for a vector of length 0.
    """
    unit = []
    for name, vectors in (("candidate", candidate), ("reference", reference)):
        table = _table(vectors, name)
        length = np.linalg.norm(table, axis=1)
        if (bad := np.flatnonzero(~((length > 0) & np.isfinite(length)))).size:
            raise ValueError(f"{name}[{bad[0]}] has length {length[bad[0]]:g}: it has no direction")
        unit.append(table / length[:, None])
    if unit[0].shape[1] != unit[1].shape[1]:
        raise ValueError(
            f"candidate has {unit[0].shape[1]} dimensions and reference {unit[1].shape[1]}: "
            "take both from one model and layer"
        )
    return np.asarray(np.clip(unit[0] @ unit[1].T, -1.0, 1.0))


def _table(values: ArrayLike, name: str) -> Floats:
    try:
        table = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be a table: its rows differ in length") from error
    if table.ndim != 2 or not table.size or table.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a table of numbers, got {table.dtype}{table.shape}")
    return table.astype(np.float64)
