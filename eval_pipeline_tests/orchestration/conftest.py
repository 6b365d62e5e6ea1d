"""Each test has a Dagster home of its own, and leaves none behind in the environment."""

import shutil
from pathlib import Path

import dagster as dg
import pytest

from eval_pipeline.layout import DATA_VARIABLE, DataRoot
from eval_pipeline.orchestration.running.databases import make_databases
from eval_pipeline.orchestration.running.home import HOME_VARIABLE, prepared_home


@pytest.fixture(scope="session")
def new_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with its empty databases: to make them takes longer than most tests."""
    folder = tmp_path_factory.mktemp("new")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(HOME_VARIABLE, str(folder / "dagster_home"))
        home = prepared_home(DataRoot(folder / "data"))
    make_databases(home)
    return home


@pytest.fixture(autouse=True)
def dagster_home(new_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "dagster_home"
    shutil.copytree(new_home, home)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return home


@pytest.fixture
def instance(dagster_home: Path) -> dg.DagsterInstance:
    return dg.DagsterInstance.from_config(str(dagster_home))
