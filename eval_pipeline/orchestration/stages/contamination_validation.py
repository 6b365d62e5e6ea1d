"""How often the rule finds planted leaks and spares clean text."""

from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.corpus.reading import first_documents
    from eval_pipeline.contamination.validation.rows import (
        HOSTS,
        code_entries,
        planted_field,
        validation_rows,
    )
    from eval_pipeline.contamination.verdict.items import flagged_documents

    asked = corpora.declared(inputs.contract)
    field = planted_field(asked.fields)
    texts, read = first_documents(
        corpora.searched_shards(inputs),
        flagged_documents(inputs.table("contamination_hits", corpora.EVIDENCE).to_pylist()),
        HOSTS,
    )
    clusters = inputs.table("items", ["item_id", "cluster_id"])
    entries = corpora.entries_of(inputs)
    rows = validation_rows(
        [entry for entry in entries if entry.field.name == field],
        dict(zip(*(column.to_pylist() for column in clusters.columns), strict=True)),
        texts,
        inputs.contract.statistics.seed,
        asked.false_positive_bar,
        code_entries(entries),
    )
    return Computed(
        {"contamination_validation": TABLES["contamination_validation"].from_rows(rows)},
        corpora.files_read(inputs.root, read),
        {"field planted": field, "documents planted in": len(texts)},
    )


STAGE = Stage(
    name="contamination_validation",
    tables=("contamination_validation",),
    scope="contract",
    reads=("items", "contamination_index", "contamination_hits", "contamination_shards"),
    version=4,
    compute=compute,
    wanted=corpora.wanted,
    files=corpora.shard_files,
    instruments=corpora.instruments,
)
