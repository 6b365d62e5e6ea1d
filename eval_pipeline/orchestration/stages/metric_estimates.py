"""Every score of a checkpoint with interval and bounds.

Where the contract has no verifier, the samples come from the generations themselves and give the
rate of each failed status: a refusal is counted whoever judges the answers.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.estimates import estimate_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, SAMPLE_COLUMNS, Items, Samples
    from eval_pipeline.orchestration.stages import terms

    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = Samples.from_table(sample_rows(inputs, SAMPLE_COLUMNS), items)
    rows = estimate_rows(items, samples, terms.design(inputs.contract))
    table = TABLES["metric_estimates"].from_rows(rows)
    return Computed({"metric_estimates": table}, notes=terms.notes(inputs.contract))


def sample_rows(inputs: StageInputs, columns: Sequence[str]) -> "pa.Table":
    """The samples as verified; as generated, without a score, where nothing verifies them."""
    import pyarrow as pa

    if inputs.has("verifier_scores"):
        return inputs.table("verifier_scores", columns)
    schema = TABLES["verifier_scores"].schema
    known = [name for name in columns if name in TABLES["generations"].schema.names]
    rows = inputs.table("generations", known)
    for name in columns:
        if name not in known:
            rows = rows.append_column(name, pa.nulls(rows.num_rows, schema.field(name).type))
    return rows.select(list(columns))


def wanted(contract: Contract) -> bool:
    return contract.verification is not None or contract.judging is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that the contract gets."""
    from eval_pipeline.orchestration.stages import terms

    return terms.versions(terms.estimated(contract))


def uncounted_samples(inputs: StageInputs, computed: Computed) -> str | None:
    """A metric whose samples and excluded samples do not add up to all of the checkpoint's."""
    total = sample_rows(inputs, ["item_id"]).num_rows
    for row in computed.tables["metric_estimates"].to_pylist():
        if row["slice"] == "all" and row["n_samples"] + row["n_excluded"] != total:
            return (
                f"{row['metric']} ({row['policy']}) counts {row['n_samples']} samples and "
                f"{row['n_excluded']} excluded, but there are {total}"
            )
    return None


STAGE = Stage(
    name="metric_estimates",
    tables=("metric_estimates",),
    scope="checkpoint",
    reads=("items", "generations", "verifier_scores"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    checks=(Check("every_sample_is_counted", "metric_estimates", uncounted_samples),),
)
