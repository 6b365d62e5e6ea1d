"""The index: distinct word n-grams of each field, how common they are, and which are boilerplate.

n = 5 seeds all fields; a field with fewer words is one n-gram, the whole of it. An n-gram that
many items share is masked: it counts neither as found nor as to be found.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from eval_pipeline.contamination.exact import digest
from eval_pipeline.contamination.fields import Field
from eval_pipeline.contamination.normalise import TEXT_V1

N = 5
MASKED_ABOVE = 5  # items; and
MASKED_SHARE = 0.005  # of all items, whichever is more


@dataclass(frozen=True)
class Entry:
    """A field as it is looked for: its words, and where each distinct n-gram starts in them."""

    field: Field
    words: tuple[str, ...]
    positions: Mapping[str, tuple[int, ...]]
    masked: frozenset[str] = frozenset()

    @property
    def n(self) -> int:
        return min(N, len(self.words))

    @cached_property
    def open(self) -> frozenset[str]:
        """The n-grams that are not masked."""
        return frozenset(self.positions.keys() - self.masked)

    @property
    def masked_share(self) -> float:
        """Share of distinct n-grams that are masked; 0 for a field without words."""
        return len(self.masked) / len(self.positions) if self.positions else 0.0


def entries_of(fields: Iterable[Field]) -> list[Entry]:
    """Each field as an entry, nothing masked."""
    return [_entry(field) for field in fields]


def ngrams(words: Sequence[str], n: int) -> list[str]:
    """The n-grams in order, their words joined by single spaces; none where words are fewer."""
    return list(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))


def masked_entries(entries: Sequence[Entry]) -> list[Entry]:
    """The same entries, with the n-grams masked that too many items share."""
    frequency = document_frequency(entries)
    limit = max(MASKED_ABOVE, MASKED_SHARE * len({e.field.item_id for e in entries}))
    return [
        Entry(
            e.field,
            e.words,
            e.positions,
            frozenset(g for g in e.positions if frequency[e.field.name, g] > limit),
        )
        for e in entries
    ]


def document_frequency(entries: Iterable[Entry]) -> Counter[tuple[str, str]]:
    """How many items hold each (field name, n-gram)."""
    return Counter((e.field.name, gram) for e in entries for gram in e.positions)


def index_rows(fields: Sequence[Field]) -> list[Mapping[str, Any]]:
    """Rows of `contamination_index`, sorted by item, field, n-gram."""
    entries = masked_entries(entries_of(fields))
    frequency = document_frequency(entries)
    rows: list[Mapping[str, Any]] = [
        {
            "item_id": entry.field.item_id,
            "field": entry.field.name,
            "ngram": digest(gram.split(" ")),
            "n": entry.n,
            "position": positions[0],
            "item_df": frequency[entry.field.name, gram],
            "masked": gram in entry.masked,
        }
        for entry in entries
        for gram, positions in entry.positions.items()
    ]
    return sorted(rows, key=lambda row: (row["item_id"], row["field"], row["ngram"]))


def open_index(fields: Sequence[Field], rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """The entries of fields with the masks of their index.

    Raises ValueError where the index was made of other items, or by another normaliser or
    Unicode version: the n-grams of each field must be those of the index.
    """
    known: dict[tuple[str, str], dict[str, bool]] = {}
    for row in rows:
        known.setdefault((row["item_id"], row["field"]), {})[row["ngram"]] = row["masked"]
    entries = []
    for entry in entries_of(fields):
        masks = known.get((entry.field.item_id, entry.field.name), {})
        digests = {gram: digest(gram.split(" ")) or "" for gram in entry.positions}
        if masks.keys() != set(digests.values()):
            raise ValueError(
                f"contamination_index does not fit item {entry.field.item_id!r}, field "
                f"{entry.field.name!r}: it was made of other items or by another normaliser; "
                "compute it again"
            )
        masked = frozenset(gram for gram, key in digests.items() if masks[key])
        entries.append(Entry(entry.field, entry.words, entry.positions, masked))
    return entries


class Coverage(NamedTuple):
    """How many of an item's distinct n-grams a text holds; `coverage` is NaN for no n-grams."""

    hits: int
    total: int
    coverage: float


def ngram_overlap(item: str, corpus: str, n: int) -> Coverage:
    """The item's side of an overlap: |U_e & U_d| / |U_e|, U the distinct word n-grams."""
    wanted = set(ngrams(TEXT_V1.words(item), n))
    hits = len(wanted.intersection(ngrams(TEXT_V1.words(corpus), n)))
    return Coverage(hits, len(wanted), hits / len(wanted) if wanted else math.nan)


def _entry(field: Field) -> Entry:
    words = tuple(field.normaliser.words(field.text or ""))
    positions: dict[str, list[int]] = {}
    for i, gram in enumerate(ngrams(words, min(N, len(words))) if words else ()):
        positions.setdefault(gram, []).append(i)
    return Entry(field, words, {gram: tuple(at) for gram, at in positions.items()})
