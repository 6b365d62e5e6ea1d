"""BERTScore: each token is matched with the most similar one of the other text.

The embeddings are made elsewhere; model and layer are part of the number and stand in the contract.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats
from eval_pipeline.metrics.matrices import matrix, unit_rows

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
    table = matrix(similarity, "similarity")
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
    given = (("candidate", candidate), ("reference", reference))
    unit = [unit_rows(matrix(vectors, name), name) for name, vectors in given]
    if unit[0].shape[1] != unit[1].shape[1]:
        raise ValueError(
            f"candidate has {unit[0].shape[1]} dimensions and reference {unit[1].shape[1]}: "
            "take both from one model and layer"
        )
    return np.asarray(np.clip(unit[0] @ unit[1].T, -1.0, 1.0))
