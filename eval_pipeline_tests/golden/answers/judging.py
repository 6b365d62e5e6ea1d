"""The golden instruments of judging and agreement, each answered by our public functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eval_pipeline.judging.audits.contrast import Contrast
from eval_pipeline.judging.audits.error_model import expected_flip_rate, seat_bias, win_probability
from eval_pipeline.judging.audits.self_preference import self_preference_unadjusted
from eval_pipeline.judging.audits.swap_report import preference_findings, swap_findings
from eval_pipeline.judging.audits.verbosity import verbosity_slope
from eval_pipeline.judging.licences.licence import flip_rate_passes, point_notes
from eval_pipeline.judging.pairs.swap import JudgedPairs
from eval_pipeline.judging.verdicts import (
    SLOT_LABELS,
    normalize_swapped_judgment,
    parse_verdict,
)
from eval_pipeline.metrics.agreement.formula import (
    ceiling_ratio,
    chance_agreement,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)
from eval_pipeline.metrics.inputs import labels, probabilities, whole
from eval_pipeline.metrics.rubric.formula import rubric_score

SEAT_OF_A = {"A": 0, "B": 1, "tie": 2}
SEAT_OF_A_SWAPPED = {"A": 1, "B": 0, "tie": 2}


def judged(slots: Sequence[Sequence[str]]) -> JudgedPairs:
    """Pairs judged once an order, from the slot that won in each."""
    if not isinstance(slots, list | tuple):
        raise ValueError(f"give a list of pairs of slot labels, got {slots!r}")
    n = len(slots)
    counts = np.zeros((n, 2, 3), dtype=np.int64)
    for i, labels_of_orders in enumerate(slots):
        if not isinstance(labels_of_orders, list | tuple) or len(labels_of_orders) != 2:
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


def pairs_of(
    pairs: Any = None,
    pairs_slot_labels: Any = None,
    *,
    both_A: Any = None,
    only_when_first: Any = None,
    only_when_second: Any = None,
    both_B: Any = None,
) -> JudgedPairs:
    """Judged pairs by their slot labels, under either name, or by the counts of decisive ones."""
    listed = pairs if pairs_slot_labels is None else pairs_slot_labels
    if listed is not None:
        return judged(listed)
    for count in (both_A, only_when_first, only_when_second, both_B):
        whole(count, "a count of pairs", 0)
    return judged(
        [("A", "B")] * both_A
        + [("A", "A")] * only_when_first
        + [("B", "B")] * only_when_second
        + [("B", "A")] * both_B
    )


def null_if_undefined(value: float) -> float | None:
    return None if np.isnan(value) else value


def pair_scores(**inputs: Any) -> list[float | None]:
    return [null_if_undefined(score) for score in pairs_of(**inputs).score.tolist()]


def swap_report(**inputs: Any) -> dict[str, float]:
    pairs = some(pairs_of(**inputs))
    rate = {name: one.estimate.value for name, one in findings(pairs).items()}
    return {
        "A": rate["rate_consistent_a"],
        "B": rate["rate_consistent_b"],
        "tie": rate["rate_tie"],
        "inconsistent": rate["rate_flipped"] + rate["rate_mixed"],
        "error": rate["rate_single_order"] + rate["rate_missing"],
    }


def some(pairs: JudgedPairs) -> JudgedPairs:
    if not len(pairs):
        raise ValueError("no pairs")
    return pairs


def swap_audit(**inputs: Any) -> dict[str, float]:
    pairs = some(pairs_of(**inputs))
    found = findings(pairs)
    first, second = np.sum(pairs.order_scores[pairs.both_orders], axis=0)
    return {
        "n_pairs": len(pairs),
        "A_first_wins": first,
        "A_second_wins": second,
        "flip_rate": found["flip_rate"].estimate.value,
        "position_effect": found["position_effect"].estimate.value,
        "debiased": found["debiased_win_rate"].estimate.value,
    }


def swap_se(**inputs: Any) -> dict[str, float]:
    estimate = findings(some(pairs_of(**inputs)))["debiased_win_rate"].estimate
    z = (estimate.value - 0.5) / estimate.se if estimate.se > 0 else np.nan
    return {"mean": estimate.value, "se": estimate.se, "z": z}


def swap_inconsistency(winners_order_1: Sequence[str], winners_order_2: Sequence[str]) -> float:
    """Winners are named as models, whatever their names; a tie is at odds with any winner."""
    for winners in (winners_order_1, winners_order_2):
        if not isinstance(winners, list | tuple) or not winners:
            raise ValueError(f"give a list of winners an order, got {winners!r}")
    named = list(zip(winners_order_1, winners_order_2, strict=True))
    for i, pair in enumerate(named):
        if not all(isinstance(winner, str) and winner for winner in pair):
            raise ValueError(f"pair {i}: winners {pair} must be names of models, or tie")
    labels = [normalize_swapped_judgment(*_as_slots(one, two)) for one, two in named]
    return labels.count("inconsistent") / len(labels)


def _as_slots(one: str, two: str) -> tuple[str, str]:
    """The winners of both orders by their slots, the first order's winner in slot A."""
    if "error" in (one, two):
        return "error", "error"
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
        np.zeros(n),
    )
    family = {"own@1": "own", "other@1": "other"}
    return self_preference_unadjusted(rows, "own", family, 0.95).estimate.value


def position_logit(
    p_first: float | None = None, delta: float = 0.0, b: float = 0.0, pos: int = 0
) -> float:
    return win_probability(delta, b, pos) if p_first is None else seat_bias(p_first)


def licence(
    kappa_jh: float | None,
    kappa_hh: float | None,
    flip_rate: float | None = None,
    flip_max: float | None = None,
    reaudit_budget: bool | None = None,
    self_pref_significant: bool | None = None,
    bar: float = 0.9,
) -> dict[str, Any]:
    kappas = [np.nan if kappa is None else kappa for kappa in (kappa_jh, kappa_hh)]
    notes = point_notes(*kappas, bar)
    found: dict[str, Any] = {
        "ratio": notes.ratio,
        "point_ratio_ok": notes.point_ratio_ok,
        "at_least_human_human": notes.at_least_human_human,
    }
    if flip_rate is not None or flip_max is not None:
        found["flip_ok"] = flip_rate_passes(flip_rate, flip_max)
    return found


def two_by_two(
    both_yes: Any = None, r1_only: Any = None, r2_only: Any = None, both_no: Any = None
) -> list[list[Any]]:
    return [[both_yes, r1_only], [r2_only, both_no]]


def kappa(**inputs: Any) -> dict[str, float | None]:
    counts = of_lists(**inputs)[0] if "r1" in inputs else two_by_two(**inputs)
    found = cohen_kappa(counts)
    coefficient = null_if_undefined(found.coefficient)
    return {"po": found.observed, "pe": found.expected, "kappa": coefficient}


def of_lists(r1: Any, r2: Any) -> tuple[Any, bool]:
    """The counts of two raters' labels, and whether the labels have an order."""
    one, other = (labels(whole_numbers(r), "labels") for r in (r1, r2))
    both = labels([*one, *other], "labels")
    words = [str(x) for x in sorted(set(both))]
    counts = confusion([str(x) for x in one], [str(x) for x in other], words)
    return counts, not isinstance(both[0], str)


def whole_numbers(values: Any) -> Any:
    """3.0 is the grade 3; whatever else is there stays as it is."""
    if not isinstance(values, list):
        return values
    return [int(x) if isinstance(x, float) and x.is_integer() else x for x in values]


def weighted(**inputs: Any) -> dict[str, float]:
    """Words have no order in which one could be near another: their kappa is the unweighted one."""
    counts, ordered = of_lists(**inputs) if "r1" in inputs else (two_by_two(**inputs), True)
    return {
        name: weighted_kappa(counts, name).coefficient
        if ordered or name == "unweighted"
        else np.nan
        for name in ("linear", "quadratic", "unweighted")
    }


def alpha(data_raters_by_units: Any) -> dict[str, float]:
    """Ratings that are words have no order and no distance: their alpha is the nominal one."""
    ratings, levels = data_raters_by_units, ("nominal", "ordinal", "interval")
    told = {x for row in ratings for x in row if x is not None} if listed_rows(ratings) else set()
    if not told or not all(isinstance(x, str) for x in told):
        return {level: krippendorff_alpha(ratings, level) for level in levels}
    place = {word: i for i, word in enumerate(sorted(told))}
    coded = [[None if x is None else place[x] for x in row] for row in ratings]
    return dict.fromkeys(levels, np.nan) | {"nominal": krippendorff_alpha(coded)}


def listed_rows(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) for row in rows)


def expected_flips(cases: Any) -> list[float]:
    """b is 0 where a case does not say it."""
    if not isinstance(cases, list):
        raise ValueError(f"give a list of cases, got {cases!r}")
    for i, case in enumerate(cases):
        if not isinstance(case, Mapping) or not {"delta"} <= case.keys() <= {"delta", "b"}:
            raise ValueError(f"case {i}: give delta, and b, got {case!r}")
    return [expected_flip_rate(**case) for case in cases]


def ratio_of_kappas(jh: Any, hh: Any) -> Any:
    return ceiling_ratio(jh, hh).tolist()  # a number, or as many as were given


def rubric(weights: Any, scores: Any) -> float:
    """Weights and scores in one order, or by criterion."""
    for given in (weights, scores):
        if not isinstance(given, list | Mapping):
            raise ValueError(f"give a list, or an object by criterion, got {given!r}")
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
    "swap_inconsistency_expected": expected_flips,
    "position_logit": position_logit,
    "self_preference": self_preference,
    "verbosity_slope": lambda **inputs: {"per_100_tokens": verbosity_slope(**inputs)},
    "judge_acceptance": lambda flip_rate, max_flip: {"pass": flip_rate_passes(flip_rate, max_flip)},
    "judge_license": licence,
    "ceiling_ratio": ratio_of_kappas,
    "chance_agreement": lambda m1, m2: chance_agreement(m1, m2),
    "cohen_kappa": kappa,
    "weighted_kappa": weighted,
    "fleiss_kappa": lambda table: fleiss_kappa(table).coefficient,
    "krippendorff_alpha": alpha,
    "rubric_score": rubric,
}
