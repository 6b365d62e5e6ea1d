"""Where documents of the corpora and items overlap."""

from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import corpora
from eval_pipeline.warehouse.schemas import TABLES


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.canary import canaries_of, texts_of
    from eval_pipeline.contamination.corpus import Unread
    from eval_pipeline.contamination.hits import scan_shard

    asked = corpora.declared(inputs.contract)
    entries = corpora.entries_of(inputs)
    canaries = canaries_of(asked.canaries, texts_of(corpora.items_of(inputs)))
    shards = corpora.shards_of(inputs.root, inputs.contract)
    if absent := sorted(set(asked.corpora) - {corpus for corpus, _ in shards}):
        folder = inputs.root.corpus(absent[0]).relative_to(inputs.root.path).as_posix()
        raise ValueError(
            f"corpus {absent[0]} has no shards: put *.parquet or *.jsonl[.gz] into {folder}"
        )
    unread = Unread()
    rows = [
        row
        for corpus, shard in shards
        for row in scan_shard(corpus, shard, entries, canaries, unread)
    ]
    return Computed(
        {"contamination_hits": TABLES["contamination_hits"].from_rows(rows)},
        corpora.files_read(inputs.root, [shard for _, shard in shards]),
        {"lines without a document": unread.count, "first of them": unread.first or "none"},
        {"lines without a document": unread.count},
    )


STAGE = Stage(
    name="contamination_hits",
    tables=("contamination_hits",),
    scope="contract",
    reads=("items", "contamination_index"),
    version=1,
    compute=compute,
    wanted=corpora.wanted,
    files=corpora.shard_files,
    instruments=corpora.instruments,
)
