"""Banding: which pairs of sketches are looked at, and how likely a pair is to be among them.

A sketch of b * r values falls into one bucket a band; two texts meet where all r values of one
band agree, with probability s^r at Jaccard s.
Source: Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.contamination.arrays import Floats, Hashes, Longs
from eval_pipeline.metrics.inputs import reals, whole

CROWD = 40  # texts of a bucket above which only neighbours and the first are paired


@dataclass(frozen=True)
class Banding:
    """b bands of r values each."""

    bands: int
    rows: int

    def __post_init__(self) -> None:
        for name, value in (("bands", self.bands), ("rows", self.rows)):
            whole(value, name, 1)

    @property
    def values(self) -> int:
        return self.bands * self.rows


ITEMS = Banding(32, 4)  # few texts, where misses matter more than time
CORPORA = Banding(16, 8)  # many


def meeting_probability(jaccard: ArrayLike, banding: Banding) -> Floats:
    """1 - (1 - s^r)^b: the chance that two texts of Jaccard s share a bucket; the shape of s.

    Raises ValueError for a likeness outside 0..1.
    """
    s = reals(jaccard, "jaccard")
    if (bad := np.flatnonzero(~((s >= 0) & (s <= 1)))).size:
        raise ValueError(
            f"Jaccard likeness {bad[0]} is {s.ravel()[bad[0]]}, outside 0..1 ({bad.size} such)"
        )
    with np.errstate(divide="ignore"):  # equal texts: ln 0, and they surely meet
        return np.asarray(-np.expm1(banding.bands * np.log1p(-(s**banding.rows))) + 0.0)


def candidates(keys: Hashes) -> tuple[Longs, Longs, Longs]:
    """Pairs of texts that share a bucket: (left, right, bands in which they do), sorted.

    keys: shape (texts, bands). All pairs of a bucket are taken, but of more than `CROWD` texts
    only those of neighbours and those with the first, so that boilerplate costs linear time.
    """
    n_texts, bands = keys.shape
    packed_pairs: list[Hashes] = []
    for band in range(bands):
        order = np.argsort(keys[:, band])
        ordered = keys[order, band]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        sizes = np.diff(np.r_[starts, n_texts])
        for size in np.unique(sizes[sizes > 1]).tolist():
            rows = np.sort(order[starts[sizes == size][:, None] + np.arange(size)], axis=1)
            i, j = _pairing(size)
            packed_pairs.append(_packed(rows[:, i].ravel(), rows[:, j].ravel()))
    if not packed_pairs:
        none = np.empty(0, dtype=np.int64)
        return none, none, none
    pairs, counts = np.unique(np.concatenate(packed_pairs), return_counts=True)
    left, right = (pairs >> np.uint64(32)).astype(np.int64), pairs & np.uint64(0xFFFFFFFF)
    return left, right.astype(np.int64), counts.astype(np.int64)


@cache
def _pairing(size: int) -> tuple[Longs, Longs]:
    """Places within a bucket that are paired."""
    if size <= CROWD:
        first, second = np.triu_indices(size, 1)
        return first.astype(np.int64), second.astype(np.int64)
    later = np.arange(1, size)
    return np.r_[np.zeros(size - 1, dtype=np.int64), later[1:] - 1], np.r_[later, later[1:]]


def _packed(left: Longs, right: Longs) -> Hashes:
    return (left.astype(np.uint64) << np.uint64(32)) | right.astype(np.uint64)
