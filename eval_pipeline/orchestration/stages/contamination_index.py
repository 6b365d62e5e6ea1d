"""The distinct n-grams of the benchmark's items, and which of them are boilerplate."""

from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import corpora
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.ngram import index_rows

    rows = index_rows(corpora.fields_of(inputs))
    return Computed({"contamination_index": TABLES["contamination_index"].from_rows(rows)})


STAGE = Stage(
    name="contamination_index",
    tables=("contamination_index",),
    scope="contract",
    reads=("items",),
    version=1,
    compute=compute,
    wanted=corpora.wanted,
    instruments=corpora.instruments,
)
