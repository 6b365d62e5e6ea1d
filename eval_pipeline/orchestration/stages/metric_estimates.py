"""Every score of a checkpoint with interval and bounds.

Where the contract has no verifier, the samples come from the generations themselves: they give
the rate of each failed status (a refusal is counted whoever judges the answers) and the metrics
that are made from columns.
"""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.reading.feature_files import FeatureFiles, files_of
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.metrics.estimates.rows import estimate_rows
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    features = FeatureFiles(inputs)
    samples = measured.samples_of(
        inputs.table,
        items,
        terms.from_columns(inputs.contract),
        inputs.contract,
        verified=inputs.has("verifier_scores"),
        vectors=features,
    )
    rows = estimate_rows(items, samples, terms.design(inputs.contract))
    table = TABLES["metric_estimates"].from_rows(rows)
    return Computed({"metric_estimates": table}, features.files, notes=terms.notes(inputs.contract))


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    scored = contract.verification is not None or contract.judging is not None
    return scored or bool(terms.from_columns(contract))


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that the contract gets."""
    from eval_pipeline.orchestration import terms

    return terms.versions(terms.estimated(contract))


def uncounted_samples(inputs: StageInputs, computed: Computed) -> str | None:
    """A metric whose samples and excluded samples do not add up to all of the checkpoint's."""
    table = "verifier_scores" if inputs.has("verifier_scores") else "generations"
    total = inputs.table(table, ["item_id"]).num_rows
    for row in computed.tables["metric_estimates"].to_pylist():
        if row["slice"] == "all" and row["n_samples"] + row["n_excluded"] != total:
            return (
                f"{row['metric']} ({row['policy']}) counts {row['n_samples']} samples and "
                f"{row['n_excluded']} excluded, but there are {total}"
            )
    return None


def also_reads(contract: Contract) -> tuple[str, ...]:
    """The verdicts on contamination, where a metric is read with them."""
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    return measured.further_tables(terms.from_columns(contract))


STAGE = Stage(
    name="metric_estimates",
    tables=("metric_estimates",),
    scope="checkpoint",
    reads=("items", "generations", "verifier_scores"),
    version=7,
    compute=compute,
    files=files_of,
    wanted=wanted,
    instruments=instruments,
    also_reads=also_reads,
    checks=(Check("every_sample_is_counted", "metric_estimates", uncounted_samples),),
)
