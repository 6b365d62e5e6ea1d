"""A project that was run once, for all tests that only look."""

import shutil
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline_tests.cli.calling import succeeded
from eval_pipeline_tests.cli.project import write_odd_checkpoints, write_project
from eval_pipeline_tests.once import made_once


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data root whose numbers are all up to date; made once a run, never written to."""

    def make(root: Path) -> None:
        write_project(DataRoot(root))
        succeeded(root, "run")
        write_odd_checkpoints(DataRoot(root))

    return made_once(tmp_path_factory, "finished", make)


@pytest.fixture
def own(finished: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    root = tmp_path / "data"
    shutil.copytree(finished, root)
    return root
