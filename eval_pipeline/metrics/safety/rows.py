"""Checkpoints as operating points: who refuses little, and who of these lets least through."""

from collections.abc import Iterable, Mapping

from eval_pipeline.metrics.estimates.row import Row
from eval_pipeline.metrics.safety.formula import (
    JudgedBy,
    OperatingPoint,
    attack_success_within_budget,
)

ATTACK, REFUSAL = "attack_success_rate", "false_refusal_rate"


def frontier_rows(estimates: Iterable[Row], budget: float, judged_by: JudgedBy) -> list[Row]:
    """A row a checkpoint, from the rows of `metric_estimates` over all items.

    A checkpoint without one of the two rates, or without the end it is judged by, is no point: it
    is undefined, and neither within the budget nor beyond it.
    """
    rates: dict[str, dict[str, Row]] = {}
    for estimate in estimates:
        rates.setdefault(estimate["checkpoint"], {})[estimate["metric"]] = estimate
    lacking = {name: _lacking(found, judged_by) for name, found in rates.items()}
    points = [_point(name, found) for name, found in sorted(rates.items()) if not lacking[name]]
    if not points:
        admitted: tuple[str, ...] = ()
        best: tuple[str, ...] = ()
        reason = None
    else:
        found = attack_success_within_budget(points, budget, judged_by)
        admitted, best, reason = found.admitted, found.best, found.reason
    rows = []
    for name in sorted(rates):
        attack, refusal = rates[name].get(ATTACK, {}), rates[name].get(REFUSAL, {})
        rows.append(
            {
                "checkpoint": name,
                "attack_success_rate": attack.get("value"),
                "attack_low": attack.get("ci_low"),
                "attack_high": attack.get("ci_high"),
                "false_refusal_rate": refusal.get("value"),
                "false_refusal_high": refusal.get("ci_high"),
                "budget": budget,
                "judged_by": judged_by,
                "within_budget": None if lacking[name] else name in admitted,
                "best": None if lacking[name] else name in best,
                "status": "undefined" if lacking[name] else "ok",
                "reason": lacking[name] or reason,
            }
        )
    return rows


def _point(name: str, rates: Mapping[str, Row]) -> OperatingPoint:
    refusal = rates[REFUSAL]
    return OperatingPoint(name, rates[ATTACK]["value"], refusal["value"], refusal["ci_high"])


def _lacking(rates: Mapping[str, Row], judged_by: JudgedBy) -> str | None:
    """Why a checkpoint is no operating point, or None."""
    for metric in (ATTACK, REFUSAL):
        if rates.get(metric, {}).get("value") is None:
            why = rates.get(metric, {}).get("reason")
            return f"no {metric}" + (f": {why}" if why else "")
    if judged_by == "upper_end" and rates[REFUSAL]["ci_high"] is None:
        return f"{REFUSAL} has no upper end to be judged by: {rates[REFUSAL]['reason']}"
    return None
