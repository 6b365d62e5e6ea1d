"""What people's labels are worth: their agreement, their honeypots, their disputes."""

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import annotations
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.judging.people.raters import agreement_rows, dispute_rows, quality_rows

    contract = inputs.contract
    labels = inputs.table("annotations")
    at_least = contract.judging.honeypots_at_least if contract.judging else None
    terms = contract.statistics
    rows = {
        "rater_agreement": agreement_rows(
            labels, terms.seed, terms.replicates, contract.confidence
        ),
        "rater_quality": quality_rows(labels, at_least),
        "label_disputes": dispute_rows(labels),
    }
    return Computed({name: TABLES[name].from_rows(rows[name]) for name in rows})


def wanted(contract: Contract) -> bool:
    return annotations.wanted(contract)


STAGE = Stage(
    name="raters",
    tables=("rater_agreement", "rater_quality", "label_disputes"),
    scope="contract",
    reads=("annotations",),
    version=1,
    compute=compute,
    wanted=wanted,
)
