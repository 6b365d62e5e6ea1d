"""Each checkpoint's score on all items, on clean ones, and the difference."""

from collections.abc import Mapping
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    import pyarrow.compute as pc

    from eval_pipeline.contamination.verdicts import item_status
    from eval_pipeline.metrics.contamination_delta import clean_items, delta_row
    from eval_pipeline.metrics.item_values import item_values
    from eval_pipeline.metrics.registry import from_label
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, SAMPLE_COLUMNS, Items, Samples
    from eval_pipeline.orchestration.stages import terms

    contract = inputs.contract
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    of_fields: dict[str, list[str]] = {}
    for row in inputs.table("contamination_items", ["item_id", "status"]).to_pylist():
        of_fields.setdefault(row["item_id"], []).append(row["status"])
    verdicts = {item: item_status(statuses) for item, statuses in of_fields.items()}
    clean = clean_items(items, verdicts.items())
    over = terms.macro_over(contract)
    groups = items.groups(over) if over else None
    scores = inputs.table("verifier_scores", ["checkpoint", *SAMPLE_COLUMNS])
    rows: list[dict[str, Any]] = []
    for checkpoint in sorted(set(scores["checkpoint"].to_pylist())):
        own = scores.filter(pc.equal(scores["checkpoint"], checkpoint))
        samples = Samples.from_table(own, items)
        for label in sorted(terms.verified(contract)):
            metric, k = from_label(label)
            draws = terms.draws_per_item(contract)
            values = item_values(metric, k, items, samples, draws_per_item=draws)
            row = delta_row(items, values, clean, contract.confidence, groups)
            rows.append({"checkpoint": checkpoint, "metric": label, **row})
    table = TABLES["contamination_delta"].from_rows(rows)
    return Computed({"contamination_delta": table}, notes=terms.notes(contract))


def wanted(contract: Contract) -> bool:
    return contract.contamination is not None and contract.verification is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that is compared."""
    from eval_pipeline.orchestration.stages import terms

    return terms.versions(terms.verified(contract))


STAGE = Stage(
    name="contamination_delta",
    tables=("contamination_delta",),
    scope="contract",
    reads=("items", "verifier_scores", "contamination_items"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
)
