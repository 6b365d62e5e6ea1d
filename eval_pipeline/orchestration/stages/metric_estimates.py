"""verifier_scores -> metric_estimates: every score of a checkpoint with interval and bounds."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.estimates import estimate_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, SAMPLE_COLUMNS, Items, Samples
    from eval_pipeline.orchestration.stages import terms

    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = Samples.from_table(inputs.table("verifier_scores", SAMPLE_COLUMNS), items)
    rows = estimate_rows(items, samples, terms.design(inputs.contract))
    table = TABLES["metric_estimates"].from_rows(rows)
    return Computed({"metric_estimates": table}, notes=terms.notes(inputs.contract))


def wanted(contract: Contract) -> bool:
    return contract.verification is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that the contract gets."""
    from eval_pipeline.orchestration.stages import terms

    return terms.versions(terms.design(contract).labels)


def uncounted_samples(inputs: StageInputs, computed: Computed) -> str | None:
    """A metric whose samples and excluded samples do not add up to all of the checkpoint's."""
    total = inputs.table("verifier_scores", ["item_id"]).num_rows
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
    reads=("items", "verifier_scores"),
    version=1,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    checks=(Check("every_sample_is_counted", "metric_estimates", uncounted_samples),),
)
