"""Table columns as arrays, words as places in a list, rows of equal keys as groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from eval_pipeline.statistics.clusters import cluster_codes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Strings = NDArray[np.object_]


@dataclass(frozen=True)
class WordColumn:
    """A text column as places in the sorted list of its distinct words.

    Arrow finds the words: sorting a million Python strings would take seconds.
    """

    codes: Ints  # shape (rows,)
    words: Strings  # sorted

    def __getitem__(self, row: int) -> str:
        return str(self.words[self.codes[row]])

    def of(self, rows: Ints) -> Strings:
        """The words of these rows, shape (rows,)."""
        return np.asarray(self.words[self.codes[rows]])


def words_of(table: pa.Table, name: str) -> WordColumn:
    """A text column; raises ValueError for a null, which is no word."""
    column = table[name].combine_chunks().dictionary_encode()
    if column.null_count:
        raise ValueError(f"{name} is null in {column.null_count} rows: each row needs one")
    found = np.array(column.dictionary.to_pylist(), dtype=object)
    words, place = np.unique(found.astype(str), return_inverse=True)
    codes = place.astype(np.int64)[column.indices.to_numpy(zero_copy_only=False)]
    return WordColumn(codes, words.astype(object))


def places(
    column: pa.ChunkedArray, allowed: Sequence[str], kind: str, named: Mapping[str, WordColumn]
) -> Ints:
    """The place of each value among the allowed ones, shape (rows,).

    named: columns that name the row in the error.
    Raises ValueError that names the first row with another value, or with none.
    """
    found = pc.index_in(column, value_set=pa.array(allowed, column.type))
    place: Ints = np.asarray(pc.fill_null(found, -1).to_numpy(), dtype=np.int64)
    if (bad := np.flatnonzero(place < 0)).size:
        i = int(bad[0])
        where = ", ".join(f"{name} {one[i]!r}" for name, one in named.items())
        raise ValueError(f"{where}: {kind} {column[i].as_py()!r} is none of {list(allowed)}")
    return place


def numbered(words: Strings | Ints) -> Ints:
    """Each word's place among the sorted distinct ones, shape (rows,); only these are sorted."""
    place = {word: i for i, word in enumerate(sorted(set(words)))}
    return np.fromiter(map(place.__getitem__, words), np.int64, len(words))


def grouped(keys: Sequence[Strings | Ints]) -> tuple[Ints, Ints]:
    """Rows of equal keys: the first row of each group, groups in sorted order; each row's group.

    keys: the first sorts first, each of shape (rows,), text or numbers from 0.
    """
    group, n_groups = np.zeros(len(keys[0]), dtype=np.int64), 0
    for key in keys:  # one key at a time, so that a number stays below rows squared
        codes = key if key.dtype.kind == "i" else numbered(key)
        group, n_groups = cluster_codes(group * (codes.max(initial=0) + 1) + codes)
    firsts = np.zeros(n_groups, dtype=np.int64)
    firsts[group[::-1]] = np.arange(len(group))[::-1]  # of equal places the last written stays
    return firsts, group


def ratio(part: NDArray[np.int64] | Floats, whole: Ints) -> Floats:
    """part / whole, NaN where whole is 0."""
    out = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
