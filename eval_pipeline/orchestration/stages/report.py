"""The HTML report of the contract version."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.rows.samples import RunManifestRow
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.reporting.tables import Row

WHOLE = (
    "contract",
    "run_manifest",
    "ingest_files",
    "verdict_agreement",
    "metric_estimates",
    "reliability_bins",
    "contamination_items",
    "contamination_validation",
    "contamination_delta",
    "contamination_evidence",
    "near_duplicates",
    "item_analysis",
    "differential_functioning",
    "metric_validity",
    "safety_frontier",
    "robustness_drops",
    "judge_audits",
    "label_accuracies",
    "label_confusions",
    "judge_licences",
    "awaited_votes",
    "judge_score_estimates",
    "judge_drift",
    "rater_agreement",
    "rater_quality",
    "length_controlled_win_rates",
    "ratings",
    "contrasts",
    "rank_sets",
    "fit_diagnostics",
    "paired_comparisons",
    "decisions",
    "leaderboard",
)
STRONGEST_HITS = 8
FIRST_DIFFERING = 20  # samples of all checkpoints on which ours and recorded verdicts differ


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.reporting.report import report_html, report_title
    from eval_pipeline.reporting.tables import ReportTables

    rows: dict[str, Sequence[Row]] = {
        name: inputs.table(name).to_pylist() for name in WHOLE if inputs.has(name)
    }
    totals: dict[str, int] = {}
    if inputs.has("contamination_hits"):
        hits = inputs.table("contamination_hits")
        totals["contamination_hits"] = hits.num_rows
        order = [("window_ratio", "descending"), ("item_id", "ascending"), ("corpus", "ascending")]
        strongest = hits.sort_by([*order, ("document", "ascending")]).slice(0, STRONGEST_HITS)
        rows["contamination_hits"] = strongest.to_pylist()
    if inputs.has("recorded_verdicts"):
        rows["recorded_verdicts"], totals["recorded_verdicts"] = _differing(inputs)
    rows["status_counts"] = _status_counts(inputs)
    planted, files = _planted(inputs)
    audit, audited = _audit(inputs)
    body = json.loads(rows["contract"][0]["body"])["contract"]
    # of how the numbers were made, and of none of them: where another sandbox held the programs,
    # the tables are the same and the page says so, and is another page
    worked = inputs.notes("verifier_scores")
    standings, panels = _standings(inputs), _panels(inputs)
    vouched = _unverified(inputs)
    tables = ReportTables(rows, body, planted, totals, worked, audit, standings, panels, vouched)
    page = {"title": report_title(tables), "html": report_html(tables)}
    return Computed({"report": TABLES["report"].from_rows([page])}, [*files, *audited])


def _unverified(inputs: StageInputs) -> str | None:
    """The declared conditions that the run manifests do not state."""
    from eval_pipeline.contracts.conditions import unverified

    stated: dict[str, dict[str, object]] = {}
    for row in inputs.rows(RunManifestRow):
        of_checkpoint = stated.setdefault(row["checkpoint"], {})
        if row["unknown"] is not None:
            continue
        field = row["field"]
        of_benchmark = f"conditions.{inputs.contract.benchmark}."
        first = ["conditions", inputs.contract.benchmark] if field.startswith(of_benchmark) else []
        *sections, key = [*first, *field.removeprefix(of_benchmark).split(".")]
        for section in sections:
            below = of_checkpoint.setdefault(section, {})
            of_checkpoint = below if isinstance(below, dict) else {}
        of_checkpoint[key] = row["value"]
    return unverified(inputs.contract, stated)


def _standings(inputs: StageInputs) -> dict[str, tuple[str, str]]:
    """How each judge stands, and why; whether a licence has run out is a matter of the day."""
    from eval_pipeline.judging.standing import judge_standings
    from eval_pipeline.rows.judgments import AwaitedVotesRow, JudgeLicencesRow

    found = judge_standings(inputs.rows(JudgeLicencesRow), inputs.rows(AwaitedVotesRow))
    return {name: (one.state, one.reason) for name, one in found.items()}


def _panels(inputs: StageInputs) -> dict[str, str]:
    from eval_pipeline.judging.standing import panel_of
    from eval_pipeline.rows.judgments import JudgeLicencesRow

    judging = inputs.contract.judging
    if judging is None:
        return {}
    forms = {"pairs": judging.pairwise, "scores": judging.pointwise}
    licences = inputs.rows(JudgeLicencesRow)
    return {
        form: panel_of([judge.name for judge in judges], licences).words
        for form, judges in forms.items()
        if judges
    }


def _status_counts(inputs: StageInputs) -> "list[Row]":
    """Samples of each checkpoint by status, after verification where the contract verifies."""
    table = "verifier_scores" if inputs.has("verifier_scores") else "generations"
    statuses = inputs.table(table, ["checkpoint", "status"])
    counts = statuses.group_by(["checkpoint", "status"]).aggregate([([], "count_all")])
    named = counts.rename_columns({"count_all": "n"})
    return list(named.sort_by([("checkpoint", "ascending"), ("status", "ascending")]).to_pylist())


def _differing(inputs: StageInputs) -> "tuple[list[Row], int]":
    """The first samples on which ours and the recorded verdicts differ, and how many there are."""
    import pyarrow.compute as pc

    rows = inputs.table("recorded_verdicts")
    found = rows.filter(pc.equal(rows["relation"], "differs"))
    order = [("checkpoint", "ascending"), ("item_id", "ascending"), ("draw", "ascending")]
    return found.sort_by(order).slice(0, FIRST_DIFFERING).to_pylist(), found.num_rows


def _planted(inputs: StageInputs) -> "tuple[Sequence[Row], list[FileRead]]":
    """Recovered against planted values, where the data root tells what was planted."""
    path = inputs.root.truth
    if not path.exists():
        return (), []
    from dataclasses import asdict

    from eval_pipeline.contracts.pinned import evidence
    from eval_pipeline.lab.truth import of_contract, read_truth, recovered

    truth = of_contract(read_truth(path), inputs.contract.contract)
    names = {planted.table for planted in truth.values}
    names |= {"contamination_items", "judge_licences"}
    tables = {name: inputs.table(name) for name in sorted(names) if inputs.has(name)}
    found = [_undefined_as_none(asdict(one)) for one in recovered(truth, tables)]
    return found, [evidence(inputs.root, path)]


def _audit(inputs: StageInputs) -> "tuple[Row | None, list[FileRead]]":
    """What people said of the verifier's verdicts, where there is a verifier and they did."""
    contract = inputs.contract
    path = inputs.root.verifier_audit(contract.contract, contract.version)
    if contract.verification is None or not path.exists():
        return None, []
    from dataclasses import asdict

    from eval_pipeline.contracts.pinned import evidence
    from eval_pipeline.verification.audits.audit import decided_by, error_rates
    from eval_pipeline.verification.audits.audit_file import decisions

    kept = decisions(path)
    found = {**asdict(error_rates(kept, contract.confidence)), "by": decided_by(kept)}
    return found, [evidence(inputs.root, path)]


def _undefined_as_none(row: dict[str, object]) -> "Row":
    return {key: None if value != value else value for key, value in row.items()}


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    return (root.truth, root.verifier_audit(contract.contract, contract.version))


STAGE = Stage(
    name="report",
    tables=("report",),
    scope="contract",
    reads=(*WHOLE, "contamination_hits", "generations", "verifier_scores", "recorded_verdicts"),
    version=12,
    compute=compute,
    files=files,
)
