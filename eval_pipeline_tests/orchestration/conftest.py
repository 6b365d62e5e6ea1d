"""Each test has a Dagster home of its own, and leaves none behind in the environment."""

from pathlib import Path

import dagster as dg
import pytest


@pytest.fixture(autouse=True)
def dagster_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "dagster_home"
    home.mkdir()
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    monkeypatch.setenv("EVAL_PIPELINE_DATA", str(tmp_path / "data"))
    return home


@pytest.fixture
def instance(dagster_home: Path) -> dg.DagsterInstance:
    return dg.DagsterInstance.from_config(str(dagster_home))
