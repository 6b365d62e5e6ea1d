"""Which n-grams are boilerplate, and how rare the others are.

Masked are, and count neither as found nor as to be found: n-grams of the prompt's template, those
that several items share (two are enough, but for one text in two spellings), those that many
sampled documents of several shards hold, and those that touch a beginning or an end of masked
n-grams, or a long run of them (else they would straddle template and question).
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from eval_pipeline.contamination.index.entries import (
    WEIGHT_UNIT,
    FieldEntry,
    N,
    document_frequency,
    ngrams,
    touching_template,
)
from eval_pipeline.contamination.index.siblings import shared_by_several
from eval_pipeline.contamination.text.normalise import CODE, TEXT, Normaliser

MASKED_ABOVE = 5  # items; and
MASKED_SHARE = 0.005  # of all items, whichever is more
LONG_RUN = 4  # masked n-grams in a row, from which what straddles them is masked too
MASKED_DOCUMENTS = 50  # of the sample, in
MASKED_SHARDS = 3  # shards, or in all that were sampled where they are fewer
_PLACE = re.compile(r"\{\w+\}")  # of a part of the item in a template


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


def masked_entries(
    entries: Sequence[FieldEntry], spread: Spread = NOT_SAMPLED, template: str = ""
) -> list[FieldEntry]:
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
        made.append(FieldEntry(e.field, e.words, e.positions, frozenset(masked), weights, few))
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


def straddling(entry: FieldEntry, common: Collection[str]) -> set[str]:
    """The n-grams that share words with a long run of common ones, wherever in the field it is."""
    grams = ngrams(entry.words, entry.n) if entry.words else []
    straddlers: set[str] = set()
    run, reach = 0, entry.n - 1
    for i, gram in enumerate([*grams, ""]):
        if gram in common:
            run += 1
            continue
        if run >= LONG_RUN:
            straddlers.update(grams[max(0, i - run - reach) : i + reach])
        run = 0
    return straddlers
