"""Tables of numbers that a metric takes in: rows of one length, each entry finite and in range."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eval_pipeline.metrics.inputs import Floats

MOST_COUNTED = 2.0**53  # up to which float64 holds every whole number
LARGEST_FEATURE = 1e150  # up to which sums of squares stay finite


def matrix(
    values: ArrayLike,
    name: str,
    least: float = -np.inf,
    most: float = np.inf,
    *,
    undefined: bool = False,
) -> Floats:
    """The values as float64 of shape (rows, columns), each in [least, most], at least one.

    undefined: NaN and null are let through, as NaN.
    Raises ValueError that names the first row of another length, or the first entry that is no
    number (a truth value is none), is not finite or is out of range.
    """
    table: Any = values
    if isinstance(table, np.ndarray) and table.dtype.kind in "iuf":
        x = table.astype(np.float64)
    else:
        x = _from_rows(table, name, undefined)
    if x.ndim != 2 or not x.size:
        raise ValueError(f"{name} must be a table of numbers, rows by columns, got shape {x.shape}")
    bounded = bool(np.isfinite(least) or np.isfinite(most))
    good = np.isfinite(x)
    if bounded:
        good &= (x >= least) & (x <= most)
    if undefined:
        good |= np.isnan(x)
    if not good.all():
        i, j = np.argwhere(~good)[0]
        wanted = f"a number in [{least:g}, {most:g}]" if bounded else "a finite number"
        more = f" ({np.sum(~good)} such entries)" if np.sum(~good) > 1 else ""
        raise ValueError(f"{name}[{i}, {j}] is {x[i, j]:g}: it must be {wanted}{more}")
    return x


def unit_rows(table: Floats, name: str) -> Floats:
    """Each row scaled to length 1, shape (rows, columns).

    Raises ValueError that names the first row of length 0, which has no direction.
    """
    largest = np.abs(table).max(axis=1, keepdims=True)
    if (bad := np.flatnonzero(largest == 0)).size:
        raise ValueError(f"{name}[{bad[0]}] has length 0, and so no direction: embed it again")
    # by a power of two, which rounds nothing: squares then neither overflow nor vanish
    scaled = np.ldexp(table, -np.frexp(largest)[1])
    return np.asarray(scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None])


def _from_rows(table: Any, name: str, undefined: bool) -> Floats:
    if not isinstance(table, list | tuple | np.ndarray):
        raise ValueError(f"{name} must be a table of numbers, rows by columns, got {table!r:.60}")
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in table]
    for i, row in enumerate(rows):
        if not isinstance(row, list | tuple):
            raise ValueError(f"{name}[{i}] must be a row of numbers, got {row!r:.60}")
        if len(row) != len(rows[0]):
            raise ValueError(
                f"{name}[{i}] has {len(row)} entries and {name}[0] has {len(rows[0])}: give rows "
                "of one length"
            )
        for kind in set(map(type, row)):
            allowed = (int, float, np.integer, np.floating, *((type(None),) if undefined else ()))
            if not issubclass(kind, allowed) or issubclass(kind, bool):
                j = next(j for j, value in enumerate(row) if type(value) is kind)
                raise ValueError(f"{name}[{i}, {j}] is {row[j]!r}: give a number")
    try:
        return np.array(rows, dtype=np.float64)
    except OverflowError as error:
        raise ValueError(f"{name} holds a whole number too large to reckon with") from error
