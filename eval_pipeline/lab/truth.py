"""What was planted, and whether the pipeline found it.

Every planted value names the place of its estimate: a table, a row of it, and a column. So the
comparison needs no knowledge of what the values mean.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

DIGITS = 9  # significant digits in truth.yaml: beyond them platforms differ
FLAGGED = ("contaminated", "short_exact")  # a verdict of review flags nothing


@dataclass(frozen=True)
class Planted:
    """A value that was planted, and where its estimate stands.

    where: column to value, such as {"contract": "arithmetic_words", "metric": "pass@1"}; it must
    pick one row. column: holds the estimate; its interval stands in ci_low and ci_high.
    """

    name: str
    value: float
    table: str
    where: Mapping[str, str | int]
    column: str


@dataclass(frozen=True)
class Truth:
    """All that the lab planted.

    leaks: leaked item to mechanism, of the contract `leaks_of`. licences: judge to whether it
    deserves one, of the contract `licences_of`. background: what the values follow from.
    """

    seed: int
    values: Sequence[Planted]
    leaks_of: str
    leaks: Mapping[str, str]
    licences_of: str
    licences: Mapping[str, bool]
    background: Mapping[str, object]


@dataclass(frozen=True)
class Recovery:
    """A planted value beside its estimate.

    covered: whether the interval holds the planted value; for counts and licences, whether the
    estimate equals it; None where there is no estimate or no interval.
    """

    name: str
    planted: float
    estimate: float
    ci_low: float
    ci_high: float
    covered: bool | None


def recovered(truth: Truth, tables: Mapping[str, pa.Table]) -> list[Recovery]:
    """Every planted value beside what the warehouse's tables say, in the order of the truth.

    tables: by name, stamped columns included; values of tables that are absent have no estimate.
    Raises ValueError where a planted value picks several rows.
    """
    rows = {name: table.to_pylist() for name, table in tables.items()}
    return [
        *(_estimated(planted, rows.get(planted.table, [])) for planted in truth.values),
        *_leaks_found(truth, rows.get("contamination_items", [])),
        *_licences_given(truth, rows.get("judge_licences", [])),
    ]


def of_contract(truth: Truth, contract: str) -> Truth:
    """The part of the truth that is about one contract."""
    return replace(
        truth,
        values=[planted for planted in truth.values if planted.where.get("contract") == contract],
        leaks=truth.leaks if truth.leaks_of == contract else {},
        licences=truth.licences if truth.licences_of == contract else {},
    )


def write_truth(truth: Truth, path: Path) -> None:
    """The truth as YAML, one planted value a line."""
    written = asdict(truth) | {"leaks": dict(truth.leaks), "licences": dict(truth.licences)}
    values = written.pop("values")
    head = yaml.safe_dump(_rounded(written), sort_keys=False, allow_unicode=True, width=100)
    lines = [_one_line(_rounded(value)) for value in values]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}values:\n" + "".join(f"- {line}\n" for line in lines), "utf-8")


def read_truth(path: Path) -> Truth:
    """The truth that `write_truth` wrote; raises ValueError where the file holds something else."""
    written = yaml.safe_load(path.read_text("utf-8"))
    try:
        values = tuple(Planted(**value) for value in written.pop("values"))
        return Truth(values=values, **written)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a truth of the lab ({error}); write it again") from error


def _estimated(planted: Planted, rows: Sequence[Mapping[str, object]]) -> Recovery:
    hits = [row for row in rows if all(row.get(k) == v for k, v in planted.where.items())]
    if len(hits) > 1:
        raise ValueError(f"{planted.name}: {planted.table} holds {len(hits)} such rows, expected 1")
    row = hits[0] if hits else {}
    estimate, low, high = (_number(row.get(c)) for c in (planted.column, "ci_low", "ci_high"))
    covered = low <= planted.value <= high if low <= high else None
    return Recovery(planted.name, planted.value, estimate, low, high, covered)


def _leaks_found(truth: Truth, rows: Sequence[Mapping[str, object]]) -> list[Recovery]:
    """Of each mechanism, items planted and found; then clean items that were taken for leaks."""
    if not truth.leaks:
        return []
    mine = [row for row in rows if row["contract"] == truth.leaks_of]
    flagged = {row["item_id"] for row in mine if row["status"] in FLAGGED}
    planted = {
        kind: {item for item, how in truth.leaks.items() if how == kind}
        for kind in sorted(set(truth.leaks.values()))
    }
    counts = [
        (f"leaks found, {kind}", len(ids), len(ids & flagged)) for kind, ids in planted.items()
    ]
    counts.append(("clean items taken for leaks", 0, len(flagged - set(truth.leaks))))
    return [
        _counted(name, expected, recovered if mine else None)
        for name, expected, recovered in counts
    ]


def _licences_given(truth: Truth, rows: Sequence[Mapping[str, object]]) -> list[Recovery]:
    outcome = {
        row["judge"]: row["outcome"]
        for row in rows
        if row["contract"] == truth.licences_of and row["slice"] == "all"
    }
    return [
        _counted(
            f"licence of {judge}",
            int(deserved),
            int(outcome[judge] == "licensed") if judge in outcome else None,
        )
        for judge, deserved in truth.licences.items()
    ]


def _counted(name: str, planted: int, recovered: int | None) -> Recovery:
    nan = math.nan
    if recovered is None:
        return Recovery(name, planted, nan, nan, nan, None)
    return Recovery(name, planted, recovered, nan, nan, recovered == planted)


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _rounded(value: Any) -> Any:
    """The value with floats at DIGITS significant digits, in plain lists and mappings."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(inner) for inner in value]
    return value


def _one_line(value: Mapping[str, object]) -> str:
    flow = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000
    )
    return str(flow).strip()
