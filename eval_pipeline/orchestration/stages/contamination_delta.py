"""Each checkpoint's score on all items, on clean ones, and the difference."""

from collections.abc import Mapping
from typing import Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.verdicts import item_status
    from eval_pipeline.metrics.contamination_delta import clean_items, delta_row
    from eval_pipeline.metrics.item_values import item_values
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration.stages import measured, terms

    contract = inputs.contract
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    of_fields: dict[str, list[str]] = {}
    for row in inputs.table("contamination_items", ["item_id", "status"]).to_pylist():
        of_fields.setdefault(row["item_id"], []).append(row["status"])
    verdicts = {item: item_status(statuses) for item, statuses in of_fields.items()}
    clean = clean_items(items, verdicts.items())
    over = terms.macro_over(contract)
    groups = items.groups(over) if over else None
    labels = sorted(terms.of_items(contract))
    scored = inputs.table("verifier_scores", ["checkpoint"])["checkpoint"].unique().to_pylist()
    read = measured.reading_of_checkpoints(inputs)
    rows: list[dict[str, Any]] = []
    for checkpoint in sorted(scored):
        samples = measured.samples_of(read(checkpoint), items, labels, contract, verified=True)
        for label in labels:
            one = asked(label)
            values = item_values(
                one.metric,
                one.k,
                items,
                samples,
                draws_per_item=terms.draws_per_item(contract),
                options=one.options,
            )
            row = delta_row(items, values, clean, contract.confidence, groups)
            rows.append({"checkpoint": checkpoint, "metric": label, **row})
    table = TABLES["contamination_delta"].from_rows(rows)
    return Computed({"contamination_delta": table}, notes=terms.notes(contract))


def wanted(contract: Contract) -> bool:
    return contract.contamination is not None and contract.verification is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that is compared."""
    from eval_pipeline.orchestration.stages import terms

    return terms.versions(terms.of_items(contract))


def also_reads(contract: Contract) -> tuple[str, ...]:
    """The generations, where a metric is made from their columns."""
    from eval_pipeline.orchestration.stages import measured, terms

    return measured.further_tables(terms.of_items(contract))


STAGE = Stage(
    name="contamination_delta",
    tables=("contamination_delta",),
    scope="contract",
    reads=("items", "verifier_scores", "contamination_items"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    also_reads=also_reads,
)
