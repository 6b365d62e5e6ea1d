"""The entries of published worked examples, each answered by public functions.

An entry is an object of inputs and right values side by side: what the function that answers it
takes by name are its inputs, the rest is what it must give.
"""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import chi2

from eval_pipeline.length_control.model import log_likelihood
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import counts_of_wins, pair_counts
from eval_pipeline.ranking.diagnostics import cyclic_share
from eval_pipeline.ranking.encode import encode_battles, outcome_scores
from eval_pipeline.ranking.identify import connectivity
from eval_pipeline.ranking.newton import maximise
from eval_pipeline.ranking.sandwiches import battle_covariance
from eval_pipeline.ranking.ties import TieFit, fit_davidson, fit_rao_kupper
from eval_pipeline.ranking.uncertainty import cluster_covariance, model_covariance
from eval_pipeline.statistics.intervals import clopper_pearson, jeffreys, wilson
from eval_pipeline.statistics.multiplicity import adjusted
from eval_pipeline.statistics.paired import mcnemar_chi_squared, mcnemar_exact
from eval_pipeline_tests.length_control.alpaca import annotations
from eval_pipeline_tests.reproduce.llmfao import crowd_battles

NOT_ASKED = {
    # how a value came about
    *("cols", "form", "half_ties_tools", "note", "tool", "tools"),
    *("max_disagreement", "max_disagreement_vs_evalica_golden", "wins_meaning"),
    *("R_check", "evalica_newman", "scipy", "source", "strictly_held_out"),
    # steps on the way, which we do not return
    *("edges", "logit_flow", "weights", "potential", "curl_012"),
    # held to a mean error, by `reproduce alpaca_eval`
    *("published_lc", "recovered_pipeline_lc_strict"),
}
Matrix = Sequence[Sequence[float]]
LABELS = {"left": 1.0, "right": 0.0, "tie": 0.5}
SHARES = {"wilson": wilson, "clopper_pearson": clopper_pearson, "jeffreys": jeffreys}
RULES = {"holm": "holm", "BH": "bh", "BY": "by", "bonferroni": "bonferroni"}


def citations(items: Sequence[str], wins: Matrix) -> dict[str, Any]:
    fit = fit_bradley_terry(counts_of_wins(items, wins))
    v = model_covariance(fit)
    return {
        "theta_ref_first": (fit.theta - fit.theta[0]).tolist(),
        "se_ref_first": np.sqrt(np.diag(v) + v[0, 0] - 2 * v[0]).tolist(),
        "theta_centered": fit.theta.tolist(),
    }


def at_home(items: Sequence[str], rows: Sequence[Any], ref: str) -> dict[str, Any]:
    return _baseball(items, rows, ref, home=True)


def on_neutral_ground(items: Sequence[str], rows: Sequence[Any], ref: str) -> dict[str, Any]:
    return _baseball(items, rows, ref, home=False)


def _baseball(items: Sequence[str], rows: Sequence[Any], ref: str, home: bool) -> dict[str, Any]:
    """Rows: home team, guests, games won by either."""
    won = [(one, two, 1.0, n) for one, two, n, _ in rows if n]
    lost = [(one, two, 0.0, n) for one, two, _, n in rows if n]
    first, second, score, weight = zip(*won, *lost, strict=True)
    battles = encode_battles(
        first, second, list(score), weight=list(weight), seated=[True] * len(score), models=items
    )
    fit = fit_bradley_terry(pair_counts(battles), order_effect=home)
    v, at = model_covariance(fit), fit.models.index(ref)
    others = [k for k in range(len(fit.models)) if k != at]
    coef = {fit.models[k]: fit.theta[k] - fit.theta[at] for k in others}
    se = {fit.models[k]: math.sqrt(v[k, k] + v[at, at] - 2 * v[k, at]) for k in others}
    if home:
        coef["order_effect"], se["order_effect"] = fit.order_effect, math.sqrt(v[-1, -1])
    return {"coef": coef, "se": se}


def three_rules(items: Sequence[str], rows: Sequence[Any]) -> dict[str, Any]:
    left, right, labels = zip(*rows, strict=True)
    battles = encode_battles(left, right, outcome_scores(labels, LABELS), models=items)
    fit = fit_bradley_terry(pair_counts(battles))
    wins, ties = np.zeros((2, len(fit.models), len(fit.models)))
    for first, second, label in rows:
        i, j = fit.models.index(first), fit.models.index(second)
        if label == "tie":
            ties[i, j] += 1
        else:
            wins[(i, j) if label == "left" else (j, i)] += 1
    davidson, rao_kupper = fit_davidson(wins, ties), fit_rao_kupper(wins, ties)
    nu, eta = davidson.tie_parameter, rao_kupper.tie_parameter
    return {
        "half_ties_theta_ref_first": (fit.theta - fit.theta[0]).tolist(),
        "davidson": _ties(davidson) | {"nu": nu, "log_nu": math.log(nu)},
        "rao_kupper": _ties(rao_kupper) | {"eta": eta, "nu": math.exp(eta)},
    }


def _ties(fit: TieFit) -> dict[str, Any]:
    return {
        "theta_ref_first": (fit.theta - fit.theta[0]).tolist(),
        "loglik": fit.log_likelihood,
    }


def shares(rows: Sequence[Mapping[str, Any]], alpha: float = 0.05) -> dict[str, Any]:
    ends = [SHARES[row["method"]](row["k"], row["n"], 1 - alpha) for row in rows]
    pairs = zip(rows, ends, strict=True)
    return {"rows": [{**row, "lo": low, "hi": high} for row, (low, high) in pairs]}


def discordant(table: Matrix) -> dict[str, float]:
    (_, b), (c, _) = table
    corrected = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    return {
        "exact_p": mcnemar_exact(int(b), int(c)),
        "chi2_p": float(chi2.sf(mcnemar_chi_squared(int(b), int(c)), 1)),
        "cc_p": float(chi2.sf(corrected, 1)),
    }


def many_tests(p: Sequence[float]) -> dict[str, Any]:
    return {"adjusted": {name: adjusted(p, rule).tolist() for name, rule in RULES.items()}}


def sandwiches(rows: Sequence[Any], ref: str) -> dict[str, Any]:
    prompt, a, b, y = zip(*rows, strict=True)
    battles = encode_battles(a, b, y, cluster=prompt)
    fit = fit_bradley_terry(pair_counts(battles))
    found = cluster_covariance(fit, battles)
    at, n, k = fit.models.index(ref), len(y), len(fit.models) - 1
    corrected = _from(fit, found.covariance, ref)
    return {
        f"theta_minus_{ref}": dict(zip(fit.models, fit.theta - fit.theta[at], strict=True)),
        "se_CR0": _from(fit, found.influence.T @ found.influence, ref),
        "se_CR1_QoverQm1": corrected,
        "se_CR1_stata": [se * math.sqrt((n - 1) / (n - k)) for se in corrected],
        "se_HC0_battle": _from(fit, battle_covariance(fit, battles), ref),
    }


def _from(fit: BradleyTerryFit, v: Any, ref: str) -> list[float]:
    """Standard errors of the others' differences to the reference."""
    at = fit.models.index(ref)
    variances = np.diag(v) + v[at, at] - 2 * v[at]
    return [math.sqrt(variances[k]) for k in range(len(fit.models)) if k != at]


def equal_length(
    tanh_len: Sequence[float], difficulty: Sequence[float], pref_model_wins: Sequence[float]
) -> dict[str, Any]:
    t, d, y = (np.array(one) for one in (tanh_len, difficulty, pref_model_wins))
    design = np.column_stack([t, d, np.ones(len(t))])
    fit = maximise(lambda b: log_likelihood(b, design, y, np.ones(len(y))), np.zeros(3))
    at_equal = 1 / (1 + np.exp(-(fit.point[2] + fit.point[1] * d)))
    return {
        "coef": dict(zip(("phi", "psi", "theta"), fit.point.tolist(), strict=True)),
        "lc_winrate_pct": 100 * float(at_equal.mean()),
        "raw_winrate_pct": 100 * float(y.mean()),
    }


def circle(wins: Matrix) -> dict[str, float]:
    return {"cyclic_share": cyclic_share(wins)}


def graphs(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found = []
    for case in cases:
        wins = case["wins"]
        graph = connectivity(counts_of_wins([str(i) for i in range(len(wins))], wins))
        strong = graph.n_strong == 1
        found.append({**case, "strong": strong, "weak": graph.n_weak == 1, "finite_mle": strong})
    return {"cases": found}


def crowd(source: str) -> dict[str, Any]:
    """From the file of 8,931 battles among the reference data."""
    if "llmfao.csv" not in source:
        raise ValueError(f"unknown source {source!r}")
    fit = fit_bradley_terry(pair_counts(crowd_battles(_reference_data())))
    return {"theta_centered": dict(zip(fit.models, fit.theta, strict=True))}


def alpaca() -> dict[str, Any]:
    """Win rates as they are; those at equal length are held to a mean error, by `reproduce`."""
    return {
        model: {"n": len(rows.preference), "raw_winrate": 100 * float(rows.preference.mean())}
        for model, rows in annotations(_reference_data()).items()
    }


def _reference_data() -> Path:
    folder = Path(os.environ.get("EVAL_PIPELINE_REFERENCE_DATA") or "../shared/data").resolve()
    if not folder.is_dir():
        raise ValueError(f"reference data are absent: {folder}")
    return folder


ENTRIES: dict[str, Callable[..., Any]] = {
    "alpaca_eval_lc_published": alpaca,
    "bt_baseball": on_neutral_ground,
    "bt_baseball_home": at_home,
    "bt_citations": citations,
    "bt_cluster_sandwich": sandwiches,
    "bt_llmfao": crowd,
    "connectivity": graphs,
    "hodge_triangle": circle,
    "lc_glm": equal_length,
    "mcnemar": discordant,
    "p_adjust": many_tests,
    "proportion_ci": shares,
    "ties_food": three_rules,
    "ties_simple": three_rules,
}
