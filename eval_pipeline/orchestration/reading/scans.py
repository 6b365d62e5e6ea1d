"""Scans of shards that are kept by content: what was searched once is not searched again."""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_pipeline.layout import FileRead
from eval_pipeline.orchestration.reading import corpora
from eval_pipeline.orchestration.stage import StageInputs

if TYPE_CHECKING:
    from eval_pipeline.contamination.index.entries import FieldEntry
    from eval_pipeline.contamination.index.masks import Spread
    from eval_pipeline.contamination.near_duplicates.rows import Compared, Hidden
    from eval_pipeline.contamination.search.shard import Engine
    from eval_pipeline.contamination.text.fields import Field
    from eval_pipeline.warehouse.cache import Cache

SCANS, COUNTS, INDEXES = "contamination_scans", "contamination_counts", "contamination_indexes"
NEAR = "near_documents"


@dataclass(frozen=True)
class Seen:
    """A shard as it was when its bytes were digested."""

    corpus: str
    path: Path
    file: FileRead
    stamp: tuple[int, int]


@dataclass(frozen=True)
class Scan:
    """What came of a shard: its rows, or why it could not be read."""

    corpus: str
    shard: Path
    rows: Any
    unreadable: str | None


def seen(inputs: StageInputs, shards: Sequence[tuple[str, Path]]) -> list[Seen]:
    """The shards of some corpora with the digests of their bytes."""
    stamps = [_stamp(path) for _, path in shards]  # before the digest: later bytes are others
    files = corpora.files_read(inputs.root, [path for _, path in shards])
    return [
        Seen(corpus, path, file, stamp)
        for (corpus, path), file, stamp in zip(shards, files, stamps, strict=True)
    ]


def scanned(
    inputs: StageInputs,
    entries: "Sequence[FieldEntry]",
    canaries: Mapping[str, str],
    shards: Sequence[Seen],
) -> list[Scan]:
    """The scan of each shard, from the cache where it holds that of the same bytes and index.

    Raises ValueError for a shard that has changed since it was digested.
    """
    from eval_pipeline.contamination.corpus.reading import text_bytes
    from eval_pipeline.contamination.index.segment import write_segment
    from eval_pipeline.contamination.rule import RULE
    from eval_pipeline.contamination.search.shard import SCAN, engine_for
    from eval_pipeline.contamination.search.workforce import Workforce
    from eval_pipeline.warehouse.cache import content_key

    settings = inputs.settings
    outcomes: dict[int, Any] = {}
    with _cache(inputs) as cache:
        segment = write_segment(cache.folder / INDEXES, entries, canaries)
        keys = [content_key(SCAN, RULE, segment.name, shard.file.sha256) for shard in shards]
        for i, key in enumerate(keys):
            if (kept := cache.table(SCANS, key)) is not None:
                outcomes[i] = kept
        missing = [i for i in range(len(shards)) if i not in outcomes]
        paths = [shards[i].path for i in missing]
        engine = engine_for(sum(map(text_bytes, paths)))
        if engine == "kernel":
            segment.packed()  # made once, before several need it
        force = Workforce(settings.workers, settings.dask, settings.scan_megabytes * 2**20)
        for place, outcome in force.scan(paths, segment.folder, engine):
            _refuse_change(shards[missing[place]])
            outcomes[missing[place]] = outcome
            if not isinstance(outcome, ValueError):
                cache.keep_table(SCANS, keys[missing[place]], outcome)
        cache.damaged += segment.damaged
    return [
        Scan(shard.corpus, shard.path, None, str(outcomes[i]))
        if isinstance(outcomes[i], ValueError)
        else Scan(shard.corpus, shard.path, outcomes[i], None)
        for i, shard in enumerate(shards)
    ]


def spread_of(inputs: StageInputs, fields: "Sequence[Field]", shards: Sequence[Path]) -> "Spread":
    """How common the n-grams of the fields are in the samples of some shards.

    A shard that cannot be read is left out here: the search names it.
    """
    from eval_pipeline.contamination.corpus.reading import text_bytes
    from eval_pipeline.contamination.search.shard import engine_for
    from eval_pipeline.contamination.search.spread import SAMPLE, merged
    from eval_pipeline.warehouse.cache import content_key
    from eval_pipeline.warehouse.digest import file_digest

    asked = [(f.item_id, f.name, f.text, f.normaliser.version) for f in fields]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    engine = engine_for(sum(map(text_bytes, shards)))
    samples = []
    with _cache(inputs) as cache:
        for shard in shards:
            key = content_key(SAMPLE, digest, file_digest(shard)[0])
            try:
                kept = cache.bytes_of(COUNTS, key, partial(_counted, shard, fields, engine))
            except ValueError:
                continue
            samples.append(json.loads(kept))
    return merged(samples)


def near_documents(
    inputs: StageInputs, compared: "Compared", hidden: "Hidden", shards: Sequence[Seen]
) -> list[Any]:
    """The documents of each shard that nearly are an item, from the cache where it holds them.

    Raises ValueError for a shard that has changed since it was digested.
    """
    from eval_pipeline.contamination.corpus.reading import parts
    from eval_pipeline.contamination.instruments import MINHASH
    from eval_pipeline.contamination.near_duplicates.rows import shard_rows, whole_shard
    from eval_pipeline.contamination.text.normalise import TEXT
    from eval_pipeline.warehouse.cache import content_key

    asked = [(f.name, f.item_id, f.text) for name in sorted(compared) for f in compared[name]]
    out = {name: of_field.tolist() for name, of_field in sorted(hidden.items())}
    digest = hashlib.sha256(json.dumps([asked, out]).encode()).hexdigest()
    workers, batch_bytes = inputs.settings.workers, inputs.settings.scan_megabytes * 2**20
    with _cache(inputs) as cache, ThreadPoolExecutor(workers) as threads:
        keys = [content_key(MINHASH, TEXT.version, digest, s.file.sha256) for s in shards]
        tables = [cache.table(NEAR, key) for key in keys]
        made = {
            i: [
                threads.submit(shard_rows, shards[i].path, compared, batch_bytes, groups, hidden)
                for groups in (parts(shards[i].path) if workers > 1 else [None])
            ]
            for i, kept in enumerate(tables)
            if kept is None
        }
        for i, of_shard in made.items():
            tables[i] = whole_shard([part.result() for part in of_shard])
            _refuse_change(shards[i])
            cache.keep_table(NEAR, keys[i], tables[i])
    return tables


def _counted(shard: Path, fields: "Sequence[Field]", engine: "Engine") -> bytes:
    from eval_pipeline.contamination.search.spread import shard_counts

    return json.dumps(shard_counts(shard, fields, engine)).encode()


@contextmanager
def _cache(inputs: StageInputs) -> "Iterator[Cache]":
    """The cache, or a folder that is thrown away where work is to be done anew."""
    from eval_pipeline.warehouse.cache import Cache

    if inputs.cache is not None:
        yield inputs.cache
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Cache(Path(folder))


def _stamp(path: Path) -> tuple[int, int]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns


def _refuse_change(shard: Seen) -> None:
    if _stamp(shard.path) != shard.stamp:
        raise ValueError(f"{shard.path} changed while it was searched: run again")
