"""The bundled functions where there is no sandbox: only by leave, and then with the same scores."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from eval_pipeline.lab.truth import of_contract, read_truth, recovered
from eval_pipeline.verification.code.level import absent
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import eval_pipeline
from eval_pipeline_tests.integration.full_disk import digests
from eval_pipeline_tests.integration.roots import bundled_root

CONTRACT = "python_functions"
MISSES = 1  # of eight intervals of 95 %, two that miss have a chance of 6 %


@pytest.fixture(scope="module")
def without_sandbox() -> list[str]:
    """What starts a command that cannot make namespaces, and so no sandbox."""
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    way = ["unshare", "-Ur", "sh", "-c", forbid, "sh"]
    if not shutil.which("unshare") or subprocess.run([*way, "true"]).returncode:
        pytest.skip("namespaces cannot be forbidden to a child here (unshare -Ur)")
    return way


def test_without_leave_nothing_is_executed_and_the_run_says_so_and_is_good(
    tmp_path: Path, without_sandbox: list[str]
) -> None:
    root = bundled_root(tmp_path, CONTRACT, checkpoints=1)
    done = eval_pipeline(root, "run", "--json", within=without_sandbox)
    assert done.code == 0, done.err
    outcome = json.loads(done.out)
    (cell,) = outcome["not_run"]
    assert cell == f"{CONTRACT}/v1 verifier_scores of tern@step1000"
    reason = outcome["not_run"][cell]
    assert "runs model code, and there is no sandbox here" in reason
    assert "--allow-unsafe-code" in reason
    assert not [one for one in outcome["computed"] if "verifier_scores" in one]


@pytest.mark.slow
def test_with_leave_the_planted_skill_is_found_as_in_the_sandbox(
    tmp_path: Path, without_sandbox: list[str]
) -> None:
    root = bundled_root(tmp_path / "allowed", CONTRACT)
    arguments = ("run", "--allow-unsafe-code", "--workers", "2", "--json")
    done = eval_pipeline(root, *arguments, within=without_sandbox)
    assert done.code == 0, done.err
    outcome = json.loads(done.out)
    assert len(outcome["computed"]) == 17
    assert not outcome["not_run"]
    warehouse = Warehouse(root.warehouse)
    tables = {
        place.table: warehouse.read(place.table, CONTRACT, 1).table()
        for place in warehouse.standing()
    }
    found = recovered(of_contract(read_truth(root.truth), CONTRACT), tables)
    assert len(found) == 8
    assert all(row.covered is not None for row in found)
    assert sum(not row.covered for row in found) <= MISSES

    again = eval_pipeline(root, "run", "--json", within=without_sandbox)  # up to date without it
    assert again.code == 0
    assert not any(json.loads(again.out).values())

    if absent() is None:
        safe = bundled_root(tmp_path / "safe", CONTRACT)
        assert eval_pipeline(safe, "run", "--workers", "2").code == 0
        held, allowed = digests(safe), digests(root)
        assert held.keys() == allowed.keys()
        # the report alone tells that there was no sandbox
        differs = [place for place in held if held[place] != allowed[place]]
        assert differs == [place for place in held if place.startswith("report ")]
