"""What the contract's rule says of each checkpoint.

Reads the checkpoint's own estimates, its comparison with the reference, and, where judges make
what decides, the licences, the length-controlled win rates and the panel's scores. A table whose
stage the contract does not have is absent from the inputs.
"""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import PANEL
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

EVIDENCE = (
    "metric_estimates",
    "paired_comparisons",
    "length_controlled_win_rates",
    "judge_score_estimates",
    "judge_licences",
    "awaited_votes",
)


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline import rows
    from eval_pipeline.decision.decide import decision_row, trade_off_columns
    from eval_pipeline.decision.evidence import gather
    from eval_pipeline.decision.lineup import lineup
    from eval_pipeline.judging.awaited import awaited_words
    from eval_pipeline.judging.standing import panel_of, quarantines, reason_of
    from eval_pipeline.orchestration import terms

    stated = terms.decision_terms(inputs.contract)
    judged = terms.primary(inputs.contract).made_from == "judge"
    scored = [row for row in inputs.rows(rows.JudgeScoreEstimatesRow) if row["judge"] == PANEL]
    estimates = [*inputs.rows(rows.MetricEstimatesRow), *scored]
    comparisons = inputs.rows(rows.PairedComparisonsRow)
    rates = inputs.rows(rows.LengthControlledWinRatesRow)
    juries = terms.juries(inputs.contract)
    licences, awaited = inputs.rows(rows.JudgeLicencesRow), inputs.rows(rows.AwaitedVotesRow)
    quarantine = reason_of(quarantines(juries, licences), "decision")
    heard = {name for jury in juries for name in panel_of(jury.judges, licences).members}
    gathered = [
        gather(
            entry.checkpoint,
            stated.metric,
            comparisons,
            estimates,
            rates,
            quarantine=quarantine,
            pending=awaited_words(awaited, entry.checkpoint, heard),
        )
        for entry in lineup(inputs.rows(rows.RunManifestRow))
    ]
    traded = trade_off_columns(gathered, stated, _mean_costs(inputs), judged=judged)
    decided = [decision_row(one, stated) | traded[one.checkpoint] for one in gathered]
    decided.sort(key=lambda row: str(row["checkpoint"]))
    table = TABLES["decisions"].from_rows(decided)
    return Computed({"decisions": table}, notes=terms.notes(inputs.contract))


def _mean_costs(inputs: StageInputs) -> dict[str, dict[str, float]]:
    from eval_pipeline.decision.tradeoff import MEASURED, mean_costs

    if not inputs.has("generations"):
        return {}
    samples = inputs.table("generations", ["checkpoint", *MEASURED])
    recorded = {name: samples[name].to_numpy() for name in MEASURED}
    return mean_costs(samples["checkpoint"].to_pylist(), recorded)


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    scored = contract.verification is not None or contract.judging is not None
    return scored or terms.primary(contract).made_from == "columns"


def instruments(contract: Contract) -> Mapping[str, str]:
    """The contract's status, which stands outside its identity: freezing a draft counts anew."""
    return {"status": contract.status}


STAGE = Stage(
    name="decisions",
    tables=("decisions",),
    scope="contract",
    reads=("run_manifest", "generations", *EVIDENCE),
    version=3,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
)
