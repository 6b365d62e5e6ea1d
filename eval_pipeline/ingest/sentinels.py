"""A judge's votes on its sentinels: a folder of files, one a night, named by the date.

Each row is a recorded vote as in a file of judgments.
"""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pyarrow as pa

from eval_pipeline.warehouse.schemas import TABLES

_FILE = re.compile(r"(\d{4}-\d{2}-\d{2})\.jsonl(\.gz)?")


def nights(folder: Path) -> list[tuple[str, Path]]:
    """(date, file) of each night, sorted; none where there is no folder.

    Raises ValueError that names a file whose name is no date.
    """
    return sorted(_nights(folder)) if folder.is_dir() else []


def as_sentinel_votes(votes: pa.Table, night: str) -> pa.Table:
    """Rows of `judge_votes` as rows of `judge_sentinel_votes` of one night."""
    table = TABLES["judge_sentinel_votes"]
    columns = {name: votes[name] for name in table.schema.names if name != "night"}
    return table.from_columns({**columns, "night": pa.repeat(night, votes.num_rows)})


def _nights(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in folder.iterdir():
        found = _FILE.fullmatch(path.name)
        if found is None or not _is_date(found[1]):
            raise ValueError(f"{path.name} in {folder.name} is no night: name it 2026-02-28.jsonl")
        yield found[1], path


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
