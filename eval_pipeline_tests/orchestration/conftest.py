"""Each test has a Dagster home of its own, and leaves none behind in the environment."""

from pathlib import Path

import dagster as dg
import pytest

from eval_pipeline.layout import DATA_VARIABLE, DataRoot
from eval_pipeline.orchestration.home import HOME_VARIABLE, prepared_home


@pytest.fixture(autouse=True)
def dagster_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = DataRoot(tmp_path / "data")
    monkeypatch.setenv(DATA_VARIABLE, str(root.path))
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "dagster_home"))
    return prepared_home(root)


@pytest.fixture
def instance(dagster_home: Path) -> dg.DagsterInstance:
    return dg.DagsterInstance.from_config(str(dagster_home))
