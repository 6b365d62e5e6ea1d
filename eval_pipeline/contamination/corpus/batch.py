"""Documents on their way from a shard to a search: some at a time, and what could not be read."""

from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.contamination.arrays import Longs

BATCH_BYTES = 16 * 2**20  # of text that are in memory at a time, and one document


@dataclass(frozen=True)
class DocumentBatch:
    """Some documents: their numbers from 0, and their texts as an Arrow array without nulls."""

    numbers: Longs
    texts: Any


@dataclass
class UnreadLines:
    """Lines that hold no document: how many, and the first."""

    count: int = 0
    first: str = field(default="")

    def add(self, place: str, reason: str) -> None:
        self.first = self.first or f"{place}: {reason}"
        self.count += 1
