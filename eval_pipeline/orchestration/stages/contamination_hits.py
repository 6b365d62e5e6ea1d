"""Where documents of the corpora and items overlap, and what was searched for it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import Computed, Stage, StageInputs
from eval_pipeline.warehouse.schemas import TABLES

if TYPE_CHECKING:
    from eval_pipeline.orchestration.reading.scans import Scan
    from eval_pipeline.rows.contamination import ContaminationShardsRow


def compute(inputs: StageInputs) -> Computed:
    from eval_pipeline.contamination.search.canary import canaries_of, texts_of
    from eval_pipeline.orchestration.reading.scans import scanned, seen

    asked = corpora.declared(inputs.contract)
    shards = corpora.shards_of(inputs.root, inputs.contract)
    if absent := sorted(set(asked.corpora) - {corpus for corpus, _ in shards}):
        folder = inputs.root.corpus(absent[0]).relative_to(inputs.root.path).as_posix()
        raise ValueError(
            f"corpus {absent[0]} has no shards: put *.parquet or *.jsonl[.gz] into {folder}"
        )
    seen_shards = seen(inputs, shards)
    canaries = canaries_of(asked.canaries, texts_of(corpora.items_of(inputs)))
    scans = scanned(inputs, corpora.entries_of(inputs), canaries, seen_shards)
    searched = TABLES["contamination_shards"].from_rows(searched_rows(scans))
    refuse_unsearched(scans, searched.to_pylist(), asked.unreadable_shards == "skip")
    unread = sum(n or 0 for n in searched["unread"].to_pylist())
    skipped = sum(scan.unreadable is not None for scan in scans)
    first = next((text for text in searched["first_unread"].to_pylist() if text), "none")
    return Computed(
        {"contamination_hits": hits_of(scans), "contamination_shards": searched},
        [shard.file for shard in seen_shards],
        {
            "lines without a document": unread,
            "first of them": first,
            "unreadable shards": skipped,
        },
        {"lines without a document": unread, "unreadable shards": skipped},
    )


def hits_of(scans: "Sequence[Scan]") -> Any:
    """The rows of all shards, each with its corpus and shard."""
    import pyarrow as pa

    schema = TABLES["contamination_hits"].schema
    tables = [schema.empty_table()]
    for scan in scans:
        if scan.rows is not None:
            rows = scan.rows.replace_schema_metadata(None)
            for place, name in enumerate((scan.corpus, scan.shard.name)):
                column = pa.array([name] * rows.num_rows, pa.string())
                rows = rows.add_column(place, schema.field(place), column)
            tables.append(rows.cast(schema))
    return pa.concat_tables(tables)


def searched_rows(scans: "Sequence[Scan]") -> list[dict[str, object]]:
    """Rows of `contamination_shards`."""
    from eval_pipeline.contamination.corpus.shard_files import place_of
    from eval_pipeline.contamination.search.shard import summary_of

    rows: list[dict[str, object]] = []
    for scan in scans:
        row: dict[str, object] = {"corpus": scan.corpus, "shard": scan.shard.name}
        if scan.rows is None:
            nothing = {"documents": 0, "text_bytes": 0, "unread": 0, "first_unread": None}
            row |= {**nothing, "status": "undefined", "reason": scan.unreadable}
        else:
            row |= {**summary_of(scan.rows), "status": "ok", "reason": None}
            if row["first_unread"]:
                row["first_unread"] = f"{place_of(scan.shard)}, {row['first_unread']}"
        rows.append(row)
    return rows


def refuse_unsearched(
    scans: "Sequence[Scan]", searched: "Sequence[ContaminationShardsRow]", may_skip: bool
) -> None:
    """Raises ValueError for a shard that may not be left out, and a corpus of no documents."""
    for scan in scans:
        if scan.unreadable is not None and not may_skip:
            raise ValueError(
                f"{scan.unreadable}; or let the contract say `unreadable_shards: skip`"
            )
    for corpus in sorted({scan.corpus for scan in scans}):
        if not sum(row["documents"] for row in searched if row["corpus"] == corpus):
            raise ValueError(
                f"corpus {corpus} holds no document that can be searched: put some there, or "
                "take it out of the contract"
            )


STAGE = Stage(
    name="contamination_hits",
    tables=("contamination_hits", "contamination_shards"),
    scope="contract",
    reads=("items", "contamination_index"),
    version=4,
    compute=compute,
    wanted=corpora.wanted,
    files=corpora.shard_files,
    instruments=corpora.instruments,
)
