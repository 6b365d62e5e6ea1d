"""How good the rule is on planted benchmarks, pooled over ten seeds that chose nothing.

Each benchmark is searched by the rule as a contract would: masks from items and documents, the
least share at its default, one verdict an item from all documents. The seeds were not looked at
while the rule was made.
"""

import time
from collections import Counter
from collections.abc import Sequence

from eval_pipeline.contamination.index.entries import entries_of
from eval_pipeline.contamination.index.masks import masked_entries
from eval_pipeline.contamination.rule import FLAGGED, FieldMatch
from eval_pipeline.contamination.search.reference import Scanner
from eval_pipeline.contamination.text.fields import Field
from eval_pipeline.contamination.verdict.fields import judged_together, verdict
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline_tests.benchmarks.figure import Figure
from eval_pipeline_tests.benchmarks.planted_suite import Suite, suite

SEEDS = range(601, 611)
RECALL = {
    "verbatim": 0.99,
    "splice": 0.99,
    "format": 0.99,
    "cjk": 0.98,
    "edit_5": 0.98,
    "edit_15": 0.80,
    "short": 0.99,
    "template": 0.99,
}
PRECISION = 0.97
FALSE_RATE = 0.003  # one-sided upper bound at 95 %


def measure() -> Sequence[Figure]:
    """Recall of each mechanism, precision of (item, document) pairs, bound on false items."""
    cpu, wall = time.process_time(), time.perf_counter()
    planted, found = Counter[str](), Counter[str]()
    pairs, right, false, clean = 0, 0, 0, 0
    for seed in SEEDS:
        one = suite(seed)
        flagged, said = searched(one)
        truth = {(item, place) for place, item in enumerate(one.holds) if item >= 0}
        hit = {item for item, _ in said & truth}
        planted.update(one.kinds)
        found.update(one.kinds[item] for item in hit)
        pairs, right = pairs + len(said), right + len(said & truth)
        false += sum(one.kinds[item] == "clean" for item in flagged)
        clean += one.kinds.count("clean")
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    figures = [
        _figure(f"recall of {kind}, {planted[kind]}", found[kind] / planted[kind], bar, cpu, wall)
        for kind, bar in RECALL.items()
    ]
    figures.append(_figure(f"precision of {pairs} pairs", right / pairs, PRECISION, cpu, wall))
    high = clopper_pearson(false, clean, 0.9).high
    name = f"false items, bound ({false} of {clean})"
    held = high <= FALSE_RATE
    figures.append(Figure(name, high, "share", "-", None, f"<= {FALSE_RATE:g}", held, cpu, wall))
    return figures


def searched(one: Suite) -> tuple[set[int], set[tuple[int, int]]]:
    """The items that the rule flags, and the (item, document) pairs that flag them."""
    fields = [Field(f"{i:05d}", "question", text) for i, text in enumerate(one.texts)]
    entries = masked_entries(entries_of(fields))
    scanner = Scanner(entries)
    match: dict[int, list[tuple[int, FieldMatch]]] = {}
    for place, document in enumerate(one.documents):
        for overlap in scanner.scan(document):
            item = int(overlap.entry.field.item_id)
            match.setdefault(item, []).append((place, overlap.match))
    flagged: set[int] = set()
    pairs: set[tuple[int, int]] = set()
    for item, seen in match.items():
        found = [one for _, one in seen]
        if verdict(entries[item], found, 1).status in FLAGGED:
            flagged.add(item)
        statuses = judged_together(found, "text")
        pairs |= {(item, seen[i][0]) for i, said in enumerate(statuses) if said in FLAGGED}
    return flagged, pairs


def _figure(name: str, value: float, bar: float, cpu: float, wall: float) -> Figure:
    return Figure(name, value, "share", "-", None, f">= {bar:g}", value >= bar, cpu, wall)
