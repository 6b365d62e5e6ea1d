"""How often the rule finds what we planted, and how often it flags what is clean.

Planted: each mechanism hides up to `PLANTED` items in documents. Hard negatives are clean by how
they are made: every item against the text of items of other clusters, and imitations of the items
against real documents. The rule is fixed, so all of them measure and none choose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eval_pipeline.contamination.fields import Field
from eval_pipeline.contamination.imitation import imitations
from eval_pipeline.contamination.ngram import Entry, entries_of
from eval_pipeline.contamination.planting import MECHANISMS, Hosts
from eval_pipeline.contamination.rule import FLAGGED, MIN_WORDS, RULE, verdict
from eval_pipeline.contamination.scan import Scanner
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline.statistics.randomness import generator

PLANTED = 300  # leaks a mechanism
IMITATIONS = 400
HOSTS = 2000  # documents to plant in, and to hold imitations against
CONFIDENCE = 0.95
POOLED = "all_negatives"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Trials:
    """How many were tried and how many flagged."""

    tried: int
    flagged: int


def validation_rows(
    entries: Sequence[Entry],
    clusters: Mapping[str, str],
    documents: Sequence[str],
    seed: int,
    bar: float,
) -> list[Row]:
    """Rows of `contamination_validation` for one field of the items, sorted by mechanism.

    entries: one field of each item, with the masks of the index; clusters: the sampling unit of
    each item. documents: texts of the corpus that the rule does not flag. bar: the contract's bar
    for the rate of false positives; the rule is calibrated where the pooled upper bound lies at
    or below it.
    """
    entries = [entry for entry in entries if len(entry.words) >= MIN_WORDS]
    hosts = Hosts.of(documents)
    planted = {
        name: found_of_planted(entries, name, hosts, generator(seed, "contamination", name))
        for name in MECHANISMS
    }
    rng = generator(seed, "contamination", "imitations")
    negatives = {
        "other_items": flagged_by_other_items(entries, clusters),
        "imitations": flagged_imitations(entries, documents, rng),
    }
    counts = negatives.values()
    pooled = Trials(sum(t.tried for t in counts), sum(t.flagged for t in counts))
    doubt = doubt_of(pooled, bar)
    rows = [_planted_row(name, trials, doubt) for name, trials in planted.items()]
    rows += [_negative_row(name, t, doubt) for name, t in {**negatives, POOLED: pooled}.items()]
    return sorted(rows, key=lambda row: row["mechanism"])


def planted_field(names: Sequence[str]) -> str:
    """The field that is planted: the question where it is searched for, else the first by name."""
    return "question" if "question" in names else min(names)


def found_of_planted(
    entries: Sequence[Entry], mechanism: str, hosts: Hosts, rng: np.random.Generator
) -> Trials:
    """Items hidden by a mechanism, at most `PLANTED`, and how many of them are flagged."""
    scanner = Scanner(entries)
    chosen = sorted(rng.permutation(len(entries))[:PLANTED].tolist())
    found = 0
    for i in chosen:
        document = MECHANISMS[mechanism](entries[i].field.text or "", hosts, rng)
        found += entries[i].field.item_id in flagged_items(scanner, document)
    return Trials(len(chosen), found)


def flagged_by_other_items(entries: Sequence[Entry], clusters: Mapping[str, str]) -> Trials:
    """Items, and how many of them the text of an item of another cluster would flag.

    Items of one cluster are variants by the contract's own word. So are items with the same
    words, whatever their clusters.
    """
    scanner = Scanner(entries)
    words = {entry.field.item_id: entry.words for entry in entries}
    flagged: set[str] = set()
    for entry in entries:
        own = entry.field.item_id
        for item in flagged_items(scanner, entry.field.text or ""):
            if clusters[item] != clusters[own] and words[item] != words[own]:
                flagged.add(item)
    several = len({clusters[item] for item in words}) > 1
    return Trials(len(entries) if several else 0, len(flagged))


def flagged_imitations(
    entries: Sequence[Entry], documents: Sequence[str], rng: np.random.Generator
) -> Trials:
    """Imitations of the items, masked as they are, and how many of them a document flags."""
    if not documents:
        return Trials(0, 0)
    made = imitations([entry.words for entry in entries], IMITATIONS, rng)
    masked = frozenset[str]().union(*(entry.masked for entry in entries))
    name = entries[0].field.name if entries else ""
    fields = [Field(f"{i:06d}", name, " ".join(words)) for i, words in enumerate(made)]
    imitated = [
        Entry(e.field, e.words, e.positions, masked & e.positions.keys())
        for e in entries_of(fields)
        if len(e.words) >= MIN_WORDS
    ]
    scanner = Scanner(imitated)
    flagged = {item for text in documents for item in flagged_items(scanner, text)}
    return Trials(len(imitated), len(flagged))


def flagged_items(scanner: Scanner, document: str) -> set[str]:
    """The items that the rule flags where a corpus is this one document."""
    return {
        overlap.entry.field.item_id
        for overlap in scanner.scan(document)
        if verdict(overlap.entry, [overlap.evidence], 1).status in FLAGGED
    }


def doubt_of(negatives: Trials, bar: float) -> str | None:
    """Why the rule is not calibrated against the bar, or None where it is."""
    if not negatives.tried:
        return "no negatives could be made: the benchmark or the clean corpus is too small"
    high = _upper(negatives)
    if high <= bar:
        return None
    if _upper(Trials(negatives.tried, 0)) > bar:
        needed = int(np.ceil(np.log(1 - CONFIDENCE) / np.log1p(-bar))) if 0 < bar < 1 else 0
        return (
            f"not calibrated: {negatives.tried} negatives cannot show a rate of {bar:g} or less"
            + (f", {needed} without a false one could" if needed else "")
        )
    return (
        f"not calibrated: {negatives.flagged} of {negatives.tried} negatives are flagged, at most "
        f"{high:.2%} by the upper bound; the bar is {bar:.2%}"
    )


def _upper(trials: Trials) -> float:
    """The one-sided Clopper-Pearson bound: the upper end of the two-sided one at 2c - 1."""
    return clopper_pearson(trials.flagged, trials.tried, 2 * CONFIDENCE - 1).high


def _planted_row(mechanism: str, trials: Trials, doubt: str | None) -> Row:
    row = _row(mechanism, doubt, n_planted=trials.tried, n_found=trials.flagged)
    if not trials.tried:
        return {**row, "status": "undefined", "reason": "no item is long enough to plant"}
    missed = trials.tried - trials.flagged
    interval = clopper_pearson(missed, trials.tried, CONFIDENCE)
    rate = missed / trials.tried
    return {**row, "miss_rate": rate, "miss_low": interval.low, "miss_high": interval.high}


def _negative_row(mechanism: str, trials: Trials, doubt: str | None) -> Row:
    row = _row(mechanism, doubt, n_negatives=trials.tried, n_false=trials.flagged)
    if not trials.tried:
        return {**row, "status": "undefined", "reason": "no negatives could be made"}
    rate = trials.flagged / trials.tried
    return {**row, "false_rate": rate, "false_high": _upper(trials)}


def _row(mechanism: str, doubt: str | None, **counts: int) -> dict[str, Any]:
    none = {"n_planted": 0, "n_found": 0, "n_negatives": 0, "n_false": 0}
    return {
        "mechanism": mechanism,
        **none,
        **counts,
        "rule": RULE,
        "confidence": CONFIDENCE,
        "calibrated": doubt is None,
        "status": "ok",
        "reason": doubt,
    }
