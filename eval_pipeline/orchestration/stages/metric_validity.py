"""Whether the contract's metrics order pairs of replies as the people who labelled them do."""

from collections.abc import Mapping

from eval_pipeline.contracts.model import Contract
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    import pyarrow as pa
    import pyarrow.compute as pc

    from eval_pipeline.judging.people.labels import combine_labels
    from eval_pipeline.metrics.measures.item_values import item_values
    from eval_pipeline.metrics.registry import asked
    from eval_pipeline.metrics.samples import ITEM_COLUMNS, Items
    from eval_pipeline.metrics.validity.rows import PeopleSay, validity_row
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured
    from eval_pipeline.statistics.randomness import generator

    contract = inputs.contract
    if (section := contract.metric_validity) is None:
        raise ValueError(f"{contract.title} asks for no metric_validity")
    items = Items.from_table(inputs.table("items", ITEM_COLUMNS))
    labels = terms.with_direction(contract)
    samples = measured.samples_of_checkpoints(inputs, items, labels)
    annotations = inputs.table("annotations")
    named = pa.array(sorted(section.annotations))
    said = combine_labels(annotations.filter(pc.is_in(annotations["annotation_set"], named)))
    people = PeopleSay(
        said.item_id.tolist(), said.model_a.tolist(), said.model_b.tolist(), said.score
    )
    rows = []
    for label in labels:
        one = asked(label)
        values = {
            name: item_values(
                one.metric,
                one.k,
                items,
                samples[name],
                draws_per_item=terms.draws_per_item(contract),
                options=one.options,
            ).value
            for name in sorted(samples)
        }
        row = validity_row(
            items,
            values,
            people,
            generator(contract.statistics.seed, "metric validity", label),
            higher_is_better=bool(one.metric.higher_is_better),
            coefficient=section.coefficient,
            replicates=contract.statistics.replicates,
            confidence=contract.confidence,
            at_least=section.at_least,
        )
        rows.append({"metric": label, **row})
    table = TABLES["metric_validity"].from_rows(rows)
    return Computed({"metric_validity": table}, notes=terms.notes(contract))


def wanted(contract: Contract) -> bool:
    from eval_pipeline.orchestration import terms

    return contract.metric_validity is not None and bool(terms.with_direction(contract))


def instruments(contract: Contract) -> Mapping[str, str]:
    """The version of each metric that is held against people."""
    from eval_pipeline.orchestration import terms

    return terms.versions(terms.with_direction(contract))


def also_reads(contract: Contract) -> tuple[str, ...]:
    """The tables whose columns the metrics read."""
    from eval_pipeline.orchestration import terms
    from eval_pipeline.orchestration.reading import measured

    return measured.further_tables(terms.with_direction(contract))


STAGE = Stage(
    name="metric_validity",
    tables=("metric_validity",),
    scope="contract",
    reads=("items", "generations", "verifier_scores", "annotations"),
    version=2,
    compute=compute,
    wanted=wanted,
    instruments=instruments,
    also_reads=also_reads,
)
