"""Which items nearly are another item, an item of another version, or a document."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.contracts.model import Contract
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.orchestration.stages import corpora
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.contamination.fields import Field


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.near_duplicate_rows import (
        compared_fields,
        rows_between,
        rows_within,
    )
    from eval_pipeline.contracts.item_versions import other_versions

    benchmark = inputs.contract.task.benchmark
    shards = corpora.searched_shards(inputs)
    versions = other_versions(inputs.root, benchmark)
    columns = inputs.table("items", ["item_id", "cluster_id"]).to_pydict()
    clusters = dict(zip(columns["item_id"], columns["cluster_id"], strict=True))
    older, unread = _items_of(inputs, versions)
    rows: list[dict[str, Any]] = []
    left_out = 0
    for name, fields in compared_fields(corpora.fields_of(inputs)).items():
        found = [rows_within(fields, benchmark, clusters)]
        for version, theirs in older.items():
            texts = _texts(theirs.get(name, []))
            found.append(rows_between(fields, "version", version, texts))
        for corpus in sorted({corpus for corpus, _ in shards}):
            own = [shard for of, shard in shards if of == corpus]
            found.append(rows_between(fields, "corpus", corpus, _documents(own)))
        for some, cut in found:
            rows += some
            left_out += cut
    rows.sort(key=lambda r: tuple(r[k] for k in TABLES["near_duplicates"].key))
    read = [shard for _, shard in shards] + list(versions.values())
    return Computed(
        {"near_duplicates": TABLES["near_duplicates"].from_rows(rows)},
        corpora.files_read(inputs.root, read),
        {"further pairs of the same items": left_out, "versions that cannot be read": unread},
    )


def _items_of(
    inputs: StageInputs, versions: Mapping[str, Path]
) -> tuple[dict[str, "dict[str, list[Field]]"], str]:
    """What is compared of each other version, and which versions are broken.

    A broken version of another contract must not stop this one; it is named.
    """
    from eval_pipeline.contamination.fields import present_fields
    from eval_pipeline.contamination.near_duplicate_rows import compared_fields
    from eval_pipeline.contracts.item_versions import plain_items

    asked = corpora.declared(inputs.contract).fields
    found: dict[str, dict[str, list[Field]]] = {}
    broken = []
    for version in versions:
        try:
            items = plain_items(inputs.root, version)
        except ValueError:
            broken.append(version)
            continue
        found[version] = compared_fields(present_fields(items, asked))
    return found, ", ".join(broken) or "none"


def _texts(fields: "Sequence[Field]") -> Iterator[tuple[str, str]]:
    return ((field.item_id, field.text or "") for field in fields)


def _documents(shards: Sequence[Path]) -> Iterator[tuple[str, str]]:
    from eval_pipeline.contamination.corpus import Unread, documents

    for shard in shards:
        for number, text in documents(shard, Unread()):  # contamination_hits counts the unread
            yield f"{shard.name}:{number}", text


def files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """All shards of the contract's corpora, and the benchmark's other versions."""
    from eval_pipeline.contracts.item_versions import other_versions

    versions = other_versions(root, contract.task.benchmark)
    return [*corpora.shard_files(root, contract, checkpoint), *versions.values()]


def instruments(contract: Contract) -> Mapping[str, str]:
    from eval_pipeline.contamination.near_duplicates import INSTRUMENT
    from eval_pipeline.contamination.normalise import TEXT_V1, unicode_version

    return {
        "near duplicates": INSTRUMENT,
        "normaliser": TEXT_V1.name,
        "unicode": unicode_version(),
    }


STAGE = Stage(
    name="near_duplicates",
    tables=("near_duplicates",),
    scope="contract",
    reads=("items", "contamination_shards"),
    version=1,
    compute=compute,
    wanted=corpora.wanted,
    files=files,
    instruments=instruments,
)
