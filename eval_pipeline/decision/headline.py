"""The primary endpoint of each checkpoint, in one form whatever table it stands in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from eval_pipeline.decision.evidence import LENGTH_CONTROLLED
from eval_pipeline.layout import PANEL

Row = Mapping[str, Any]

WHOLE = "all"
ESTIMATES = ("metric_estimates", "judge_score_estimates")  # with samples, bounds and instrument
_SAME = ("value", "se", "ci_low", "ci_high", "ci_method", "confidence", "status", "reason")
_OF_ESTIMATES = (
    *("n_items", "n_units", "n_samples", "n_excluded", "bound_low", "bound_high"),
    *("unit", "aggregation", "instrument", "measured_in"),
)


@dataclass(frozen=True)
class Endpoint:
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

    row: value, interval, counts and bounds by the names that `leaderboard` has for them, and how
    the value was made; what the table does not know is left out.
    """

    checkpoint: str
    slice: str
    reference: str | None
    row: Row


def headlines(endpoint: Endpoint, rows: Iterable[Row]) -> list[Headline]:
    """The values of the endpoint, on all items and on each slice, from rows of its table."""
    return list(_OF_TABLE.get(endpoint.table, _estimates)(endpoint, rows))


def _estimates(endpoint: Endpoint, rows: Iterable[Row]) -> Iterator[Headline]:
    for row in rows:
        asked = (row["metric"], row["policy"]) == (endpoint.label, "primary")
        if asked and row.get("judge", PANEL) == PANEL:
            kept = {name: row[name] for name in (*_SAME, *_OF_ESTIMATES)}
            yield Headline(row["checkpoint"], row["slice"], None, kept)


def _differences(endpoint: Endpoint, rows: Iterable[Row]) -> Iterator[Headline]:
    """Of `paired_comparisons`: a win rate is of both, and stands minus one half."""
    for row in rows:
        if row["role"] == "reference":
            kept = {
                **{name: row[name] for name in _SAME if name != "value"},
                "value": row["difference"],
                "n_items": row["n_shared"],
                "n_units": row["n_clusters"],
                "n_excluded": row["n_unshared"],
                "bound_low": row["bound_low"],
                "bound_high": row["bound_high"],
            }
            yield Headline(row["checkpoint"], row["slice"], row["baseline"], kept)


def _equal_length(endpoint: Endpoint, rows: Iterable[Row]) -> Iterator[Headline]:
    for row in rows:
        if row["judge"] == PANEL and row["model"] != row["baseline"]:
            kept = {
                **{name: row[name] for name in _SAME if name != "value"},
                "value": row["length_controlled"],
                "n_items": row["n_items"],
                "n_units": row["n_clusters"],
                "n_excluded": row["n_missing"],
            }
            yield Headline(row["model"], WHOLE, row["baseline"], kept)


_OF_TABLE = {
    "paired_comparisons": _differences,
    "length_controlled_win_rates": _equal_length,
}
