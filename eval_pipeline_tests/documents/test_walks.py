"""The walks of ARCHITECTURE.md are walked: every function is called, in the order that is told."""

import pytest

from eval_pipeline_tests.documents.generated import DOCS
from eval_pipeline_tests.documents.moved import candidates
from eval_pipeline_tests.documents.names import exists
from eval_pipeline_tests.documents.walking import gone_astray, in_small_runs, walks

WALKS = walks((DOCS / "ARCHITECTURE.md").read_text(encoding="utf-8"))
STEPS = sorted({step for steps in WALKS.values() for step in steps})


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return in_small_runs(tmp_path_factory.mktemp("walks"), STEPS)


def test_there_are_five() -> None:
    assert len(WALKS) == 5
    assert all(len(steps) >= 5 for steps in WALKS.values())


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_code(step: str) -> None:
    assert exists(step), f"{step} moved or is gone: perhaps to {candidates(step)}"


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_walked(walk: str, calls: list[str]) -> None:
    assert gone_astray(WALKS[walk], calls) is None


def test_a_wrong_order_is_seen() -> None:
    assert gone_astray(("a", "b"), ("b", "a", "b")) is None
    assert gone_astray(("a", "b"), ("b", "a")) == "b was not called after a"
    assert gone_astray(("a", "c"), ("a", "b")) == "c was not called after a"
