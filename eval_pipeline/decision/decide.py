"""From comparisons and guardrails to one decision a checkpoint: rows of `decisions`.

What blocks comes first (draft, no rule, votes that are awaited, quarantine), then violated
guardrails, then the rule on the difference, then guardrails that are not shown to hold.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval_pipeline.decision.guardrails import Bar, BarCheck, check
from eval_pipeline.decision.reasons import REASONS
from eval_pipeline.decision.rule import Estimated, Rule, RuleVerdict, holds_at_worst, verdict
from eval_pipeline.decision.tradeoff import Offer, placed

Row = dict[str, object]


@dataclass(frozen=True)
class DecisionTerms:
    """What the contract freezes about decisions; rule None where it states none."""

    metric: str
    higher_is_better: bool
    rule: Rule | None
    margin: float
    confidence: float
    bars: tuple[Bar, ...]
    draft: bool


@dataclass(frozen=True)
class DecisionEvidence:
    """What is known of one checkpoint.

    reference: what it is held against; None where it is the reference itself. difference:
    candidate minus reference; None where nothing compares the two, and `missing` says why.
    estimates: the checkpoint's own, by metric label. quarantine: why the judges that it rests on
    are not believed, None where they are. pending: what they have still to cast on it, None where
    all is cast. bounds: the difference at worst and at best of what is missing, None where nothing
    says. n_unshared: items that only one of the two answered.
    """

    checkpoint: str
    reference: str | None
    difference: Estimated | None
    standard_error: float
    method: str | None
    estimates: dict[str, Estimated]
    quarantine: str | None
    pending: str | None = None
    missing: str | None = None
    bounds: tuple[float, float] | None = None
    n_unshared: int = 0


def decision_row(evidence: DecisionEvidence, terms: DecisionTerms) -> Row:
    """The row of `decisions` of one checkpoint."""
    checks = [check(bar, evidence.estimates.get(bar.metric)) for bar in terms.bars]
    found = decide(evidence, terms, checks)
    d = evidence.difference
    nan = math.nan
    return {
        "checkpoint": evidence.checkpoint,
        "reference": evidence.reference,
        "outcome": found.outcome,
        "reason_code": found.reason_code,
        "reason": found.reason,
        "rule": terms.rule,
        "margin": terms.margin if terms.rule else nan,
        "metric": terms.metric,
        "difference": d.value if d else nan,
        "se": evidence.standard_error,
        "ci_low": d.low if d else nan,
        "ci_high": d.high if d else nan,
        "ci_method": evidence.method,
        "confidence": terms.confidence,
        "n_shared": d.n_items if d else 0,
        "n_needed": found.n_needed,
        "guardrails": json.dumps([_told(c) for c in checks], allow_nan=False),
        "quarantined": evidence.quarantine is not None,
        "draft": terms.draft,
    }


def trade_off_columns(
    gathered: Sequence[DecisionEvidence],
    terms: DecisionTerms,
    costs: Mapping[str, Mapping[str, float]],
    *,
    judged: bool,
) -> dict[str, Row]:
    """The columns of `decisions` that place each checkpoint among quality, cost and latency.

    costs: by checkpoint, means of its samples, NaN or absent where not recorded. judged: whether
    quality is what the difference says, 0 for the reference itself.
    """
    offers = [_offer(one, terms, costs.get(one.checkpoint, {}), judged=judged) for one in gathered]
    where = placed(offers, higher_is_better=terms.higher_is_better)
    return {
        one.checkpoint: {
            "quality": one.quality,
            "quality_low": one.quality_low,
            "quality_high": one.quality_high,
            "cost_usd": one.cost_usd,
            "tokens_out": one.tokens_out,
            "latency_ms": one.latency_ms,
            "frontier": where[one.checkpoint].standing,
            "frontier_reason": where[one.checkpoint].reason,
        }
        for one in offers
    }


def _offer(
    evidence: DecisionEvidence, terms: DecisionTerms, costs: Mapping[str, float], *, judged: bool
) -> Offer:
    told = evidence.difference if judged else evidence.estimates.get(terms.metric)
    quality, low, high = (told.value, told.low, told.high) if told else (math.nan,) * 3
    if judged and evidence.reference is None:
        quality = 0.0  # by definition: it has no interval
    checks = [check(bar, evidence.estimates.get(bar.metric)) for bar in terms.bars]
    cost_usd, tokens_out, latency_ms = (
        costs.get(name, math.nan) for name in ("cost_usd", "tokens_out", "latency_ms")
    )
    violated = any(one.standing == "violated" for one in checks)
    return Offer(
        evidence.checkpoint, quality, low, high, cost_usd, tokens_out, latency_ms, violated
    )


def decide(
    evidence: DecisionEvidence, terms: DecisionTerms, checks: Sequence[BarCheck]
) -> RuleVerdict:
    """The first thing that settles the matter."""
    if terms.draft:
        return RuleVerdict("draft", _meaning("draft"))
    if evidence.reference is None:
        return RuleVerdict("is_reference", _meaning("is_reference"))
    if terms.rule is None:
        return RuleVerdict("no_rule", _meaning("no_rule"))
    if evidence.pending is not None:
        return RuleVerdict("votes_pending", f"{_meaning('votes_pending')}: {evidence.pending}")
    if evidence.quarantine is not None:
        return RuleVerdict("quarantine", evidence.quarantine)
    if violated := [c for c in checks if c.standing == "violated"]:
        return RuleVerdict("guardrail_violated", "; ".join(c.reason for c in violated))
    if evidence.difference is None:
        return RuleVerdict("no_comparison", evidence.missing or _meaning("no_comparison"))
    found = verdict(
        terms.rule, terms.margin, evidence.difference, higher_is_better=terms.higher_is_better
    )
    if found.outcome == "ship" and (doubt := _doubt(evidence, terms.rule, terms)) is not None:
        found = doubt
    undecided = [c for c in checks if c.standing == "undecided"]
    if found.outcome == "reject" or not undecided:
        return found
    reasons = [c.reason for c in undecided]
    needed = [c.n_needed for c in undecided]
    if found.outcome == "ship":
        return RuleVerdict("guardrail_undecided", "; ".join(reasons), _largest(needed))
    together = "; ".join([found.reason, *reasons])
    return RuleVerdict(found.reason_code, together, _largest([found.n_needed, *needed]))


def _doubt(evidence: DecisionEvidence, rule: Rule, terms: DecisionTerms) -> RuleVerdict | None:
    """The verdict where the missing could turn the matter: an interval knows nothing of them."""
    if evidence.bounds is None:
        return None
    low, high = evidence.bounds
    if holds_at_worst(rule, terms.margin, low, high, higher_is_better=terms.higher_is_better):
        return None
    said = f"{_meaning('missing_could_reverse')}: it lies between {low:+.4f} and {high:+.4f}"
    if evidence.n_unshared:
        said += f"; {evidence.n_unshared} items were answered by one of the two only"
    return RuleVerdict("missing_could_reverse", said)


def _largest(counts: Sequence[int | None]) -> int | None:
    """The items that settle every open question; None where one of them has no number."""
    known = [n for n in counts if n is not None]
    return max(known) if known and len(known) == len(counts) else None


def _meaning(reason_code: str) -> str:
    return REASONS[reason_code][1]


def _told(c: BarCheck) -> dict[str, object]:
    """A check as the JSON of the column `guardrails`."""
    finding = c.finding
    return {
        "metric": c.bar.metric,
        "at_most": c.bar.at_most,
        "at_least": c.bar.at_least,
        "value": _number(finding.value if finding else None),
        "ci_low": _number(finding.low if finding else None),
        "ci_high": _number(finding.high if finding else None),
        "verdict": c.standing,
        "reason": c.reason,
        "n_needed": c.n_needed,
    }


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
