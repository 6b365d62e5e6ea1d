"""Canaries: unique strings that a benchmark carries so that its presence can be seen.

A canary in a corpus shows that the benchmark, or a page that quotes it, was there; that a model
was trained on it takes the model's lineage.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

EVERY_ITEM = "*"  # stands for the benchmark as a whole in tables
FIELD = "canary"

GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_NAMED = re.compile(r"canary(?:\s+guid)?\W{0,3}\s*(" + GUID.pattern + ")", re.IGNORECASE)


class CanaryScanner:
    """Looks for canaries, letter by letter but for the case of GUIDs."""

    def __init__(self, canaries: Mapping[str, str]) -> None:
        """canaries: each canary and the item it belongs to, or `EVERY_ITEM`."""
        self._guids = {c.lower(): item for c, item in canaries.items() if GUID.fullmatch(c)}
        self._texts = {c: item for c, item in canaries.items() if not GUID.fullmatch(c)}

    @property
    def has_guids(self) -> bool:
        return bool(self._guids)

    @property
    def texts(self) -> list[str]:
        """The canaries that are no GUIDs."""
        return sorted(self._texts)

    def scan(self, text: str) -> list[tuple[str, str, int]]:
        """(item, canary, place in the text) of each canary that the text holds, sorted."""
        places: dict[str, tuple[str, int]] = {}
        if self._guids and "-" in text:
            for match in GUID.finditer(text):
                if (item := self._guids.get(match[0].lower())) is not None:
                    places.setdefault(match[0].lower(), (item, match.start()))
        for canary, item in self._texts.items():
            if (place := text.find(canary)) >= 0:
                places[canary] = (item, place)
        return sorted((item, canary, place) for canary, (item, place) in places.items())


def canaries_of(declared: Sequence[str], texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The declared canaries, and the GUIDs that items themselves call canaries.

    texts: (item, text) pairs. A canary that stands in one item alone belongs to it, any other to
    the benchmark. Raises ValueError for a declared canary that is too short to be unique.
    """
    for canary in declared:
        if len(canary.strip()) < 12:
            raise ValueError(
                f"contamination.canaries: {canary!r} is too short to be unique; "
                "use at least 12 characters, such as a GUID"
            )
    holders: dict[str, set[str]] = {canary: set() for canary in declared}
    for item, text in texts:
        for match in _NAMED.finditer(text):
            holders.setdefault(match[1].lower(), set()).add(item)
        for canary in declared:
            if canary in text:
                holders[canary].add(item)
    return {
        canary: next(iter(items)) if len(items) == 1 else EVERY_ITEM
        for canary, items in sorted(holders.items())
    }


def texts_of(items: Iterable[Mapping[str, object]]) -> list[tuple[str, str]]:
    """(item, text) of every text of the items in which a canary may stand."""
    parts = ("question", "answer", "test", "extra")
    return [(str(item["item_id"]), str(item[p])) for item in items for p in parts if item.get(p)]
