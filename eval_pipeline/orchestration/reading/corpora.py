"""What the contamination stages share: what the contract asks for, the shards, the entries."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.contracts.model import Contamination, Contract
from eval_pipeline.layout import DataRoot, FileRead
from eval_pipeline.orchestration.stage import StageInputs

if TYPE_CHECKING:
    from eval_pipeline.contamination.index.entries import FieldEntry
    from eval_pipeline.contamination.text.fields import Field
    from eval_pipeline.rows.samples import ItemsRow

ITEM_COLUMNS = ["item_id", "question", "answer", "options", "entry_point", "test", "extra"]
EVIDENCE = [
    "corpus",
    "shard",
    "document",
    "item_id",
    "field",
    "match_type",
    "hits",
    "ratio",
    "window_ratio",
    "longest_span",
    "token_coverage",
    "unspaced",
    "other_numbers",
    "whole_ratio",
]


def declared(contract: Contract) -> Contamination:
    if contract.contamination is None:
        raise ValueError(f"{contract.title} declares no contamination: add the section")
    return contract.contamination


def wanted(contract: Contract) -> bool:
    return contract.contamination is not None


def instruments(contract: Contract) -> Mapping[str, str]:
    """Normalisers and rule; the Unicode version, because folding follows its tables."""
    from eval_pipeline.contamination.rule import RULE
    from eval_pipeline.contamination.text.normalise import CODE, TEXT, unicode_version

    return {
        "normalisers": f"{TEXT.name}, {CODE.name}",
        "rule": RULE,
        "unicode": unicode_version(),
    }


def shard_files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """All shards of the contract's corpora."""
    return [shard for _, shard in shards_of(root, contract)]


def sampled_files(root: DataRoot, contract: Contract, checkpoint: str | None) -> Sequence[Path]:
    """The shards that say which n-grams are common: the first of each corpus."""
    from eval_pipeline.contamination.instruments import SAMPLED_SHARDS

    shards = shards_of(root, contract)
    return [
        shard
        for corpus in sorted(set(declared(contract).corpora))
        for shard in [path for name, path in shards if name == corpus][:SAMPLED_SHARDS]
    ]


def shards_of(root: DataRoot, contract: Contract) -> Sequence[tuple[str, Path]]:
    """(corpus, shard) in sorted order; a corpus without shards is not there yet."""
    from eval_pipeline.contamination.corpus.shard_files import shards

    corpora = sorted(declared(contract).corpora)
    return [(corpus, shard) for corpus in corpora for shard in shards(root.corpus(corpus))]


def searched_shards(inputs: StageInputs) -> Sequence[tuple[str, Path]]:
    """As `shards_of`, but for those that could not be read and that the contract lets us skip."""
    rows = inputs.table("contamination_shards", ["corpus", "shard", "status"]).to_pylist()
    readable = {(row["corpus"], row["shard"]) for row in rows if row["status"] == "ok"}
    shards = shards_of(inputs.root, inputs.contract)
    return [(corpus, shard) for corpus, shard in shards if (corpus, shard.name) in readable]


def files_read(root: DataRoot, paths: Iterable[Path]) -> Sequence[FileRead]:
    from eval_pipeline.warehouse.digest import file_digest

    return [FileRead(p.relative_to(root.path).as_posix(), *file_digest(p)) for p in paths]


def items_of(inputs: StageInputs) -> "list[ItemsRow]":
    rows: list[ItemsRow] = inputs.table("items", ITEM_COLUMNS).to_pylist()
    return rows


def fields_of(inputs: StageInputs) -> "Sequence[Field]":
    """The parts of the items that are looked for, and the passages that several of them share."""
    from eval_pipeline.contamination.index.passages import with_passages
    from eval_pipeline.contamination.text.fields import fields_of

    return with_passages(fields_of(items_of(inputs), declared(inputs.contract).fields))


def entries_of(inputs: StageInputs) -> "Sequence[FieldEntry]":
    """The fields with the masks of the index."""
    from eval_pipeline.contamination.index.table import open_index

    columns = ["item_id", "field", "ngram", "masked", "shared", "idf", "normaliser"]
    return open_index(fields_of(inputs), inputs.table("contamination_index", columns).to_pylist())
