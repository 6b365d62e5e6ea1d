"""Calls the command in this process, as a shell would."""

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from eval_pipeline.cli import main
from eval_pipeline.layout import DATA_VARIABLE


@dataclass(frozen=True)
class Called:
    """What a call printed, and its exit code."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


def called(root: Path, *args: str) -> Called:
    """Calls `eval-pipeline` on a data root; an error that nobody foresaw is raised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    code = 0
    environment = {DATA_VARIABLE: str(root), "DAGSTER_HOME": str(root / "warehouse" / "dagster")}
    with patch.dict(os.environ, environment), redirect_stdout(out), redirect_stderr(err):
        try:
            main(args)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Called(code, _written(out), _written(err))


def succeeded(root: Path, *args: str) -> Called:
    """As `called`, for a call that must succeed."""
    found = called(root, *args)
    assert found.code == 0, found.stderr
    return found


def refused(root: Path, *args: str, code: int = 1) -> str:
    """The one line that a call that must fail gives."""
    found = called(root, *args)
    assert found.code == code, (found.code, found.stdout, found.stderr)
    lines = found.stderr.strip().split("\n")
    assert len(lines) == 1, found.stderr
    assert lines[0].startswith("error: ")
    return lines[0]


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
