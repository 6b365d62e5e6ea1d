"""Killed in the middle of any stage and started again: the same digests, nothing doubled."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from eval_pipeline.contracts.load import load_all
from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import CHAIN, stages_of
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.every_stage import every_stage, scores
from eval_pipeline_tests.integration.roots import run
from eval_pipeline_tests.judging.asking.endpoint import serving

ENDPOINT = "EVAL_PIPELINE_JUDGE_URL"


def digests(root: DataRoot) -> Mapping[str, str | None]:
    return {str(place): record.digest for place, record in standing(root).items()}


def standing(root: DataRoot) -> Mapping[object, object]:
    return Warehouse(root.warehouse).standing()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataRoot]:
    """A root of which all is computed; from then on the replies of its live judge are kept ones."""
    root = every_stage(tmp_path_factory.mktemp("undisturbed"))
    with pytest.MonkeyPatch.context() as patched:
        with serving(scores) as endpoint:
            patched.setenv(ENDPOINT, endpoint.url)
            outcome = run(root)
        assert not outcome.failed
        assert not outcome.withheld
        patched.setenv(ENDPOINT, "kept")
        yield root


def test_the_root_asks_for_every_stage_of_the_chain(tmp_path: Path) -> None:
    """A new stage is killed too: let a contract of `every_stage` ask for it."""
    loaded = load_all(every_stage(tmp_path))
    assert not loaded.faults_by_file
    asked = {stage.name for one in loaded.contracts for stage in stages_of(one.contract)}
    assert [stage.name for stage in CHAIN if stage.name not in asked] == []


@pytest.mark.parametrize("point", ["computed", "recorded"])
def test_a_run_killed_at_every_stage_ends_with_the_digests_of_an_undisturbed_one(
    point: str, undisturbed: DataRoot, tmp_path: Path
) -> None:
    root = DataRoot(tmp_path / "data")
    shutil.copytree(undisturbed.path, root.path, ignore=shutil.ignore_patterns("warehouse"))
    environment = {**os.environ, "EVAL_PIPELINE_DATA": str(root.path)}
    environment.pop("DAGSTER_HOME", None)
    done = subprocess.run(
        [sys.executable, "-m", "eval_pipeline_tests.integration.killed_runs", point],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert sorted(done.stdout.split()) == sorted(stage.name for stage in CHAIN)
    wanted = digests(undisturbed)
    outcome = run(root)
    assert not outcome.failed
    assert digests(root) == wanted
    current = {str(place): Warehouse(root.warehouse).pointer(place) for place in standing(root)}
    assert {name: found and found.digest for name, found in current.items()} == wanted
    again = run(root)
    assert not again.done
