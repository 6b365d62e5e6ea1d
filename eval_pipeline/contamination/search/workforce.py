"""Who scans the shards: this thread, several, or the workers of a Dask cluster.

Each runs `scan_shard` on a shard or on some row groups of it, so who did the work, and in how many
parts, does not show in what comes of it.
"""

import importlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from eval_pipeline.contamination.corpus.batch import BATCH_BYTES
from eval_pipeline.contamination.corpus.parquet_texts import Groups
from eval_pipeline.contamination.corpus.reading import parts
from eval_pipeline.contamination.corpus.shard_files import place_of
from eval_pipeline.contamination.search.shard import Engine, scan_shard, whole

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

        Several workers share a large Parquet file by its row groups.
        Raises ValueError where the cluster cannot be reached or lost a shard again and again.
        """
        if self.dask is None and self.workers == 1:
            for i, shard in enumerate(shards):
                yield i, _scanned(shard, index, engine, self.batch_bytes, None)
            return
        pieces = [
            _Piece(i, part, shard, groups)
            for i, shard in enumerate(shards)
            for part, groups in enumerate(parts(shard))
        ]
        some = self._by_threads if self.dask is None else self._on_cluster
        yield from _joined(pieces, some(pieces, index, engine)) if pieces else ()

    def _by_threads(self, pieces: "Sequence[_Piece]", index: Path, engine: Engine) -> "_Outcomes":
        with ThreadPoolExecutor(self.workers) as threads:
            futures = {
                threads.submit(
                    _scanned, piece.shard, index, engine, self.batch_bytes, piece.groups
                ): piece
                for piece in pieces
            }
            for future in as_completed(futures):
                yield futures[future], future.result()

    def _on_cluster(self, pieces: "Sequence[_Piece]", index: Path, engine: Engine) -> "_Outcomes":
        address = self.dask
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
                    piece.shard.resolve(),
                    index.resolve(),
                    engine,
                    self.batch_bytes,
                    piece.groups,
                    pure=False,
                    retries=RETRIES,
                ): piece
                for piece in pieces
            }
            for future in distributed.as_completed(futures, loop=client.loop):
                piece = futures[future]
                try:
                    yield piece, future.result()
                except distributed.KilledWorker as error:
                    raise ValueError(
                        f"the workers of {address} died over {place_of(piece.shard)}: "
                        "give them more memory"
                    ) from error


class _Piece(NamedTuple):
    """A part of a shard that one worker searches."""

    place: int  # of the shard, among all
    part: int
    shard: Path
    groups: Groups | None


_Outcomes = Iterator[tuple[_Piece, Any]]


def _joined(pieces: Sequence[_Piece], outcomes: _Outcomes) -> Iterator[tuple[int, Any]]:
    """(place, outcome) of each shard, once all its parts are there; of faults the first part's."""
    missing = Counter(piece.place for piece in pieces)
    outcomes_of: dict[int, dict[int, Any]] = {}
    for piece, outcome in outcomes:
        of_shard = outcomes_of.setdefault(piece.place, {})
        of_shard[piece.part] = outcome
        if len(of_shard) == missing[piece.place]:
            in_order = [outcome for _, outcome in sorted(outcomes_of.pop(piece.place).items())]
            fault = next((outcome for outcome in in_order if isinstance(outcome, ValueError)), None)
            yield piece.place, whole(in_order) if fault is None else fault


def _scanned(
    shard: Path, index: Path, engine: Engine, batch_bytes: int, groups: Groups | None
) -> Any:
    try:
        return scan_shard(shard, index, engine, batch_bytes, groups)
    except ValueError as error:
        return error
