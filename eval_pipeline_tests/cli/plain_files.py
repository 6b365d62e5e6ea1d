"""Plain files of a newcomer, and what becomes of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.cli.drafting.first_draft import FirstDraft, first_draft
from eval_pipeline.ingest.plain.rows import read_plain
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.cli.project import lines, put

ROW = {"question": "2 + 2?", "answer": "4", "reply": "It is 4."}


def draft_of(path: Path, rows: Iterable[Mapping[str, Any]]) -> FirstDraft:
    put(path, lines(rows))
    return first_draft(read_plain(path), "mine", {})


def begun(root: Path, source: Path, *more: str) -> Any:
    return succeeded(root, "init", "--from", str(source), "--json", *more).json
