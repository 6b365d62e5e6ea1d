"""What only all rows together tell: draws, columns of items, a publisher's verdicts, places."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator

from eval_pipeline.ingest.plain.keys import FLAGS, OF_ITEMS
from eval_pipeline.ingest.plain.rows import LETTERS, PlainRow

ID_DIGITS = 12
ENOUGH_ROWS = 1.5  # an item, before a column that is constant within items says something
_WORDS = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}


class Facts:
    """Gathered over all rows with `look`, closed, and then asked while the rows go by again.

    flag: the key of a publisher's verdicts. of_items: the keys whose value belongs to the item.
    start: the number of the first option where answers are places in the options. items: the
    names of all of them.
    """

    def __init__(self, published: str | None = None) -> None:
        """published: the key that a person says to hold the publisher's verdicts."""
        self.flag: str | None = None
        self.of_items: frozenset[str] = frozenset()
        self.start: int | None = None
        self.items: set[str] = set()
        self._flags = dict.fromkeys((published,) if published else FLAGS)
        self._is_said = published is not None
        self._values: dict[str, dict[str, bytes]] = {}  # key -> item -> digest of its value
        self._varied: set[str] = set()
        self._starts = {0, 1}
        self._rows: Counter[tuple[str, str]] = Counter()
        self._least: int | None = None
        self._given: Counter[tuple[str, str]] = Counter()

    def look(self, row: PlainRow, model: str) -> None:
        """Takes a row of a model into account."""
        item = item_name(row)
        self.items.add(item)
        self._rows[model, item] += 1
        if row.draw is not None:
            self._least = row.draw if self._least is None else min(self._least, row.draw)
        for flag in [one for one in self._flags if verdict(row.rest.get(one)) is None]:
            del self._flags[flag]
        self._starts = {start for start in self._starts if is_place(row, start)}
        for key, value in row.rest.items():
            if key not in self._varied:
                digest = _digest(value)
                if self._values.setdefault(key, {}).setdefault(item, digest) != digest:
                    self._varied.add(key)
                    del self._values[key]

    def close(self) -> None:
        """Draws the conclusions."""
        self.flag = next(iter(self._flags), None)
        if self._is_said and self.flag is None:
            raise ValueError("--key published=...: not every row holds a verdict from 0 to 1 there")
        several = {key for key, values in self._values.items() if len(set(values.values())) > 1}
        constant = self._values.keys() - {self.flag}
        is_seen = self._rows.total() >= ENOUGH_ROWS * len(self.items)
        self.of_items = frozenset(
            key for key in constant if key.casefold() in OF_ITEMS or (is_seen and key in several)
        )
        self.start = min(self._starts) if self.items and self._starts else None
        self._values.clear()

    def draw(self, row: PlainRow, model: str) -> int | None:
        """The draw of the row, from 0; None where it has no number beside others that have one."""
        key = (model, item_name(row))
        if self._least is None:
            self._given[key] += 1
            return self._given[key] - 1
        if row.draw is None:
            return 0 if self._rows[key] == 1 else None
        return row.draw - self._least

    def told(self) -> Iterator[str]:
        """What was concluded, a sentence each."""
        if self.start is not None:
            yield f"answers are places in the options, counted from {self.start}"
        if self._least:
            yield f"draws begin at {self._least} in the file and at 0 here"
        if self._least is None and max(self._rows.values(), default=0) > 1:
            yield "no draw is numbered: replies to one item are draws, in order"
        if self.of_items:
            yield f"columns of items: {', '.join(sorted(self.of_items))}"
        if self.flag is not None:
            yield f"{self.flag} is the publisher's verdict: it stands beside ours"


def item_name(row: PlainRow) -> str:
    """The id that the file gives; else one made of all that is asked."""
    if row.item_id is not None:
        return row.item_id
    said = json.dumps([row.question, row.options, row.answers])
    return f"item-{hashlib.sha256(said.encode()).hexdigest()[:ID_DIGITS]}"


def is_place(row: PlainRow, start: int) -> bool:
    """Whether the answer can only be meant as a place: it is no option's text."""
    if row.options is None or row.index is None or row.answer in row.options:
        return False
    return 0 <= row.index - start < min(len(row.options), len(LETTERS))


def verdict(value: object) -> float | None:
    """A publisher's verdict from 0 to 1; None for anything else."""
    if isinstance(value, str):
        return _WORDS.get(value.strip().casefold())
    if isinstance(value, bool | int | float) and 0 <= value <= 1:
        return float(value)
    return None


def _digest(value: object) -> bytes:
    written = json.dumps(value, sort_keys=True, default=str)
    return hashlib.blake2b(written.encode(), digest_size=8).digest()
