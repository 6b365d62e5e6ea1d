"""One shard, or a part of it, against one index: the unit of work of a search, wherever it runs."""

import importlib.util
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

import pyarrow as pa
import pyarrow.compute as pc

from eval_pipeline.contamination.corpus.batch import BATCH_BYTES, DocumentBatch, UnreadLines
from eval_pipeline.contamination.corpus.parquet_texts import Groups
from eval_pipeline.contamination.corpus.reading import batches
from eval_pipeline.contamination.corpus.shard_files import place_of
from eval_pipeline.contamination.index.segment import Segment, open_segment
from eval_pipeline.contamination.search.canary import GUID, CanaryScanner
from eval_pipeline.contamination.search.hits import Keeper, ReferenceSearch, Row, Search
from eval_pipeline.warehouse.schemas import TABLES

SCAN = "scan@3"  # version of what a shard's rows are, for the cache
Engine = Literal["kernel", "reference"]
KERNEL_FROM = 32 * 2**20  # bytes of text from which compiling pays
SUMMARY = b"summary"  # metadata of the table: what was read


class Summary(TypedDict):
    """What was read of a shard: documents, bytes of text, lines that hold none, and the first."""

    documents: int
    text_bytes: int
    unread: int
    first_unread: str | None


def engine_for(text_bytes: int) -> Engine:
    """The engine for so much text. Both give the same rows; the kernel has to be compiled once."""
    if text_bytes >= KERNEL_FROM and importlib.util.find_spec("numba") is not None:
        return "kernel"
    return "reference"


def scan_shard(
    shard: Path,
    index: Path,
    engine: Engine = "kernel",
    batch_bytes: int = BATCH_BYTES,
    groups: Groups | None = None,
) -> Any:
    """The rows of `contamination_hits` for one shard (an Arrow table without corpus and shard).

    A function of the bytes of the shard and the index alone: not of engine, batches or place.
    groups: the part of the shard that is searched, of those of `corpus.parts`; `whole` makes of
    the tables of all parts that of the shard. Sorted by document, item, field. `summary_of` says
    what was read.
    Raises ValueError where the shard cannot be read to its end, or the index is stale.
    """
    segment = open_segment(index)
    unread = UnreadLines()
    search = _search(segment, engine)
    rows, n_documents, n_bytes = scanned(
        batches(shard, unread, batch_bytes, groups), search, CanaryScanner(segment.canaries)
    )
    first = unread.first.removeprefix(place_of(shard)).lstrip(":, ")
    summary: Summary = {
        "documents": n_documents,
        "text_bytes": n_bytes,
        "unread": unread.count,
        "first_unread": first or None,
    }
    return _table(rows, summary)


def whole(parts: Sequence[Any]) -> Any:
    """The table of a shard from those of its parts, in order: as if it had been searched at once.

    Of each field that no part kept for its size, only the largest overlap of all parts stays.
    """
    if len(parts) == 1:
        return parts[0]
    rows = [row for part in parts for row in part.to_pylist()]
    keeper = Keeper()
    for row in rows:
        keeper.take_row(row)
    summaries = [summary_of(part) for part in parts]
    firsts = [s["first_unread"] for s in summaries if s["first_unread"] is not None]
    together: Summary = {
        "documents": sum(s["documents"] for s in summaries),
        "text_bytes": sum(s["text_bytes"] for s in summaries),
        "unread": sum(s["unread"] for s in summaries),
        "first_unread": firsts[0] if firsts else None,
    }
    return _table(keeper.rows(), together)


def summary_of(table: Any) -> Summary:
    """What was read of a scanned shard."""
    summary: Summary = json.loads(table.schema.metadata[SUMMARY])
    return summary


def scanned(
    documents: Iterable[DocumentBatch], search: Search, canaries: CanaryScanner
) -> tuple[list[Row], int, int]:
    """Rows, documents and bytes of text of some batches."""
    keeper = Keeper()
    n_documents, n_bytes = 0, 0
    for batch in documents:
        numbers = batch.numbers
        for i, hits in search.hits_in(batch.texts):
            for hit in hits:
                keeper.take(int(numbers[i]), hit)
        for i in _may_hold(canaries, batch.texts):
            text = batch.texts[i].as_py()
            for item, canary, place in canaries.scan(text):
                keeper.take_canary(int(numbers[i]), item, canary, text, place)
        n_documents += len(numbers)
        n_bytes += pc.sum(pc.binary_length(batch.texts)).as_py() or 0
    return keeper.rows(), n_documents, n_bytes


def _table(rows: Sequence[Row], summary: Summary) -> Any:
    schema = pa.schema(
        [f for f in TABLES["contamination_hits"].schema if f.name not in ("corpus", "shard")],
        {SUMMARY: json.dumps(summary).encode()},
    )
    return pa.Table.from_pylist(rows, schema)


def _search(segment: Segment, engine: Engine) -> Search:
    if engine == "kernel":
        from eval_pipeline.contamination.search.by_kernel import KernelSearch

        return KernelSearch(segment.packed(), segment.companions)
    return ReferenceSearch(segment.entries)


def _may_hold(canaries: CanaryScanner, texts: Any) -> list[int]:
    """The texts in which a canary may stand."""
    places: set[int] = set()
    if canaries.has_guids:
        shaped = pc.match_substring_regex(texts, GUID.pattern, ignore_case=True)
        places.update(pc.indices_nonzero(shaped).to_pylist())
    for canary in canaries.texts:
        places.update(pc.indices_nonzero(pc.match_substring(texts, canary)).to_pylist())
    return sorted(places)
