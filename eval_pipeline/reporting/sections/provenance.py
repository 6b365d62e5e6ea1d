"""Recovered against planted, how each checkpoint was made, and how to read the page."""

import json

from eval_pipeline.reporting.markup import Markup, data_table, interval, join, tag
from eval_pipeline.reporting.page import badge
from eval_pipeline.reporting.tables import ReportTables
from eval_pipeline.rows.samples import RunManifestRow


def planted(tables: ReportTables) -> Markup | None:
    """What was planted in the bundled data, and what the pipeline found."""
    if not tables.planted:
        return None
    shown = [
        {
            "name": row["name"],
            "planted": row["planted"],
            "estimate": interval(row["estimate"], row["ci_low"], row["ci_high"]),
            "covered": badge("covered", "good")
            if row["covered"]
            else badge("not covered", "wait")
            if row["covered"] is not None
            else None,
        }
        for row in tables.planted
    ]
    covered = [row["covered"] for row in tables.planted if row["covered"] is not None]
    return join(
        tag(
            "p",
            f"{sum(covered)} of {len(covered)} planted values lie inside their intervals; "
            "with 95 % intervals about one in twenty should not.",
        ),
        data_table(
            shown,
            {
                "name": "Quantity",
                "planted": "Planted",
                "estimate": "Recovered",
                "covered": "Interval",
            },
            None,
            ("planted", "estimate"),
        ),
    )


def manifests(tables: ReportTables) -> Markup | None:
    """The run manifest of each checkpoint side by side; fields that drift are marked."""
    rows = tables.rows_of(RunManifestRow)
    if not rows:
        return None
    names = tables.checkpoints
    values: dict[str, dict[str, str]] = {}
    for row in rows:
        text = row["value"] if row["unknown"] is None else f"unknown: {row['unknown']}"
        values.setdefault(row["field"], {})[row["checkpoint"]] = text or ""
    shown = [
        {
            "field": field,
            "drift": badge("differs", "wait")
            if len(set(by_name.values())) > 1 or len(by_name) < len(names)
            else None,
            **{f"c{i}": by_name.get(name) for i, name in enumerate(names)},
        }
        for field, by_name in sorted(values.items())
    ]
    columns = {"field": "Field", "drift": "", **{f"c{i}": name for i, name in enumerate(names)}}
    made = tag(
        "details", tag("summary", "How each checkpoint was made"), data_table(shown, columns)
    )
    return join(tag("p", tables.unverified), made) if tables.unverified else made


def contract_body(tables: ReportTables) -> Markup:
    """The whole expanded contract, folded away."""
    text = json.dumps(tables.body, ensure_ascii=False, indent=2, sort_keys=True)
    return tag(
        "details", tag("summary", "The expanded contract"), tag("blockquote", text, class_="mono")
    )
