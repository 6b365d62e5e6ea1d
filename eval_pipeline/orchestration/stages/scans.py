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
from eval_pipeline.orchestration.stage import StageInputs

if TYPE_CHECKING:
    from eval_pipeline.contamination.fields import Field
    from eval_pipeline.contamination.near_duplicate_rows import Compared
    from eval_pipeline.contamination.ngram import Entry, Spread
    from eval_pipeline.contamination.shard import Engine

SCANS, COUNTS, INDEXES = "contamination_scans", "contamination_counts", "contamination_indexes"
NEAR = "near_documents"


@dataclass(frozen=True)
class Scan:
    """What came of a shard: its rows, or why it could not be read."""

    corpus: str
    shard: Path
    rows: Any
    unreadable: str | None


def scanned(
    inputs: StageInputs,
    entries: "Sequence[Entry]",
    canaries: Mapping[str, str],
    shards: Sequence[tuple[str, Path]],
    files: Sequence[FileRead],
) -> list[Scan]:
    """The scan of each shard, from the cache where it holds that of the same bytes and index.

    files: the shards as they were read, in the same order.
    """
    from eval_pipeline.contamination.corpus import text_bytes
    from eval_pipeline.contamination.rule import RULE
    from eval_pipeline.contamination.segment import write_segment
    from eval_pipeline.contamination.shard import SCAN, engine_for
    from eval_pipeline.contamination.workforce import Workforce
    from eval_pipeline.warehouse.cache import content_key, keep_table, kept_table

    settings = inputs.settings
    found: dict[int, Any] = {}
    with _cache(inputs) as cache:
        segment = write_segment(cache / INDEXES, entries, canaries)
        keys = [content_key(SCAN, RULE, segment.name, file.sha256) for file in files]
        for i, key in enumerate(keys):
            if (kept := kept_table(cache, SCANS, key)) is not None:
                found[i] = kept
        missing = [i for i in range(len(shards)) if i not in found]
        paths = [shards[i][1] for i in missing]
        engine = engine_for(sum(map(text_bytes, paths)))
        if engine == "kernel":
            segment.parts()  # made once, before several need it
        stamps = [_stamp(path) for path in paths]
        force = Workforce(settings.workers, settings.dask, settings.scan_megabytes * 2**20)
        for place, outcome in force.scan(paths, segment.folder, engine):
            _refuse_change(paths[place], stamps[place])
            found[missing[place]] = outcome
            if not isinstance(outcome, ValueError):
                keep_table(cache, SCANS, keys[missing[place]], outcome)
    return [
        Scan(corpus, shard, None, str(found[i]))
        if isinstance(found[i], ValueError)
        else Scan(corpus, shard, found[i], None)
        for i, (corpus, shard) in enumerate(shards)
    ]


def spread_of(inputs: StageInputs, fields: "Sequence[Field]", shards: Sequence[Path]) -> "Spread":
    """How common the n-grams of the fields are in the samples of some shards.

    A shard that cannot be read is left out here: the search names it.
    """
    from eval_pipeline.contamination.corpus import text_bytes
    from eval_pipeline.contamination.shard import engine_for
    from eval_pipeline.contamination.spread import SAMPLE, merged
    from eval_pipeline.warehouse.cache import cached_bytes, content_key
    from eval_pipeline.warehouse.digest import file_digest

    asked = [(f.item_id, f.name, f.text, f.normaliser.version) for f in fields]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    engine = engine_for(sum(map(text_bytes, shards)))
    samples = []
    with _cache(inputs) as cache:
        for shard in shards:
            key = content_key(SAMPLE, digest, file_digest(shard)[0])
            try:
                kept = cached_bytes(cache, COUNTS, key, partial(_counted, shard, fields, engine))
            except ValueError:
                continue
            samples.append(json.loads(kept))
    return merged(samples)


def near_documents(
    inputs: StageInputs,
    compared: "Compared",
    shards: Sequence[Path],
    files: Sequence[FileRead],
) -> list[Any]:
    """The documents of each shard that nearly are an item, from the cache where it holds them.

    files: the shards as they were read, in the same order.
    """
    from eval_pipeline.contamination.instruments import MINHASH
    from eval_pipeline.contamination.near_duplicate_rows import shard_rows
    from eval_pipeline.contamination.normalise import TEXT_V1
    from eval_pipeline.warehouse.cache import cached_table, content_key

    asked = [(f.name, f.item_id, f.text) for name in sorted(compared) for f in compared[name]]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
    batch_bytes = inputs.settings.scan_megabytes * 2**20
    with _cache(inputs) as cache, ThreadPoolExecutor(inputs.settings.workers) as threads:

        def near(shard: Path, file: FileRead) -> Any:
            def make() -> Any:
                before = _stamp(shard)
                rows = shard_rows(shard, compared, batch_bytes)
                _refuse_change(shard, before)
                return rows

            key = content_key(MINHASH, TEXT_V1.version, digest, file.sha256)
            return cached_table(cache, NEAR, key, make)

        return list(threads.map(near, shards, files))


def _counted(shard: Path, fields: "Sequence[Field]", engine: "Engine") -> bytes:
    from eval_pipeline.contamination.spread import shard_counts

    return json.dumps(shard_counts(shard, fields, engine)).encode()


@contextmanager
def _cache(inputs: StageInputs) -> Iterator[Path]:
    """The cache, or a folder that is thrown away where work is to be done anew."""
    if inputs.cache is not None:
        yield inputs.cache
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _stamp(path: Path) -> tuple[int, int]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns


def _refuse_change(path: Path, stamp: tuple[int, int]) -> None:
    if _stamp(path) != stamp:
        raise ValueError(f"{path} changed while it was searched: run again")
