"""The golden instruments of judging and agreement, each answered by our public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eval_pipeline.judging.contrast import Contrast
from eval_pipeline.judging.error_model import expected_flip_rate, seat_bias, win_probability
from eval_pipeline.judging.licence import flip_rate_passes, point_notes
from eval_pipeline.judging.self_preference import self_preference_unadjusted
from eval_pipeline.judging.swap import JudgedPairs
from eval_pipeline.judging.swap_report import preference_findings, swap_findings
from eval_pipeline.judging.verbosity import verbosity_slope
from eval_pipeline.judging.verdicts import (
    SLOT_LABELS,
    normalize_swapped_judgment,
    parse_verdict,
)
from eval_pipeline.metrics.agreement import (
    ceiling_ratio,
    chance_agreement,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)
from eval_pipeline.metrics.inputs import labels, probabilities, rows, whole
from eval_pipeline.metrics.rubric import rubric_score

SEAT_OF_A = {"A": 0, "B": 1, "tie": 2}
SEAT_OF_A_SWAPPED = {"A": 1, "B": 0, "tie": 2}


def judged(slots: Sequence[Sequence[str]]) -> JudgedPairs:
    """Pairs judged once an order, from the slot that won in each."""
    n = len(slots)
    counts = np.zeros((n, 2, 3), dtype=np.int64)
    for i, labels_of_orders in enumerate(slots):
        if len(labels_of_orders) != 2:
            raise ValueError(f"pair {i} needs a label an order, got {labels_of_orders}")
        first, swapped = labels_of_orders
        for order, seats, label in ((0, SEAT_OF_A, first), (1, SEAT_OF_A_SWAPPED, swapped)):
            if label not in SLOT_LABELS:
                raise ValueError(f"pair {i}: label {label!r} must be one of {SLOT_LABELS}")
            if label != "error":
                counts[i, order, seats[label]] = 1
    items = np.array([f"item{i:05d}" for i in range(n)], dtype=object)
    same = [np.full(n, word, dtype=object) for word in ("judge", "A", "B")]
    return JudgedPairs(
        same[0], items, items, same[1], same[2], counts, np.ones((n, 2), dtype=np.int64)
    )


def findings(pairs: JudgedPairs) -> dict[str, Any]:
    """Every finding on one judge and one pair of models, by name."""
    found = [*swap_findings(pairs, 0.95), *preference_findings(pairs, 0.95)]
    return {one.audit: one for one in found}


def from_counts(
    both_A: int, only_when_first: int, only_when_second: int, both_B: int
) -> JudgedPairs:
    for count in (both_A, only_when_first, only_when_second, both_B):
        whole(count, "a count of pairs", 0)
    if not both_A + only_when_first + only_when_second + both_B:
        raise ValueError("no pairs")
    return judged(
        [("A", "B")] * both_A
        + [("A", "A")] * only_when_first
        + [("B", "B")] * only_when_second
        + [("B", "A")] * both_B
    )


def null_if_undefined(value: float) -> float | None:
    return None if np.isnan(value) else value


def pair_scores(pairs_slot_labels: Sequence[Sequence[str]]) -> list[float | None]:
    return [null_if_undefined(score) for score in judged(pairs_slot_labels).score.tolist()]


def swap_report(pairs: Sequence[Sequence[str]]) -> dict[str, float]:
    if not pairs:
        raise ValueError("no pairs")
    rate = {name: one.estimate.value for name, one in findings(judged(pairs)).items()}
    return {
        "A": rate["rate_consistent_a"],
        "B": rate["rate_consistent_b"],
        "tie": rate["rate_tie"],
        "inconsistent": rate["rate_flipped"] + rate["rate_mixed"],
        "error": rate["rate_single_order"] + rate["rate_missing"],
    }


def swap_audit(**counts: int) -> dict[str, float]:
    pairs = from_counts(**counts)
    found = findings(pairs)
    first, second = np.sum(pairs.order_scores, axis=0)
    return {
        "n_pairs": len(pairs),
        "A_first_wins": first,
        "A_second_wins": second,
        "flip_rate": found["flip_rate"].estimate.value,
        "position_effect": found["position_effect"].estimate.value,
        "debiased": found["debiased_win_rate"].estimate.value,
    }


def swap_se(**counts: int) -> dict[str, float]:
    estimate = findings(from_counts(**counts))["debiased_win_rate"].estimate
    z = (estimate.value - 0.5) / estimate.se if estimate.se > 0 else np.nan
    return {"mean": estimate.value, "se": estimate.se, "z": z}


def swap_inconsistency(winners_order_1: Sequence[str], winners_order_2: Sequence[str]) -> float:
    """Winners are named as models, whatever their names; a tie is at odds with any winner."""
    if not winners_order_1:
        raise ValueError("no pairs")
    named = list(zip(winners_order_1, winners_order_2, strict=True))
    for i, pair in enumerate(named):
        if not all(isinstance(winner, str) and winner for winner in pair):
            raise ValueError(f"pair {i}: winners {pair} must be names of models, or tie")
    labels = [normalize_swapped_judgment(*_as_slots(one, two)) for one, two in named]
    return labels.count("inconsistent") / len(labels)


def _as_slots(one: str, two: str) -> tuple[str, str]:
    """The winners of both orders by their slots, the first order's winner in slot A."""
    if two == "tie":
        return ("tie" if one == "tie" else "A"), "tie"
    return ("tie", "A") if one == "tie" else ("A", "B" if two == one else "A")


def self_preference(judge_own_win_rate: float, panel_own_win_rate: float) -> float:
    probabilities([judge_own_win_rate, panel_own_win_rate], "win rates")
    n = 20
    names = [np.full(n, word, dtype=object) for word in ("own@1", "other@1")]
    rows = Contrast(
        np.array([f"item{i}" for i in range(n)], dtype=object),
        names[0],
        names[1],
        np.full(n, judge_own_win_rate - panel_own_win_rate),
        np.zeros(n),
        np.ones(n, dtype=np.int64),
    )
    family = {"own@1": "own", "other@1": "other"}
    return self_preference_unadjusted(rows, "own", family, 0.95).estimate.value


def position_logit(
    p_first: float | None = None, delta: float = 0.0, b: float = 0.0, pos: int = 0
) -> float:
    return win_probability(delta, b, pos) if p_first is None else seat_bias(p_first)


def licence(
    kappa_jh: float,
    kappa_hh: float,
    flip_rate: float,
    flip_max: float,
    reaudit_budget: bool,
    self_pref_significant: bool,
) -> dict[str, Any]:
    notes = point_notes(kappa_jh, kappa_hh)
    return {
        "ratio": notes.ratio,
        "point_ratio_ok": notes.point_ratio_ok,
        "at_least_human_human": notes.at_least_human_human,
        "flip_ok": flip_rate_passes(flip_rate, flip_max),
    }


def kappa(both_yes: int, r1_only: int, r2_only: int, both_no: int) -> dict[str, float | None]:
    found = cohen_kappa([[both_yes, r1_only], [r2_only, both_no]])
    coefficient = null_if_undefined(found.coefficient)
    return {"po": found.observed, "pe": found.expected, "kappa": coefficient}


def weighted(r1: Sequence[int], r2: Sequence[int]) -> dict[str, float]:
    first, second = rows(r1, "r1"), rows(r2, "r2")
    grades = labels([*first, *second], "grades")
    counts = confusion(
        [str(x) for x in first], [str(x) for x in second], [str(x) for x in sorted(set(grades))]
    )
    return {
        name: weighted_kappa(counts, name).coefficient
        for name in ("linear", "quadratic", "unweighted")
    }


def alpha(data_raters_by_units: Sequence[Sequence[float | None]]) -> dict[str, float]:
    ratings = data_raters_by_units
    return {
        level: krippendorff_alpha(ratings, level) for level in ("nominal", "ordinal", "interval")
    }


def rubric(weights: Any, scores: Any) -> float:
    """Weights and scores in one order, or by criterion."""
    if isinstance(weights, Mapping) and isinstance(scores, Mapping):
        if weights.keys() != scores.keys():
            raise ValueError(f"weights of {sorted(weights)}, scores of {sorted(scores)}")
        names = sorted(weights)
        weights, scores = ([each[name] for name in names] for each in (weights, scores))
    return rubric_score(weights, scores)


def parsed(text: str) -> str:
    verdict = parse_verdict(text)
    return verdict.label or verdict.status


INSTRUMENTS: Mapping[str, Callable[..., Any]] = {
    "parse_verdict": parsed,
    "normalize_swapped_judgment": normalize_swapped_judgment,
    "judge_pair_score": pair_scores,
    "judge_swap_report": swap_report,
    "judge_swap_audit": swap_audit,
    "judge_swap_se": swap_se,
    "swap_inconsistency": swap_inconsistency,
    "swap_inconsistency_expected": lambda cases: [expected_flip_rate(**case) for case in cases],
    "position_logit": position_logit,
    "self_preference": self_preference,
    "verbosity_slope": lambda **inputs: {"per_100_tokens": verbosity_slope(**inputs)},
    "judge_acceptance": lambda flip_rate, max_flip: {"pass": flip_rate_passes(flip_rate, max_flip)},
    "judge_license": licence,
    "ceiling_ratio": lambda jh, hh: float(ceiling_ratio(jh, hh)),
    "chance_agreement": lambda m1, m2: chance_agreement(m1, m2),
    "cohen_kappa": kappa,
    "weighted_kappa": weighted,
    "fleiss_kappa": lambda table: fleiss_kappa(table).coefficient,
    "krippendorff_alpha": alpha,
    "rubric_score": rubric,
}
