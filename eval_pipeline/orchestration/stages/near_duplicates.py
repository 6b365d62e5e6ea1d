"""Which items nearly are another item, an item of another version, or a document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.contamination.text.fields import Field


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.near_duplicates import rows as pairs
    from eval_pipeline.contamination.near_duplicates.sketches import NOTHING
    from eval_pipeline.contracts.item_versions import other_versions
    from eval_pipeline.orchestration.reading.scans import near_documents, seen

    benchmark = inputs.contract.task.benchmark
    shards = seen(inputs, corpora.searched_shards(inputs))
    versions = other_versions(inputs.root, benchmark)
    columns = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(columns["item_id"], columns["cluster_id"], strict=True))
    compared = pairs.compared_fields(corpora.fields_of(inputs))
    entries = corpora.entries_of(inputs)
    template = pairs.hidden_shingles(entries, of_few=False)
    pairs_found = [
        pairs.rows_within(fields, benchmark, clusters, template.get(name, NOTHING))
        for name, fields in compared.items()
    ]
    older, unread = _items_of(inputs, versions)
    for version, theirs in older.items():
        for name, fields in compared.items():
            texts = pairs.texts_of(theirs.get(name, []))
            rows, cut = pairs.rows_between({name: fields}, texts, template)
            pairs_found.append((pairs.placed(rows, "version", version), cut))
    searched = near_documents(inputs, compared, pairs.hidden_shingles(entries), shards)
    for corpus in sorted({shard.corpus for shard in shards}):
        rows, cut = [], 0
        for shard, table in zip(shards, searched, strict=True):
            if shard.corpus == corpus:
                rows += pairs.placed(table.to_pylist(), "corpus", corpus, shard.path.name)
                cut += pairs.left_out(table)
        rows, more = pairs.nearest(rows)
        pairs_found.append((rows, cut + more))
    every: list[Mapping[str, object]] = [row for rows, _ in pairs_found for row in rows]
    every.sort(key=lambda row: [str(row[name]) for name in TABLES["near_duplicates"].key])
    return Computed(
        {"near_duplicates": TABLES["near_duplicates"].from_rows(every)},
        [*(s.file for s in shards), *corpora.files_read(inputs.root, versions.values())],
        {
            "further pairs of the same items": sum(cut for _, cut in pairs_found),
            "versions that cannot be read": unread,
        },
    )


def _items_of(
    inputs: StageInputs, versions: Mapping[str, Path]
) -> tuple[dict[str, "dict[str, list[Field]]"], str]:
    """What is compared of each other version, and which versions are broken.

    A broken version of another contract must not stop this one; it is named.
    """
    from eval_pipeline.contamination.near_duplicates.rows import compared_fields
    from eval_pipeline.contamination.text.fields import present_fields
    from eval_pipeline.contracts.item_versions import plain_items

    asked = corpora.declared(inputs.contract).fields
    of_versions: dict[str, dict[str, list[Field]]] = {}
    broken = []
    for version in versions:
        try:
            items = plain_items(inputs.root, version)
        except ValueError:
            broken.append(version)
            continue
        of_versions[version] = compared_fields(present_fields(items, asked))
    return of_versions, ", ".join(broken) or "none"


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """All shards of the contract's corpora, and the benchmark's other versions."""
    from eval_pipeline.contracts.item_versions import other_versions

    versions = other_versions(root, contract.task.benchmark)
    return [*corpora.shard_files(root, contract, checkpoint), *versions.values()]


def instruments(contract: Contract) -> Mapping[str, str]:
    from eval_pipeline.contamination.instruments import MINHASH
    from eval_pipeline.contamination.text.normalise import TEXT, unicode_version

    return {
        "near duplicates": MINHASH,
        "normaliser": TEXT.name,
        "unicode": unicode_version(),
    }


STAGE = Stage(
    name="near_duplicates",
    tables=("near_duplicates",),
    scope="contract",
    reads=("items", "contamination_index", "contamination_shards"),
    version=4,
    compute=compute,
    wanted=corpora.wanted,
    files=files,
    instruments=instruments,
)
