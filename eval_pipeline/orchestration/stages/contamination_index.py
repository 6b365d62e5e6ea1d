"""The distinct n-grams of the benchmark's items, and which of them are boilerplate."""

from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import corpora
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.ngram import index_rows
    from eval_pipeline.orchestration.stages.scans import spread_of

    fields = corpora.fields_of(inputs)
    sampled = corpora.sampled_files(inputs.root, inputs.contract, None)
    spread = spread_of(inputs, fields, sampled)
    return Computed(
        {
            "contamination_index": TABLES["contamination_index"].from_rows(
                index_rows(fields, spread)
            )
        },
        corpora.files_read(inputs.root, sampled),
        {"documents sampled": spread.documents, "shards sampled": spread.shards},
    )


STAGE = Stage(
    name="contamination_index",
    tables=("contamination_index",),
    scope="contract",
    reads=("items",),
    version=2,
    compute=compute,
    wanted=corpora.wanted,
    files=corpora.sampled_files,
    instruments=corpora.instruments,
)
