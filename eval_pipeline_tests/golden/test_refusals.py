"""What the instruments refuse, and what they leave undefined, beyond the golden cases."""

import copy
import json
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline_tests.golden.answers import calibration as golden_calibration
from eval_pipeline_tests.golden.answers import classification as golden_classification
from eval_pipeline_tests.golden.answers import contamination as golden_contamination
from eval_pipeline_tests.golden.answers import decision as golden_decision
from eval_pipeline_tests.golden.answers import images as golden_images
from eval_pipeline_tests.golden.answers import items as golden_items
from eval_pipeline_tests.golden.answers import lab as golden_lab
from eval_pipeline_tests.golden.answers import likelihood as golden_likelihood
from eval_pipeline_tests.golden.answers import metrics as golden_metrics
from eval_pipeline_tests.golden.answers import safety as golden_safety
from eval_pipeline_tests.golden.answers import text as golden_text
from eval_pipeline_tests.golden.runner import asked, difference, instruments

ANSWERS = instruments()
OURS = (
    golden_calibration,
    golden_classification,
    golden_contamination,
    golden_decision,
    golden_images,
    golden_items,
    golden_lab,
    golden_likelihood,
    golden_metrics,
    golden_safety,
    golden_text,
)
SEEDS = json.loads(
    (Path(__file__).parent.parent / "metrics" / "sibling_cases.json").read_text(encoding="utf-8")
)
TABLE = [[0, 7, 2], [3, 0, 5], [4, 1, 0]]
LENGTHS = {"len_delta": [5, -3, 8, 1, -7, 2], "preference": [1, 0, 0.5, 1, 0, 0]}
SEEDS += [
    {"instrument": name, "inputs": inputs, "expected": None}
    for name, inputs in [
        ("bootstrap_ci", {"data": [1, 0, 1], "samples": 20, "confidence": 0.9}),
        ("bootstrap_diff", {"candidate": [1, 0, 1], "baseline": [0, 0, 1], "samples": 20}),
        ("bootstrap_enumeration", {"d": [0.1, 0.4]}),
        ("bt_davidson_predict", {"theta_diff": 0.3, "nu": 0.5}),
        ("bt_fit", {"wins": {"A>B": 7, "B>A": 3}}),
        ("bt_fit_ridge", {"wins": {"A>B": 7, "B>A": 3}, "ridge": 0.5}),
        ("bt_fit_se", {"wins": TABLE}),
        ("bt_graph", {"wins": {"A>B": 7}, "ties": {"A=B": 1}}),
        ("bt_mm_one_iteration", {"wins": TABLE, "start": [0.2, 0.3, 0.5]}),
        ("bt_pair_se", {"cases": [[50, 0.6]]}),
        ("bt_predict", {"wins": TABLE}),
        ("bt_ties", {"wins": TABLE, "ties": [[0, 2, 1], [0, 0, 0], [0, 3, 0]]}),
        ("bt_to_elo", {"wins": {"A>B": 7, "B>A": 3}, "anchor": "A", "scale": 400}),
        (
            "bt_with_position",
            {"counts_A_first": {"A": 5, "B": 2}, "counts_A_second": {"A": 3, "B": 4}},
        ),
        ("cluster_estimand", {"clusters": {"x": [1, 0], "y": [1]}}),
        ("cluster_robust_se", {"clusters": {"x": [1, 0], "y": [1]}}),
        ("elo_odds", {"gap": 100}),
        ("elo_update", {"Ra": 1200, "Rb": 1000, "S": 1, "K": 32}),
        ("elo_vs_bt", {"games_1": ["A>B", "B>A"], "games_2": ["A>B"], "K": 32, "R0": 1000}),
        ("elo_win_prob", {"gap": 100}),
        ("intransitivity", {"wins": TABLE}),
        ("length_controlled_winrate", LENGTHS),
        ("mcnemar_exact", {"b": 3, "c": 5}),
        ("multiple_comparisons", {"p": [0.01, 0.2], "alpha": 0.05}),
        ("n_for_gap_2se", {"gap": 0.02, "p": 0.7}),
        ("n_for_margin", {"margin": 0.02, "p": 0.5}),
        ("n_for_power", {"p1": 0.6, "p0": 0.5, "alpha": 0.05, "power": 0.8}),
        ("n_for_power_paired", {"d": 0.02, "discordant": [0.1, 0.2]}),
        ("n_for_power_two_sample", {"d": 0.02, "p": 0.5}),
        ("paired_binary_se", {"n": 200, "d": 0.02, "discordant": 0.1}),
        ("paired_effect", {"candidate": [1, 0], "baseline": [0, 0]}),
        ("percentile_linear", {"values": [1, 2, 3], "q": [0.5]}),
        ("proportion_ci", {"p": 0.5, "n": 20, "z": 1.96}),
        ("sequential_fpr", {"looks": 2, "alpha": 0.05, "sims": 20, "rng": 1}),
        ("sign_test", {"consistent_A": 3, "consistent_B": 5}),
        ("swap_average_vs_logit", {"delta": 0.2, "b": 0.8}),
        ("tost", {"diff": 0.01, "se": 0.01, "margin": 0.02, "alpha": 0.05}),
        ("variance_decomposition", {"scores_item_by_rep": [[1, 0], [1, 1]]}),
        ("wilson_ci", {"x": 3, "n": 20, "z": 1.96}),
    ]
]
HUGE = ("samples", "sims", "looks")  # counts of draws: a million is an answer that takes its time
STRANGE: list[Any] = [
    None, True, "3", [], {}, [[]], [None], [[1, 2], [3]], {"a": 1}, -1, 0.5, 10**400, 2**63,
    1e308, 1e-320, math.nan, math.inf, "\ud800",
]  # fmt: skip
SIDES = {"A>B": 7, "B>A": 3}
ISLANDS = {"A>B": 5, "B>A": 4, "C>D": 3, "D>C": 3}


def case_answer(instrument: str, inputs: dict[str, Any]) -> Any:
    return asked(ANSWERS[instrument], inputs)


@pytest.mark.parametrize(
    ("instrument", "inputs"),
    [
        ("bootstrap_diff", {"candidate": [None], "baseline": [0]}),
        ("paired_cluster_bootstrap", {"a": [None], "b": [0], "clusters": ["x"]}),
        ("swap_inconsistency", {"winners_order_1": ["A"], "winners_order_2": [None]}),
        ("judge_pair_score", {"pairs_slot_labels": [["X", "A"]]}),
        ("judge_swap_report", {"pairs": [["C", "B"]]}),
        (
            "judge_swap_audit",
            {"both_A": -1, "only_when_first": 2, "only_when_second": 0, "both_B": 3},
        ),
        ("self_preference", {"judge_own_win_rate": 1.4, "panel_own_win_rate": 0.5}),
        ("pass_hat_k_all", {"episodes": [[]]}),
        ("pass_hat_k_all", {"episodes": [[2, "no"]]}),
        ("cluster_estimand", {"clusters": {}}),
        ("cluster_estimand", {"clusters": {"x": [1], "y": []}}),
        ("cluster_robust_se", {"clusters": {"x": [1, 0, 1]}}),
        ("bt_to_elo", {"wins": SIDES, "anchor": "C", "scale": 400}),
        ("bt_fit", {"wins": None}),
        ("bt_fit", {"wins": {}}),
        ("bt_fit", {"wins": [[0, "x"], [1, 0]]}),
        ("bt_fit", {"wins": [[0, True], [1, 0]]}),
        ("bt_fit_se", {"wins": {"A>B": 1e308, "B>A": 1}}),
        ("bt_ties", {"wins": SIDES, "ties": [[0, 1], [0, 0]]}),
        ("bt_ties", {"wins": [[0, 10**400], [1, 0]], "ties": None}),
        ("bt_pair_se", {"cases": [[50]]}),
        ("bt_mm_one_iteration", {"wins": SIDES, "start": [0.5]}),
        ("bt_with_position", {"counts_A_first": {"A": 0, "B": 0}, "counts_A_second": SIDES}),
        ("swap_average_vs_logit", {"delta": None, "b": 1}),
        ("elo_vs_bt", {"games_1": ["A>B>C"], "games_2": ["A>B"], "K": 32, "R0": 1000}),
        ("elo_odds", {"gap": None}),
        ("bootstrap_ci", {"data": None}),
        ("bootstrap_enumeration", {"d": [0.1, None]}),
        ("n_for_margin", {"margin": 0.02, "p": 1.5}),
        ("n_for_power_two_sample", {"d": None}),
        ("sequential_fpr", {"looks": 1.5, "alpha": 0.05, "sims": 10, "rng": 1}),
        ("tost", {"diff": 0.1, "se": 0.1, "margin": 0.1, "alpha": None}),
        ("wilson_ci", {"x": 1, "n": 5, "z": "x"}),
        ("pareto_frontier", {"cands": [{"id": None, "q": 1}]}),
        ("bt_to_elo", {"wins": SIDES, "anchor": "A", "scale": 0}),
        ("bt_fit_ridge", {"wins": SIDES, "ridge": -1, "penalty": "ridge*sum((theta-mean)^2)"}),
        ("bt_fit_ridge", {"wins": SIDES, "ridge": 1, "penalty": "lasso"}),
        ("bt_fit", {"wins": {"A": 3}}),
        ("bt_with_position", {"counts_A_first": {"A": 3}, "counts_A_second": {"A": 3, "B": 1}}),
        ("weighted_kappa", {"r1": [1, None], "r2": [1, 2]}),
        ("cohen_kappa", {"both_yes": 1.5, "r1_only": 0, "r2_only": 1, "both_no": 2}),
        ("percentile_linear", {"values": [], "q": [0.5]}),
        ("percentile_linear", {"values": [1, 2], "q": [1.5]}),
        ("pareto_frontier", {"cands": [{"id": "a", "zest": 1}]}),
        ("pareto_frontier", {"cands": [{"q": 1, "cost": 1}]}),
        ("bt_davidson_predict", {"theta_diff": 1, "nu": -1}),
        ("wilson_ci", {"x": 1, "n": 5, "z": -1}),
        ("wilson_ci", {"x": 1, "n": 5, "z": float("nan")}),
        ("proportion_ci", {"x": 1, "n": 5, "z": -1}),
        ("mcnemar_exact", {"b": 1.5, "c": 3}),
        ("sign_test", {"consistent_A": 1.5, "consistent_B": 3}),
        ("elo_update", {"Ra": float("nan"), "Rb": 1000, "S": 1, "K": 16}),
        ("elo_update", {"Ra": 1000, "Rb": 1000, "S": 1, "K": -16}),
        ("verbosity_slope", {"added_tokens": [0, 100], "win_rate_of_padded": [0.5, 1.5]}),
        ("verbosity_slope", {"added_tokens": [], "win_rate_of_padded": []}),
        ("judge_acceptance", {"flip_rate": -0.1, "max_flip": 0.15}),
        ("judge_acceptance", {"flip_rate": None, "max_flip": 0.15}),
        ("multiple_comparisons", {"p": [0.01], "alpha": 2}),
        ("ngram_overlap", {"item": "a b c", "corpus": "a b c", "n": 0}),
        ("tost", {"diff": None, "se": 0.01, "margin": 0.02}),
        ("masked_perplexity", {"docs": [{"mask": [True]}]}),
        ("parse_verdict", {"text": None}),
        ("pass_at_k_dataset", {"items": [{"n": 3}], "k": 1}),
        ("pass_at_k_unbiased", {"n": 3, "c": 1, "k": 10**400}),
        ("pass_at_k_true", {"p": None, "k": 2}),
        ("macro_micro_accuracy", {"groups": {"a": {"n": 3}}}),
        ("missing_value_report", {"rows": {"correct": None}, "n": 3}),
        ("proportion_ci", {"p": None, "n": 3}),
        ("proportion_half_width", {"p": None, "n": 3}),
        ("chance_agreement", {"m1": None, "m2": 0.5}),
        ("judge_pair_score", {"pairs_slot_labels": ["AB"]}),
        ("judge_swap_report", {"pairs": [None]}),
        ("judge_swap_audit", {"both_A": 3}),
        ("swap_inconsistency", {"winners_order_1": "A", "winners_order_2": "A"}),
        ("swap_inconsistency_expected", {"cases": [{"delta": None, "b": 0}]}),
        ("swap_inconsistency_expected", {"cases": [{"b": 1}]}),
        ("position_logit", {"delta": "much", "b": 0}),
        ("position_logit", {"p_first": True}),
        ("judge_license", {"kappa_jh": 1.2, "kappa_hh": 0.45}),
        ("ceiling_ratio", {"jh": True, "hh": 0.5}),
        ("cohen_kappa", {"both_yes": True, "r1_only": 1, "r2_only": 1, "both_no": 1}),
        ("cohen_kappa", {"both_yes": 1, "r1_only": 2}),
        ("weighted_kappa", {"r1": 1, "r2": 2}),
        ("fleiss_kappa", {"table": [[2, 1], [3]]}),
        ("fleiss_kappa", {"table": [[True, True]]}),
        ("krippendorff_alpha", {"data_raters_by_units": [[1, "x"], [1, 2]]}),
        ("krippendorff_alpha", {"data_raters_by_units": [[1, 2], [1]]}),
        ("rubric_score", {"weights": None, "scores": [1]}),
        ("jury_majority", {"p_true": 0.5, "biased_members": 1.5, "s": 0.2, "n_judges": 3}),
        ("jury_majority", {"p_true": 0.5, "biased_members": 1, "s": None, "n_judges": 3}),
    ],
)
def test_impossible_input_is_refused(instrument: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # the words are each function's own
        case_answer(instrument, inputs)


@pytest.mark.parametrize(
    ("instrument", "inputs", "expected"),
    [
        ("bt_pair_se", {"cases": [[50, 1.0]]}, [None]),
        ("bt_fit", {"wins": ISLANDS}, {"theta": [None] * 4, "strengths": [None] * 4}),
        ("bt_fit_se", {"wins": ISLANDS}, {"se_theta_A_minus_C": None}),
        ("bt_fit_se", {"wins": {"X>Y": 7, "Y>X": 3}}, {"se_theta_X_minus_Y": 0.69007}),
        (
            "bt_ties",
            {"wins": {"A>B": 30, "B>A": 10}, "ties": {}},
            {"davidson_theta_diff": 1.09861, "davidson_nu": 0.0},
        ),
        (
            "bt_ties",
            {"wins": {"A>B": 0, "B>A": 0}, "ties": {"A=B": 20}},
            {"half_win_theta_diff": 0.0, "drop_ties_theta_diff": None, "davidson_nu": None},
        ),
        ("bt_to_elo", {"wins": SIDES, "anchor": "B", "scale": 200}, [73.5954, 0.0]),
        ("bt_fit", {"wins": {"owl>hen": 3, "hen>owl": 1}}, {"theta": [-0.549306, 0.549306]}),
        ("bt_fit", {"wins": [[0, 4], [0, 0]]}, {"theta": [None, None]}),
        (
            "bt_mm_one_iteration",
            {"wins": {"A>B": 7, "B>A": 3}, "start": {"B": 1, "A": 3}},
            [0.7, 0.3],
        ),
        (
            "bt_with_position",
            {"counts_A_first": {"A": 9, "B": 0}, "counts_A_second": {"A": 4, "B": 5}},
            {"delta": None, "b": None},
        ),
        ("wilson_ci", {"x": 1, "n": 5, "z": 1e200}, [0.0, 1.0]),
        ("n_for_margin", {"margin": 1e308}, 0.0),
        (
            "bt_fit_ridge",
            {"wins": SIDES, "ridge": 0, "penalty": "ridge*sum((theta-mean)^2)"},
            {"theta": [0.423649, -0.423649]},
        ),
        (
            "judge_swap_se",
            {"both_A": 20, "only_when_first": 0, "only_when_second": 0, "both_B": 0},
            {"mean": 1.0, "z": None},
        ),
        ("swap_inconsistency", {"winners_order_1": ["A"], "winners_order_2": ["tie"]}, 1.0),
        ("swap_inconsistency", {"winners_order_1": ["x", "y"], "winners_order_2": ["x", "x"]}, 0.5),
        (
            "length_controlled_winrate",
            {"len_delta": [1, 2, 3], "preference": [1, 1, 1]},
            {"lc": None, "status": "undefined", "reason": "all preferences equal 1"},
        ),
        (
            "pareto_frontier",
            {
                "cands": [
                    {"id": "a", "accuracy": 0.9, "cost": 1},
                    {"id": "b", "accuracy": 0.8, "cost": 1},
                ]
            },
            {"frontier": ["a"], "dominated": ["b"]},
        ),
        (
            "masked_perplexity",
            {"docs": [{"nll": [1, 2], "mask": [True, False]}, {"nll": [3]}]},
            {"mean_of_doc": 11.40191},
        ),
        ("nll_binary", {"p": [0], "y": [0], "eps": 0.1}, 0.1053605),
        ("parse_verdict", {"text": "VERDICT: 1 or 2"}, "judge_unknown"),
        (
            "swap_inconsistency",
            {"winners_order_1": ["A", "error"], "winners_order_2": ["B", "A"]},
            0.5,
        ),
        (
            "judge_swap_audit",
            {"pairs": [["A", "B"], ["A", "A"], ["B", "error"]]},
            {"n_pairs": 3, "A_first_wins": 2, "A_second_wins": 1, "debiased": 0.75},
        ),
        ("judge_license", {"kappa_jh": None, "kappa_hh": 0.4}, {"ratio": None}),
        ("ceiling_ratio", {"jh": [0.4, None], "hh": [0.5, 0.5]}, [0.8, None]),
        ("cohen_kappa", {"r1": ["a", "b", "a"], "r2": ["a", "b", "b"]}, {"kappa": 0.4}),
        (
            "weighted_kappa",
            {"r1": [1.0, 1.0], "r2": [1.0, 1.0]},
            {"linear": None, "quadratic": None, "unweighted": None},
        ),
        (
            "weighted_kappa",
            {"r1": ["low", "high"], "r2": ["low", "high"]},
            {"linear": None, "unweighted": 1.0},
        ),
        ("fleiss_kappa", {"table": [[3, 0], [3, 0]]}, None),
        (
            "krippendorff_alpha",
            {"data_raters_by_units": [["a", "b", None], ["a", "a", "b"]]},
            {"nominal": 0.0, "ordinal": None},
        ),
        (
            "krippendorff_alpha",
            {"data_raters_by_units": [[1, None], [None, 1]]},
            {"nominal": None, "ordinal": None, "interval": None},
        ),
        ("pass_at_k_true", {"p": 1e-18, "k": 10}, 1e-17),
    ],
)
def test_what_is_unknown_is_undefined_and_the_rest_is_right(
    instrument: str, inputs: dict[str, Any], expected: Any
) -> None:
    tolerance = 1e-20 if expected == 1e-17 else 1e-4
    assert difference(expected, case_answer(instrument, inputs), tolerance) is None


def places(value: Any, depth: int = 0) -> Iterator[tuple[Any, ...]]:
    """Paths to what stands inside: all keys, and the first and last entry of a list."""
    if depth:
        yield ()
    inside = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list) and value and depth < 4:
        inside = {0: value[0], len(value) - 1: value[-1]}.items()
    for key, one in inside:
        yield from ((key, *rest) for rest in places(one, depth + 1))


def with_strange(inputs: dict[str, Any], path: tuple[Any, ...], strange: Any) -> dict[str, Any]:
    made = copy.deepcopy(inputs)
    parent: Any = made
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = strange
    return made


def finite(answer: Any) -> bool:
    if isinstance(answer, dict | list | tuple):
        inner = answer.values() if isinstance(answer, dict) else answer
        return all(map(finite, inner))
    return not isinstance(answer, float) or not math.isinf(answer)


@pytest.mark.parametrize(
    "instrument",
    sorted(
        {name for room in OURS for name in room.INSTRUMENTS} | {one["instrument"] for one in SEEDS}
    ),
)
def test_whatever_stands_in_place_of_an_input_is_answered_or_refused(instrument: str) -> None:
    """Never another error than ValueError, never an infinite number, never a warning."""
    theirs = [one for one in SEEDS if one["instrument"] == instrument]
    sound = [one["inputs"] for one in theirs if "raises" not in str(one["expected"])]
    tried = 0
    for inputs in (sound or [one["inputs"] for one in theirs])[:4]:
        for path in places(inputs):
            for strange in STRANGE:
                if path[0] in HUGE and isinstance(strange, int) and strange > 10**6:
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    try:
                        answer = case_answer(instrument, with_strange(inputs, path, strange))
                    except ValueError:
                        answer = None
                assert finite(answer), (inputs, path, strange)
                tried += 1
    assert tried >= len(STRANGE)
