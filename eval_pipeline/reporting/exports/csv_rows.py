"""CSV: a row a checkpoint, safe to open in a spreadsheet."""

import csv
import io

from eval_pipeline.reporting.escaping import for_csv
from eval_pipeline.reporting.exports.export import Export, Files

COLUMNS = (
    "contract", "version", "checkpoint", "place", "metric", "value", "ci_low", "ci_high",
    "ci_method", "confidence", "n_items", "n_units", "n_samples", "n_excluded", "bound_low",
    "bound_high", "parser_failure", "undecided", "rejected", "reference", "outcome", "reason_code",
    "decision_reason", "worst_slice", "worst_value", "leak_note", "quarantined", "reading", "draft",
    "status", "reason", "terms",
)  # fmt: skip


def written(export: Export) -> Files:
    """One file; what is undefined is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, "identity"])
    for row in export.rows:
        cells: dict[str, object] = {**row}
        writer.writerow([*(_cell(cells[name]) for name in COLUMNS), export.identity])
    return {f"{export.contract}.csv": text.getvalue()}


def _cell(value: object) -> str:
    if value is None:
        return ""
    return for_csv(value) if isinstance(value, str) else str(value)
