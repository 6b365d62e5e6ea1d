"""Table columns as arrays, words as places in a list, rows of equal keys as groups."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Strings = NDArray[np.object_]


def text_column(table: pa.Table, name: str) -> Strings:
    """A text column as objects, shape (rows,); null is None."""
    return np.asarray(table[name].to_numpy(zero_copy_only=False), dtype=object)


def places(
    values: Strings, allowed: Sequence[str], kind: str, named: Mapping[str, Strings]
) -> Ints:
    """The place of each value among the allowed ones, shape (rows,).

    named: columns that name the row in the error.
    Raises ValueError that names the first row with another value.
    """
    place = np.full(len(values), -1, dtype=np.int64)
    for i, word in enumerate(allowed):
        place[values == word] = i
    if (bad := np.flatnonzero(place < 0)).size:
        i = bad[0]
        where = ", ".join(f"{name} {column[i]!r}" for name, column in named.items())
        raise ValueError(f"{where}: {kind} {values[i]!r} is none of {list(allowed)}")
    return place


def grouped(keys: Sequence[Strings]) -> tuple[Ints, Ints]:
    """Rows of equal keys: the first row of each group, groups in sorted order; each row's group.

    keys: the first sorts first, each of shape (rows,).
    """
    group = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:  # one key at a time, so that a number stays below rows squared
        _, codes = np.unique(key, return_inverse=True)
        _, group = np.unique(group * (codes.max(initial=0) + 1) + codes, return_inverse=True)
    _, firsts = np.unique(group, return_index=True)
    return firsts.astype(np.int64), group.astype(np.int64)


def ratio(part: NDArray[np.int64] | Floats, whole: Ints) -> Floats:
    """part / whole, NaN where whole is 0."""
    out = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
