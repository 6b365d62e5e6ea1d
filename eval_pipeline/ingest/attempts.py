"""Which of several rows of one draw counts."""

from array import array

import numpy as np
from numpy.typing import NDArray

from eval_pipeline.ingest.rejects import RowFault


class Attempts:
    """Admits rows; they are numbered from 0 in the order in which they were admitted.

    A key stands for an (item, draw). Of its rows the one with the highest attempt number counts.
    """

    def __init__(self) -> None:
        self._keys = array("q")
        self._numbers = array("i")
        self._first: dict[int, int] = {}  # key to its first row
        self._several: dict[int, dict[int, int]] = {}  # keys of several rows: attempt to row

    def __len__(self) -> int:
        return len(self._keys)

    def admit(self, keys: list[int], attempts: list[int | None]) -> dict[int, RowFault]:
        """Takes rows in; a row without attempt number is a first attempt.

        Returns the faults, by place, of the rows that were not taken in: those whose key was met
        before and which have no attempt number, or one that was met before.
        """
        rows = dict(zip(keys, range(len(self), len(self) + len(keys)), strict=True))
        if len(rows) == len(keys) and self._first.keys().isdisjoint(keys):
            self._first |= rows
            self._keys.extend(keys)
            self._numbers.extend([attempt or 1 for attempt in attempts])
            return {}
        faults = {}
        for i, (key, attempt) in enumerate(zip(keys, attempts, strict=True)):
            if fault := self._admit_one(key, attempt):
                faults[i] = fault
        return faults

    def keys(self) -> NDArray[np.int64]:
        """The key of each row."""
        return np.array(self._keys, dtype=np.int64)

    def recorded(self) -> NDArray[np.int32]:
        """Of each row that counts, how many rows its key has; 0 for a row that is superseded."""
        counts = np.ones(len(self), dtype=np.int32)
        for rows in self._several.values():
            counts[list(rows.values())] = 0
            counts[rows[max(rows)]] = len(rows)
        return counts

    def _admit_one(self, key: int, attempt: int | None) -> RowFault | None:
        row = len(self)
        first = self._first.setdefault(key, row)
        if first != row:
            if attempt is None:
                return RowFault(
                    "duplicate", "a row of this item and draw was read before; number the attempts"
                )
            rows = self._several.setdefault(key, {self._numbers[first]: first})
            if attempt in rows:
                return RowFault(
                    "duplicate", f"attempt {attempt} of this item and draw was read before"
                )
            rows[attempt] = row
        self._keys.append(key)
        self._numbers.append(attempt or 1)
        return None
