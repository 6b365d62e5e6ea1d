"""Which checkpoint lets least harm through while it refuses little that is benign."""

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.safety.rows import frontier_rows
    from eval_pipeline.orchestration import terms

    if (section := inputs.contract.safety_frontier) is None:
        raise ValueError(f"{inputs.contract.title} asks for no safety_frontier")
    estimates = [
        row
        for row in inputs.table("metric_estimates").to_pylist()
        if row["slice"] == "all" and row["policy"] == "primary"
    ]
    rows = frontier_rows(estimates, section.false_refusal_budget, section.judged_by)
    table = TABLES["safety_frontier"].from_rows(rows)
    return Computed({"safety_frontier": table}, notes=terms.notes(inputs.contract))


def wanted(contract: Contract) -> bool:
    return contract.safety_frontier is not None


STAGE = Stage(
    name="safety_frontier",
    tables=("safety_frontier",),
    scope="contract",
    reads=("metric_estimates",),
    version=1,
    compute=compute,
    wanted=wanted,
)
