"""Every audit of every judge: estimate, interval, the contract's bar, outcome.

Slice `all` and the slices of items are held against the bars; the first decides the licence, the
others that of their slice. Single pairs of models, families and kinds of probes are described.
What cannot be seen in votes on real pairs (attacks, planted errors, padding) comes from probes; a
bar on it without probes stays `not_audited`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from eval_pipeline.judging.audits.contrast import contrast, fit
from eval_pipeline.judging.audits.finding_rows import audit_row
from eval_pipeline.judging.audits.human_agreement import agreement_findings
from eval_pipeline.judging.audits.label_accuracy import Rule, accuracy_finding, truth_of
from eval_pipeline.judging.audits.self_preference import (
    family_win_rates,
    panel_scores,
    self_preference,
    self_preference_over_panel,
    self_preference_unadjusted,
    stranger_to,
)
from eval_pipeline.judging.audits.single_order import single_order_effect
from eval_pipeline.judging.audits.swap_report import preference_findings, swap_findings
from eval_pipeline.judging.audits.verbosity import verbosity_per_100_tokens
from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.people.labels import LabelledPairs
from eval_pipeline.judging.probes import findings as probing
from eval_pipeline.judging.probes.votes import ProbedPairs
from eval_pipeline.judging.rows import Bools, Floats, grouped
from eval_pipeline.statistics.clustered import undefined
from eval_pipeline.statistics.clusters import cluster_codes

ALL = "all"
NO_PROBES = "recorded votes hold no probes of it: name a set in judging.probes"


@dataclass(frozen=True)
class Evidence:
    """What the judges of a contract are audited on."""

    pairs: JudgedPairs  # of all judges
    labels: LabelledPairs
    n_chars: Mapping[tuple[str, str], int]  # length of the reply of (model, item), code points
    slices: Mapping[str, Mapping[str, str]]  # item -> slice name -> value
    model_family: Mapping[str, str]  # models whose family is known
    probed: ProbedPairs | None = None  # of all judges; None where the contract names no probes


@dataclass(frozen=True)
class Rules:
    """What the contract asks of its judges."""

    judge_family: Mapping[str, str]  # every judge of the contract
    bars: Mapping[str, float]  # audit -> bar; audits without a bar are left out
    confidence: float
    truth_rule: Rule | None = None  # where labels are the truth: when both orders are right


@dataclass(frozen=True)
class Part:
    """The judged pairs of one slice, what it is a slice of, and the other judges' scores."""

    name: str  # `all`, or name=value
    kind: Literal["all", "items", "models"]
    pairs: JudgedPairs
    panel: Floats

    def of(self, name: str, kind: Literal["items", "models"], mask: Bools) -> "Part":
        """The part of it that the mask keeps."""
        return Part(name, kind, self.pairs.where(mask), self.panel[mask])


def audit_rows(evidence: Evidence, rules: Rules) -> list[dict[str, object]]:
    """Rows of `judge_audits`, sorted by judge, slice, audit."""
    rows: list[dict[str, object]] = []
    clusters, _ = cluster_codes(evidence.pairs.cluster_id)
    numbered = replace(evidence.pairs, cluster_id=clusters)  # sorted once, not once a finding
    panel = panel_scores(numbered, rules.judge_family, evidence.model_family)
    for judge in sorted(rules.judge_family):
        mine = evidence.pairs.judge == judge
        whole = Part(ALL, "all", numbered.where(mine), panel[mine])
        family = rules.judge_family[judge]
        seen = {*whole.pairs.model_a, *whole.pairs.model_b}
        stranger = stranger_to(seen, family, evidence.model_family)
        for part in _parts(whole, evidence.slices):
            rows += (
                audit_row(judge, part.name, finding, *_held(part, finding, rules, stranger))
                for finding in _findings(judge, part, evidence, rules)
            )
        for name, finding in _described(whole.pairs, judge, evidence, rules.confidence):
            rows.append(audit_row(judge, name, finding))
    return sorted(rows, key=lambda row: (row["judge"], row["slice"], row["audit"]))


def _parts(whole: Part, slices: Mapping[str, Mapping[str, str]]) -> Iterator[Part]:
    """The whole, then the pairs of each slice of items, then each pair of models."""
    yield whole
    pairs = whole.pairs
    items = set(pairs.item_id)
    entries = {entry for item in items for entry in slices.get(item, {}).items()}
    for name, value in sorted(entries):
        inside = {item: slices.get(item, {}).get(name) == value for item in items}
        mask = np.fromiter(map(inside.__getitem__, pairs.item_id), bool, len(pairs))
        yield whole.of(f"{name}={value}", "items", mask)
    firsts, pair = grouped([pairs.model_a, pairs.model_b])
    for i, first in enumerate(firsts):
        a, b = pairs.model_a[first], pairs.model_b[first]
        yield whole.of(f"pair={a} v {b}", "models", pair == i)


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
        self_preference_over_panel(pairs, part.panel, family, known, confidence),
        single_order_effect(pairs, confidence),
    ]
    if rules.truth_rule is not None:
        truth = truth_of(pairs, evidence.labels)
        found.append(accuracy_finding(truth, rules.truth_rule, confidence))
    if part.kind == "models":
        found += preference_findings(pairs, confidence)
    if part.kind == "all":
        found += _probe_findings(judge, evidence, rules)
    return found


def _probe_findings(judge: str, evidence: Evidence, rules: Rules) -> list[Finding]:
    if evidence.probed is not None:
        mine = evidence.probed.where(evidence.probed.pairs.judge == judge)
        return probing.probe_findings(mine, rules.confidence)
    none = undefined(NO_PROBES, rules.confidence)
    return [
        Finding(name, none, 0, could_run=False) for name in probing.AUDITS if name in rules.bars
    ]


def _described(
    pairs: JudgedPairs, judge: str, evidence: Evidence, confidence: float
) -> Iterator[tuple[str, Finding]]:
    """(slice, finding) of what is shown and never held against a bar."""
    for family, finding in family_win_rates(pairs, evidence.model_family, confidence):
        yield f"family={family}", finding
    if evidence.probed is not None:
        mine = evidence.probed.where(evidence.probed.pairs.judge == judge)
        for detail, findings in probing.findings_by_detail(mine, confidence):
            yield from ((f"probe={detail}", finding) for finding in findings)


def _held(
    part: Part, finding: Finding, rules: Rules, stranger: str | None
) -> tuple[float | None, str | None]:
    """The contract's bar, and why there is none where the contract may have one.

    Padding shows the same bias as natural lengths do, and has its bar.
    """
    if finding.audit == "self_preference" and stranger is not None:
        return None, stranger  # there is nothing that the judge could prefer
    if part.kind == "models":
        return None, None
    padded = finding.audit == probing.PADDED_SLOPE
    return rules.bars.get("verbosity_per_100_tokens" if padded else finding.audit), None
