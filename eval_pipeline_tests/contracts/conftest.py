"""A data root of its own for each test."""

from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot


@pytest.fixture
def root(tmp_path: Path) -> DataRoot:
    return DataRoot(tmp_path / "data")
