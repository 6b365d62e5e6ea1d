"""Each checkpoint's score on all items and on clean ones, and the gap at the same difficulty."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.metrics.measures.item_values import ItemValues
    from eval_pipeline.metrics.samples import Items


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.verdict.items import item_statuses
    from eval_pipeline.metrics.contamination_delta.rows import clean_items, delta_rows
    from eval_pipeline.metrics.registry import from_label
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms

    contract = inputs.contract
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    verdicts = item_statuses(inputs.table("contamination_items", ["item_id", "status"]).to_pylist())
    clean = clean_items(items, verdicts.items())
    over = terms.macro_over(contract)
    groups = items.groups(over) if over else None
    families = _families(inputs)
    rows: list[dict[str, object]] = []
    for label, values in _values(inputs, items).items():
        higher = from_label(label)[0].higher_is_better
        of_metric = delta_rows(items, values, clean, contract.confidence, groups, families, higher)
        rows += [{"metric": label, **row} for row in of_metric]
    rows.sort(key=lambda row: (str(row["checkpoint"]), str(row["metric"])))
    table = TABLES["contamination_delta"].from_rows(rows)
    return Computed({"contamination_delta": table}, notes=terms.notes(contract))


def _values(inputs: StageInputs, items: "Items") -> dict[str, dict[str, "ItemValues"]]:
    """Each metric's value of each item, by label and checkpoint, both sorted."""
    from eval_pipeline.metrics.measures.item_values import item_values
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    contract = inputs.contract
    labels = sorted(terms.of_items(contract))
    scored = inputs.table("verifier_scores", ["checkpoint"])["checkpoint"].unique().to_pylist()
    read = measured.reading_of_checkpoints(inputs)
    values: dict[str, dict[str, ItemValues]] = {label: {} for label in labels}
    for checkpoint in sorted(scored):
        samples = measured.samples_of(read(checkpoint), items, labels, contract, verified=True)
        for label in labels:
            request = asked(label)
            values[label][checkpoint] = item_values(
                request.metric,
                request.k,
                items,
                samples,
                draws_per_item=terms.draws_per_item(contract),
                options=request.options,
            )
    return values


def _families(inputs: StageInputs) -> dict[str, str]:
    """The family of each checkpoint whose manifest names one."""
    rows = inputs.table("run_manifest", ["checkpoint", "field", "value"]).to_pylist()
    return {row["checkpoint"]: row["value"] for row in rows if row["field"] == "family"}


def wanted(contract: Contract) -> bool:
    return contract.contamination is not None and contract.verification is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that is compared."""
    from eval_pipeline.orchestration import terms

    return terms.versions(terms.of_items(contract))


def also_reads(contract: Contract) -> tuple[str, ...]:
    """The generations, where a metric is made from their columns."""
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    return measured.further_tables(terms.of_items(contract))


STAGE = Stage(
    name="contamination_delta",
    tables=("contamination_delta",),
    scope="contract",
    reads=("items", "run_manifest", "verifier_scores", "contamination_items"),
    version=4,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    also_reads=also_reads,
)
