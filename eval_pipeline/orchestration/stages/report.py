"""The HTML report of the contract version."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

WHOLE = (
    "contract",
    "run_manifest",
    "ingest_files",
    "metric_estimates",
    "contamination_items",
    "contamination_validation",
    "contamination_delta",
    "judge_audits",
    "judge_licences",
    "length_controlled_win_rates",
    "ratings",
    "contrasts",
    "rank_sets",
    "fit_diagnostics",
    "paired_comparisons",
    "decisions",
)
STRONGEST_HITS = 8


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.reporting.report import report_html, report_title
    from eval_pipeline.reporting.tables import ReportTables

    rows: dict[str, Sequence[Mapping[str, Any]]] = {
        name: inputs.table(name).to_pylist() for name in WHOLE if inputs.has(name)
    }
    totals: dict[str, int] = {}
    if inputs.has("contamination_hits"):
        hits = inputs.table("contamination_hits")
        totals["contamination_hits"] = hits.num_rows
        order = [("window_ratio", "descending"), ("item_id", "ascending"), ("corpus", "ascending")]
        strongest = hits.sort_by([*order, ("document", "ascending")]).slice(0, STRONGEST_HITS)
        rows["contamination_hits"] = strongest.to_pylist()
    rows["status_counts"] = _status_counts(inputs)
    planted, files = _planted(inputs)
    tables = ReportTables(rows, json.loads(rows["contract"][0]["body"]), planted, totals)
    page = {"title": report_title(tables), "html": report_html(tables)}
    return Computed({"report": TABLES["report"].from_rows([page])}, files)


def _status_counts(inputs: StageInputs) -> list[dict[str, Any]]:
    """Samples of each checkpoint by status, after verification where the contract verifies."""
    table = "verifier_scores" if inputs.has("verifier_scores") else "generations"
    statuses = inputs.table(table, ["checkpoint", "status"])
    counts = statuses.group_by(["checkpoint", "status"]).aggregate([([], "count_all")])
    named = counts.rename_columns({"count_all": "n"})
    return list(named.sort_by([("checkpoint", "ascending"), ("status", "ascending")]).to_pylist())


def _planted(inputs: StageInputs) -> tuple[Sequence[Mapping[str, Any]], list[FileRead]]:
    """Recovered against planted values, where the data root tells what was planted."""
    if not inputs.root.truth.exists():
        return (), []
    from eval_pipeline.lab.truth import read_truth, recovered

    truth, read = read_truth(inputs.root)
    names = ("metric_estimates", "judge_audits", "ratings", "length_controlled_win_rates")
    tables = {
        name: inputs.table(name)
        for name in (*names, "contamination_items", "judge_licences")
        if inputs.has(name)
    }
    return recovered(truth, inputs.contract.contract, tables), [read]


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    return (root.truth,)


STAGE = Stage(
    name="report",
    tables=("report",),
    scope="contract",
    reads=(*WHOLE, "contamination_hits", "generations", "verifier_scores"),
    version=1,
    compute=compute,
    files=files,
)
