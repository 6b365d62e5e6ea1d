"""Killed in the middle of any stage and started again: the same digests, nothing doubled."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from eval_pipeline.layout import DataRoot
from eval_pipeline.orchestration.chain import CHAIN
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.roots import bundled_root, run

CONTRACTS = ("arithmetic_words", "helpful_replies")


def digests(root: DataRoot) -> Mapping[str, str | None]:
    return {str(place): record.digest for place, record in standing(root).items()}


def standing(root: DataRoot) -> Mapping[object, object]:
    return Warehouse(root.warehouse).standing()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str | None]:
    root = bundled_root(tmp_path_factory.mktemp("undisturbed"), *CONTRACTS, checkpoints=2)
    assert not run(root).failed
    return digests(root)


@pytest.mark.parametrize("point", ["computed", "recorded"])
def test_a_run_killed_at_every_stage_ends_with_the_digests_of_an_undisturbed_one(
    point: str, undisturbed: Mapping[str, str | None], tmp_path: Path
) -> None:
    root = bundled_root(tmp_path, *CONTRACTS, checkpoints=2)
    environment = {**os.environ, "EVAL_PIPELINE_DATA": str(root.path)}
    environment.pop("DAGSTER_HOME", None)
    killed: list[str] = []
    while len(killed) <= len(CHAIN):
        arguments = ["-m", "eval_pipeline_tests.integration.killed_run", point, *killed]
        child = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, text=True
        )
        if child.returncode == 0:
            break
        assert child.returncode == -signal.SIGKILL, child.stderr[-2000:]
        killed.append(child.stdout.split()[-1])
    assert sorted(killed) == sorted(stage.name for stage in CHAIN)
    outcome = run(root)
    assert not outcome.failed
    assert digests(root) == undisturbed
    current = {str(place): Warehouse(root.warehouse).pointer(place) for place in standing(root)}
    assert {name: found and found.digest for name, found in current.items()} == undisturbed
    again = run(root)
    assert not again.done
