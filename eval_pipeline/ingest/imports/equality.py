"""The publisher's aggregates, computed again from the publisher's verdicts.

An import whose verdicts do not give the published number has lost or doubled something: it is
refused, and says by how much it is off.
"""

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from eval_pipeline.ingest.peers.entries import EVERY_ITEM, PeerReply, PublishedNumber

MOST_PLACES = 12  # of a decimal fraction that are compared
EXACT = 1e-12  # what adding up in another order may change


@dataclass
class _Sums:
    """Sum and count of an item's verdicts, and how many draws have none, by the item's place."""

    sums: "array[float]" = field(default_factory=lambda: array("d"))
    counts: "array[int]" = field(default_factory=lambda: array("l"))
    silent: "array[int]" = field(default_factory=lambda: array("l"))
    is_share: bool = True  # every verdict is 0 or 1

    def add(self, place: int, value: float | None) -> None:
        while len(self.sums) <= place:
            self.sums.append(0.0)
            self.counts.append(0)
            self.silent.append(0)
        self.is_share &= value in (None, 0.0, 1.0)
        if value is None:
            self.silent[place] += 1
        else:
            self.sums[place] += value
            self.counts[place] += 1

    def could_be(self, value: float) -> bool:
        """Whether so many verdicts of 0 or 1 can give the value as it stands, without rounding."""
        if not self.is_share:
            return False
        given = sum(self.counts)
        return any(
            n > 0 and abs(value * n - round(value * n)) <= EXACT * n
            for n in (given, given + sum(self.silent))
        )

    def means(self) -> Iterator[float]:
        """Mean over items of the mean over draws: verdicts that are absent left out, then as 0."""
        of_items = zip(self.sums, self.counts, self.silent, strict=True)
        parts = [(s, n, silent) for s, n, silent in of_items if n or silent]
        given = [total / n for total, n, _ in parts if n]
        if given:
            yield math.fsum(given) / len(given)
        if parts:
            yield math.fsum(total / (n + silent) for total, n, silent in parts) / len(parts)


class Recomputed:
    """The publisher's numbers as they follow from the verdicts of all replies."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str, str], _Sums] = {}

    def add(self, reply: PeerReply, place: int) -> None:
        """Counts a reply's verdicts; place: of its item, from 0, within the task."""
        for metric, value in reply.said.items():
            self._sums.setdefault((reply.task, reply.model, metric), _Sums()).add(place, value)

    def faults(self, numbers: Iterable[PublishedNumber]) -> list[str]:
        """A sentence for each number over all items that its verdicts do not give."""
        wrong = []
        for number in numbers:
            sums = self._sums.get((number.task, number.model, number.metric))
            if number.slice != EVERY_ITEM or sums is None:
                continue
            means = list(sums.means())
            # a value that a whole number of rows gives was not rounded: one row more is a fault
            is_exact = sums.could_be(number.value)
            if not any(equal(mean, number.value, is_exact) for mean in means):
                wrong.append(
                    f"{number.place}: {number.metric} of {number.model} was published as "
                    f"{number.value!r}, its verdicts give {means[0]!r}"
                )
        return wrong


def equal(computed: float, published: float, is_exact: bool = False) -> bool:
    """Whether they agree to the last digit that was published; is_exact: it was not rounded."""
    text = repr(published)
    rounded = not is_exact and "e" not in text and "inf" not in text
    places = min(MOST_PLACES, len(text.partition(".")[2])) if rounded else MOST_PLACES
    return abs(computed - published) <= 0.5 * 10.0**-places + EXACT
