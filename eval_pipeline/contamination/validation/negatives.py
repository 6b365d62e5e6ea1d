"""Clean items that a rule may take for leaked ones: hard negatives, clean by how they are made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.contamination.index.entries import FieldEntry, entries_of, ngrams
from eval_pipeline.contamination.rule import MIN_WORDS, FieldMatch
from eval_pipeline.contamination.search.reference import Scanner
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.validation.commonplaces import COMMONPLACES
from eval_pipeline.contamination.validation.imitation import ORDER, imitations
from eval_pipeline.contamination.validation.planting import Hosts
from eval_pipeline.statistics.randomness import generator

IMITATIONS = 400
QUOTING = 100  # items that quote, of each kind of passage
QUOTED_IN = 5  # documents that hold a passage: it is common


@dataclass(frozen=True)
class ValidationCase:
    """An entry with what the documents hold of it; for a planted leak, or a clean item."""

    entry: FieldEntry
    matches: Sequence[FieldMatch]


def negatives(
    entries: Sequence[FieldEntry], clusters: Mapping[str, str], documents: Sequence[str], seed: int
) -> dict[str, list[ValidationCase]]:
    """Hard negatives of each kind.

    `other_items`: the items against those of other clusters. `imitations`: new items in the
    benchmark's idiom against the documents. `template`: items with masked words, against documents
    that hold their template alone. `quote`, `identity`, `licence`: imitations that quote a
    passage, against documents that do.
    """
    made = _imitated(entries, generator(seed, "contamination", "imitations"))
    cases = {
        "other_items": _against_other_items(entries, clusters),
        "imitations": _against(made, documents) if documents else [],
        "template": _against_templates(
            entries, documents, generator(seed, "contamination", "template")
        ),
    }
    hosts = Hosts.of(documents)
    for kind, passages in COMMONPLACES.items():
        rng = generator(seed, "contamination", kind)
        quoting = _quoting(made, passages, rng)
        holding = [hosts.around(one, rng) for one in passages for _ in range(QUOTED_IN)]
        cases[kind] = _against(quoting, holding)
    return cases


def _against(entries: Sequence[FieldEntry], documents: Iterable[str]) -> list[ValidationCase]:
    scanner = Scanner(entries)
    matches: dict[str, list[FieldMatch]] = {}
    for text in documents:
        for overlap in scanner.scan(text):
            matches.setdefault(overlap.entry.field.item_id, []).append(overlap.match)
    return [ValidationCase(entry, matches.get(entry.field.item_id, [])) for entry in entries]


def _against_other_items(
    entries: Sequence[FieldEntry], clusters: Mapping[str, str]
) -> list[ValidationCase]:
    """Items of one cluster are variants by the contract's own word, as are those of one text."""
    if len({clusters[entry.field.item_id] for entry in entries}) < 2:
        return []
    scanner = Scanner(entries)
    words = {entry.field.item_id: entry.words for entry in entries}
    matches: dict[str, list[FieldMatch]] = {}
    for entry in entries:
        own = entry.field.item_id
        for overlap in scanner.scan(entry.field.text or ""):
            item = overlap.entry.field.item_id
            if clusters[item] != clusters[own] and words[item] != words[own]:
                matches.setdefault(item, []).append(overlap.match)
    return [ValidationCase(entry, matches.get(entry.field.item_id, [])) for entry in entries]


def _against_templates(
    entries: Sequence[FieldEntry], documents: Sequence[str], rng: np.random.Generator
) -> list[ValidationCase]:
    hosts = Hosts.of(documents)
    own = {entry.field.item_id: _template(entry) for entry in entries}
    bare = sorted({template for template in own.values() if template})[:QUOTING]
    holders = [entry for entry in entries if own[entry.field.item_id] in bare]
    return _against(holders, [hosts.around(template, rng) for template in bare])


def _template(entry: FieldEntry) -> str:
    """The longest run of words of which all n-grams are masked; empty for none."""
    longest, run = (0, 0), 0
    size = entry.n
    grams = ngrams(entry.words, size) if entry.words else []
    for i, gram in enumerate(grams):
        run = run + 1 if gram in entry.masked else 0
        if run > longest[1] - longest[0]:
            longest = (i + 1 - run, i + 1)
    first, last = longest
    return " ".join(entry.words[first : last + size - 1]) if last else ""


def _imitated(entries: Sequence[FieldEntry], rng: np.random.Generator) -> list[FieldEntry]:
    """New items, masked as the items are."""
    unspaced = 2 * sum(entry.unspaced for entry in entries) > len(entries)
    order = 2 * ORDER if unspaced else ORDER
    made = imitations([entry.words for entry in entries], IMITATIONS, rng, order)
    return _entries([" ".join(words) for words in made], entries)


def _quoting(
    made: Sequence[FieldEntry], passages: Sequence[str], rng: np.random.Generator
) -> list[FieldEntry]:
    """Imitations with a passage somewhere between their words."""
    texts = []
    for entry in made[:QUOTING]:
        place = int(rng.integers(len(entry.words) + 1))
        passage = passages[int(rng.integers(len(passages)))]
        texts.append(" ".join([*entry.words[:place], passage, *entry.words[place:]]))
    return _entries(texts, made)


def _entries(texts: Sequence[str], like: Sequence[FieldEntry]) -> list[FieldEntry]:
    """Texts as entries of the same field and masks as others."""
    masked = frozenset[str]().union(*(entry.masked for entry in like))
    name = like[0].field.name if like else ""
    fields = [Field(f"{i:06d}", name, text) for i, text in enumerate(texts)]
    return [
        FieldEntry(e.field, e.words, e.positions, masked & e.positions.keys())
        for e in entries_of(fields)
        if len(e.words) >= MIN_WORDS
    ]
