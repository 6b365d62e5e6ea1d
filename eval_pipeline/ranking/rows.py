"""A leaderboard as rows of plain values, one list a table; NaN is undefined."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from scipy.special import expit

from eval_pipeline.ranking.elo import elo_scale
from eval_pipeline.ranking.leaderboard import Leaderboard, leaderboard
from eval_pipeline.ranking.pairs import (
    PairColumns,
    PairTally,
    battles_by_judge,
    battles_of_pairs,
    tally,
)
from eval_pipeline.ranking.rows_beside import rows_beside
from eval_pipeline.ranking.sensitivity import tie_sensitivity
from eval_pipeline.ranking.uncertainty import counted

Row = Mapping[str, object]

WHY_NOT_FINITE = {
    "undefeated": "no finite strength: it lost nothing",
    "winless": "no finite strength: it won nothing",
    "split": "no finite strength: one group of models took everything from another",
    "unjudged": "no judged pair",
}


def judge_rows(
    pairs: PairColumns,
    *,
    order_effect: bool,
    by_vote: bool = False,
    prior_sd: float | None,
    anchor: str | None,
    confidence: float,
    replicates: int,
    rng: np.random.Generator,
    members: Mapping[str, PairColumns] | None = None,
) -> Mapping[str, list[Row]]:
    """Rows of `ratings`, `contrasts`, `rank_sets` and `fit_diagnostics` for one judge's pairs.

    by_vote: every vote is a battle; else every pair is one. members: of a panel, each judge's
    scores of the same pairs, row by row; errors by prompt and judge then stand beside.
    Where no pair has a score, every number is undefined.
    """
    summed = tally(pairs, by_order=order_effect, by_vote=by_vote)
    battles = battles_of_pairs(pairs, by_order=order_effect, by_vote=by_vote)
    if not len(battles.score):
        return _nothing_fitted(pairs, summed, anchor, prior_sd, confidence)
    board = leaderboard(
        battles,
        order_effect=order_effect,
        prior_sd=prior_sd,
        confidence=confidence,
        replicates=replicates,
        rng=rng,
        pairs=battles_of_pairs(pairs, by_order=False),
    )
    judged = None
    if members is not None and len(members) > 1:
        judged = battles_by_judge(pairs, members, by_order=order_effect, by_vote=by_vote)
    beside = rows_beside(board.fit, battles, judged)
    ties = tie_sensitivity(pairs)
    rules = {"davidson": ties.davidson, "rao_kupper": ties.rao_kupper}
    return {
        "ratings": [
            {
                **row,
                **beside.ratings[k],
                **{f"theta_{name}": fit.theta[k] for name, fit in rules.items()},
            }
            for k, row in enumerate(rating_rows(board, summed, anchor))
        ],
        "contrasts": [
            {**row, **more}
            for row, more in zip(contrast_rows(board), beside.contrasts, strict=True)
        ],
        "rank_sets": rank_set_rows(board),
        "fit_diagnostics": [
            {
                **diagnostic_row(board),
                **beside.diagnostics,
                **{name: fit.tie_parameter for name, fit in rules.items()},
            }
        ],
    }


def rating_rows(board: Leaderboard, tally: PairTally, anchor: str | None) -> list[Row]:
    """One row a model. The Elo scale is printed only for models on the anchor's scale."""
    fit, strengths = board.fit, board.strengths
    elo, why_no_elo = _elo(board, anchor)
    points = elo_scale([0.0, 1.0])
    a_logit = float(points[1] - points[0])
    rows: list[Row] = []
    for k, (model, standing) in enumerate(zip(fit.models, fit.standing, strict=True)):
        finite = standing == "ok"
        reason = strengths.reason[k] or (why_no_elo if np.isnan(elo[k]) else None)
        rows.append(
            {
                "model": model,
                "component": int(fit.connectivity.component[k]),
                "standing": standing,
                "estimator": fit.estimator,
                "theta": strengths.value[k],
                "elo": elo[k],
                "elo_low": elo[k] + a_logit * (strengths.low[k] - strengths.value[k]),
                "elo_high": elo[k] + a_logit * (strengths.high[k] - strengths.value[k]),
                "se": strengths.se[k],
                "ci_low": strengths.low[k],
                "ci_high": strengths.high[k],
                "ci_method": strengths.method[k],
                "confidence": board.confidence,
                "df": strengths.df[k],
                "se_battle": board.se_battle[k],
                "se_jackknife": board.se_jackknife[k],
                "largest_cluster": board.largest[k][0] if finite else None,
                "largest_share": board.largest[k][1] if finite else np.nan,
                "bound_low": board.bounds[k] if standing == "undefeated" else np.nan,
                "bound_high": board.bounds[k] if standing == "winless" else np.nan,
                "n_battles": int(tally.n_battles[k]),
                "n_clusters": int(tally.n_clusters[k]),
                "n_ties": int(tally.n_ties[k]),
                "n_missing": int(tally.n_missing[k]),
                "anchor": anchor,
                "status": "ok" if finite else "undefined",
                "reason": reason if finite else _why_not_finite(standing, board.bounds[k]),
            }
        )
    return rows


def contrast_rows(board: Leaderboard) -> list[Row]:
    """One row a pair of models, judged against each other or not."""
    models, contrasts, interval = board.fit.models, board.contrasts, board.contrasts.interval
    component = board.fit.connectivity.component
    rows: list[Row] = []
    for k, (i, j) in enumerate(zip(contrasts.i, contrasts.j, strict=True)):
        finite = bool(np.isfinite(interval.value[k]))
        apart = (
            "no finite difference: one took everything, through others or directly"
            if component[i] == component[j]
            else "no difference: no chain of judged pairs joins them"
        )
        rows.append(
            {
                "model_i": models[i],
                "model_j": models[j],
                "difference": interval.value[k],
                "se": interval.se[k],
                "ci_low": interval.low[k],
                "ci_high": interval.high[k],
                "ci_method": interval.method[k],
                "confidence": board.confidence,
                "p_value": board.p_value[k],
                "p_holm": board.p_holm[k],
                "simultaneous_low": interval.value[k] - board.reach[k],
                "simultaneous_high": interval.value[k] + board.reach[k],
                "win_probability": board.fit.win_probability[i, j],
                "win_low": expit(interval.low[k]),
                "win_high": expit(interval.high[k]),
                "status": "ok" if finite else "undefined",
                "reason": _exactly(board, k) if finite else apart,
            }
        )
    return rows


def rank_set_rows(board: Leaderboard) -> list[Row]:
    """One row a model."""
    ranks = board.ranks
    reason = _why_no_ranks(board)
    method = "max_t" if board.replicates is None else f"max_t_{board.replicates.method}"
    return [
        {
            "model": model,
            "rank": _whole(ranks.rank[k]),
            "rank_low": _whole(ranks.low[k]),
            "rank_high": _whole(ranks.high[k]),
            "confidence": board.confidence,
            "method": method,
            "p_best": ranks.p_best[k],
            "status": "undefined" if np.isnan(ranks.rank[k]) else "ok",
            "reason": reason,
        }
        for k, model in enumerate(board.fit.models)
    ]


def diagnostic_row(board: Leaderboard) -> Row:
    """The one row of the fit."""
    fit, drawn = board.fit, board.replicates
    return {
        "converged": fit.converged,
        "iterations": fit.iterations,
        "gradient_max": fit.gradient_max,
        "n_weak": fit.connectivity.n_weak,
        "n_strong": fit.connectivity.n_strong,
        "n_strong_decisive": fit.connectivity.n_strong_decisive,
        "cyclic_share": board.cyclic_share,
        "deviance": board.misfit.statistic,
        "deviance_df": board.misfit.df,
        "deviance_p": board.misfit.p_value,
        "pearson_x2": board.pearson.statistic,
        "pearson_p": board.pearson.p_value,
        "replicates": 0 if drawn is None else len(drawn.parameters),
        "replicates_nonfinite": 0 if drawn is None else drawn.n_nonfinite,
        "tie_rule": fit.tie_rule,
        "order_effect": fit.order_effect,
        "order_effect_se": board.order_effect.se[0],
        "prior_sd": fit.prior_sd,
        "status": "ok",
        "reason": fit.order_effect_reason or board.order_effect.reason[0],
    }


def _exactly(board: Leaderboard, k: int) -> str | None:
    """Why a contrast has no interval, and what its p-value is then."""
    reason, clusters = board.contrasts.interval.reason[k], board.exact_clusters[k]
    if reason is None or not clusters:
        return reason
    return f"{reason}; p by exact sign flips of the two's own pairs in {counted(int(clusters))}"


def _why_not_finite(standing: str, bound: float) -> str:
    if np.isnan(bound):
        return WHY_NOT_FINITE[standing]
    side = "at least" if standing == "undefeated" else "at most"
    return f"{WHY_NOT_FINITE[standing]}; {side} {bound:.2f} logits"


def _elo(board: Leaderboard, anchor: str | None) -> tuple[np.ndarray, str | None]:
    """Printed ratings, and why some are missing."""
    fit, theta = board.fit, board.fit.theta
    finite = np.isfinite(theta)
    if anchor is None:
        if len(set(fit.group[finite].tolist())) > 1:
            return np.full(len(theta), np.nan), "no Elo: several components and no anchor"
        return elo_scale(theta), None
    place = fit.models.index(anchor) if anchor in fit.models else None
    if place is None or not finite[place]:
        return np.full(len(theta), np.nan), f"no Elo: anchor {anchor} has no finite strength"
    elo = np.where(fit.same_group[place], elo_scale(theta, theta[place]), np.nan)
    return elo, f"no Elo: not in one component with anchor {anchor}"


def _why_no_ranks(board: Leaderboard) -> str | None:
    drawn = board.replicates
    if np.isnan(board.ranks.rank).any():
        return "no rank: not all strengths are finite and on one scale"
    if drawn is None:
        return "no rank set: no difference has an interval (too few clusters)"
    if not drawn.usable:
        return (
            f"no rank set: {drawn.n_nonfinite} of {len(drawn.parameters)} replicates have no "
            "finite fit, more than 1 %"
        )
    return None


def _whole(rank: float) -> int | None:
    return None if np.isnan(rank) else int(rank)


def _nothing_fitted(
    pairs: PairColumns,
    summed: PairTally,
    anchor: str | None,
    prior_sd: float | None,
    confidence: float,
) -> Mapping[str, list[Row]]:
    undefined = {"status": "undefined", "reason": "no judged pair"}
    models = pairs.models
    return {
        "ratings": [
            {
                "model": model,
                "component": k,
                "standing": "unjudged",
                "estimator": "mle" if prior_sd is None else "map",
                "confidence": confidence,
                "n_battles": int(summed.n_battles[k]),
                "n_clusters": int(summed.n_clusters[k]),
                "n_ties": int(summed.n_ties[k]),
                "n_missing": int(summed.n_missing[k]),
                "anchor": anchor,
                **undefined,
            }
            for k, model in enumerate(models)
        ],
        "contrasts": [
            {"model_i": i, "model_j": j, "confidence": confidence, **undefined}
            for i, j in combinations(models, 2)
        ],
        "rank_sets": [
            {"model": model, "confidence": confidence, "method": "max_t", **undefined}
            for model in models
        ],
        "fit_diagnostics": [
            {
                "converged": False,
                "iterations": 0,
                "n_weak": len(models),
                "n_strong": len(models),
                "n_strong_decisive": len(models),
                "replicates": 0,
                "replicates_nonfinite": 0,
                "tie_rule": "half_win",
                "prior_sd": prior_sd,
                **undefined,
            }
        ],
    }
