"""The bundled functions: not executed without a person's leave, and right with it."""

import json
from pathlib import Path

import pytest

from eval_pipeline.lab.truth import of_contract, read_truth, recovered
from eval_pipeline.warehouse.store import Warehouse
from eval_pipeline_tests.integration.command import eval_pipeline
from eval_pipeline_tests.integration.roots import bundled_root

CONTRACT = "python_functions"
MISSES = 1  # of eight intervals of 95 %, two that miss have a chance of 6 %


def test_without_leave_nothing_is_executed_and_the_run_says_so_and_is_good(tmp_path: Path) -> None:
    root = bundled_root(tmp_path, CONTRACT, checkpoints=1)
    done = eval_pipeline(root, "run", "--json")
    assert done.code == 0
    outcome = json.loads(done.out)
    (reason,) = set(outcome["not_run"].values())
    assert "code@1 runs model code: allow it with --allow-unsafe-code" in reason
    assert set(outcome["not_run"]) == {f"{CONTRACT}/v1 verifier_scores of tern@step1000"}
    assert not [cell for cell in outcome["computed"] if "verifier_scores" in cell]


@pytest.mark.slow
def test_with_leave_the_planted_skill_is_found(tmp_path: Path) -> None:
    root = bundled_root(tmp_path, CONTRACT)
    done = eval_pipeline(root, "run", "--allow-unsafe-code", "--workers", "2", "--json")
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

    again = eval_pipeline(root, "run", "--json")  # up to date without leave as well
    assert again.code == 0
    assert json.loads(again.out) == {
        **{key: [] for key in ("computed", "unchanged", "notes")},
        **{key: {} for key in ("failed", "not_run", "set_aside", "faults")},
    }
