"""What the tables say of one checkpoint, gathered for its decision."""

import math
from collections.abc import Iterable

from eval_pipeline.decision.decide import DecisionEvidence
from eval_pipeline.decision.rule import Estimated
from eval_pipeline.layout import PANEL
from eval_pipeline.rows.estimates import MetricEstimatesRow, PairedComparisonsRow
from eval_pipeline.rows.rankings import LengthControlledWinRatesRow
from eval_pipeline.rows.scores import JudgeScoreEstimatesRow

OwnEstimate = MetricEstimatesRow | JudgeScoreEstimatesRow

LENGTH_CONTROLLED = "length_controlled_win_rate"
EVEN = 0.5  # the win rate of equals


def gather(
    checkpoint: str,
    metric: str,
    comparisons: Iterable[PairedComparisonsRow],
    estimates: Iterable[OwnEstimate],
    length_controlled: Iterable[LengthControlledWinRatesRow],
    *,
    quarantine: str | None,
    pending: str | None = None,
) -> DecisionEvidence:
    """The comparison with the reference, and the checkpoint's own estimates, on all items.

    metric: label of the primary endpoint. comparisons, estimates and length_controlled: rows of
    `paired_comparisons`, `metric_estimates` (with the panel's of `judge_score_estimates`) and
    `length_controlled_win_rates`. quarantine, pending: why its judges are not believed, and what
    they have still to cast, a sentence each. A checkpoint without a comparison in the role of
    reference is the reference itself.
    """
    against = [
        row
        for row in comparisons
        if row["checkpoint"] == checkpoint and row["role"] == "reference" and row["slice"] == "all"
    ]
    own = findings(estimates, checkpoint)
    if not against:
        return DecisionEvidence(checkpoint, None, None, math.nan, None, own, quarantine, pending)
    row = against[0]
    reference = row["baseline"]
    difference = _finding(row, row["difference"], row["n_shared"])
    bounds, n_unshared = _bounds(row), row["n_unshared"]
    se, method = row["se"], row["ci_method"]
    if metric == LENGTH_CONTROLLED:
        found = _panel_row(length_controlled, checkpoint, reference)
        if found is None:
            missing = f"no panel win rate at equal length of {checkpoint} against {reference}"
            return DecisionEvidence(
                checkpoint, reference, None, math.nan, None, own, quarantine, pending, missing
            )
        difference, bounds = _above_even(found), None
        se, method = found["se"], found["ci_method"]
    return DecisionEvidence(
        checkpoint,
        reference,
        difference,
        _number(se),
        method,
        own,
        quarantine,
        pending,
        bounds=bounds,
        n_unshared=n_unshared,
    )


def findings(estimates: Iterable[OwnEstimate], checkpoint: str) -> dict[str, Estimated]:
    """The checkpoint's own estimates over all items, by metric label."""
    return {
        row["metric"]: _finding(row, row["value"], row["n_items"])
        for row in estimates
        if row["checkpoint"] == checkpoint and row["slice"] == "all" and row["policy"] == "primary"
    }


def _bounds(row: PairedComparisonsRow) -> tuple[float, float] | None:
    low, high = row["bound_low"], row["bound_high"]
    return None if low is None or high is None else (low, high)


def _panel_row(
    rows: Iterable[LengthControlledWinRatesRow], model: str, baseline: str
) -> LengthControlledWinRatesRow | None:
    wanted = (PANEL, model, baseline)
    return next((r for r in rows if (r["judge"], r["model"], r["baseline"]) == wanted), None)


def _above_even(row: LengthControlledWinRatesRow) -> Estimated:
    """A win rate at equal length as a difference: what it exceeds one half by."""
    rate = _finding(row, row["length_controlled"], row["n_items"])
    return Estimated(
        rate.value - EVEN,
        rate.low - EVEN,
        rate.high - EVEN,
        rate.n_items,
        rate.confidence,
        rate.reason,
    )


def _finding(
    row: OwnEstimate | PairedComparisonsRow | LengthControlledWinRatesRow,
    value: float | None,
    n_items: int,
) -> Estimated:
    return Estimated(
        _number(value),
        _number(row["ci_low"]),
        _number(row["ci_high"]),
        n_items,
        row["confidence"],
        row["reason"],
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value
