"""Rows of the tables as what the figures draw; the report and the Dagster UI draw the same."""

from collections.abc import Iterable, Sequence

from eval_pipeline.layout import PANEL
from eval_pipeline.reporting.figures.ranking import Cyclic, Moved, Ranked
from eval_pipeline.reporting.figures.rules import FrontierPoint
from eval_pipeline.reporting.tables import Row

COSTS = {"cost_usd": "US dollars a sample", "tokens_out": "reply tokens a sample"}
LATENCY = {"latency_ms": "milliseconds a sample"}

Point = tuple[int, float, float | None, float | None]  # k, value, low, high


def ranked(
    ratings: Iterable[Row], contrasts: Iterable[Row], rank_sets: Iterable[Row]
) -> list[Ranked]:
    """One judge's models, the leader first, undefined ones last.

    The gap and its interval are those of the contrast with the leader, over all contrasts at once.
    """
    rows = sorted(
        ratings, key=lambda row: (row["theta"] is None, -(row["theta"] or 0.0), row["model"])
    )
    sets = {row["model"]: row for row in rank_sets}
    leader = next((row["model"] for row in rows if row["theta"] is not None), None)
    gaps: dict[str, tuple[float | None, float | None, float | None]] = {}
    for row in contrasts:
        d, low, high = row["difference"], row["simultaneous_low"], row["simultaneous_high"]
        if row["model_j"] == leader:
            gaps[row["model_i"]] = (d, low, high)
        elif row["model_i"] == leader:
            gaps[row["model_j"]] = (_minus(d), _minus(high), _minus(low))
    if leader is not None:
        gaps[leader] = (0.0, None, None)
    found = []
    for row in rows:
        own = sets.get(row["model"])
        gap = gaps.get(row["model"], (None, None, None))
        ranks = (own["rank"], own["rank_low"], own["rank_high"]) if own else (None, None, None)
        found.append(Ranked(row["model"], *gap, *ranks))
    return found


def chances(contrasts: Iterable[Row]) -> dict[tuple[str, str], float]:
    """Chance that the first of a pair beats the second, both ways round."""
    cells: dict[tuple[str, str], float] = {}
    for row in contrasts:
        if row["win_probability"] is not None:
            cells[row["model_i"], row["model_j"]] = row["win_probability"]
            cells[row["model_j"], row["model_i"]] = 1.0 - row["win_probability"]
    return cells


def chance_ranges(contrasts: Iterable[Row]) -> dict[tuple[str, str], tuple[float, float]]:
    """The interval of each chance, both ways round; a table of an older form has none."""
    ranges: dict[tuple[str, str], tuple[float, float]] = {}
    for row in contrasts:
        low, high = row.get("win_low"), row.get("win_high")
        if low is not None and high is not None:
            ranges[row["model_i"], row["model_j"]] = (low, high)
            ranges[row["model_j"], row["model_i"]] = (1.0 - high, 1.0 - low)
    return ranges


def moved(rows: Iterable[Row]) -> list[Moved]:
    """The panel's win rates before and after length control, the baseline itself left out."""
    own = [row for row in rows if row["judge"] == PANEL and row["model"] != row["baseline"]]
    own.sort(key=lambda row: (-(row["length_controlled"] or -1.0), row["model"]))
    return [
        Moved(row["model"], row["raw"], row["length_controlled"], row["ci_low"], row["ci_high"])
        for row in own
    ]


def cyclic(rows: Iterable[Row]) -> list[Cyclic]:
    """The panel first, then each judge; a table of an older form has no p-value."""
    own = sorted(rows, key=lambda row: (row["judge"] != PANEL, row["judge"]))
    return [Cyclic(row["judge"], row["cyclic_share"], row.get("deviance_p")) for row in own]


def curves(estimates: Iterable[Row]) -> dict[str, list[Point]]:
    """pass@k over all items by checkpoint; empty where none has two values of k."""
    found: dict[str, list[Point]] = {}
    for row in estimates:
        stem, at, k = row["metric"].partition("@")
        if stem != "pass" or not at or not k.isdigit() or row["value"] is None:
            continue
        if row["slice"] == "all" and row["policy"] == "primary":
            point = (int(k), row["value"], row["ci_low"], row["ci_high"])
            found.setdefault(row["checkpoint"], []).append(point)
    found = {name: sorted(points) for name, points in found.items()}
    return found if any(len(points) > 1 for points in found.values()) else {}


def choices(decisions: Sequence[Row]) -> list[tuple[str, list[FrontierPoint]]]:
    """Quality against each cost that is recorded of all that are placed, with the axis' name."""
    placed = [row for row in decisions if row["frontier"] not in (None, "unplaced")]
    placed = [row for row in placed if row["quality"] is not None]
    price = next((name for name in COSTS if _known(placed, name)), None)
    axes = ({price: COSTS[price]} if price else {}) | LATENCY
    return [
        (
            label,
            [
                FrontierPoint(
                    row["checkpoint"],
                    row["quality"],
                    row[name],
                    row.get("quality_low"),
                    row.get("quality_high"),
                    row["frontier"],
                )
                for row in placed
            ],
        )
        for name, label in axes.items()
        if _known(placed, name)
    ]


def _known(rows: Sequence[Row], name: str) -> bool:
    return bool(rows) and all(row[name] is not None for row in rows)


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
