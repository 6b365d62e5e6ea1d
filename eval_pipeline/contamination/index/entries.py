"""The index: distinct word n-grams of each field, how common they are, and which are boilerplate.

n = 5 seeds all fields; a field with fewer words is one n-gram, the whole of it. Where every
character is a word, n stays 5 and the rule asks for more: on Chinese and Japanese help texts n = 8
found .47 of leaks with 15 % edits where n = 5 found .95, and no n spared an idiom of 12 characters.

Masked are, and count neither as found nor as to be found: n-grams of the prompt's template, those
that several items share (two are enough, but for one text in two spellings), those that many
sampled documents of several shards hold, and those that touch a beginning or an end of masked
n-grams, or a long run of them (else they would straddle template and question).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Any, NamedTuple

from eval_pipeline.contamination.index.siblings import shared_by_several
from eval_pipeline.contamination.text.exact import digest
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.text.normalise import CODE, TEXT, Normaliser, is_unspaced

N = 5
MASKED_ABOVE = 5  # items; and
MASKED_SHARE = 0.005  # of all items, whichever is more
LONG_RUN = 4  # masked n-grams in a row, from which what straddles them is masked too
MASKED_DOCUMENTS = 50  # of the sample, in
MASKED_SHARDS = 3  # shards, or in all that were sampled where they are fewer
_PLACE = re.compile(r"\{\w+\}")  # of a part of the item in a template
WEIGHT_UNIT = 2**20  # weights are whole, so that their sums do not depend on the order


@dataclass(frozen=True)
class Spread:
    """In how many sampled documents, and of how many shards, n-grams stand.

    counts: (normaliser, n-gram) -> (documents, shards); absent where none holds it.
    """

    documents: int = 0
    shards: int = 0
    counts: Mapping[tuple[str, str], tuple[int, int]] = dataclass_field(default_factory=dict)

    def of(self, normaliser: str, gram: str) -> tuple[int, int]:
        return self.counts.get((normaliser, gram), (0, 0))

    def is_common(self, normaliser: str, gram: str) -> bool:
        """Whether the corpora hold the n-gram everywhere, whatever they hold of the items."""
        documents, shards = self.of(normaliser, gram)
        return documents >= MASKED_DOCUMENTS and shards >= min(MASKED_SHARDS, self.shards)


NOT_SAMPLED = Spread()


@dataclass(frozen=True)
class Entry:
    """A field as it is looked for: its words, and where each distinct n-gram starts in them.

    masked: n-grams that are not looked for; shared: those of them that are so only because a few
    items hold them. weights: how rare each n-gram is, in units of 1 / `WEIGHT_UNIT`; 1 where
    nothing is said.
    """

    field: Field
    words: tuple[str, ...]
    positions: Mapping[str, tuple[int, ...]]
    masked: frozenset[str] = frozenset()
    weights: Mapping[str, int] = dataclass_field(default_factory=dict)
    shared: frozenset[str] = frozenset()

    @property
    def n(self) -> int:
        return min(N, len(self.words))

    @cached_property
    def unspaced(self) -> bool:
        """Whether most of its words are single characters."""
        return is_unspaced(self.words)

    @cached_property
    def open(self) -> frozenset[str]:
        """The n-grams that are not masked."""
        return frozenset(self.positions.keys() - self.masked)

    @property
    def masked_share(self) -> float:
        """Share of distinct n-grams that are boilerplate, templates left out; 0 for no words.

        1 where nothing is left but templates. What only a few items share is none: it counts
        together with what is the item's own.
        """
        boilerplate = self.masked - self.shared
        if not boilerplate:
            return 0.0
        inner = self.positions.keys() - touching_template(self, boilerplate, straddling=False)
        return len(inner & boilerplate) / len(inner) if inner else 1.0


def entries_of(fields: Iterable[Field]) -> list[Entry]:
    """Each field as an entry, nothing masked."""
    return [_entry(field) for field in fields]


def ngrams(words: Sequence[str], n: int) -> list[str]:
    """The n-grams in order, their words joined by single spaces; none where words are fewer."""
    if n > len(words):
        return []
    return list(map(" ".join, zip(*(words[i:] for i in range(n)), strict=False)))


def masked_entries(
    entries: Sequence[Entry], spread: Spread = NOT_SAMPLED, template: str = ""
) -> list[Entry]:
    """The same entries, with the n-grams masked that are boilerplate, and weights for all.

    template: of the prompt, with a `{name}` wherever a part of the item goes.
    """
    frequency = document_frequency(entries)
    n_items = len({e.field.item_id for e in entries})
    limit = item_limit(n_items)
    shared = shared_by_several([e for e in entries if not e.field.is_passage], limit)
    of_template = {one.name: template_ngrams(template, one) for one in (TEXT, CODE)}
    made = []
    for e in entries:
        name, normaliser = e.field.name, e.field.normaliser.name
        boilerplate = {
            g
            for g in e.positions
            if (frequency[name, g] > limit and not e.field.is_passage)
            or spread.is_common(normaliser, g)
            or g in of_template[normaliser]
        }
        weights = {
            g: weight_of(
                rarity(frequency[name, g], spread.of(normaliser, g)[0], n_items, spread.documents)
            )
            for g in e.positions
        }
        common = boilerplate | {g for g in e.positions if (name, g) in shared}
        template_ends = touching_template(e, boilerplate)
        masked = common | template_ends | straddling(e, common)
        few = frozenset(masked - boilerplate - template_ends)
        made.append(Entry(e.field, e.words, e.positions, frozenset(masked), weights, few))
    return made


def item_limit(n_items: int) -> float:
    """Of so many items, how many may hold an n-gram that is no boilerplate of all of them."""
    return max(MASKED_ABOVE, MASKED_SHARE * n_items)


def template_ngrams(template: str, normaliser: Normaliser) -> frozenset[str]:
    """The n-grams of a prompt's template, of the text between two `{name}` each."""
    pieces = (normaliser.words(piece) for piece in _PLACE.split(template))
    return frozenset(gram for words in pieces for gram in ngrams(words, N))


def rarity(item_df: int, corpus_df: int, n_items: int, n_documents: int) -> float:
    """ln((items + sampled documents + 1) / (those that hold the n-gram)), above 0."""
    return math.log((n_items + n_documents + 1) / (item_df + corpus_df))


def weight_of(idf: float) -> int:
    return max(1, round(WEIGHT_UNIT * idf))


def touching_template(entry: Entry, common: Collection[str], straddling: bool = True) -> set[str]:
    """The n-grams of a beginning or an end of the field which is all common n-grams.

    straddling: also those that share words with it. An n-gram that stands elsewhere too is none.
    """
    grams = ngrams(entry.words, entry.n) if entry.words else []
    head = next((i for i, gram in enumerate(grams) if gram not in common), len(grams))
    tail = next((i for i, gram in enumerate(grams[::-1]) if gram not in common), len(grams))
    reach = entry.n - 1 if straddling else 0
    first = head + reach if head else 0
    last = len(grams) - (tail + reach if tail else 0)
    return set(grams) - set(grams[first:last])


def straddling(entry: Entry, common: Collection[str]) -> set[str]:
    """The n-grams that share words with a long run of common ones, wherever in the field it is."""
    grams = ngrams(entry.words, entry.n) if entry.words else []
    found: set[str] = set()
    run, reach = 0, entry.n - 1
    for i, gram in enumerate([*grams, ""]):
        if gram in common:
            run += 1
            continue
        if run >= LONG_RUN:
            found.update(grams[max(0, i - run - reach) : i + reach])
        run = 0
    return found


def document_frequency(entries: Iterable[Entry]) -> Counter[tuple[str, str]]:
    """How many items hold each (field name, n-gram)."""
    return Counter((e.field.name, gram) for e in entries for gram in e.positions)


def index_rows(
    fields: Sequence[Field], spread: Spread = NOT_SAMPLED, template: str = ""
) -> list[Mapping[str, Any]]:
    """Rows of `contamination_index`, sorted by item, field, n-gram; as `masked_entries`."""
    entries = masked_entries(entries_of(fields), spread, template)
    frequency = document_frequency(entries)
    n_items = len({entry.field.item_id for entry in entries})
    rows: list[Mapping[str, Any]] = []
    for entry in entries:
        name, normaliser = entry.field.name, entry.field.normaliser.name
        for gram, positions in entry.positions.items():
            item_df, (corpus_df, _) = frequency[name, gram], spread.of(normaliser, gram)
            rows.append(
                {
                    "item_id": entry.field.item_id,
                    "field": name,
                    "ngram": digest(gram.split(" ")),
                    "n": entry.n,
                    "position": positions[0],
                    "item_df": item_df,
                    "corpus_df": corpus_df,
                    "idf": rarity(item_df, corpus_df, n_items, spread.documents),
                    "masked": gram in entry.masked,
                    "shared": gram in entry.shared,
                    "normaliser": entry.field.normaliser.version,
                }
            )
    return sorted(rows, key=lambda row: (row["item_id"], row["field"], row["ngram"]))


def open_index(fields: Sequence[Field], rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """The entries of fields with the masks and weights of their index.

    Raises ValueError where the index was made of other items, or by another normaliser or
    Unicode version: each row must name the normaliser as it is now, and the n-grams of each field
    must be those of the index.
    """
    known: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        known.setdefault((row["item_id"], row["field"]), {})[row["ngram"]] = row
    entries = []
    for entry in entries_of(fields):
        found = known.get((entry.field.item_id, entry.field.name), {})
        digests = {gram: digest(gram.split(" ")) or "" for gram in entry.positions}
        made_by = {str(row["normaliser"]) for row in found.values() if row.get("normaliser")}
        if stale := sorted(made_by - {entry.field.normaliser.version}):
            raise ValueError(
                f"contamination_index was made by {stale[0]}, this is "
                f"{entry.field.normaliser.version}: compute it again"
            )
        if found.keys() != set(digests.values()):
            raise ValueError(
                f"contamination_index does not fit item {entry.field.item_id!r}, field "
                f"{entry.field.name!r}: it was made of other items or by another normaliser; "
                "compute it again"
            )
        masked = frozenset(gram for gram, key in digests.items() if found[key]["masked"])
        weights = {
            gram: weight_of(found[key]["idf"])
            for gram, key in digests.items()
            if found[key].get("idf") is not None
        }
        shared = frozenset(gram for gram, key in digests.items() if found[key].get("shared"))
        entries.append(Entry(entry.field, entry.words, entry.positions, masked, weights, shared))
    return entries


class Coverage(NamedTuple):
    """How many of an item's distinct n-grams a text holds; `coverage` is NaN for no n-grams."""

    hits: int
    total: int
    coverage: float


def ngram_overlap(item: str, corpus: str, n: int) -> Coverage:
    """The item's side of an overlap: |U_e & U_d| / |U_e|, U the distinct word n-grams.

    Raises ValueError for an n below 1 and for what is no text.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"n must be a whole number of words, at least 1, got {n!r}")
    for name, text in (("item", item), ("corpus", corpus)):
        if not isinstance(text, str):
            raise ValueError(f"{name} must be a text, got {text!r}")
    wanted = set(ngrams(TEXT.words(item), n))
    hits = len(wanted.intersection(ngrams(TEXT.words(corpus), n)))
    return Coverage(hits, len(wanted), hits / len(wanted) if wanted else math.nan)


def _entry(field: Field) -> Entry:
    words = tuple(field.normaliser.words(field.text or ""))
    positions: dict[str, list[int]] = {}
    for i, gram in enumerate(ngrams(words, min(N, len(words))) if words else ()):
        positions.setdefault(gram, []).append(i)
    return Entry(field, words, {gram: tuple(at) for gram, at in positions.items()})
