"""What a reliability diagram of a checkpoint shows, where the contract asks for calibration."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.calibration.rows import diagrams, reliability_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    contract = inputs.contract
    labels = terms.of_confidences(contract)
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = measured.samples_of(inputs.table, items, labels, contract, verified=True)
    rows = reliability_rows(items, samples, diagrams(labels), contract.confidence)
    table = TABLES["reliability_bins"].from_rows(rows)
    return Computed({"reliability_bins": table}, notes=terms.notes(contract))


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    return contract.verification is not None and bool(terms.of_confidences(contract))


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that a diagram belongs to."""
    from eval_pipeline.orchestration import terms

    return terms.versions(terms.of_confidences(contract))


STAGE = Stage(
    name="reliability_bins",
    tables=("reliability_bins",),
    scope="checkpoint",
    reads=("items", "generations", "verifier_scores"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
)
