"""The golden instruments of ranking and length control, each answered by our public functions."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.special import expit

from eval_pipeline.length_control.model import length_controlled_win_rate
from eval_pipeline.metrics.inputs import mapping, number, texts
from eval_pipeline.ranking.bradley_terry import BradleyTerryFit, fit_bradley_terry
from eval_pipeline.ranking.counts import PairCounts, counts_of_wins, pair_counts
from eval_pipeline.ranking.diagnostics import cyclic_triads, deviance
from eval_pipeline.ranking.elo import (
    elo_odds,
    elo_scale,
    elo_update,
    elo_win_probability,
    online_elo,
)
from eval_pipeline.ranking.encode import encode_battles
from eval_pipeline.ranking.identify import connectivity
from eval_pipeline.ranking.minorization import mm_step
from eval_pipeline.ranking.ties import davidson_probabilities, fit_davidson
from eval_pipeline.ranking.uncertainty import model_covariance
from eval_pipeline_tests.golden.runner import sequence

NONE = np.array([np.nan, np.nan])
Pairs = Mapping[str, float | None]


def counts(wins: Any, ties: Any = None) -> PairCounts:
    """Counts from `{"A>B": 7}` and `{"A=B": 3}`, or from square tables."""
    if not isinstance(wins, Mapping):
        rows = sequence(wins, "wins")
        return counts_of_wins([str(i) for i in range(len(rows))], wins, ties)
    if ties is not None and not isinstance(ties, Mapping):
        raise ValueError(f"ties must be an object like wins, got {ties!r}")
    if not (wins or ties):
        raise ValueError("there are neither wins nor ties")
    models = sorted(
        {m for pair in (*wins, *(ties or {})) for m in pair.replace("=", ">").split(">")}
    )
    place = {m: i for i, m in enumerate(models)}

    def table(pairs: Pairs, mark: str) -> np.ndarray:
        filled = np.zeros((len(models),) * 2)
        for pair, count in pairs.items():
            if pair.count(mark) != 1:
                raise ValueError(f"{pair!r} is no pair: write it as A{mark}B")
            one, two = pair.split(mark)
            filled[place[one], place[two]] += number(count, pair, least=0.0)
        return filled

    return counts_of_wins(models, table(wins, ">"), table(ties or {}, "="))


def fitted(wins: Any) -> dict[str, Any]:
    fit = fit_bradley_terry(counts(wins))
    if fit.connectivity.n_weak > 1:  # each island has a mean of its own
        islands = [math.nan] * len(fit.models)
        return {"theta": islands, "strengths": islands}
    strengths = np.exp(fit.theta) / np.exp(fit.theta).sum()
    answer: dict[str, Any] = {"theta": fit.theta.tolist(), "strengths": strengths.tolist()}
    if len(fit.models) == 2:
        answer |= {
            "theta_diff": fit.theta[0] - fit.theta[1],
            "theta_A": fit.theta[0],
            "p": strengths[0],
        }
    return answer


def ratings(wins: Any, anchor: str, scale: float = 400.0) -> list[float]:
    fit = fit_bradley_terry(counts(wins))
    if anchor not in fit.models:
        raise ValueError(f"anchor {anchor!r} is none of {', '.join(fit.models)}")
    at = fit.models.index(anchor)
    theta = np.where(
        fit.connectivity.component == fit.connectivity.component[at], fit.theta, np.nan
    )
    return elo_scale(theta, anchor=theta[at], rating=0.0, points=scale).tolist()


def predicted(wins: Any) -> dict[str, float]:
    fit = fit_bradley_terry(counts(wins))
    return {
        f"{a}>{b}": fit.win_probability[i, j]
        for i, a in enumerate(fit.models)
        for j, b in enumerate(fit.models)
        if i < j
    }


def one_step(wins: Any, start: Any = "uniform") -> list[float]:
    """From equal strengths, or from those that are given: by model, or in the order of names."""
    pairs = counts(wins)
    if start == "uniform":
        return mm_step(pairs.total, np.ones(len(pairs.models))).tolist()
    if isinstance(start, Mapping):
        if start.keys() != set(pairs.models):
            raise ValueError(f"start must name {', '.join(pairs.models)}, got {sorted(start)}")
        start = [start[model] for model in pairs.models]
    return mm_step(pairs.total, sequence(start, "start")).tolist()


def contrast_se(fit: BradleyTerryFit, i: int, j: int) -> float:
    v = model_covariance(fit)
    return float(np.sqrt(v[i, i] + v[j, j] - 2 * v[i, j]))


def standard_errors(wins: Any) -> dict[str, float]:
    fit = fit_bradley_terry(counts(wins))
    return {
        f"se_theta_{a}_minus_{b}": contrast_se(fit, i, j)
        for i, a in enumerate(fit.models)
        for j, b in enumerate(fit.models)
        if i < j
    }


def pair_standard_errors(cases: list[list[float]]) -> list[float]:
    found = []
    for i, case in enumerate(sequence(cases, "cases")):
        if len(sequence(case, f"cases[{i}]")) != 2:
            raise ValueError(f"cases[{i}] must be battles and a share, got {case!r}")
        n, p = number(case[0], "battles", least=1.0), number(case[1], "share", 0.0, 1.0)
        fit = fit_bradley_terry(counts_of_wins("AB", [[0, n * p], [n * (1 - p), 0]]))
        found.append(contrast_se(fit, 0, 1))
    return found


def misfit(wins: Any) -> dict[str, float]:
    pairs = counts(wins)
    found = deviance(fit_bradley_terry(pairs), pairs)
    return {
        "cyclic_triads": cyclic_triads(pairs.total),
        "deviance": found.statistic,
        "df": found.df,
        "p": found.p_value,
    }


def with_position(
    counts_A_first: Mapping[str, float], counts_A_second: Mapping[str, float]
) -> dict[str, float]:
    for name, seen in (("A first", counts_A_first), ("A second", counts_A_second)):
        if mapping(seen, name).keys() != {"A", "B"}:
            raise ValueError(f"counts with {name} need A and B, got {sorted(seen)}")
        if not any(number(n, f"{name}, {side}", least=0.0) for side, n in seen.items()):
            raise ValueError(f"nothing was judged with {name}")
    rows = [
        ("A", "B", 1.0, counts_A_first["A"]),
        ("A", "B", 0.0, counts_A_first["B"]),
        ("B", "A", 0.0, counts_A_second["A"]),
        ("B", "A", 1.0, counts_A_second["B"]),
    ]
    first, second, score, weight = zip(*(row for row in rows if row[-1]), strict=True)
    battles = encode_battles(
        first, second, list(score), weight=list(weight), seated=[True] * len(score)
    )
    fit = fit_bradley_terry(pair_counts(battles), order_effect=True)
    known = 1.0 if math.isfinite(fit.order_effect) else math.nan  # else it is not taken out
    return {"delta": known * (fit.theta[0] - fit.theta[1]), "b": fit.order_effect}


def swap_average(delta: float, b: float) -> dict[str, float]:
    """Averaging both orders keeps the position effect; fitting it takes it out."""
    delta, b = number(delta, "delta"), number(b, "b")
    first, second = float(expit(delta + b)), float(expit(delta - b))
    fit = with_position({"A": first, "B": 1 - first}, {"A": second, "B": 1 - second})
    return {
        "p_first": first,
        "p_second": second,
        "prob_average": (first + second) / 2,
        "logit_average": float(expit(fit["delta"])),
    }


def under_ridge(
    wins: Any, ridge: float, penalty: str = "ridge*sum((theta-mean)^2)"
) -> dict[str, Any]:
    if penalty != "ridge*sum((theta-mean)^2)":
        raise ValueError(f"unknown penalty {penalty!r}")
    strength = number(ridge, "ridge", least=0.0)
    prior_sd = math.sqrt(1 / (2 * strength)) if strength else None
    fit = fit_bradley_terry(counts(wins), prior_sd=prior_sd)
    return {"theta": fit.theta.tolist()}


def graph(wins: Any, ties: Any = None) -> dict[str, Any]:
    pairs = counts(wins, ties)
    found = connectivity(pairs)
    return {
        "undirected_connected": found.n_weak == 1,
        "strongly_connected": found.n_strong == 1,
        "strongly_connected_half_win": found.n_strong == 1,
        "strongly_connected_decisive_only": found.n_strong_decisive == 1,
        "sccs": [
            [m for m, s in zip(pairs.models, found.strong, strict=True) if s == k]
            for k in range(found.n_strong)
        ],
    }


def decided(wins: Any, ties: Any) -> np.ndarray:
    """Wins alone, of all models that won or drew."""
    none = dict.fromkeys(ties, 0) if isinstance(ties, Mapping) else None
    return counts(wins, none).total


def under_tie_rules(wins: Any, ties: Any) -> dict[str, Any]:
    pairs = counts(wins, ties)
    half = fit_bradley_terry(pairs)
    drawn = 2 * (pairs.total - decided(wins, ties))
    davidson = fit_davidson(decided(wins, ties), np.triu(drawn))
    answer: dict[str, Any] = {
        "half_win_theta": half.theta.tolist(),
        "davidson_theta": davidson.theta.tolist(),
        "davidson_nu": davidson.tie_parameter,
    }
    if len(half.models) == 2:
        won = decided(wins, ties)
        dropped = fit_bradley_terry(counts_of_wins(half.models, won)).theta if won.any() else NONE
        answer |= {
            "half_win_theta_diff": half.theta[0] - half.theta[1],
            "davidson_theta_diff": davidson.theta[0] - davidson.theta[1],
            "drop_ties_theta_diff": dropped[0] - dropped[1],
        }
    return answer


def sequences(
    games_1: list[str], games_2: list[str], K: float = 32.0, R0: float = 1000.0
) -> dict[str, Any]:
    def sides(games: list[str], name: str) -> list[list[str]]:
        played = [game.split(">") for game in texts(games, name)]
        for game in played:
            if len(game) != 2 or not all(game) or game[0] == game[1]:
                raise ValueError(f"{'>'.join(game)!r} is no game: write it as A>B")
        return played

    def after(games: list[list[str]]) -> dict[str, float]:
        return dict(online_elo(((a, b, 1.0) for a, b in games), K, R0))

    played = sides(games_1, "games_1")
    battles = encode_battles([a for a, _ in played], [b for _, b in played], [1.0] * len(played))
    fit = fit_bradley_terry(pair_counts(battles))
    return {
        "seq1": after(played),
        "seq2": after(sides(games_2, "games_2")),
        "bt_theta_diff": fit.theta[0] - fit.theta[1],
    }


def update(Ra: float, Rb: float, S: float, K: float) -> dict[str, float]:
    a, b = elo_update(Ra, Rb, S, K)
    return {"E": elo_win_probability(Ra - Rb), "Ra": a, "Rb": b}


def length_controlled(
    len_delta: list[float], preference: list[float], shown_first: list[int] | None = None
) -> dict[str, Any]:
    found = length_controlled_win_rate(len_delta, preference, shown_first)
    dropped = "length_not_identifiable" in found.notes
    status = "length_not_identifiable" if dropped else "ok"
    if math.isnan(found.length_controlled):
        status = "undefined"
    return {
        "theta": found.theta,
        "phi": None if dropped else found.length_coefficient,
        "gamma": found.position_coefficient,
        "raw": found.raw,
        "lc": found.length_controlled,
        "status": status,
        "reason": found.reason,
    }


INSTRUMENTS: dict[str, Callable[..., Any]] = {
    "bt_davidson_predict": lambda theta_diff, nu: davidson_probabilities(theta_diff, nu),
    "bt_fit": fitted,
    "bt_fit_ridge": under_ridge,
    "bt_fit_se": standard_errors,
    "bt_graph": graph,
    "bt_mm_one_iteration": one_step,
    "bt_pair_se": pair_standard_errors,
    "bt_predict": predicted,
    "bt_ties": under_tie_rules,
    "bt_to_elo": ratings,
    "bt_with_position": with_position,
    "elo_odds": elo_odds,
    "elo_update": update,
    "elo_vs_bt": sequences,
    "elo_win_prob": elo_win_probability,
    "intransitivity": misfit,
    "length_controlled_winrate": length_controlled,
    "swap_average_vs_logit": swap_average,
}
