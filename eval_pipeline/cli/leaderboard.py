"""The primary endpoint of each checkpoint under one contract, as the warehouse holds it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from eval_pipeline.cli.reading.project import Chosen
from eval_pipeline.layout import PANEL
from eval_pipeline.reporting.unjudged import Unjudged, unjudged

if TYPE_CHECKING:
    from eval_pipeline.warehouse.store import Warehouse

LENGTH_CONTROLLED = "length_controlled_win_rate"
ESTIMATES = ("metric_estimates", "judge_score_estimates")  # with samples, bounds and aggregation

# What stands in each row, whatever table it was read from.
VALUES = ("value", "se", "ci_low", "ci_high", "ci_method", "confidence", "status", "reason")
BOUNDS = ("bound_low", "bound_high")
READING = ("unit", "aggregation", "instrument", "measured_in")
COUNTS = ("n_items", "n_units", "n_samples", "n_excluded")

Row = dict[str, Any]


@dataclass(frozen=True)
class Leaderboard:
    """Rows from the best value down, undefined ones last, and what must be known to read them.

    metric: label, with what it is held against. table: where the values stand. terms: estimator,
    unit of analysis and instrument in a sentence. identity: of the contract that made them.
    quarantined: whether all of it rests on judges without a licence. recorded_by: who graded,
    where the verdicts were taken from the rows and not made here. unjudged: by checkpoint.
    """

    metric: str
    table: str
    terms: str
    identity: str
    written_at: str
    quarantined: bool
    rows: tuple[Row, ...]
    n_total: int  # items of the benchmark
    recorded_by: str | None
    unjudged: Mapping[str, Unjudged]


def leaderboard(
    warehouse: "Warehouse", one: Chosen, as_of: datetime | str | None = None
) -> Leaderboard | None:
    """The leaderboard now or at a moment; None where nothing was computed yet.

    Raises MixedIdentities where the checkpoints' numbers were made under several identities.
    """
    from eval_pipeline.metrics.registry import metric as named
    from eval_pipeline.warehouse.stored import require_one_identity

    metric = one.contract.question.primary_endpoint.metric
    source = named(metric).made_from
    if source != "judge":
        table = "judge_score_estimates" if source == "scores" else "metric_estimates"
    elif metric == LENGTH_CONTROLLED:
        table = "length_controlled_win_rates"
    else:
        table = "paired_comparisons"
    found = {name: _read(warehouse, one, name, as_of) for name in (table, "decisions")}
    stored = found[table]
    if stored is None or not stored.pointers:
        return None
    require_one_identity(*(table for table in found.values() if table is not None))
    glanced = stored.glance().to_pylist()
    rows = [_row(table, row) for row in glanced if _is_primary(table, one, row)]
    decisions = {} if found["decisions"] is None else _decisions(found["decisions"])
    rows = [{**row, **_decided(decisions.get(row["checkpoint"]))} for row in rows]
    sign = 1.0 if named(metric).higher_is_better is False else -1.0
    rows.sort(key=lambda r: (r["value"] is None, sign * (r["value"] or 0.0), r["checkpoint"]))
    judged = source in ("judge", "scores")
    quarantined = judged and all(row["quarantined"] for row in decisions.values())
    return Leaderboard(
        metric=_metric(table, one, rows),
        table=table,
        terms=_terms(one, rows, quarantined, scored=source == "scores"),
        identity=stored.pointers[0].identity,
        written_at=max(pointer.written_at for pointer in stored.pointers),
        quarantined=quarantined,
        rows=tuple(rows),
        n_total=0 if (items := _read(warehouse, one, "items", as_of)) is None else items.rows,
        recorded_by=recorded_by(one) if table == "metric_estimates" else None,
        unjudged=unjudged(glanced) if table == "metric_estimates" else {},
    )


def recorded_by(one: Chosen) -> str | None:
    """Who graded, where the contract's verdicts are those that the rows hold."""
    from eval_pipeline.verification.registry import is_recorded

    asked = one.contract.verification
    if asked is None or not is_recorded(asked.verifier):
        return None
    return str(asked.options.get("grader"))


def _read(warehouse: "Warehouse", one: Chosen, table: str, as_of: datetime | str | None) -> Any:
    from eval_pipeline.warehouse.errors import NotMaterialised

    try:
        return warehouse.read(table, *one.home, as_of=as_of)
    except NotMaterialised:
        return None


def _is_primary(table: str, one: Chosen, row: Mapping[str, Any]) -> bool:
    """Whether the row is the primary endpoint of a checkpoint on all items."""
    if table in ESTIMATES:
        label = one.contract.question.primary_endpoint.label
        headline = (row["metric"], row["slice"], row["policy"]) == (label, "all", "primary")
        return headline and row.get("judge", PANEL) == PANEL
    if table == "paired_comparisons":
        return (row["role"], row["slice"]) == ("reference", "all")
    return bool(row["judge"] == PANEL and row["model"] != row["baseline"])


def _row(table: str, row: Mapping[str, Any]) -> Row:
    if table in ESTIMATES:
        kept = (*VALUES, *COUNTS, *BOUNDS, *READING)
        return {"checkpoint": row["checkpoint"], **{name: row[name] for name in kept}}
    if table == "paired_comparisons":
        named = {
            "checkpoint": row["checkpoint"],
            "reference": row["baseline"],
            "value": row["difference"],
            "n_items": row["n_shared"],
            "n_units": row["n_clusters"],
            "n_excluded": row["n_unshared"],
        }
    else:
        named = {
            "checkpoint": row["model"],
            "reference": row["baseline"],
            "value": row["length_controlled"],
            "n_items": row["n_items"],
            "n_units": row["n_clusters"],
            "n_excluded": row["n_missing"],
        }
    return {**named, "n_samples": None, **{name: row[name] for name in VALUES if name in row}}


def _decisions(stored: Any) -> dict[str, Mapping[str, Any]]:
    return {row["checkpoint"]: row for row in stored.glance().to_pylist()}


def _decided(decision: Mapping[str, Any] | None) -> Row:
    if decision is None:
        return {"outcome": None, "reason_code": None}
    return {"outcome": decision["outcome"], "reason_code": decision["reason_code"]}


def _metric(table: str, one: Chosen, rows: list[Row]) -> str:
    label = one.contract.question.primary_endpoint.label
    if table in ESTIMATES or not rows:
        return label
    against = ", ".join(sorted({row["reference"] for row in rows}))
    if table == "paired_comparisons":
        return f"{label} minus one half, against {against}"
    return f"{label} against {against}"


def _terms(one: Chosen, rows: list[Row], quarantined: bool, *, scored: bool) -> str:
    """Estimator, unit of analysis and instrument: what every number is to be read with."""
    contract = one.contract
    unit = f"clustered by {contract.unit.clustered_by}"
    level = f"{contract.confidence:.0%} intervals"
    if contract.statistics.sequential:
        level += " that hold at any look"
    if rows and "aggregation" in rows[0]:
        first = rows[0]
        made = f"averaged {first['aggregation']}; {level}, {unit}; {first['instrument']}"
        if not scored:
            grader = recorded_by(one)
            return f"{made}, of verdicts recorded by {grader}, not judged here" if grader else made
        return f"mean of {_judges(quarantined)}, {made}, {first['measured_in']}"
    judging = contract.judging
    one_order = judging is not None and judging.orders == "one"
    orders = "one seating order of each pair" if one_order else "both seating orders"
    return f"mean of {_judges(quarantined)}, {orders}; {level}, {unit}"


def _judges(quarantined: bool) -> str:
    return "all judges, none of them licensed" if quarantined else "the licensed judges"
