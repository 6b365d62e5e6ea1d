"""What a perturbation costs each checkpoint beyond what it costs the others."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.robustness.rows import robustness_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured
    from eval_pipeline.statistics.randomness import generator

    contract = inputs.contract
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = measured.samples_of_checkpoints(inputs, items, terms.of_robustness(contract))
    rng = generator(contract.statistics.seed, "robustness", "jackknife blocks")
    rows = robustness_rows(items, samples, rng, contract.confidence)
    table = TABLES["robustness_drops"].from_rows(rows)
    return Computed({"robustness_drops": table}, notes=terms.notes(contract))


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    return contract.verification is not None and bool(terms.of_robustness(contract))


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of the drop."""
    from eval_pipeline.orchestration import terms

    return terms.versions(terms.of_robustness(contract))


STAGE = Stage(
    name="robustness_drops",
    tables=("robustness_drops",),
    scope="contract",
    reads=("items", "verifier_scores"),
    version=2,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
)
