"""What a checkpoint's log-probabilities and paraphrases say of the benchmark; never proof."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

SAMPLE = ["item_id", "draw", "token_logprobs", "extra"]


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.evidence.rows import evidence_rows
    from eval_pipeline.contamination.verdict.items import item_statuses

    rows = evidence_rows(
        inputs.table("items", ["item_id", "cluster_id", "extra"]).to_pylist(),
        inputs.table("generations", SAMPLE).to_pylist(),
        item_statuses(inputs.table("contamination_items", ["item_id", "status"]).to_pylist()),
        _scores(inputs),
        _metric(inputs.contract),
        inputs.contract.confidence,
    )
    return Computed({"contamination_evidence": TABLES["contamination_evidence"].from_rows(rows)})


def _metric(contract: Contract) -> str | None:
    """Label of the metric that the paraphrase gap is in: the first that the verifier makes."""
    from eval_pipeline.metrics.registry import from_label
    from eval_pipeline.orchestration import terms

    if contract.verification is None:
        return None
    labels = terms.of_items(contract)
    return next((label for label in labels if from_label(label)[0].made_from == "verifier"), None)


def _scores(inputs: StageInputs) -> dict[str, float]:
    """The metric of each item that has one."""
    label = _metric(inputs.contract)
    if label is None:
        return {}
    from eval_pipeline.metrics.measures.item_values import item_values
    from eval_pipeline.metrics.registry import from_label
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, SAMPLE_COLUMNS, Items, Samples
    from eval_pipeline.orchestration import terms

    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    samples = Samples.from_table(inputs.table("verifier_scores", list(SAMPLE_COLUMNS)), items)
    metric, k = from_label(label)
    draws = terms.draws_per_item(inputs.contract)
    values = item_values(metric, k, items, samples, draws_per_item=draws).value
    return {i: float(v) for i, v in zip(items.ids, values, strict=True) if v == v}


def instruments(contract: Contract) -> Mapping[str, str]:
    """The tests, and the metric of the gap."""
    from eval_pipeline.contamination.instruments import LOG_PROBABILITY_TESTS
    from eval_pipeline.orchestration import terms

    label = _metric(contract)
    return {"evidence": LOG_PROBABILITY_TESTS, **(terms.versions([label]) if label else {})}


STAGE = Stage(
    name="contamination_evidence",
    tables=("contamination_evidence",),
    scope="checkpoint",
    reads=("items", "generations", "verifier_scores", "contamination_items"),
    version=2,
    compute=compute,
    wanted=corpora.wanted,
    instruments=instruments,
)
