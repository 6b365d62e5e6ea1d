"""How often the rule finds what we planted, and how often it flags what is clean.

Planted: each mechanism hides up to `PLANTED` items in documents. Negatives: see `negatives`. One
half of all of them chooses the rule's least share of n-grams: the lowest whose rate of false
positives is shown to lie at or below the bar. The other half is what is reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval_pipeline.contamination.index.entries import FieldEntry
from eval_pipeline.contamination.rule import FLAGGED, MIN_SHARE, MIN_WORDS, RULE, SHARES
from eval_pipeline.contamination.search.reference import Scanner
from eval_pipeline.contamination.text.fields import kind_of
from eval_pipeline.contamination.validation.negatives import ValidationCase, negatives
from eval_pipeline.contamination.validation.planting import (
    MECHANISMS,
    OF_CODE,
    OF_SCRIPTS,
    Hosts,
    Plant,
)
from eval_pipeline.contamination.verdict.fields import verdict
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline.statistics.randomness import generator

PLANTED = 600  # leaks a mechanism, both halves
HOSTS = 2000  # documents to plant in, and to hold imitations against
CONFIDENCE = 0.95
POOLED = "all_negatives"

Row = Mapping[str, object]


@dataclass(frozen=True)
class Trials:
    """How many were tried and how many flagged."""

    tried: int
    flagged: int


def validation_rows(
    entries: Sequence[FieldEntry],
    clusters: Mapping[str, str],
    documents: Sequence[str],
    seed: int,
    bar: float,
    code: Sequence[FieldEntry] = (),
) -> list[Row]:
    """Rows of `contamination_validation` for one field of the items, sorted by mechanism.

    entries: one field of each item, with the masks of the index; clusters: the sampling unit of
    each item. documents: texts of the corpus that the rule does not flag. bar: the contract's bar
    for the rate of false positives; the rule is calibrated where the pooled upper bound of the
    reported half lies at or below it. code: fields of code, which are planted as code.
    """
    entries = [entry for entry in entries if len(entry.words) >= MIN_WORDS]
    hosts = Hosts.of(documents)
    planted = _planted(entries, code, hosts, seed)
    spared = negatives(entries, clusters, documents, seed) if entries else {}
    halves = {
        name: _halves(cases, generator(seed, "contamination", "halves", name))
        for name, cases in {**planted, **spared}.items()
    }
    share = chosen_share([case for name in spared for case in halves[name][0]], bar)
    counts = {name: _trials(second, share) for name, (_, second) in halves.items()}
    pooled = Trials(*(sum(getattr(counts[n], k) for n in spared) for k in ("tried", "flagged")))
    doubt = doubt_of(pooled, bar)
    rows = [_planted_row(name, counts[name], doubt, share) for name in planted]
    rows += [_negative_row(name, counts[name], doubt, share) for name in spared]
    rows.append(_negative_row(POOLED, pooled, doubt, share))
    return sorted(rows, key=lambda row: str(row["mechanism"]))


def planted_field(names: Sequence[str]) -> str:
    """The field that is planted: the question where it is searched for, else the first by name."""
    return "question" if "question" in names else min(names)


def code_entries(entries: Sequence[FieldEntry]) -> list[FieldEntry]:
    """Those whose field is code."""
    return [entry for entry in entries if kind_of(entry.field.name) == "code"]


def chosen_share(cases: Sequence[ValidationCase], bar: float) -> float:
    """The lowest of `SHARES` under which the clean cases' upper bound lies at or below the bar.

    Where so few cases could not show it with none flagged, it is `MIN_SHARE`.
    """
    if cases and _upper(Trials(len(cases), 0)) <= bar:
        for share in SHARES:
            if _upper(_trials(cases, share)) <= bar:
                return share
        return SHARES[-1]
    return MIN_SHARE


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


def _planted(
    entries: Sequence[FieldEntry], code: Sequence[FieldEntry], hosts: Hosts, seed: int
) -> dict[str, list[ValidationCase]]:
    """Leaks of each mechanism, each item with what its own document holds of it."""
    unspaced = [entry for entry in entries if entry.unspaced]
    groups = ((MECHANISMS, entries), (OF_SCRIPTS, unspaced), (OF_CODE, code))
    return {
        name: _hidden(some, plant, hosts, generator(seed, "contamination", name))
        for mechanisms, some in groups
        for name, plant in mechanisms.items()
    }


def _hidden(
    entries: Sequence[FieldEntry], plant: Plant, hosts: Hosts, rng: np.random.Generator
) -> list[ValidationCase]:
    scanner = Scanner(entries)
    cases = []
    for i in sorted(rng.permutation(len(entries))[:PLANTED].tolist()):
        entry = entries[i]
        document = plant(entry.field.text or "", hosts, rng)
        own = [o.match for o in scanner.scan(document) if o.entry is entry]
        cases.append(ValidationCase(entry, own))
    return cases


def _halves(
    cases: Sequence[ValidationCase], rng: np.random.Generator
) -> tuple[list[ValidationCase], list[ValidationCase]]:
    """Two random halves, the second the larger by one where they are odd."""
    order = rng.permutation(len(cases)).tolist()
    half = len(cases) // 2
    first, second = ([cases[i] for i in sorted(part)] for part in (order[:half], order[half:]))
    return first, second


def _trials(cases: Sequence[ValidationCase], share: float) -> Trials:
    """How many of the cases the rule flags where a corpus is what stands behind them."""
    flagged = sum(verdict(case.entry, case.matches, 1, share).status in FLAGGED for case in cases)
    return Trials(len(cases), flagged)


def _upper(trials: Trials) -> float:
    """The one-sided Clopper-Pearson bound: the upper end of the two-sided one at 2c - 1."""
    return clopper_pearson(trials.flagged, trials.tried, 2 * CONFIDENCE - 1).high


def _planted_row(mechanism: str, trials: Trials, doubt: str | None, share: float) -> Row:
    row = _row(mechanism, doubt, share, n_planted=trials.tried, n_found=trials.flagged)
    if not trials.tried:
        lacking = {"cjk": "no item is written without spaces", "code": "no code is searched for"}
        reason = lacking.get(mechanism, "no item is long enough to plant")
        return {**row, "status": "undefined", "reason": reason}
    missed = trials.tried - trials.flagged
    interval = clopper_pearson(missed, trials.tried, CONFIDENCE)
    rate = missed / trials.tried
    return {**row, "miss_rate": rate, "miss_low": interval.low, "miss_high": interval.high}


def _negative_row(mechanism: str, trials: Trials, doubt: str | None, share: float) -> Row:
    row = _row(mechanism, doubt, share, n_negatives=trials.tried, n_false=trials.flagged)
    if not trials.tried:
        return {**row, "status": "undefined", "reason": "no negatives could be made"}
    rate = trials.flagged / trials.tried
    return {**row, "false_rate": rate, "false_high": _upper(trials)}


def _row(mechanism: str, doubt: str | None, share: float, **counts: int) -> dict[str, object]:
    none = {"n_planted": 0, "n_found": 0, "n_negatives": 0, "n_false": 0}
    return {
        "mechanism": mechanism,
        **none,
        **counts,
        "rule": RULE,
        "threshold": share,
        "confidence": CONFIDENCE,
        "calibrated": doubt is None,
        "status": "ok",
        "reason": doubt,
    }
