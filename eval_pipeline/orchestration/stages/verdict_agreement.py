"""A checkpoint's verdicts beside those that a publisher recorded in the rows."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.verification import PublishedVerdicts
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

READER = "recorded@1"
PARTS = ("compared", "only_ours", "only_recorded", "neither", "between")  # of the samples


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.verification.audits.agreement import (
        OUR_COLUMNS,
        agreement_rows,
        recorded_rows,
    )
    from eval_pipeline.verification.recorded import RecordedVerdicts

    asked = declared(inputs.contract)
    reader = RecordedVerdicts(asked.field, asked.grader, asked.metric, asked.values)
    ours = inputs.table("verifier_scores", list(OUR_COLUMNS)).to_pylist()
    samples = inputs.table("generations", ["item_id", "draw", "extra"])
    names, draws, kept = (samples[c].to_pylist() for c in ("item_id", "draw", "extra"))
    extras = dict(zip(zip(names, draws, strict=True), kept, strict=True))
    rows = recorded_rows(ours, extras, reader, asked.threshold)
    confidence, is_chain = inputs.contract.confidence, _is_chain(inputs.contract)
    found = agreement_rows(rows, reader, asked.threshold, confidence, by_step=is_chain)
    tables = {"recorded_verdicts": rows, "verdict_agreement": found}
    made = {name: TABLES[name].from_rows(held) for name, held in tables.items()}
    return Computed(made, notes=reader.notes())


def _is_chain(contract: Contract) -> bool:
    """Whether answers are read by the first of several extractions that finds one."""
    asked = contract.verification
    return asked is not None and asked.extraction.startswith("chain@")


def declared(contract: Contract) -> PublishedVerdicts:
    if contract.verification is None or contract.verification.recorded is None:
        raise ValueError(f"{contract.title} declares no verification.recorded: add the section")
    return contract.verification.recorded


def wanted(contract: Contract) -> bool:
    return contract.verification is not None and contract.verification.recorded is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    return {"recorded": READER}


def uncounted_samples(inputs: StageInputs, computed: Computed) -> str | None:
    samples = inputs.table("verifier_scores", ["draw"]).num_rows
    rows = computed.tables["verdict_agreement"].to_pylist()
    counted = sum(row[f"n_{name}"] for row in rows if row["slice"] == "all" for name in PARTS)
    return None if counted == samples else f"{samples} samples, but {counted} are counted"


STAGE = Stage(
    name="verdict_agreement",
    tables=("recorded_verdicts", "verdict_agreement"),
    scope="checkpoint",
    reads=("generations", "verifier_scores"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    checks=(Check("every_verdict_is_counted", "verdict_agreement", uncounted_samples),),
)
