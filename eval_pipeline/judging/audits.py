"""Every audit of every judge: estimate, interval, the contract's bar, outcome.

Slice `all` is held against the bars and decides the licence; slices of items and single pairs of
models are described. All of it is made from recorded votes: how a judge meets text that tries to
instruct it cannot be seen in them, so a bar on `injection_success` stays `not_audited`.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from eval_pipeline.judging.contrast import contrast, fit
from eval_pipeline.judging.findings import (
    Finding,
    Outcome,
    bias_outcome,
    count_outcome,
    floor_outcome,
    units_to_decide_bias,
    units_to_decide_floor,
)
from eval_pipeline.judging.human_agreement import agreement_findings
from eval_pipeline.judging.labels import LabelledPairs
from eval_pipeline.judging.rows import Bools
from eval_pipeline.judging.self_preference import (
    self_preference,
    self_preference_unadjusted,
)
from eval_pipeline.judging.swap import JudgedPairs
from eval_pipeline.judging.swap_report import preference_findings, swap_findings
from eval_pipeline.judging.verbosity import verbosity_per_100_tokens
from eval_pipeline.statistics.clustered import cluster_codes, undefined

ALL = "all"
INJECTION = "injection_success"
FLOORS = ("human_ratio",)
COUNTED = ("missing_rate",)


@dataclass(frozen=True)
class Evidence:
    """What the judges of a contract are audited on."""

    pairs: JudgedPairs  # of all judges
    labels: LabelledPairs
    n_chars: Mapping[tuple[str, str], int]  # length of the reply of (model, item), code points
    slices: Mapping[str, Mapping[str, str]]  # item -> slice name -> value
    model_family: Mapping[str, str]  # models whose family is known


@dataclass(frozen=True)
class Rules:
    """What the contract asks of its judges."""

    judge_family: Mapping[str, str]  # every judge of the contract
    bars: Mapping[str, float]  # audit -> bar; audits without a bar are left out
    confidence: float


@dataclass(frozen=True)
class Part:
    """The judged pairs of one slice, and what it is a slice of."""

    name: str  # `all`, or name=value
    kind: Literal["all", "items", "models"]
    pairs: JudgedPairs


def audit_rows(evidence: Evidence, rules: Rules) -> list[dict[str, Any]]:
    """Rows of `judge_audits`, sorted by judge, slice, audit."""
    rows: list[dict[str, Any]] = []
    clusters, _ = cluster_codes(evidence.pairs.cluster_id)
    numbered = replace(evidence.pairs, cluster_id=clusters)  # sorted once, not once a finding
    for judge in sorted(rules.judge_family):
        mine = numbered.where(evidence.pairs.judge == judge)
        stranger = _is_stranger(mine, rules.judge_family[judge], evidence.model_family)
        for part in _parts(mine, evidence.slices):
            rows += (
                _row(judge, part, finding, stranger, rules)
                for finding in _findings(judge, part, evidence, rules)
            )
    return sorted(rows, key=lambda row: (row["judge"], row["slice"], row["audit"]))


def _parts(pairs: JudgedPairs, slices: Mapping[str, Mapping[str, str]]) -> Iterator[Part]:
    """The whole, then the pairs of each slice of items, then each pair of models."""
    yield Part(ALL, "all", pairs)
    of_items = [slices.get(item, {}) for item in pairs.item_id]
    for name, value in sorted({entry for one in of_items for entry in one.items()}):
        mask: Bools = np.array([one.get(name) == value for one in of_items], dtype=bool)
        yield Part(f"{name}={value}", "items", pairs.where(mask))
    for a, b in sorted(set(zip(pairs.model_a, pairs.model_b, strict=True))):
        mask = (pairs.model_a == a) & (pairs.model_b == b)
        yield Part(f"pair={a} v {b}", "models", pairs.where(mask))


def _findings(judge: str, part: Part, evidence: Evidence, rules: Rules) -> list[Finding]:
    pairs, confidence, family = part.pairs, rules.confidence, rules.judge_family[judge]
    rows = contrast(pairs, evidence.labels, evidence.n_chars)
    fitted = fit(rows)
    known = evidence.model_family
    found = [
        *swap_findings(pairs, confidence),
        *agreement_findings(pairs, evidence.labels, confidence),
        verbosity_per_100_tokens(fitted, confidence),
        self_preference(fitted, family, known, confidence),
        self_preference_unadjusted(rows, family, known, confidence),
    ]
    if part.kind == "models":
        found += preference_findings(pairs, confidence)
    if part.kind == "all" and INJECTION in rules.bars:
        none = undefined("recorded votes hold no injection trials", confidence)
        found.append(Finding(INJECTION, none, 0))
    return found


def _row(
    judge: str, part: Part, finding: Finding, stranger: bool, rules: Rules
) -> dict[str, Any]:
    estimate = finding.estimate
    bar = rules.bars.get(finding.audit) if part.kind == "all" else None
    reason = estimate.reason
    if finding.audit == "self_preference" and stranger:
        bar = None  # there is nothing that the judge could prefer
        reason = f"no judged model is of the judge's family {rules.judge_family[judge]!r}"
    return {
        "judge": judge,
        "slice": part.name,
        "audit": finding.audit,
        "estimate": estimate.value,
        "se": estimate.se,
        "ci_low": estimate.low,
        "ci_high": estimate.high,
        "ci_method": estimate.method,
        "confidence": estimate.confidence,
        "p_value": finding.p_value,
        "bar": bar,
        "outcome": _outcome(finding, bar),
        "n_units": estimate.n_clusters,
        "n_votes": finding.n_votes,
        "n_needed": _n_needed(finding, bar),
        "status": "undefined" if math.isnan(estimate.value) else "ok",
        "reason": reason,
    }


def _outcome(finding: Finding, bar: float | None) -> Outcome:
    if bar is None:
        return "descriptive"
    if finding.audit == INJECTION:
        return "not_audited"
    if finding.audit in COUNTED:
        return count_outcome(finding.estimate.value, bar)
    if finding.audit in FLOORS:
        return floor_outcome(finding.estimate, bar)
    return bias_outcome(finding.estimate, bar)


def _n_needed(finding: Finding, bar: float | None) -> int | None:
    if bar is None or _outcome(finding, bar) != "undecided":
        return None
    if finding.audit in FLOORS:
        return units_to_decide_floor(finding.estimate, bar)
    return units_to_decide_bias(finding.estimate, bar)


def _is_stranger(mine: JudgedPairs, judge_family: str, family: Mapping[str, str]) -> bool:
    """Whether every model that the judge saw is known to be of another family."""
    families = [family.get(model) for model in {*mine.model_a, *mine.model_b}]
    return bool(families) and None not in families and judge_family not in families
