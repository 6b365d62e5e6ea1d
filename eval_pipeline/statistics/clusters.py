"""Clusters as numbers. It stands apart because it needs no scipy: verbs that only list what
stands read it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]

_DENSE = 8  # clusters' numbers up to so many times the items are counted rather than sorted


def cluster_codes(clusters: ArrayLike | Sequence[Any]) -> tuple[Ints, int]:
    """Clusters as numbers from 0, in sorted order, and how many there are.

    Raises ValueError where an item has no cluster: such items would move together, or vanish.
    """
    ids = np.asarray(clusters)
    if ids.ndim != 1:
        raise ValueError(f"clusters must be a vector, got shape {ids.shape}")
    if ids.dtype.kind in "iu":
        lost = np.zeros(len(ids), dtype=bool)
    elif ids.dtype.kind == "f":
        lost = np.isnan(ids)
    else:
        lost = np.array([x is None or x != x for x in ids], dtype=bool)
    if lost.any():
        where = np.flatnonzero(lost)
        raise ValueError(
            f"item {where[0]} has no cluster ({where.size} such items): name each item's cluster, "
            "or cluster by item_id"
        )
    if ids.dtype.kind == "O":
        ids = ids.astype(str)
    if ids.dtype.kind in "iu" and ids.size and ids.min() >= 0 and ids.max() <= _DENSE * ids.size:
        there = np.bincount(ids) > 0  # numbers that lie close are counted, which needs no sort
        return (np.cumsum(there) - 1)[ids].astype(np.int64), int(there.sum())
    distinct, codes = np.unique(ids, return_inverse=True)
    return codes.astype(np.int64), len(distinct)
