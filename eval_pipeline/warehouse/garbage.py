"""Files of the warehouse that nothing refers to any more."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval_pipeline.warehouse.durable import TEMPORARY
from eval_pipeline.warehouse.history import History
from eval_pipeline.warehouse.pointer import Pointer, pointer_to

Keep = Literal["recorded", "current"]


@dataclass(frozen=True)
class GarbageFile:
    path: Path
    bytes: int
    why: str


def garbage(warehouse: Path, history: History, keep: Keep) -> list[GarbageFile]:
    """What may be removed, sorted by path, while nobody writes.

    `recorded` keeps each part that any successful record made, so that `--as-of` reads them;
    `current` keeps only what places hold now. Left-over temporaries are always garbage.
    """
    tables = warehouse / "tables"
    kept = {pointer.part(tables) for pointer in _kept(history, keep)}
    parts = tables.glob("*/contract=*/version=*/**/part-*.parquet")
    found = [_file(path, "no record refers to it") for path in parts if path not in kept]
    temporary = f".*{TEMPORARY}*"
    left = [*warehouse.glob(temporary)]
    for folder in (tables, warehouse / "cache"):
        left += folder.rglob(temporary)
    found += [_file(path, "left behind by a writer that died") for path in left]
    return sorted(found, key=lambda file: file.path)


def _kept(history: History, keep: Keep) -> Iterator[Pointer]:
    if keep == "recorded":
        yield from (pointer_to(record) for record in history.records() if record.succeeded)
    else:
        for place in history.places():
            if record := history.latest_success(place):
                yield pointer_to(record)


def _file(path: Path, why: str) -> GarbageFile:
    return GarbageFile(path, path.stat().st_size, why)
