"""What items are worth, a row each: facility, discrimination, curve, odds between groups."""

from collections.abc import Sequence

import numpy as np

from eval_pipeline.metrics.estimates.row import Row, status_of
from eval_pipeline.metrics.item_analysis.classical import classical_items
from eval_pipeline.metrics.item_analysis.differential import mantel_haenszel, strata_of
from eval_pipeline.metrics.item_analysis.responses import ItemAnswers, ItemScores
from eval_pipeline.metrics.item_analysis.two_parameter import TwoParameterFit, fit_two_parameter
from eval_pipeline.metrics.samples import Bools, Floats, Ints, Items, Labels
from eval_pipeline.statistics.multiplicity import Rule, adjusted

LEAST_CHECKPOINTS = 3  # two checkpoints say of an item only which of them it favours


def item_rows(items: Items, scores: ItemScores, answers: ItemAnswers) -> list[Row]:
    """A row an item: facility and discrimination over checkpoints, a curve over respondents."""
    lost = np.isnan(scores.table).sum(axis=1)
    n = scores.table.shape[1]
    whole = (lost == 0) & (n > 0)
    facility, item_total, discrimination = np.full((3, len(items)), np.nan)
    reasons: list[str | None] = [
        f"{lost_here} of {n} checkpoints have no scored draw of it" if n else "no checkpoint"
        for lost_here in lost
    ]
    if whole.any():
        classical = classical_items(scores.table[whole])
        facility[whole] = classical.facility
        too_few = f"{n} checkpoints are too few for a correlation: {LEAST_CHECKPOINTS} are needed"
        if n >= LEAST_CHECKPOINTS:
            item_total[whole], discrimination[whole] = (
                classical.item_total,
                classical.discrimination,
            )
        for i, reason in zip(np.flatnonzero(whole), classical.reasons, strict=True):
            reasons[i] = reason if n >= LEAST_CHECKPOINTS else too_few
    fit, no_fit = _fit(answers)
    n_respondents = np.sum(~np.isnan(answers.table), axis=1)
    return [
        {
            "item_id": name,
            "n_checkpoints": n - int(lost[i]),
            "facility": facility[i],
            "discrimination": discrimination[i],
            "item_total": item_total[i],
            "status": "undefined" if np.isnan(discrimination[i]) else "ok",
            "reason": reasons[i],
            "n_respondents": int(n_respondents[i]),
            **_curve(fit, no_fit, i),
        }
        for i, name in enumerate(items.ids)
    ]


def functioning_rows(
    items: Items,
    answers: ItemAnswers,
    family: Labels,
    reference: Sequence[str],
    focal: Sequence[str],
    *,
    strata: int,
    rule: Rule,
) -> list[Row]:
    """A row an item: its odds between two groups of families at equal ability.

    family: of each respondent. Ability is the share of right answers, cut into `strata` classes of
    as many respondents each; equal shares fall in one class.
    """
    in_reference, in_focal = np.isin(family, list(reference)), np.isin(family, list(focal))
    member = in_reference | in_focal
    table, is_focal = answers.table[:, member], in_focal[member]
    known = ~np.isnan(table)
    met = known.sum(axis=0)
    share = np.divide(np.nansum(table, axis=0), met, out=np.zeros(len(met)), where=met > 0)
    stratum = _classes(share, strata)
    names = {"reference": ", ".join(sorted(reference)), "focal": ", ".join(sorted(focal))}
    rows = []
    for i, name in enumerate(items.ids):
        asked = known[i]
        row = {
            "item_id": name,
            **names,
            "n_reference": int(np.sum(asked & ~is_focal)),
            "n_focal": int(np.sum(asked & is_focal)),
        }
        rows.append(row | _functioning(table[i, asked] == 1, is_focal[asked], stratum[asked]))
    p = [row["p_value"] for row in rows]
    for row, p_adjusted in zip(rows, adjusted(p, rule) if rows else (), strict=True):
        row |= {"p_adjusted": p_adjusted, "adjustment": rule}
    return rows


def _functioning(right: Bools, focal: Bools, stratum: Ints) -> Row:
    if not len(right):
        nothing = dict.fromkeys(
            ("odds_ratio", "ets_delta", "ets_delta_se", "chi_squared", "p_value"), np.nan
        )
        reason = "no respondent of either group answered it"
        counts = {"size": None, "n_strata": 0, "n_strata_used": 0}
        return {**nothing, **counts, "status": "undefined", "reason": reason}
    odds = mantel_haenszel(strata_of(right, focal, stratum))
    return {
        "odds_ratio": odds.odds_ratio,
        "ets_delta": odds.ets_delta,
        "ets_delta_se": odds.ets_delta_se,
        "chi_squared": odds.chi_squared,
        "p_value": odds.p_value,
        "size": odds.size,
        "n_strata": odds.n_strata,
        "n_strata_used": odds.n_strata_used,
        "status": "undefined" if odds.reason else "ok",
        "reason": odds.reason,
    }


def _classes(ability: Floats, strata: int) -> Ints:
    """The class of each respondent, numbers from 0."""
    if not len(ability):
        return np.zeros(0, dtype=np.int64)
    edges = np.unique(np.quantile(ability, np.arange(1, strata) / strata))
    return np.searchsorted(edges, ability, side="right").astype(np.int64)


def _fit(answers: ItemAnswers) -> tuple[TwoParameterFit | None, str | None]:
    """The fit, or why there is none."""
    if answers.graded:
        between = f"{answers.graded} verdicts lie between wrong and right"
        return None, f"{between}: a curve of the right answer needs 0 or 1"
    if not answers.table.shape[1]:
        return None, "no respondent"
    try:
        fit = fit_two_parameter(answers.table)
    except ValueError as fault:
        return None, str(fault)
    if not fit.converged:
        return None, f"the fit did not converge in {fit.steps} steps"
    return fit, None


def _curve(fit: TwoParameterFit | None, no_fit: str | None, i: int) -> Row:
    """Slope and place of the item's curve with their errors."""
    if fit is None:
        nothing = dict.fromkeys(("slope", "slope_se", "difficulty", "difficulty_se"), np.nan)
        return {**nothing, "curve_status": "undefined", "curve_reason": no_fit}
    reason = fit.reasons[i]
    if reason is None and np.isnan(fit.discrimination_se[i]):
        reason = "no standard errors: respondents are fewer than parameters, or resemble each other"
    return {
        "slope": fit.discrimination[i],
        "slope_se": fit.discrimination_se[i],
        "difficulty": fit.difficulty[i],
        "difficulty_se": fit.difficulty_se[i],
        "curve_status": status_of(float(fit.discrimination[i])),
        "curve_reason": reason,
    }
