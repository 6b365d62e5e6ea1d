"""The verdict on each field of each item: the rule's, or that of the people who looked."""

from collections.abc import Sequence
from pathlib import Path

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Check, Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

NEAR = ["relation", "item_id", "field", "source", "other", "jaccard", "excerpt_other"]


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.search.shard import engine_for
    from eval_pipeline.contamination.verdict.items import item_rows, with_digests, with_unsearched
    from eval_pipeline.contamination.verdict.review import read_decisions

    (reviews,) = files(inputs.root, inputs.contract, None)
    decisions = read_decisions(reviews)
    entries = corpora.entries_of(inputs)
    rows = item_rows(
        entries,
        inputs.table("contamination_hits", [*corpora.EVIDENCE, "excerpt_document"]).to_pylist(),
        len(corpora.declared(inputs.contract).corpora),
        inputs.table("near_duplicates", NEAR).to_pylist(),
        decisions,
        _share(inputs),
    )
    fields = [entry.field for entry in entries]
    fast = engine_for(sum(len(field.text or "") for field in fields)) == "kernel"
    rows = with_digests(rows, fields, fast)
    shards = inputs.table("contamination_shards", ["status", "unread"]).to_pylist()
    unreadable = sum(shard["status"] != "ok" for shard in shards)
    lines = sum(shard["unread"] or 0 for shard in shards)
    rows = with_unsearched(rows, unreadable, len(shards), lines)
    return Computed(
        {"contamination_items": TABLES["contamination_items"].from_rows(rows)},
        corpora.files_read(inputs.root, [reviews] if reviews.exists() else []),
        {"decisions of people": len(decisions)},
    )


def _share(inputs: StageInputs) -> float:
    """The least share of n-grams that validation chose."""
    chosen: float = inputs.table("contamination_validation", ["threshold"])["threshold"][0].as_py()
    return chosen


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """People's decisions, whether or not there are any yet."""
    return (root.contamination_review(contract.contract, contract.version),)


def told(root: DataRoot, contract: Contract, read: Sequence[FileRead]) -> str | None:
    """Which decisions people have made since, or what is wrong with their file; None for none."""
    from eval_pipeline.contamination.verdict.review import since

    (reviews,) = files(root, contract, None)
    name = reviews.relative_to(root.path).as_posix()
    kept = next((file for file in read if file.path == name), None)
    try:
        return since(reviews, kept)
    except ValueError as damage:  # the stage refuses it when it runs; a plan is made all the same
        return str(damage)


def unjudged_fields(inputs: StageInputs, computed: Computed) -> str | None:
    asked = set(corpora.declared(inputs.contract).fields)
    names = computed.tables["contamination_items"]["field"].to_pylist()
    judged = sum(name in asked for name in names)
    fields = inputs.table("items", ["item_id"]).num_rows * len(asked)
    return None if judged == fields else f"{fields} fields of items, but {judged} verdicts"


STAGE = Stage(
    name="contamination_items",
    tables=("contamination_items",),
    scope="contract",
    reads=(
        "items",
        "contamination_index",
        "contamination_hits",
        "contamination_shards",
        "near_duplicates",
        "contamination_validation",
    ),
    version=5,
    compute=compute,
    wanted=corpora.wanted,
    files=files,
    instruments=corpora.instruments,
    told=told,
    checks=(Check("every_field_is_judged", "contamination_items", unjudged_fields),),
)
