"""How often a verifier errs, by people who looked at a random sample of its verdicts.

One draw of one item a cluster is taken, so that the rows are independent and the exact binomial
interval holds. Rates are shares of what is true: of right replies those that were turned down
(false negatives), of wrong replies those that were passed (false positives).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_pipeline.rows.samples import VerifierScoresRow
from eval_pipeline.statistics.intervals import clopper_pearson
from eval_pipeline.statistics.randomness import generator

JUDGED = ("ok", "parser_failure")  # the statuses in which a verifier has passed or turned down
WORDS = ("right", "wrong")
MAX_SHARE = 0.5  # a graded verdict of more counts as passed

Row = VerifierScoresRow


@dataclass(frozen=True)
class AuditDecision:
    """What a person says of one verdict: `verifier_is` right or wrong.

    row: the key that `row_key` gives. passed: whether the verifier passed the reply.
    """

    row: str
    passed: bool
    verifier_is: str
    by: str


@dataclass(frozen=True)
class Rate:
    """A share with its exact interval; all NaN with the reason where nothing counts for it."""

    value: float
    low: float
    high: float
    events: int
    n: int
    reason: str | None = None


@dataclass(frozen=True)
class ErrorRates:
    """A verifier's error rates.

    disputed: rows on which people disagree, left out of all rates.
    """

    false_negative: Rate
    false_positive: Rate
    error: Rate
    n: int
    disputed: int
    confidence: float


def passed(row: Row) -> bool:
    """Whether the verifier passed the reply of a row of `verifier_scores`."""
    return row["status"] == "ok" and (row["verdict"] or 0.0) > MAX_SHARE


def row_key(checkpoint: str, row: Row) -> str:
    """A name of one verdict on one reply: another verdict, or another answer found, has another."""
    parts = [checkpoint, row["item_id"], row["draw"], row["status"], row["verdict"]]
    parts += [row["extracted"], row["verifier"]]
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]


def audit_sample(rows: Sequence[Row], n: int, seed: int) -> list[Row]:
    """At most n rows of `verifier_scores` that were judged, one a cluster, in random order.

    Clusters are drawn at random, then a row within each. Raises ValueError for n below 1.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    clusters: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda r: (r["cluster_id"], r["item_id"], r["draw"])):
        if row["status"] in JUDGED:
            clusters.setdefault(row["cluster_id"], []).append(row)
    chance = generator(seed, "verifier audit")
    names = sorted(clusters)
    order = chance.permutation(len(names))[:n]
    return [clusters[names[i]][int(chance.integers(len(clusters[names[i]])))] for i in order]


def error_rates(decisions: Iterable[AuditDecision], confidence: float = 0.95) -> ErrorRates:
    """False-negative and false-positive rate, with Clopper-Pearson intervals.

    A person's last word on a row counts. Raises ValueError for a word other than right or wrong.
    Source of the interval: `statistics.intervals.clopper_pearson`.
    """
    last: dict[str, dict[str, AuditDecision]] = {}
    for one in decisions:
        if one.verifier_is not in WORDS:
            said = repr(one.verifier_is)
            raise ValueError(f"row {one.row}: verifier_is must be right or wrong, not {said}")
        last.setdefault(one.row, {})[one.by] = one
    voices = [list(said.values()) for said in last.values()]
    agreed = [said[0] for said in voices if len({one.verifier_is for one in said}) == 1]
    erred = [one for one in agreed if one.verifier_is == "wrong"]
    # a reply is right where it was passed rightly, or turned down wrongly
    right = [one for one in agreed if one.passed == (one.verifier_is == "right")]
    turned_down = sum(not one.passed for one in erred)
    let_through = sum(one.passed for one in erred)
    return ErrorRates(
        _rate(turned_down, len(right), confidence, "no reply of the sample is right"),
        _rate(let_through, len(agreed) - len(right), confidence, "no reply of the sample is wrong"),
        _rate(len(erred), len(agreed), confidence, "nothing was decided"),
        len(agreed),
        len(last) - len(agreed),
        confidence,
    )


def decided_by(decisions: Iterable[AuditDecision]) -> dict[str, int]:
    """How many verdicts each person has decided on, by name."""
    rows: dict[str, set[str]] = {}
    for one in decisions:
        rows.setdefault(one.by, set()).add(one.row)
    return {name: len(rows[name]) for name in sorted(rows)}


def _rate(events: int, n: int, confidence: float, reason: str) -> Rate:
    if n == 0:
        nan = float("nan")
        return Rate(nan, nan, nan, 0, 0, reason)
    low, high = clopper_pearson(events, n, confidence)
    return Rate(events / n, low, high, events, n)
