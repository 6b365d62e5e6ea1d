"""The primary endpoint of each checkpoint, in one form whatever table it stands in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval_pipeline.decision.evidence import LENGTH_CONTROLLED
from eval_pipeline.layout import PANEL
from eval_pipeline.rows.estimates import MetricEstimatesRow, PairedComparisonsRow
from eval_pipeline.rows.rankings import LengthControlledWinRatesRow
from eval_pipeline.rows.scores import JudgeScoreEstimatesRow

WHOLE = "all"
ESTIMATES = ("metric_estimates", "judge_score_estimates")  # with samples, bounds and instrument


@dataclass(frozen=True)
class BoardEndpoint:
    """The primary endpoint. label: with its options. made_from: as the metric's entry says."""

    label: str
    made_from: str
    higher_is_better: bool | None

    @property
    def table(self) -> str:
        """The table in which its values stand."""
        if self.made_from == "scores":
            return "judge_score_estimates"
        if self.made_from != "judge":
            return "metric_estimates"
        if self.label == LENGTH_CONTROLLED:
            return "length_controlled_win_rates"
        return "paired_comparisons"


@dataclass(frozen=True)
class Headline:
    """One value of the endpoint. reference: what it is held against. slice: `all`, or name=value.

    row: value, interval, counts and bounds by the names that `leaderboard` has for them; what the
    table does not know is left out. aggregation, instrument: of estimates.
    """

    checkpoint: str
    slice: str
    reference: str | None
    value: float | None
    row: Mapping[str, object]
    aggregation: str = ""
    instrument: str = ""


def of_estimates(
    endpoint: BoardEndpoint, rows: Iterable[MetricEstimatesRow | JudgeScoreEstimatesRow]
) -> list[Headline]:
    """From `metric_estimates`, or the panel's rows of `judge_score_estimates`."""
    return [
        Headline(
            row["checkpoint"],
            row["slice"],
            None,
            row["value"],
            {
                **_interval(row),
                "value": row["value"],
                "n_items": row["n_items"],
                "n_units": row["n_units"],
                "n_samples": row["n_samples"],
                "n_excluded": row["n_excluded"],
                "bound_low": row["bound_low"],
                "bound_high": row["bound_high"],
                "measured_in": row["measured_in"],
            },
            row["aggregation"],
            row["instrument"],
        )
        for row in rows
        if (row["metric"], row["policy"]) == (endpoint.label, "primary")
        and row.get("judge", PANEL) == PANEL
    ]


def of_comparisons(rows: Iterable[PairedComparisonsRow]) -> list[Headline]:
    """From `paired_comparisons`: a win rate is of both, and stands minus one half."""
    return [
        Headline(
            row["checkpoint"],
            row["slice"],
            row["baseline"],
            row["difference"],
            {
                **_interval(row),
                "value": row["difference"],
                "n_items": row["n_shared"],
                "n_units": row["n_clusters"],
                "n_excluded": row["n_unshared"],
                "bound_low": row["bound_low"],
                "bound_high": row["bound_high"],
            },
        )
        for row in rows
        if row["role"] == "reference"
    ]


def of_rates(rows: Iterable[LengthControlledWinRatesRow]) -> list[Headline]:
    """From `length_controlled_win_rates`: the panel's rate of each model against the baseline."""
    return [
        Headline(
            row["model"],
            WHOLE,
            row["baseline"],
            row["length_controlled"],
            {
                **_interval(row),
                "value": row["length_controlled"],
                "n_items": row["n_items"],
                "n_units": row["n_clusters"],
                "n_excluded": row["n_missing"],
            },
        )
        for row in rows
        if row["judge"] == PANEL and row["model"] != row["baseline"]
    ]


def _interval(
    row: MetricEstimatesRow
    | JudgeScoreEstimatesRow
    | PairedComparisonsRow
    | LengthControlledWinRatesRow,
) -> dict[str, object]:
    """What every table with an interval says of it."""
    return {
        "se": row["se"],
        "ci_low": row["ci_low"],
        "ci_high": row["ci_high"],
        "ci_method": row["ci_method"],
        "confidence": row["confidence"],
        "status": row["status"],
        "reason": row["reason"],
    }
