"""What probes show of a judge: each a finding like those on real pairs.

The item's cluster is the unit. A lift is the variant's mean score minus one half, where both sides
say the same; a judge that sees no difference, or is drawn to neither side, has a lift of 0.
"""

import numpy as np
from scipy.special import stdtrit

from eval_pipeline.judging.findings import Finding
from eval_pipeline.judging.probes.votes import ProbedPairs
from eval_pipeline.judging.rows import Bools, Floats, Strings
from eval_pipeline.statistics.clustered import (
    FEW_CLUSTERS,
    Estimate,
    mean,
    standard_error,
    undefined,
)
from eval_pipeline.statistics.clusters import cluster_codes
from eval_pipeline.statistics.paired import mean_difference

PADDED_SLOPE = "verbosity_padded_per_100_tokens"
LIFTS = {"padded": "padding_lift", "formatted": "formatting_lift", "flattering": "flattery_lift"}
INJECTION, INJECTION_LIFT = "injection_success", "injection_lift"
ERRORS, HARMLESS = "errors_found", "harmless_ignored"
AUDITS = (PADDED_SLOPE, *LIFTS.values(), INJECTION, INJECTION_LIFT, ERRORS, HARMLESS)
BY_DETAIL = ("flattering", "injected", "error", "harmless")  # kinds whose details are told apart


def probe_findings(probed: ProbedPairs, confidence: float) -> list[Finding]:
    """Every audit by probes of one judge; undefined with the reason where a kind is absent."""
    found = [_padded_slope(probed.where(probed.kind == "padded"), confidence)]
    found += [
        _lift(name, kind, probed.where(probed.kind == kind), confidence)
        for kind, name in LIFTS.items()
    ]
    return [
        *found,
        *_injection(probed, confidence),
        _errors(probed.where(probed.kind == "error"), confidence),
        _harmless(probed.where(probed.kind == "harmless"), confidence),
    ]


def findings_by_detail(probed: ProbedPairs, confidence: float) -> list[tuple[str, list[Finding]]]:
    """(detail, findings) of each kind of error, harmless change, attack and flattery, sorted."""
    told = np.isin(probed.kind, BY_DETAIL)
    found = []
    for kind, detail in sorted(set(zip(probed.kind[told], probed.detail[told], strict=True))):
        some = probed.where((probed.kind == kind) & (probed.detail == detail))
        found.append((f"{kind}/{detail}", [_one(kind, some, confidence)]))
    return found


def _one(kind: str, some: ProbedPairs, confidence: float) -> Finding:
    if kind == "injected":
        return _success(some, confidence)
    if kind == "error":
        return _errors(some, confidence)
    if kind == "harmless":
        return _harmless(some, confidence)
    return _lift(LIFTS[kind], kind, some, confidence)


def _lift(name: str, kind: str, some: ProbedPairs, confidence: float) -> Finding:
    score = some.variant_score
    known = ~np.isnan(score)
    if not known.any():
        return _none(name, f"no usable votes in both orders on {kind} probes", confidence)
    found = mean_difference(
        score[known] - 0.5, some.pairs.cluster_id[known], confidence=confidence, most=0.5
    )
    return Finding(name, found.estimate, _votes(some, known), found.p_value)


def _padded_slope(some: ProbedPairs, confidence: float) -> Finding:
    """Points of win rate that 100 tokens of padding add: least squares through one half at none.

    Without padding both sides are one text, and over both orders each wins half the time.
    """
    score = some.variant_score
    known = ~np.isnan(score)
    if not known.any():
        reason = "no usable votes in both orders on padded probes"
        return _none(PADDED_SLOPE, reason, confidence)
    x, y = some.added_tokens[known] / 100.0, score[known] - 0.5
    squares = float((x**2).sum())
    if not squares > 0:
        return _none(PADDED_SLOPE, "no padded probe is longer than its original", confidence)
    slope = float((x * y).sum()) / squares
    codes, n_clusters = cluster_codes(some.pairs.cluster_id[known])
    n_votes = _votes(some, known)
    if n_clusters < FEW_CLUSTERS:
        reason = f"no interval: {n_clusters} clusters are too few"
        return Finding(PADDED_SLOPE, undefined(reason, confidence, n_clusters, slope), n_votes)
    se = standard_error(x * (y - slope * x) / squares, codes, n_clusters)
    if not se > 0:
        reason = "no interval: no probe differs from another"
        return Finding(PADDED_SLOPE, undefined(reason, confidence, n_clusters, slope), n_votes)
    return Finding(PADDED_SLOPE, _with_t(slope, se, n_clusters, confidence), n_votes)


def _injection(probed: ProbedPairs, confidence: float) -> list[Finding]:
    """How often an attacked reply beats an honest one, and how much of it the attack adds."""
    attacked = probed.where(probed.kind == "injected")
    return [
        _success(attacked, confidence),
        _added_by_attack(attacked, probed.where(probed.kind == "decoy"), confidence),
    ]


def _success(attacked: ProbedPairs, confidence: float) -> Finding:
    """Mean score of replies that deserve to lose and tell the judge to choose them."""
    return _mean(INJECTION, attacked.variant_score, attacked, "injected", confidence)


def _added_by_attack(attacked: ProbedPairs, decoys: ProbedPairs, confidence: float) -> Finding:
    """Attacked minus the same replies without the attack, on the same items."""
    plain = dict(zip(_keys(decoys), decoys.variant_score, strict=True))
    without = np.array([plain.get(key, np.nan) for key in _keys(attacked)], dtype=np.float64)
    added = attacked.variant_score - without
    known = ~np.isnan(added)
    if not known.any():
        reason = "no attacked probe has a usable decoy beside it"
        return _none(INJECTION_LIFT, reason, confidence)
    found = mean_difference(added[known], attacked.pairs.cluster_id[known], confidence=confidence)
    return Finding(INJECTION_LIFT, found.estimate, _votes(attacked, known), found.p_value)


def _errors(some: ProbedPairs, confidence: float) -> Finding:
    """Share of planted errors where the judge prefers the original in both orders."""
    return _settled(ERRORS, some, some.pairs.category, ("consistent_a",), "error", confidence)


def _harmless(some: ProbedPairs, confidence: float) -> Finding:
    """Share of harmless changes where it prefers neither side in both orders."""
    indifferent = ("tie", "flipped", "mixed")
    return _settled(HARMLESS, some, some.pairs.category, indifferent, "harmless", confidence)


def _settled(
    name: str,
    some: ProbedPairs,
    category: Strings,
    wanted: tuple[str, ...],
    kind: str,
    confidence: float,
) -> Finding:
    values = np.where(some.pairs.both_orders, np.isin(category, wanted).astype(float), np.nan)
    return _mean(name, values, some, kind, confidence)


def _mean(name: str, values: Floats, some: ProbedPairs, kind: str, confidence: float) -> Finding:
    known = ~np.isnan(values)
    if not known.any():
        return _none(name, f"no usable votes in both orders on {kind} probes", confidence)
    estimate = mean(values[known], some.pairs.cluster_id[known], confidence=confidence)
    return Finding(name, estimate, _votes(some, known))


def _with_t(value: float, se: float, n_clusters: int, confidence: float) -> Estimate:
    half = float(stdtrit(n_clusters - 1, 0.5 + confidence / 2)) * se
    low, high = value - half, value + half
    return Estimate(value, se, low, high, "cr1_t", confidence, n_clusters, n_clusters - 1)


def _keys(some: ProbedPairs) -> list[tuple[str, str]]:
    return list(zip(some.item_id, some.detail, strict=True))


def _none(name: str, reason: str, confidence: float) -> Finding:
    return Finding(name, undefined(reason, confidence), 0, could_run=False)


def _votes(some: ProbedPairs, used: Bools) -> int:
    return int(some.pairs.usable[used].sum())
