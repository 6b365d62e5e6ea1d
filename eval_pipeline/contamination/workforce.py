"""Who scans the shards: this thread, several, or the workers of a Dask cluster.

Each runs `scan_shard`, so who did the work does not show in what comes of it.
"""

import importlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval_pipeline.contamination.corpus import BATCH_BYTES
from eval_pipeline.contamination.shard import Engine, scan_shard
from eval_pipeline.contamination.shard_files import place_of

CONNECT = "10 s"
RETRIES = 3  # of a shard whose worker died


@dataclass(frozen=True)
class Workforce:
    """workers: threads, where no scheduler is named; batch_bytes: of text that each holds."""

    workers: int = 1
    dask: str | None = None
    batch_bytes: int = BATCH_BYTES

    def scan(
        self, shards: Sequence[Path], index: Path, engine: Engine
    ) -> Iterator[tuple[int, Any]]:
        """(place among the shards, its table or the ValueError that it gave), as they are done.

        Raises ValueError where the cluster cannot be reached or lost a shard again and again.
        """
        if self.dask is not None and shards:
            yield from self._on_cluster(self.dask, shards, index, engine)
        elif self.workers > 1 and len(shards) > 1:
            with ThreadPoolExecutor(self.workers) as threads:
                futures = {
                    threads.submit(_scanned, shard, index, engine, self.batch_bytes): i
                    for i, shard in enumerate(shards)
                }
                for future in as_completed(futures):
                    yield futures[future], future.result()
        else:
            for i, shard in enumerate(shards):
                yield i, _scanned(shard, index, engine, self.batch_bytes)

    def _on_cluster(
        self, address: str, shards: Sequence[Path], index: Path, engine: Engine
    ) -> Iterator[tuple[int, Any]]:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise ValueError(
                "--dask needs the package distributed: pip install 'eval-pipeline[distributed]'"
            ) from None
        try:
            client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"no Dask scheduler answers at {address} ({error}): start one with "
                "`dask scheduler`, or leave --dask out"
            ) from error
        with client:
            futures = {
                client.submit(
                    _scanned,
                    shard.resolve(),
                    index.resolve(),
                    engine,
                    self.batch_bytes,
                    pure=False,
                    retries=RETRIES,
                ): i
                for i, shard in enumerate(shards)
            }
            for future in distributed.as_completed(futures, loop=client.loop):
                try:
                    yield futures[future], future.result()
                except distributed.KilledWorker as error:
                    raise ValueError(
                        f"the workers of {address} died over {place_of(shards[futures[future]])}: "
                        "give them more memory"
                    ) from error


def _scanned(shard: Path, index: Path, engine: Engine, batch_bytes: int) -> Any:
    try:
        return scan_shard(shard, index, engine, batch_bytes)
    except ValueError as error:
        return error
