"""Whether each judge may be believed under the contract."""

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.licences.licence import licence_rows

    judging = inputs.contract.judging
    audits = inputs.table("judge_audits").to_pylist()
    drift = inputs.table("judge_drift").to_pylist() if inputs.has("judge_drift") else []
    lack = judging is not None and judging.orders == "unrecorded"
    withheld = "no order is recorded, so that nothing tells of position" if lack else None
    rows = licence_rows(audits, judging.reaudit_by if judging else None, drift, withheld)
    return Computed({"judge_licences": TABLES["judge_licences"].from_rows(rows)})


def wanted(contract: Contract) -> bool:
    return contract.judging is not None


STAGE = Stage(
    name="judge_licences",
    tables=("judge_licences",),
    scope="contract",
    reads=("judge_audits", "judge_drift"),
    version=2,
    compute=compute,
    wanted=wanted,
)
