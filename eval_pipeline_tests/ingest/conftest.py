"""Small checkpoint folders and files of rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.ingest.generations import GenerationRead, read_generations

Row = dict[str, Any]


def lines_of(rows: list[Row | bytes]) -> bytes:
    """Rows as JSON lines; bytes stand as they are."""
    return b"".join(
        (row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows
    )


@pytest.fixture
def read_rows(tmp_path: Path) -> Callable[..., GenerationRead]:
    """Reads rows, or the bytes of a file, as the only file of a checkpoint with items a to z."""

    def read(rows: list[Row | bytes] | bytes, name: str = "b.jsonl", **options: Any) -> Any:
        path = tmp_path / name
        path.write_bytes(rows if isinstance(rows, bytes) else lines_of(rows))
        options.setdefault("item_ids", [chr(letter) for letter in range(ord("a"), ord("z") + 1)])
        return read_generations([path], **options)

    return read


@pytest.fixture
def reasons(read_rows: Callable[..., GenerationRead]) -> Callable[..., list[str]]:
    """The reasons of the rejected rows."""

    def of(rows: list[Row | bytes] | bytes, **options: Any) -> list[str]:
        return read_rows(rows, **options).rejected_lines["reason"].to_pylist()

    return of


def sample(item_id: str = "a", draw: int = 0, text: str = "42", **more: Any) -> Row:
    """A row of a generation file."""
    return {"item_id": item_id, "draw": draw, "text": text, **more}


def refusal_of(call: Callable[[], object]) -> str | None:
    """What the ValueError of the call says, or None where it raises none; others pass through."""
    try:
        call()
    except ValueError as error:
        return str(error)
    return None
