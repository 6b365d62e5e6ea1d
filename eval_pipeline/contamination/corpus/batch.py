"""Documents on their way from a shard to a search: some at a time, and what could not be read."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

BATCH_BYTES = 16 * 2**20  # of text that are in memory at a time, and one document


@dataclass(frozen=True)
class Batch:
    """Some documents: their numbers from 0, and their texts as an Arrow array without nulls."""

    numbers: NDArray[np.int64]
    texts: Any


@dataclass
class Unread:
    """Lines that hold no document: how many, and the first."""

    count: int = 0
    first: str = field(default="")

    def add(self, place: str, reason: str) -> None:
        self.first = self.first or f"{place}: {reason}"
        self.count += 1
