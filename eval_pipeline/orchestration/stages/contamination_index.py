"""The distinct n-grams of the benchmark's items, and which of them are boilerplate."""

from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.contracts.pinned import template_file
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.index.table import index_rows
    from eval_pipeline.orchestration.reading.scans import spread_of

    fields = corpora.fields_of(inputs)
    sampled = corpora.sampled_files(inputs.root, inputs.contract, None)
    spread = spread_of(inputs, fields, sampled)
    templates = template_file(inputs.root, inputs.contract)
    template = "".join(path.read_text(encoding="utf-8") for path in templates)
    return Computed(
        {
            "contamination_index": TABLES["contamination_index"].from_rows(
                index_rows(fields, spread, template)
            )
        },
        corpora.files_read(inputs.root, [*templates, *sampled]),
        {"documents sampled": spread.documents, "shards sampled": spread.shards},
    )


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """The prompt's template, and the shards that say which n-grams are common."""
    shards = corpora.sampled_files(root, contract, checkpoint)
    return [*template_file(root, contract), *shards]


STAGE = Stage(
    name="contamination_index",
    tables=("contamination_index",),
    scope="contract",
    reads=("items",),
    version=4,
    compute=compute,
    wanted=corpora.wanted,
    files=files,
    instruments=corpora.instruments,
)
