"""A finding as a row of `judge_audits`: how it lies to its bar, and what would decide it."""

import math

from eval_pipeline.judging.audits.label_accuracy import AUDIT
from eval_pipeline.judging.findings import (
    Finding,
    Outcome,
    bias_outcome,
    count_outcome,
    floor_outcome,
    units_to_decide_bias,
    units_to_decide_floor,
)
from eval_pipeline.judging.probes import findings as probing

FLOORS = ("human_ratio", "score_agreement", AUDIT, probing.ERRORS, probing.HARMLESS)
COUNTED = ("missing_rate",)


def audit_row(
    judge: str,
    slice_name: str,
    finding: Finding,
    bar: float | None = None,
    reason: str | None = None,
) -> dict[str, object]:
    """The row of one audit of one judge on one slice.

    bar: the contract's, None where it is described only; reason: what is known of it beyond what
    the estimate itself says.
    """
    estimate = finding.estimate
    return {
        "judge": judge,
        "slice": slice_name,
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
        "reason": reason or estimate.reason,
    }


def _outcome(finding: Finding, bar: float | None) -> Outcome:
    if bar is None:
        return "descriptive"
    if not finding.could_run:
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
