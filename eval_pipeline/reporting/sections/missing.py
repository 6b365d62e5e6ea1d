"""What the failed and missing samples may do to the primary endpoint."""

from eval_pipeline.reporting.markup import Markup, data_table, tag
from eval_pipeline.reporting.tables import ReportTables, Row
from eval_pipeline.rows.estimates import MetricEstimatesRow

POLICIES = {
    "primary": "As the contract counts them",
    "all_wrong": "All failed as wrong",
    "valid_only": "All failed left out",
}


def missing(tables: ReportTables) -> Markup | None:
    """Each checkpoint's primary endpoint under each reading of its failed samples."""
    contract = tables.one("contract")
    label = contract["primary_endpoint"] if contract else None
    found: dict[str, dict[str, Row]] = {}
    for row in tables.rows_of(MetricEstimatesRow):
        if row["metric"] == label and row["slice"] == "all" and row["policy"] in POLICIES:
            found.setdefault(row["checkpoint"], {})[row["policy"]] = row
    shown = [
        {
            "checkpoint": name,
            **{policy: row["value"] for policy, row in found[name].items()},
            "bounds": _bounds(found[name].get("primary")),
        }
        for name in tables.checkpoints
        if len(found.get(name, {})) > 1
    ]
    if not shown:
        return None
    columns = {"checkpoint": "Checkpoint", **POLICIES, "bounds": "Worst to best case"}
    caption = (
        f"{label} under each reading of the samples that failed: neither all wrong nor all left "
        "out is the truth, and the contract said beforehand which counts."
    )
    return data_table(shown, columns, caption, tuple(POLICIES))


def _bounds(row: Row | None) -> Markup | None:
    if row is None or row["bound_low"] is None or row["bound_high"] is None:
        return None
    return tag("span", f"{row['bound_low']:.4f} to {row['bound_high']:.4f}", class_="interval")
